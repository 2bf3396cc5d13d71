"""`holdfast bench conversation`: what is learned from conversations, its accuracy and its speed."""

from __future__ import annotations

import argparse
import tempfile
from collections.abc import Iterable, Iterator
from pathlib import Path

from bench.child import ROOT
from bench.conversation import consolidation, extract, keeping, names, speed
from bench.conversation.extract import Figure
from bench.measure import show_progress
from bench.tables import Report, Section

_DATA = ROOT.parent / "shared" / "data"
_PARTS = ("keeping", "learning", "statements", "updates", "names", "entities", "speed")


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
        yield _table("What is kept without a language model, against labelled sentences", found)
    if part == "learning" and (options.data / extract.SDE).is_dir():
        yield _table("Learning from real chats without a language model", extract.figures(options.data))
        whole = "The same through the product: messages stored and consolidated"
        yield _table(whole, consolidation.figures(options.data))
    if part == "statements":
        from bench import statements

        yield from statements.facts(options.data)
    if part == "updates":
        from bench.conversation import updates

        yield from updates.sections()
    if part == "names" and (found := names.figures()):
        yield _table("Texts linked to the registered people they mention", found)
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


def _table(title: str, figures: Iterable[Figure]) -> Section:
    cells = [("", "", "target", "")]
    cells += [(figure.name, figure.value, figure.target, _verdict(figure.holds)) for figure in figures]
    return Section(title, (), cells=tuple(cells))


def _verdict(holds: bool | None) -> str:
    return {True: "holds", False: "MISSED", None: ""}[holds]
