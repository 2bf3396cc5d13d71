"""`holdfast bench conversation`: what is learned from what was said, how right it is, and how fast all of it goes."""

from __future__ import annotations

import argparse
import tempfile
from collections.abc import Iterable, Iterator
from pathlib import Path

from bench.child import ROOT
from bench.conversation import consolidation, extract, speed
from bench.conversation.extract import Figure
from bench.measure import tell
from bench.tables import Report, Section

_DATA = ROOT.parent / "shared" / "data"
_PARTS = ("learning", "statements", "entities", "speed")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--data", type=Path, default=_DATA, help="folder with longmemeval, sde-bench, entities, …")
    parser.add_argument("--parts", default=",".join(_PARTS), help=f"which tables: {', '.join(_PARTS)}")
    parser.add_argument("--messages", type=int, default=100_000, help="how many messages are kept")
    parser.add_argument("--memories", type=int, default=100_000, help="among how many memories a prompt is asked")
    parser.add_argument("--samples", type=int, default=100, help="how often each act is timed")
    parser.add_argument("--folder", type=Path, help="where to keep the large store for the next run")


def measure(options: argparse.Namespace) -> Report:
    """Every table that was asked for; a set that is not there is named in the notes."""
    asked = [part for part in _PARTS if part in options.parts.split(",")]
    found = {part: tuple(_sections(part, options)) for part in asked}
    missing = [f"No data for {part} in {options.data.name}/." for part, sections in found.items() if not sections]
    command = "holdfast bench conversation" + (f" --parts {options.parts}" if len(asked) < len(_PARTS) else "")
    return Report("conversation", command, tuple(one for sections in found.values() for one in sections), (*missing,))


def _sections(part: str, options: argparse.Namespace) -> Iterator[Section]:
    tell(part)
    if part == "learning" and (options.data / extract.SDE).is_dir():
        yield _table("Learning from real chats, no language model", extract.figures(options.data))
        whole = "The same through the whole path: said, consolidated, believed"
        yield _table(whole, consolidation.figures(options.data))
    if part == "statements":
        from bench import statements

        yield from statements.facts(options.data)
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
    cells += [(one.name, one.value, one.target, _told(one.holds)) for one in figures]
    return Section(title, (), cells=tuple(cells))


def _told(holds: bool | None) -> str:
    return {True: "holds", False: "MISSED", None: ""}[holds]
