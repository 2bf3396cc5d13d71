"""The commands export and import."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Mapping

import click

from holdfast.core.errors import InvalidFile
from holdfast.interfaces.cli.app import CommandOptions, command, option, print_text
from holdfast.interfaces.cli.arguments import file_text
from holdfast.interfaces.cli.terminal import clean_lines, is_terminal, size
from holdfast.interfaces.language import translatable, translate

# The counts in the order they are printed; those in _IF_ANY only if they are not zero.
_OUTCOMES = {
    "added": translatable("added"),
    "known": translatable("already known"),
    "stored": translatable("stored"),
    "duplicate": translatable("already known"),
    "quarantined": translatable("held for review"),
    "refused": translatable("refused"),
    "sessions": translatable("new sessions"),
    "history": translatable("new history entries"),
    "entities": translatable("new entities"),
}
_IF_ANY = ("sessions", "history", "entities")
_FORMATS = click.Choice(("json", "markdown"))


@command("export")
@option("--format", "format_", type=_FORMATS, help="json can be imported without loss; markdown is for reading.")
@option("-o", "--output", metavar="FILE", help="Write to this file instead of standard output.")
def export(options: CommandOptions, format_: str | None, output: str | None) -> None:
    with options.open() as ws:
        text = ws.export(format_ or _by_name(output or ""))
    if output is None:
        print_text(clean_lines(text) if is_terminal() else text)
        return
    written = write_file(output, text.rstrip("\n") + "\n")
    options.print_result(
        {"file": output, "bytes": written}, lambda: translate("Wrote {file}, {size}.", file=output, size=size(written))
    )


@command("import")
@click.argument("file", metavar="FILE|-")
@option("--format", "format_", type=_FORMATS, help="Format of the file (default: by its name).")
def import_(options: CommandOptions, file: str, format_: str | None) -> None:
    text = file_text(file)
    with options.open(create=True) as ws:
        counts = ws.import_(text, format_ or _by_name(file))
    options.print_result(counts, lambda: translate("Imported: {counts}.", counts=_counts(counts)))


def _counts(counts: Mapping[str, int]) -> str:
    shown = [name for name in _OUTCOMES if counts.get(name) or (name in counts and name not in _IF_ANY)]
    return ", ".join(f"{translate(_OUTCOMES[name])} {counts[name]}" for name in shown)


def write_file(path: str, text: str) -> int:
    """Writes a file completely or not at all, readable only by its owner; returns its size in bytes."""
    content = text.encode()
    folder, name = os.path.split(os.path.abspath(path))
    partial = None
    try:
        handle, partial = tempfile.mkstemp(prefix=f".{name}.", dir=folder)
        with os.fdopen(handle, "wb") as opened:
            opened.write(content)
            opened.flush()
            os.fsync(opened.fileno())
        os.replace(partial, path)
    except OSError as error:
        if partial is not None and os.path.exists(partial):
            os.unlink(partial)
        raise InvalidFile(f"{path} cannot be written ({error.strerror})", hint="Check its folder.") from error
    return len(content)


def _by_name(file: str) -> str:
    return "markdown" if file.lower().endswith((".md", ".markdown")) else "json"
