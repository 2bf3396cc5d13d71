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
from holdfast.interfaces.language import translatable, translate, translate_count

if TYPE_CHECKING:
    from holdfast.conversation.memory_files.sync import SyncChange, SyncReport

_DEEDS = {
    "corrected": (translatable("corrected"), "green"),
    "moved": (translatable("moved"), "green"),
    "taught": (translatable("taught"), "green"),
    "forgotten": (translatable("forgotten"), "yellow"),
    "known": (translatable("known already"), "dim"),
    "kept": (translatable("kept"), "yellow"),
    "refused": (translatable("refused"), "red"),
    "held": (translatable("waits"), "yellow"),
}
_EDITORS = ("sensible-editor", "nano", "vim", "vi")

memory = group("memory")


@command("show", group=memory, help=translatable("What is known, as one page for a prompt."))
def show(options: CommandOptions) -> None:
    with options.open() as ws:
        path, page = ws.memory_file, ws.memory_page()
    options.print_result({"file": path, "page": page}, lambda: clean_lines(page) or translate("There is nothing here."))


@command("edit", group=memory, help=translatable("Open the file in your editor, then take in what you changed."))
@option("--yes", is_flag=True, help="Take in even what may be an accident.")
def edit(options: CommandOptions, yes: bool) -> int:
    with options.open() as ws:
        ws.sync_memory()
        _edit(ws.memory_file)
        report = ws.sync_memory(confirm=yes)
    return _tell(options, report)


@command("sync", group=memory, help=translatable("Take in what you changed in the file, and write it anew."))
@option("--yes", is_flag=True, help="Take in even what may be an accident.")
def sync(options: CommandOptions, yes: bool) -> int:
    with options.open() as ws:
        report = ws.sync_memory(confirm=yes)
    return _tell(options, report)


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


def _tell(options: CommandOptions, report: SyncReport) -> int:
    options.print_result(report, lambda: _told(report))
    return 1 if report.held else 0


def _told(report: SyncReport) -> str:
    parts = [table([_row(change) for change in report.changes], indent=0)] if report.changes else []
    if held := report.held:
        many = translate_count(len(held), "{n} change waits for your yes.", "{n} changes wait for your yes.")
        how = translate("`holdfast memory sync --yes` takes them in; delete the file and sync to have it as it was.")
        parts.append(paint(f"{many} {how}", "yellow"))
    elif not report.changes and not report.written:
        parts.append(translate("Nothing has changed."))
    if report.written:
        parts.append(translate("Wrote {file}.", file=clean(report.path)))
    if report.left_out:
        parts.append(translate_count(report.left_out, "{n} memory did not fit.", "{n} memories did not fit."))
    return "\n".join(parts)


def _row(change: SyncChange) -> tuple[str, str, str]:
    deed, style = _DEEDS[change.what]
    why = "; ".join(translate(part) for part in change.why.split("; ")) if change.why else ""
    text = clean(change.text) + (f" ({clean(why)})" if why else "")
    return paint(translate(deed), style), short(change.id), text


# Sentences of the rooms below that are said here as they stand, so that they too have a translation.
ECHOES = (
    translatable("it was changed elsewhere meanwhile"),
    translatable("it was changed elsewhere too"),
    translatable("what it was before had been forgotten meanwhile"),
    translatable("deleted with much else"),
    translatable("the end of the file is missing"),
    translatable("the file was not written here"),
)
