"""`holdfast bench codegraph`: how complete and correct the code graph is, and how fast it is made."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import median

from bench.codegraph.cost import IndexCost, aider_seconds, full_index
from bench.codegraph.errors import CloneFailed, IndexerMissing, NoResolver
from bench.codegraph.indexers import scip_of
from bench.codegraph.repositories import Repository, clone_of, repositories
from holdfast.bench.measure import Measurement, show_progress
from holdfast.bench.reports import VERDICTS, Report, Section

_KEPT = Path.home() / ".cache" / "holdfast-bench"
_SPEED = {"python": 20.0, "typescript": 3.0}
_PRECISION = {"python": 0.95, "typescript": 0.98}


@dataclass(frozen=True, slots=True)
class Figures:
    """The scores of one repository."""

    repository: Repository
    files: int
    imports: float
    edges: float
    precision: float
    recall: float
    unjudged: float
    graph: IndexCost
    everything: IndexCost
    indexer_seconds: float | None
    aider_seconds: float | None


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--clones", type=Path, default=_KEPT / "clones", help="folder with clones, named OWNER__NAME")
    parser.add_argument("--truth", type=Path, default=_KEPT / "scip", help="folder that keeps the SCIP indexes")
    parser.add_argument("--indexers", type=Path, help="folder with scip-python and scip-typescript, if not on PATH")
    parser.add_argument("--aider", type=Path, help="a Python that has aider installed, to compare with its map")
    parser.add_argument("--only", default="", help="repositories to score, separated by commas")
    parser.add_argument("--unseen", action="store_true", help="score also the repositories that were put aside")
    parser.add_argument("--fresh", action="store_true", help="run the indexers again, to compare times of one run")
    parser.add_argument("--answers", action="store_true", help="measure answers and updates in large repositories")
    parser.add_argument(
        "--companions", action="store_true", help="measure the prediction of files that change together"
    )
    parser.add_argument("--localise", action="store_true", help="measure finding the files of fixes by their messages")
    parser.add_argument("--errors", type=int, default=0, help="list this many wrong and missed items of each kind")


def measure(options: argparse.Namespace) -> Report:
    """Scores each repository, or measures what an option names; notes say what could not be measured."""
    if options.answers:
        return _measure_answers(options)
    if options.companions or options.localise:
        return _measure_history(options)
    only = _only(options)
    chosen = [one for one in repositories() if (one.name in only if only else options.unseen or not one.unseen)]
    scored: list[Figures] = []
    notes: list[str] = []
    for repository in chosen:
        show_progress(repository.name)
        try:
            scored.append(_figures(repository, options))
        except (CloneFailed, IndexerMissing, NoResolver) as error:
            notes.append(f"{repository.name} was not scored: {error}.")
    sections = (*(_section(one) for one in scored), *_summaries(scored))
    flags = " --unseen" if options.unseen else ""
    return Report("codegraph", f"holdfast bench codegraph{flags}", sections, tuple(notes))


def _measure_answers(options: argparse.Namespace) -> Report:
    from bench.codegraph.answers import LARGE, answer_section

    sections: list[Section] = []
    notes: list[str] = []
    only = _only(options)
    for repository in LARGE:
        if only and repository.name not in only:
            continue
        try:
            sections.append(answer_section(repository, options.clones))
        except CloneFailed as error:
            notes.append(f"{repository.name} was not measured: {error}.")
    return Report("codegraph", "holdfast bench codegraph --answers", tuple(sections), tuple(notes))


def _measure_history(options: argparse.Namespace) -> Report:
    from bench.codegraph.companions import companion_sections
    from bench.codegraph.localisation import localisation_sections

    sections = companion_sections if options.companions else localisation_sections
    found = list(sections(options.clones, _only(options)))
    flag = "--companions" if options.companions else "--localise"
    measured = tuple(one for one in found if isinstance(one, Section))
    notes = tuple(one for one in found if isinstance(one, str))
    return Report("codegraph", f"holdfast bench codegraph {flag}", measured, notes)


def _only(options: argparse.Namespace) -> list[str]:
    return [name for name in options.only.split(",") if name]


def _figures(repository: Repository, options: argparse.Namespace) -> Figures:
    from bench.codegraph.ours import index
    from bench.codegraph.places import places_of
    from bench.codegraph.score import score
    from bench.codegraph.truth import read_truth

    clone = clone_of(repository, options.clones)
    scip = scip_of(repository, clone, options.truth, options.indexers, options.fresh)
    indexed = index(clone, repository.language)
    found = {path: places_of(path, source) for path, source in indexed.sources.items()}
    places = {path: places for path, places in found.items() if places is not None}
    truth = read_truth(scip.path, indexed.sources)
    scores = score(indexed.graph, truth, places)
    if options.errors:
        _list_errors(scores, options.errors)
    return Figures(
        repository,
        len(truth.paths & places.keys()),
        scores.imports.f1,
        scores.edges.f1,
        scores.calls.precision,
        scores.calls.recall,
        scores.unjudged,
        full_index(clone, chunks=False),
        full_index(clone, chunks=True),
        scip.seconds,
        aider_seconds(options.aider, clone, indexed.sources) if options.aider else None,
    )


def _list_errors(scores: object, limit: int) -> None:
    """Prints samples of what is wrong and what is missing, evenly spread."""
    for name in ("imports", "edges", "calls"):
        counts = getattr(scores, name)
        print(f"{name}: {counts.true} true, {len(counts.false)} false, {len(counts.missed)} missed", file=sys.stderr)
        for kind, items in (("FALSE", counts.false), ("MISSED", counts.missed)):
            for item in items[:: max(1, len(items) // limit)][:limit]:
                print(f"  {kind} {'  '.join(item)}", file=sys.stderr)


def _section(one: Figures) -> Section:
    seen = "put aside until the end" if one.repository.unseen else "used while building"
    name, commit = one.repository.name, one.repository.commit[:10]
    title = f"{name} at {commit} ({one.repository.language}, {seen}), {one.files} files"
    rows = tuple(_rows(one))
    return Section(title, rows, cells=_cells(rows))


def _rows(one: Figures) -> Iterator[Measurement]:
    language = one.repository.language
    yield Measurement("import edges, F1", one.imports, None, "share", 0.98)
    yield Measurement("all file edges, F1", one.edges, None, "share", 0.91)
    yield Measurement("call sites, precision", one.precision, None, "share", _PRECISION[language])
    yield Measurement("call sites, recall", one.recall, None, "share", 0.90 if language == "python" else None)
    yield Measurement("calls resolved where the indexer names nothing", one.unjudged, None, "share")
    yield from _costs(one, one.graph, "the graph", _SPEED[language], 1.0)
    yield from _costs(one, one.everything, "graph and chunks")


def _costs(
    one: Figures, cost: IndexCost, made: str, faster: float | None = None, faster_than_aider: float | None = None
) -> Iterator[Measurement]:
    if one.indexer_seconds is not None:
        speed = one.indexer_seconds / cost.seconds
        yield Measurement(f"{made}: speed against the indexer", speed, None, "times as fast", faster)
    if one.aider_seconds is not None:
        speed = one.aider_seconds / cost.seconds
        yield Measurement(f"{made}: speed against aider's map", speed, None, "times as fast", faster_than_aider)
    yield Measurement(f"{made}: processor time", cost.seconds, None, "s")
    if cost.memory:
        yield Measurement(f"{made}: memory", cost.memory / 1e6, None, "MB", 400.0)


def _summaries(scored: Sequence[Figures]) -> Iterator[Section]:
    for language in ("python", "typescript"):
        ours = [one for one in scored if one.repository.language == language]
        if ours:
            rows = (
                Measurement("all file edges, median F1", median(one.edges for one in ours), None, "share", 0.96),
                Measurement("call sites, median recall", median(one.recall for one in ours), None, "share", 0.90),
            )
            yield Section(f"All {language} repositories", rows, cells=_cells(rows))


def _cells(rows: Sequence[Measurement]) -> tuple[tuple[str, ...], ...]:
    """Shares with three decimals: the targets need them."""
    head = ("", "figure", "target", "")
    return (head, *((row.name, _figure(row), _target(row), VERDICTS[row.holds]) for row in rows))


def _target(row: Measurement) -> str:
    return "" if row.budget is None else f"{'≥' if row.more_is_better else '<'} {row.budget:g}"


def _figure(row: Measurement) -> str:
    if row.unit == "share":
        return f"{row.p50:.3f}"
    return f"{row.p50:.1f} ×" if row.unit == "times as fast" else f"{row.p50:.{2 * (row.unit == 's')}f} {row.unit}"
