"""The commands export and import."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING

import click

from holdfast.core.errors import FileNotWritten
from holdfast.interfaces.cli import completion
from holdfast.interfaces.cli.app import CommandOptions, command, option, print_part, print_text
from holdfast.interfaces.cli.command_arguments import file_text
from holdfast.interfaces.cli.speaker import check_person, is_agent
from holdfast.interfaces.cli.terminal import clean, clean_lines, is_terminal, size
from holdfast.interfaces.language import translatable, translate, translate_count
from holdfast.system.files import link_below, replacing

if TYPE_CHECKING:
    from holdfast.importers.file_importer import FileImportReport, ImportedFile

# Writes a text in parts, with a function that writes one.
WriteTo = Callable[[Callable[[str], object]], object]
# The counts in the order they are printed; those in _IF_ANY only if they are not zero.
_OUTCOMES = {
    "added": translatable("added"),
    "known": translatable("already known"),
    "verified": translatable("verified"),
    "stored": translatable("stored"),
    "duplicate": translatable("already known"),
    "quarantined": translatable("held for review"),
    "refused": translatable("refused"),
    "sessions": translatable("new sessions"),
    "history": translatable("new history entries"),
    "entities": translatable("new entities"),
    "left": translatable("not yet imported"),
}
_IF_ANY = ("verified", "sessions", "history", "entities", "left")
_FORMATS = click.Choice(("json", "markdown"))
_IMPORTED = click.Choice(
    ("json", "markdown", "instructions", "reference-memory", "mem0", "basic-memory", "claude-memory")
)


@command("export")
@option("--format", "format_", type=_FORMATS, help="json can be imported without loss; markdown is for reading.")
@option("-o", "--output", metavar="FILE", help="Write to this file instead of standard output.")
@option("--personal", is_flag=True, help="Export what is personal, which holds in all of your projects, instead.")
def export(options: CommandOptions, format_: str | None, output: str | None, personal: bool) -> None:
    format = format_ or _by_name(output or "")

    def to(write: Callable[[str], object]) -> None:
        ws.export_to(write, format, personal)
        if format == "json":
            write("\n")

    with options.open() as ws:
        if output is not None:
            written = write_file(output, to, ws.root)
            said = translate("Wrote {file}, {size}.", file=output, size=size(written))
            options.print_result({"file": output, "bytes": written}, lambda: said)
        elif is_terminal():
            print_text(clean_lines(ws.export(format, personal)))
        else:
            to(print_part)


@command(
    "import",
    more=lambda: translate(
        "PATH is an export, an instruction file for agents (CLAUDE.md, AGENTS.md, GEMINI.md, .cursorrules, …), a file "
        "of another memory program (mem0, basic-memory, the MCP reference memory), or a folder with such files. "
        "Repeating an import adds nothing."
    ),
)
@click.argument("paths", nargs=-1, required=True, metavar="PATH...|-", shell_complete=completion.files)
@option("--format", "format_", type=_IMPORTED, help="Kind of the files (default: detected).")
@option("--personal", is_flag=True, help="Store everything as personal: it holds in all of your projects.")
@option(
    "--trust/--no-trust",
    "trusted",
    default=None,
    help="Take what the files say was taught or confirmed for yours (default: of instruction files, not of exports).",
)
def import_(
    options: CommandOptions, paths: tuple[str, ...], format_: str | None, personal: bool, trusted: bool | None
) -> None:
    if trusted:
        check_person(os.environ, "import --trust")
    elif is_agent(os.environ):
        trusted = False
    if paths == ("-",):
        text = file_text("-")
        with options.open(create=True) as ws:
            counts = ws.import_(text, format_ or "json", personal, trusted=bool(trusted))
        said = translate("Imported: {counts}.", counts=_counts(counts))
        options.print_result(counts, lambda: "\n".join((said, *_unverified(counts.get("unverified", 0)))))
        return
    with options.open(create=True) as ws:
        report = ws.import_files(paths, format_, personal, trusted=trusted)
    options.print_result(report, lambda: _report(report))


def _report(report: FileImportReport) -> str:
    if not report.files:
        return translate("There is nothing to import.")
    lines = [*map(_file, report.files)]
    if any(file.counts.get("left") for file in report.files):
        lines.append(translate("Run the same command again to import what is left."))
    lines += _unverified(sum(file.counts.get("unverified", 0) for file in report.files))
    return "\n".join(lines)


def _unverified(count: int) -> list[str]:
    """Says what an import without trust did with the memories that somebody had taught or confirmed."""
    if not count:
        return []
    said = translate_count(
        count,
        "{n} memory is marked in the file as taught or confirmed. Anybody can write that, so it counts as unverified. "
        "If the file is yours, repeat the import with --trust.",
        "{n} memories are marked in the file as taught or confirmed. Anybody can write that, so they count as "
        "unverified. If the file is yours, repeat the import with --trust.",
    )
    return [said]


def _file(file: ImportedFile) -> str:
    path = clean(file.path)
    if file.problem:
        return translate("{file}: not imported ({why}).", file=path, why=clean(file.problem))
    return translate("{file} ({kind}): {counts}.", file=path, kind=file.kind, counts=_counts(file.counts))


def _counts(counts: Mapping[str, int]) -> str:
    shown = [name for name in _OUTCOMES if counts.get(name) or (name in counts and name not in _IF_ANY)]
    return ", ".join(f"{translate(_OUTCOMES[name])} {counts[name]}" for name in shown)


def write_file(path: str, write_to: WriteTo, root: str) -> int:
    """Writes a file completely or not at all, readable only by its owner; returns its size in bytes.

    `write_to` gets a function that appends text. A link keeps pointing to its file; below the project's folder, where
    it may be a stranger's, it is refused. A device or pipe, such as /dev/stdout, is written to and never replaced.
    """
    if link := link_below(root, os.path.abspath(path)):
        raise FileNotWritten(f"{link} is a link", hint="It may lead to any file of yours. Choose another name.")
    try:
        if _is_stream(path):
            with open(path, "ab") as opened:
                return _written(opened.write, write_to)
        with replacing(os.path.realpath(path), keep_mode=False) as write:
            return _written(write, write_to)
    except OSError as error:
        raise FileNotWritten(f"{path} ({error.strerror})") from error


def _written(write: Callable[[bytes], object], write_to: WriteTo) -> int:
    """Writes the text and returns its size in bytes."""
    count = 0

    def append(text: str) -> None:
        nonlocal count
        content = text.encode()
        count += len(content)
        write(content)

    write_to(append)
    return count


def _is_stream(path: str) -> bool:
    """Is it no regular file? Also what /dev and /proc name: standard output may be a file that others write to."""
    full = os.path.abspath(path)
    of_system = full.startswith(("/dev/", "/proc/")) and not full.startswith("/dev/shm/")  # noqa: S108 # ordinary files
    return os.path.exists(path) and (of_system or not os.path.isfile(path))


def _by_name(file: str) -> str:
    return "markdown" if file.lower().endswith((".md", ".markdown")) else "json"
