"""What is remembered as a file people edit: memory show, edit, sync."""

from __future__ import annotations

import os
import shlex
import shutil
import subprocess
from typing import TYPE_CHECKING

from holdfast.core.errors import InvalidInput
from holdfast.core.ids import short
from holdfast.interfaces.cli.app import CommandOptions, command, group, option
from holdfast.interfaces.cli.terminal import clean, clean_lines, paint, table
from holdfast.interfaces.language import say, say_count, to_say

if TYPE_CHECKING:
    from holdfast.conversation.memory_files.sync import SyncChange, SyncReport

_DEEDS = {
    "corrected": (to_say("corrected"), "green"),
    "moved": (to_say("moved"), "green"),
    "taught": (to_say("taught"), "green"),
    "forgotten": (to_say("forgotten"), "yellow"),
    "known": (to_say("known already"), "dim"),
    "kept": (to_say("kept"), "yellow"),
    "refused": (to_say("refused"), "red"),
    "held": (to_say("waits"), "yellow"),
}
_EDITORS = ("sensible-editor", "nano", "vim", "vi")

memory = group("memory")


@command("show", group=memory, help=to_say("What is known, as one page for a prompt."))
def show(given: CommandOptions) -> None:
    with given.open() as ws:
        path, page = ws.memory_file, ws.memory_page()
    given.tell({"file": path, "page": page}, lambda: clean_lines(page) or say("There is nothing here."))


@command("edit", group=memory, help=to_say("Open the file in your editor, then take in what you changed."))
@option("--yes", is_flag=True, help="Take in even what may be an accident.")
def edit(given: CommandOptions, yes: bool) -> int:
    with given.open() as ws:
        ws.sync_memory()
        _edit(ws.memory_file)
        report = ws.sync_memory(confirm=yes)
    return _tell(given, report)


@command("sync", group=memory, help=to_say("Take in what you changed in the file, and write it anew."))
@option("--yes", is_flag=True, help="Take in even what may be an accident.")
def sync(given: CommandOptions, yes: bool) -> int:
    with given.open() as ws:
        report = ws.sync_memory(confirm=yes)
    return _tell(given, report)


def _edit(path: str) -> None:
    """Waits until the editor is closed. Why not through a shell: the name of a folder must not be a command."""
    editor = _editor()
    try:
        done = subprocess.run([*editor, path], check=False)
    except OSError as error:
        said = f"{editor[0]} cannot be started ({error.strerror})"
        raise InvalidInput(said, hint="Name your editor in EDITOR.") from error
    if done.returncode:
        said = f"{editor[0]} ended with {done.returncode}"
        raise InvalidInput(said, hint="`holdfast memory sync` takes in what was saved.")


def _editor() -> list[str]:
    named = os.environ.get("VISUAL") or os.environ.get("EDITOR")
    if named:
        return shlex.split(named, posix=os.name != "nt")
    found = "notepad" if os.name == "nt" else next(filter(shutil.which, _EDITORS), None)
    if found is None:
        raise InvalidInput("no editor", hint="Name your editor in EDITOR.")
    return [found]


def _tell(given: CommandOptions, report: SyncReport) -> int:
    given.tell(report, lambda: _told(report))
    return 1 if report.held else 0


def _told(report: SyncReport) -> str:
    parts = [table([_row(change) for change in report.changes], indent=0)] if report.changes else []
    if held := report.held:
        many = say_count(len(held), "{n} change waits for your yes.", "{n} changes wait for your yes.")
        how = say("`holdfast memory sync --yes` takes them in; delete the file and sync to have it as it was.")
        parts.append(paint(f"{many} {how}", "yellow"))
    elif not report.changes and not report.written:
        parts.append(say("Nothing has changed."))
    if report.written:
        parts.append(say("Wrote {file}.", file=clean(report.path)))
    if report.left_out:
        parts.append(say_count(report.left_out, "{n} memory did not fit.", "{n} memories did not fit."))
    return "\n".join(parts)


def _row(change: SyncChange) -> tuple[str, str, str]:
    deed, style = _DEEDS[change.what]
    why = "; ".join(say(part) for part in change.why.split("; ")) if change.why else ""
    text = clean(change.text) + (f" ({clean(why)})" if why else "")
    return paint(say(deed), style), short(change.id), text


# Sentences of the rooms below that are said here as they stand, so that they too have a translation.
ECHOES = (
    to_say("it was changed elsewhere meanwhile"),
    to_say("it was changed elsewhere too"),
    to_say("what it was before had been forgotten meanwhile"),
    to_say("deleted with much else"),
    to_say("the end of the file is missing"),
    to_say("the file was not written here"),
)
