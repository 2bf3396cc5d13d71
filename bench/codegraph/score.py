"""Compares the code graph of a repository with the truth of an indexer.

Labels are normalised, so that only differences of substance count: a constructor is its class, all overloads are one
function, `cls` in a class method is the class, and a variable or object member that holds a function is that function.
A symbol whose name is not the written one is corrected (`written_names`).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from bench.codegraph.places import Places
from bench.codegraph.truth import Place, Truth, is_local, is_parameter, last_name

Edge = tuple[str, str]


@dataclass(frozen=True, slots=True)
class Target:
    """The definition that a place was resolved to, with the places of all definitions of its name in the file."""

    path: str
    symbol: str
    places: frozenset[Place]


@dataclass(frozen=True, slots=True)
class Graph:
    """What is measured: edges between files, and the targets of the places of calls."""

    imports: frozenset[Edge]
    edges: frozenset[Edge]
    calls: Mapping[Place, tuple[Target, ...]]


@dataclass(frozen=True, slots=True)
class Counts:
    """What was found and is true, what was found and is false, and what was missed, with the items of the last two."""

    true: int
    false: tuple[tuple[str, ...], ...]
    missed: tuple[tuple[str, ...], ...]

    @property
    def precision(self) -> float:
        return self.true / max(1, self.true + len(self.false))

    @property
    def recall(self) -> float:
        return self.true / max(1, self.true + len(self.missed))

    @property
    def f1(self) -> float:
        return 2 * self.true / max(1, 2 * self.true + len(self.false) + len(self.missed))


@dataclass(frozen=True, slots=True)
class Scores:
    imports: Counts
    edges: Counts
    calls: Counts
    # The share of calls with a target where the indexer names no symbol: they count neither way.
    unjudged: float


def score(graph: Graph, truth: Truth, places: Mapping[str, Places]) -> Scores:
    """Scores a graph on the files that the indexer read and that have `places`."""
    files = truth.paths & places.keys()
    imports = _compare(graph.imports, *_edges(truth, files, places), files)
    edges = _compare(graph.edges, *_edges(truth, files, None), files)
    calls, unjudged = _calls(graph, truth, files, places)
    return Scores(imports, edges, calls, unjudged)


def _edges(
    truth: Truth, files: frozenset[str], within: Mapping[str, Places] | None
) -> tuple[frozenset[Edge], frozenset[Edge]]:
    """The edges that must be found, and those that may be: to the files of a symbol that several files define."""
    must: set[Edge] = set()
    may: set[Edge] = set()
    for (path, line, column), symbols in truth.named_at.items():
        if path not in files or (within is not None and not within[path].in_import(line, column)):
            continue
        targets = [truth.files(symbol) for symbol in symbols]
        one = len(targets) == 1 and len(targets[0]) == 1
        for target in {target for found in targets for target in found} - {path}:
            if target in files:
                (must if one else may).add((path, target))
    return frozenset(must), frozenset(may - must)


def _compare(found: frozenset[Edge], must: frozenset[Edge], may: frozenset[Edge], files: frozenset[str]) -> Counts:
    judged = {(start, end) for start, end in found if start in files and end in files and start != end} - may
    return Counts(len(judged & must), tuple(sorted(judged - must)), tuple(sorted(must - judged)))


def _calls(graph: Graph, truth: Truth, files: frozenset[str], places: Mapping[str, Places]) -> tuple[Counts, float]:
    true = unjudged = 0
    false: list[tuple[str, ...]] = []
    missed: list[tuple[str, ...]] = []
    for place in _places(files, places):
        targets = tuple(target for target in graph.calls.get(place, ()) if target.path in truth.paths)
        symbols = truth.named_at.get(place)
        if symbols is None:
            unjudged += bool(targets)
            continue
        right = any(_agrees(target, symbol, truth, place) for target in targets for symbol in symbols)
        shown = (f"{place[0]}:{place[1] + 1}:{place[2]}", " | ".join(sorted(symbols)))
        if targets and not right:
            false.append((*shown, " | ".join(f"{target.path}#{target.symbol}" for target in targets)))
        if right and _counts(symbols, truth):
            true += 1
        elif _counts(symbols, truth):
            missed.append(shown)
    found = true + len(false)
    return Counts(true, tuple(false), tuple(missed)), unjudged / max(1, found + unjudged)


def _places(files: Iterable[str], places: Mapping[str, Places]) -> Iterator[Place]:
    for path in sorted(files):
        for line, column in sorted(places[path].calls):
            yield path, line, column


def _counts(symbols: Iterable[str], truth: Truth) -> bool:
    """Must the call be found? Calls of parameters, local variables and code outside the repository need not be."""
    return all(truth.files(symbol) and not is_local(symbol) and not is_parameter(symbol) for symbol in symbols)


def _agrees(target: Target, symbol: str, truth: Truth, place: Place) -> bool:
    if target.places & truth.definitions.get(symbol, frozenset()):
        return True
    ours = {truth.defined_at[found] for found in target.places if found in truth.defined_at}
    if symbol in ours:
        return True
    if is_parameter(symbol) and last_name(symbol) in ("cls", "self"):
        return any(symbol.startswith(one) for one in ours)
    return _holds(symbol, ours, truth) or any(_holds(one, {symbol}, truth) for one in ours)


def _holds(variable: str, functions: set[str], truth: Truth) -> bool:
    """Does the line that defines a variable or an object member name one of the functions?"""
    return any(
        functions & truth.named_on_line.get((path, line), frozenset())
        for path, line, _ in truth.definitions.get(variable, ())
    )
