"""An erasure is killed with `kill -9` at a random moment: the next command finishes it, and no file has the text.

HOLDFAST_KILLS sets how often.
"""

from __future__ import annotations

import os
import random
import shutil
import time
from pathlib import Path
from typing import Any

import pytest

from tests.store.state import assert_sound
from tests.torture.children import Child, forks
from tests.workspace.test_erase_everywhere import SECRET, Place

pytestmark = [pytest.mark.torture, forks]

KILLS = int(os.environ.get("HOLDFAST_KILLS", "3"))


def test_a_killed_erasure_is_finished_by_the_next_command(tmp_path: Path, capsys: Any) -> None:
    dice, killed = random.Random("erase"), 0
    # Always in the same place: a project is recognised by its folder.
    work, saved = tmp_path / "work", tmp_path / "saved"
    work.mkdir()
    place = Place(work)
    ids = place.live()
    shutil.copytree(work, saved, symlinks=True)
    started = time.monotonic()
    assert Child(lambda report: erase(place, ids)).end()[0] == 0
    seconds = time.monotonic() - started
    for _ in range(KILLS):
        shutil.rmtree(work)
        shutil.copytree(saved, work, symlinks=True)
        child = Child(lambda report: erase(place, ids))
        time.sleep(dice.uniform(0, seconds))
        child.kill()
        killed += child.end()[0] == -9
        assert_sound(place.db)
        # From another project: any command goes on with an erasure, if it was recorded.
        with place.open(place.other) as ws:
            ws.resume_erasures()
        with place.open() as ws:
            if not ws.get(ids[0]).is_erased:
                assert not ws.container.store.erasure.recorded()
                ws.erase(ids)
        assert place.found(*SECRET) == []
        assert_sound(place.db)
    with capsys.disabled():
        print(f"\nerase: {killed} of {KILLS} killed before their end, all finished by the next command")


def erase(place: Place, ids: list[str]) -> None:
    with place.open() as ws:
        ws.erase(ids)
