"""`holdfast bench conversation`: what is learned from conversations, its accuracy and its speed."""

from __future__ import annotations

import argparse
import tempfile
from collections.abc import Iterator
from pathlib import Path

from bench import ROOT
from bench.conversation import consolidation, extract, keeping, names, retired, speed
from holdfast.bench.measure import show_progress
from holdfast.bench.reports import Report, Section

_DATA = ROOT.parent / "shared" / "data"
_PARTS = ("keeping", "learning", "statements", "updates", "retired", "names", "entities", "speed")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--data", type=Path, default=_DATA, help="folder with longmemeval, sde-bench, entities, …")
    parser.add_argument("--parts", default=",".join(_PARTS), help=f"which tables: {', '.join(_PARTS)}")
    parser.add_argument("--messages", type=int, default=100_000, help="number of messages to store")
    parser.add_argument("--memories", type=int, default=100_000, help="number of memories for the context benchmark")
    parser.add_argument("--samples", type=int, default=100, help="samples per operation")
    parser.add_argument("--folder", type=Path, help="folder that keeps the large store for the next run")


def measure(options: argparse.Namespace) -> Report:
    """Measures the requested tables; notes name missing data."""
    requested = [part for part in _PARTS if part in options.parts.split(",")]
    found = {part: tuple(_sections(part, options)) for part in requested}
    missing = [f"No data for {part} in {options.data.name}/." for part, sections in found.items() if not sections]
    command = "holdfast bench conversation" + (f" --parts {options.parts}" if len(requested) < len(_PARTS) else "")
    return Report(
        "conversation", command, tuple(section for sections in found.values() for section in sections), (*missing,)
    )


def _sections(part: str, options: argparse.Namespace) -> Iterator[Section]:
    show_progress(part)
    if part == "keeping" and (found := keeping.figures(options.data)):
        yield Section("Sentences kept without a language model, compared with labels", (), figures=found)
    if part == "learning" and (options.data / extract.SDE).is_dir():
        rules = extract.figures(options.data)
        yield Section("Learning from real chats without a language model", (), figures=rules)
        whole = "The same through the product: messages stored and consolidated"
        yield Section(whole, (), figures=consolidation.figures(options.data))
    if part == "statements":
        from bench import statements

        yield from statements.facts(options.data)
    if part == "updates":
        from bench.conversation import updates

        yield from updates.sections(updates.NEWEST)
    if part == "retired" and (counted := tuple(retired.figures(options.data))):
        yield Section("Memories of real conversations that a later statement retired", (), figures=counted)
    if part == "names" and (found := names.figures()):
        yield Section("Texts linked to the registered people they mention", (), figures=found)
    if part == "entities" and (options.data / "entities").is_dir():
        from bench import entities

        yield from entities.tables(options.data)
    if part == "speed":
        yield from _speed(options)


def _speed(options: argparse.Namespace) -> Iterator[Section]:
    with tempfile.TemporaryDirectory(prefix="holdfast-bench-") as temporary:
        folder = options.folder or Path(temporary)
        folder.mkdir(parents=True, exist_ok=True)
        yield from speed.sections(folder, options.messages, options.memories, options.samples)
