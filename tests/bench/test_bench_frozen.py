"""Recording what the program does, and comparing it later."""

from __future__ import annotations

from argparse import Namespace
from pathlib import Path

import pytest
from bench.frozen.__main__ import judge, main

RECORDED = {"chats": ["We deploy on Tuesdays.", "Tabs, not spaces."], "notes": ["The office opens at nine."]}


@pytest.fixture
def options(tmp_path: Path) -> Namespace:
    """Options of a comparison with what was recorded in a folder."""
    here = Namespace(
        data=tmp_path, hashes=tmp_path / "hashes", values=tmp_path / "values", now=tmp_path, all=False, write=True
    )
    assert judge("lines", RECORDED, 1.0, here)
    here.write = False
    return here


def test_the_same_is_as_recorded(options, capsys):
    assert judge("lines", RECORDED, 1.0, options)
    assert "as recorded" in capsys.readouterr().out


def test_a_difference_fails_and_is_printed_line_by_line(options, capsys):
    changed = {**RECORDED, "chats": ["We deploy on Thursdays.", "Tabs, not spaces."]}
    assert not judge("lines", changed, 1.0, options)
    said = capsys.readouterr().out
    assert "lines/chats: 2 " in said
    assert "-We deploy on Tuesdays." in said
    assert "+We deploy on Thursdays." in said
    assert "Tabs" not in said
    assert "notes" not in said


def test_a_part_that_is_missing_or_new_is_a_difference(options, capsys):
    assert not judge("lines", {"chats": RECORDED["chats"], "more": ["x"]}, 1.0, options)
    said = capsys.readouterr().out
    assert "-The office opens at nine." in said
    assert "lines/more: missing → 1 " in said


def test_only_hashes_are_needed_to_notice_a_difference(options, capsys):
    (options.values / "lines.json").unlink()
    assert judge("lines", RECORDED, 1.0, options)
    assert not judge("lines", {**RECORDED, "notes": []}, 1.0, options)
    assert "its recorded lines are not in" in capsys.readouterr().out


def test_a_section_without_its_data_is_skipped(tmp_path, capsys):
    assert main(["queries", "--data", str(tmp_path / "none")]) == 0
    assert "queries: skipped" in capsys.readouterr().out
