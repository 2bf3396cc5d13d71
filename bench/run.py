"""`holdfast bench NAME`: runs one benchmark and prints its table."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from bench import context, documents, scale, secrets, startup, store
from bench.codegraph import command as codegraph
from bench.conversation import command as conversation
from bench.loop import command as loop
from bench.models import command as models
from bench.observer import command as observer
from bench.recall import command as recall
from bench.tables import DOCS, Report, as_json, as_text, write_docs


@dataclass(frozen=True, slots=True)
class Bench:
    """A benchmark: its name, its options and its function."""

    name: str
    help: str
    add_arguments: Callable[[argparse.ArgumentParser], None]
    measure: Callable[[argparse.Namespace], Report]


BENCHES = (
    Bench(
        "store",
        "store operations with 10,000 memories, and the same with another vector store",
        store.add_arguments,
        store.measure,
    ),
    Bench("scale", "search and recall with 100,000 or a million passages", scale.add_arguments, scale.measure),
    Bench("startup", "the start-up time of commands and hooks", startup.add_arguments, startup.measure),
    Bench(
        "recall",
        "search quality on real data, compared with other systems",
        recall.add_arguments,
        recall.measure,
    ),
    Bench(
        "models",
        "search quality, speed and size of the embedding model in its three sizes, and of the old model",
        models.add_arguments,
        models.measure,
    ),
    Bench(
        "documents",
        "indexing speed and search quality for documents",
        documents.add_arguments,
        documents.measure,
    ),
    Bench(
        "context",
        "which useful memories the context of a prompt contains",
        context.add_arguments,
        context.measure,
    ),
    Bench(
        "conversation",
        "what is learned from conversations, its accuracy and its speed",
        conversation.add_arguments,
        conversation.measure,
    ),
    Bench(
        "codegraph",
        "how complete, correct and fast the code graph is, compared with compiler-based indexers",
        codegraph.add_arguments,
        codegraph.measure,
    ),
    Bench(
        "observer",
        "what is learned from agents' sessions, how often it holds later, and how fast",
        observer.add_arguments,
        observer.measure,
    ),
    Bench(
        "loop",
        "hooks and injection on real agents' sessions: speed, failures, and what memory would have answered",
        loop.add_arguments,
        loop.measure,
    ),
    Bench(
        "secrets",
        "how many secrets are found, and false alarms in real transcripts",
        secrets.add_arguments,
        secrets.measure,
    ),
)


def main(argv: Sequence[str]) -> int:
    """Runs the benchmark named by the first argument. Returns 0 if every budget is met, else 1."""
    parser = _parser()
    options = parser.parse_args(argv)
    if options.write_docs and not DOCS.is_dir():
        parser.error("--write-docs works in a clone of the repository only, which has docs/benchmarks")
    report: Report = options.bench.measure(options)
    print(as_json(report) if options.json else as_text(report))
    if options.write_docs:
        write_docs(report)
    return 1 if any(section.is_missed for section in report.sections) else 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="holdfast bench", description="Measures Holdfast on this machine.")
    benches = parser.add_subparsers(required=True, metavar="NAME")
    for bench in BENCHES:
        one = benches.add_parser(bench.name, help=bench.help, description=f"Measures {bench.help}.")
        one.add_argument("--json", action="store_true", help="print JSON")
        one.add_argument("--write-docs", action="store_true", help="write the table into docs/benchmarks/")
        bench.add_arguments(one)
        one.set_defaults(bench=bench)
    return parser


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
