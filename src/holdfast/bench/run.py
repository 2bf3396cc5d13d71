"""`holdfast bench NAME`: runs one benchmark and prints its table."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import Protocol

from holdfast.bench.reports import Report, as_json, as_text, write_docs
from holdfast.core.errors import NotInstalled

# The repository, if the package runs from a clone of it.
CLONE = Path(__file__).resolve().parents[3]


class Benchmark(Protocol):
    """The module of a benchmark."""

    def add_arguments(self, parser: argparse.ArgumentParser) -> None: ...
    def measure(self, options: argparse.Namespace) -> Report: ...


@dataclass(frozen=True, slots=True)
class Bench:
    """A benchmark: its name, what it measures, and its module, which is imported when it runs."""

    name: str
    help: str
    module: str

    @property
    def needs_clone(self) -> bool:
        """Is it in the folder `bench` of the repository, beside its data, and not in the package?"""
        return self.module.startswith("bench.")


BENCHES = (
    Bench(
        "store",
        "store operations with 10,000 memories, and the same with another vector store",
        "holdfast.bench.store_bench",
    ),
    Bench("scale", "search and recall with 100,000 or a million passages", "bench.scale"),
    Bench("startup", "the start-up time of commands and hooks", "holdfast.bench.startup"),
    Bench("recall", "search quality on real data, compared with other systems", "bench.recall.command"),
    Bench(
        "models",
        "search quality, speed and size of the embedding model in its three sizes, and of the old model",
        "bench.models.command",
    ),
    Bench("documents", "indexing speed and search quality for documents", "bench.documents"),
    Bench("context", "which useful memories the context of a prompt contains", "bench.context"),
    Bench(
        "conversation",
        "what is learned from conversations, its accuracy and its speed",
        "bench.conversation.command",
    ),
    Bench(
        "codegraph",
        "how complete, correct and fast the code graph is, compared with compiler-based indexers",
        "bench.codegraph.command",
    ),
    Bench(
        "observer",
        "what is learned from agents' sessions, how often it holds later, and how fast",
        "bench.observer.command",
    ),
    Bench(
        "loop",
        "hooks and injection on real agents' sessions: speed, failures, and what memory would have answered",
        "bench.loop.command",
    ),
    Bench("secrets", "how many secrets are found, and false alarms in real transcripts", "bench.secrets"),
)


def main(argv: Sequence[str], clone: Path = CLONE) -> int:
    """Runs the benchmark named by the first argument. Returns 0 if every budget is met, else 1."""
    parser = _parser(argv[0] if argv else "", clone)
    options = parser.parse_args(argv)
    docs = clone / "docs" / "benchmarks"
    if options.write_docs and not docs.is_dir():
        parser.error("--write-docs works in a clone of the repository only, which has docs/benchmarks")
    report: Report = options.bench.measure(options)
    print(as_json(report) if options.json else as_text(report))
    if options.write_docs:
        write_docs(report, docs)
    return 1 if any(section.is_missed for section in report.sections) else 0


def _parser(chosen: str, clone: Path) -> argparse.ArgumentParser:
    """Every benchmark has a help line; only the chosen one is imported, for its options."""
    parser = argparse.ArgumentParser(prog="holdfast bench", description="Measures Holdfast on this machine.")
    benches = parser.add_subparsers(required=True, metavar="NAME")
    for bench in BENCHES:
        where = " (needs a clone)" * bench.needs_clone
        one = benches.add_parser(bench.name, help=bench.help + where, description=f"Measures {bench.help}.")
        one.add_argument("--json", action="store_true", help="print JSON")
        one.add_argument("--write-docs", action="store_true", help="write the table into docs/benchmarks/")
        if bench.name == chosen:
            module = _module(bench, clone)
            module.add_arguments(one)
            one.set_defaults(bench=module)
    return parser


def _module(bench: Bench, clone: Path) -> Benchmark:
    """Imports a benchmark. The folder `bench` is taken from the clone, never from the current folder."""
    if bench.needs_clone:
        if not (clone / "bench" / "__main__.py").is_file():
            raise NotInstalled(
                f"the benchmark {bench.name} needs the data of the repository, which no installation has",
                hint="Clone the repository (`git clone --depth 1`), run `make .venv/.run` in it, then "
                f"`.venv/bin/holdfast bench {bench.name}`. `store` and `startup` run in an installation.",
            )
        if str(clone) not in sys.path:
            sys.path.insert(0, str(clone))
    module: Benchmark = import_module(bench.module)
    return module
