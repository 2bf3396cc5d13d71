"""`holdfast bench store`: store operations with budgets, and the same work with another vector store."""

from __future__ import annotations

import argparse
import tempfile
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from holdfast.bench import corpus, disk_use
from holdfast.bench.child import measure_in_process
from holdfast.bench.measure import Measurement, show_progress
from holdfast.bench.ours import BUDGETS, ROUNDS
from holdfast.bench.peers import INSTALL, is_installed
from holdfast.bench.reports import Report, Section

_SHARED = (
    "add all, with vectors",
    "add one, with its vector",
    "search by vector only",
    "search within one type",
    "search within one file",
    "resident memory",
    "disk per memory",
)
_QUICK_MEMORIES, _QUICK_SAMPLES = 300, 5


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--quick", action="store_true", help="measure little, in seconds, without another system")
    parser.add_argument("--memories", type=int, default=10_000, help="number of memories in the store")
    parser.add_argument(
        "--peer", choices=("chromadb", "lancedb", "none"), default="chromadb", help="system to compare with"
    )
    parser.add_argument("--samples", type=int, default=100, help="samples per operation and round")
    parser.add_argument("--folder", help="folder for the stores (default: temporary)")


def measure(options: argparse.Namespace) -> Report:
    """Measures the store, the model and, if installed, the peer."""
    command = f"holdfast bench store --memories {options.memories} --peer {options.peer}"
    if options.quick:
        options.memories, options.samples, options.peer = _QUICK_MEMORIES, _QUICK_SAMPLES, "none"
        command = "holdfast bench store --quick"
    with tempfile.TemporaryDirectory(prefix="holdfast-bench-", dir=options.folder) as folder:
        show_progress(f"generating {options.memories:,} memories")
        corpus.save(_corpus(options.memories, options.samples), Path(folder))
        ours = measure_in_process("holdfast", Path(folder), options.samples)
        peer, theirs, missing = _beside(options.peer, Path(folder), options.samples)
        model = measure_in_process("model", Path(folder), options.samples)
    if options.quick:
        ours, missing = tuple(replace(row, budget=None) for row in ours), (*missing, _NOT_JUDGED)
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
            (f"{peer} is not installed and not measured. Install it with: {INSTALL[peer]}",),
        )
    show_progress(f"the same work with {peer}")
    return peer, measure_in_process(peer, folder, samples), ()


def _sections(
    memories: int,
    ours: Sequence[Measurement],
    peer: str,
    theirs: Sequence[Measurement],
    model: Sequence[Measurement],
) -> tuple[Section, ...]:
    named = {row.name: row for row in ours}
    promised = tuple(named[name] for name in BUDGETS)
    kept = tuple(named[name] for name in disk_use.BUDGETS)
    rest = tuple(row for row in ours if row.name not in (*BUDGETS, *disk_use.BUDGETS, *_SHARED))
    return (
        Section(f"Budgets for 10,000 memories, measured with {memories:,}; without embedding", promised),
        Section("Other operations", rest),
        Section("Bytes of a passage in all files, with its vectors", kept),
        Section("The same work" + f" with {peer}" * bool(peer), tuple(named[n] for n in _SHARED), peer, tuple(theirs)),
        Section("The bundled model, one core", tuple(model)),
    )


_NOT_JUDGED = "Too little was measured to judge the budgets: run it without --quick on a quiet machine."
_NOTES = (
    "The ratio says how many times better Holdfast is; below 1 the other system is better.",
    "Holdfast also scans for secrets, detects duplicates and contradictions, indexes words and files, writes a history"
    " and syncs each memory to disk; a search also weighs and explains its hits.",
)
