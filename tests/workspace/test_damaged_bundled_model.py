"""Damaged files of the bundled model cost search by meaning, never the command, and `doctor` names the file."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

import holdfast
from holdfast.core.admission import Outcome
from holdfast.core.health import HealthLevel
from holdfast.models import own_model, reader
from holdfast.workspace import Workspace
from tests.models.own_files import write_model

pytestmark = pytest.mark.integration

FILES = ("model.json", "vocabulary.txt", "static.bin", "tokens.bin", "small.onnx", "code.npy")


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """The folder of the bundled model."""
    folder = write_model(tmp_path / "model")
    monkeypatch.setattr(own_model, "OWN", str(folder))
    forget_models()
    yield folder
    forget_models()


def forget_models() -> None:
    """Clears what the readers keep of the bundled model in this process."""
    for kept in vars(reader).values():
        if hasattr(kept, "cache_clear"):
            kept.cache_clear()


@pytest.fixture
def opened(tmp_path: Path, project: Path) -> Callable[[], Workspace]:
    """Opens a workspace as a new process does."""
    return lambda: holdfast.open(
        db=str(tmp_path / "m.db"), project=str(project), embedder="small", background=False, abstain_below=0
    )


def truncate(file: Path) -> None:
    file.write_bytes(file.read_bytes()[: file.stat().st_size // 2])


def alter(file: Path) -> None:
    data = bytearray(file.read_bytes())
    data[len(data) * 3 // 4] ^= 64
    file.write_bytes(data)


def empty(file: Path) -> None:
    file.write_bytes(b"")


DAMAGE = {"truncated": truncate, "altered": alter, "empty": empty, "missing": Path.unlink}


@pytest.mark.parametrize("name", FILES)
@pytest.mark.parametrize("damage", DAMAGE.values(), ids=DAMAGE)
def test_words_are_searched_with_a_damaged_file(
    folder: Path, opened: Callable[[], Workspace], name: str, damage: Callable[[Path], None]
) -> None:
    with opened() as ws:
        ws.remember("The garden gate is green")
        assert ws.upkeep("embed")["embed"]["embedded"] == 1
        assert ws.doctor().sound
    damage(folder / name)
    with opened() as ws:
        assert ws.remember("The attic key hangs in the hall").outcome is Outcome.STORED
        found = [hit.memory and hit.memory.content for hit in ws.recall("attic key").hits]
        assert "The attic key hangs in the hall" in found
        ws.upkeep("embed")
        assert ws.stats().embedder
        [finding] = [finding for finding in ws.doctor().findings if finding.check == "model"]
    if name == "model.json" and damage is alter:
        return  # only its prefixes and hashes matter, and one byte may be in neither
    assert finding.level is HealthLevel.BAD
    assert name in f"{finding.detail.values}"


def test_sound_files_make_a_memory_found_by_meaning_at_once(folder: Path, opened: Callable[[], Workspace]) -> None:
    with opened() as ws:
        ws.remember("The garden gate is green")
        assert dict(ws.stats().vectors) == {"static": 1}
        assert ws.stats().waiting == 0
        ws.upkeep("embed")
        assert dict(ws.stats().vectors) == {"small": 1}
