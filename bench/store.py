"""`holdfast bench store`: the engine warm, beside its budget and beside a vector store on the same work."""

from __future__ import annotations

import argparse
import tempfile
from collections.abc import Sequence
from pathlib import Path

from bench import corpus
from bench.child import measure_apart
from bench.measure import Measurement, tell
from bench.ours import BUDGETS, ROUNDS
from bench.peers import INSTALL, is_installed
from bench.tables import Report, Section

_SHARED = (
    "add all, with vectors",
    "add one, with its vector",
    "search by vector alone",
    "search of one type",
    "search in one file",
    "resident memory",
    "disk per memory",
)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--memories", type=int, default=10_000, help="how many memories the store holds")
    parser.add_argument("--peer", choices=("chromadb", "lancedb", "none"), default="chromadb", help="measured beside")
    parser.add_argument("--samples", type=int, default=100, help="how often each act is timed in a round")
    parser.add_argument("--folder", help="where to keep the stores meanwhile (a temporary folder)")


def measure(options: argparse.Namespace) -> Report:
    """Every figure of the store, the model apart, and the peer where it is installed."""
    command = f"holdfast bench store --memories {options.memories} --peer {options.peer}"
    with tempfile.TemporaryDirectory(prefix="holdfast-bench-", dir=options.folder) as folder:
        tell(f"making up {options.memories:,} memories")
        corpus.save(_corpus(options.memories, options.samples), Path(folder))
        ours = measure_apart("holdfast", Path(folder), options.samples)
        peer, theirs, missing = _beside(options.peer, Path(folder), options.samples)
        model = measure_apart("model", Path(folder), options.samples)
    return Report("store", command, _sections(options.memories, ours, peer, theirs, model), (*_NOTES, *missing))


def _corpus(memories: int, samples: int) -> corpus.Corpus:
    return corpus.build(memories, more=2 * ROUNDS * samples, messages=20 * samples, questions=max(samples, 2 * ROUNDS))


def _beside(peer: str, folder: Path, samples: int) -> tuple[str, tuple[Measurement, ...], tuple[str, ...]]:
    if peer == "none":
        return "", (), ()
    if not is_installed(peer):
        return (
            "",
            (),
            (f"{peer} is not installed, so there is nothing beside our figures. {INSTALL[peer]} changes that.",),
        )
    tell(f"the same work with {peer}")
    return peer, measure_apart(peer, folder, samples), ()


def _sections(
    memories: int,
    ours: Sequence[Measurement],
    peer: str,
    theirs: Sequence[Measurement],
    model: Sequence[Measurement],
) -> tuple[Section, ...]:
    named = {row.name: row for row in ours}
    promised = tuple(named[name] for name in BUDGETS)
    rest = tuple(row for row in ours if row.name not in (*BUDGETS, *_SHARED))
    return (
        Section(f"Promised at 10,000 memories, measured at {memories:,}; embedding apart", promised),
        Section("The rest of the engine", rest),
        Section(
            "The same work" + f", beside {peer}" * bool(peer), tuple(named[n] for n in _SHARED), peer, tuple(theirs)
        ),
        Section("The bundled model, one core", tuple(model)),
    )


_NOTES = (
    "A ratio says how many times better Holdfast does; below 1 the peer does better.",
    "In the same work Holdfast also scans for secrets, looks for duplicates and contradictions, indexes words and"
    " files, keeps a history, and syncs each memory to the disk; a search also weighs and explains its hits.",
)
