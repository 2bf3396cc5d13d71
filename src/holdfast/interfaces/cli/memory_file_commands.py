"""The command memory: show, edit and sync the memory file."""

from __future__ import annotations

import os
import shlex
import shutil
import subprocess
from typing import TYPE_CHECKING

from holdfast.core.errors import InvalidInput
from holdfast.core.ids import short
from holdfast.interfaces.cli.app import CommandOptions, command, group, option
from holdfast.interfaces.cli.formatting import no_memories
from holdfast.interfaces.cli.terminal import clean, clean_lines, is_terminal, paint, table
from holdfast.interfaces.language import translatable, translate, translate_count
from holdfast.interfaces.messages import text_of

if TYPE_CHECKING:
    from holdfast.sessions.memory_files.sync import SyncChange, SyncReport

_ACTIONS = {
    "corrected": (translatable("corrected"), "green"),
    "moved": (translatable("moved"), "green"),
    "taught": (translatable("learned"), "green"),
    "forgotten": (translatable("forgotten"), "yellow"),
    "known": (translatable("already known"), "dim"),
    "kept": (translatable("kept"), "yellow"),
    "refused": (translatable("refused"), "red"),
    "held": (translatable("pending"), "yellow"),
}
_EDITORS = ("sensible-editor", "nano", "vim", "vi")

memory = group("memory")


@command("show", group=memory, help=translatable("Print the memory file as it appears in a prompt."))
def show(options: CommandOptions) -> None:
    with options.open() as ws:
        path, page = ws.memory_file, ws.memory_page()
    options.print_result({"file": path, "page": page}, lambda: clean_lines(page) or no_memories())


@command("edit", group=memory, help=translatable("Open the memory file in your editor, then apply your changes."))
@option("--yes", is_flag=True, help="Also apply changes that look accidental.")
def edit(options: CommandOptions, yes: bool) -> int:
    with options.open() as ws:
        ws.sync_memory()
        _edit(ws.memory_file)
        report = ws.sync_memory(confirm=yes)
    return _print_report(options, report)


@command("sync", group=memory, help=translatable("Apply the changes you made in the memory file, then rewrite it."))
@option("--yes", is_flag=True, help="Also apply changes that look accidental.")
def sync(options: CommandOptions, yes: bool) -> int:
    with options.open() as ws:
        report = ws.sync_memory(confirm=yes)
    return _print_report(options, report)


def _edit(path: str) -> None:
    """Opens the editor and waits until it is closed; without a shell, so that a folder name cannot run a command."""
    editor = _editor(path)
    try:
        done = subprocess.run([*editor, path], check=False)
    except OSError as error:
        message = f"{editor[0]} cannot be started ({error.strerror})"
        raise InvalidInput(message, hint="Set EDITOR to the name of your editor.") from error
    if done.returncode:
        message = f"{editor[0]} ended with {done.returncode}"
        raise InvalidInput(message, hint="Run `holdfast memory sync` to apply the saved changes.")


def _editor(path: str) -> list[str]:
    named = os.environ.get("VISUAL") or os.environ.get("EDITOR")
    if named:
        return shlex.split(named, posix=os.name != "nt")
    if not is_terminal():
        hint = f"Set EDITOR to the name of your editor, or edit {path} and run `holdfast memory sync`."
        raise InvalidInput("an editor needs a terminal", hint=hint)
    found = "notepad" if os.name == "nt" else next(filter(shutil.which, _EDITORS), None)
    if found is None:
        raise InvalidInput("no editor", hint="Set EDITOR to the name of your editor.")
    return [found]


def _print_report(options: CommandOptions, report: SyncReport) -> int:
    options.print_result(report, lambda: _report_text(report))
    return 1 if report.held else 0


def _report_text(report: SyncReport) -> str:
    parts = [table([_row(change) for change in report.changes], indent=0)] if report.changes else []
    if held := report.held:
        many = translate_count(len(held), "{n} change needs your confirmation.", "{n} changes need your confirmation.")
        how = translate("Apply: holdfast memory sync --yes. To discard, delete the file and sync.")
        parts.append(paint(f"{many}\n{how}", "yellow"))
    elif not report.changes and not report.written:
        parts.append(translate("No changes."))
    if report.written:
        parts.append(translate("Wrote {file}.", file=clean(report.path)))
    if report.left_out:
        parts.append(
            translate_count(
                report.left_out, "{n} memory did not fit in the file.", "{n} memories did not fit in the file."
            )
        )
    return "\n".join(parts)


def _row(change: SyncChange) -> tuple[str, str, str]:
    action, style = _ACTIONS[change.what]
    text = clean(change.text) + (f" ({clean(text_of(change.why))})" if change.why else "")
    return paint(translate(action), style), short(change.id), text
