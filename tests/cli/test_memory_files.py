"""The command memory: the file, the editor and the result of an edit."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

FILE = Path(".holdfast") / "memory" / "MEMORY.md"


@pytest.fixture
def editor(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    """Makes EDITOR a program that replaces one text by another."""

    def make(old: str, new: str, code: int = 0) -> None:
        script = tmp_path / "my editor.py"
        script.write_text(
            "import sys\nfrom pathlib import Path\nfile = Path(sys.argv[-1])\n"
            f"file.write_text(file.read_text('utf-8').replace({old!r}, {new!r}), 'utf-8')\nsys.exit({code})\n"
        )
        monkeypatch.delenv("VISUAL", raising=False)
        monkeypatch.setenv("EDITOR", f'"{sys.executable}" "{script}"')

    return make


@pytest.mark.integration
def test_edit_opens_the_file_and_applies_the_changes(holdfast, editor):
    holdfast("remember", "The harbour office opens at nine.")
    editor("opens at nine", "opens at ten")
    ran = holdfast("memory", "edit")
    assert (ran.code, ran.err) == (0, "")
    assert ran.out.startswith("corrected  ")
    assert ran.out.splitlines()[0].endswith("The harbour office opens at ten.")
    assert ran.out.splitlines()[1].startswith("Wrote ")
    assert "opens at ten" in holdfast("list").out
    assert "opens at nine" not in holdfast("list").out


def test_a_folder_name_is_no_command(holdfast, editor, world, monkeypatch):
    hostile = world / '$(touch pwned) "; touch pwned'
    hostile.mkdir()
    monkeypatch.chdir(hostile)
    editor("# Memory", "# Memory\n\n- Seals sleep on the rocks.\n")
    assert "learned" in holdfast("memory", "edit").out
    assert not list(world.rglob("pwned"))


def test_without_a_terminal_no_editor_is_chosen(holdfast, world, monkeypatch):
    for name in ("EDITOR", "VISUAL"):
        monkeypatch.delenv(name, raising=False)
    holdfast("remember", "Tides turn twice a day.")
    ran = holdfast("memory", "edit")
    assert ran.code == 2
    assert "an editor needs a terminal" in ran.err
    assert "MEMORY.md and run `holdfast memory sync`" in ran.err


def test_an_editor_that_fails_leaves_a_hint(holdfast, editor, monkeypatch):
    editor("", "", code=3)
    ran = holdfast("memory", "edit")
    assert ran.code == 2
    assert "holdfast memory sync" in ran.err
    monkeypatch.setenv("EDITOR", "no-such-editor-here")
    assert "cannot be started" in holdfast("memory", "edit").err


def test_sync_reports_applied_and_pending_changes(holdfast):
    for n in range(7):
        holdfast("remember", f"Boat number {n} lies at pier {n}.")
    assert holdfast("memory", "sync").code == 0
    assert holdfast("memory", "sync").out == "No changes.\n"
    FILE.write_text("")
    ran = holdfast("memory", "sync")
    assert ran.code == 1
    assert ran.out.count("pending  ") == 7
    assert "7 changes need your confirmation.\nApply: holdfast memory sync --yes" in ran.out
    said = holdfast("memory", "sync", "--yes", "--json").json
    assert {change["what"] for change in said["changes"]} == {"forgotten"}
    assert said["written"]


def test_show_prints_the_page_without_its_marks(holdfast):
    assert holdfast("memory", "show").out == "No memories. `holdfast remember TEXT` stores one.\n"
    holdfast("remember", "Gulls nest on the north cliff.", "--type", "decision")
    page = holdfast("memory", "show").out
    assert page.startswith("# Memory\n\n## Decisions\n\n- Gulls nest on the north cliff. *(taught, ")
    assert "<!--" not in page
    assert holdfast("memory", "show", "--json").json["page"] == page
    assert not FILE.exists()


def test_remembering_alone_writes_no_file(holdfast, world):
    holdfast("remember", "Gulls nest on the north cliff.")
    assert not (world / ".holdfast").exists()


def test_output_in_french(holdfast):
    assert holdfast("memory", "sync", "--lang", "fr").out.startswith("/")
    assert holdfast("memory", "sync", "--lang", "fr").out == "Aucun changement.\n"
