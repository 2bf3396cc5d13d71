"""Ranks the tests that may notice a change.

The nearest come first. Among those of one distance, three signs add up: how closely the test's file depends on the
changed files, how closely one of its tests depends on the changed symbol, and whether it is named after a changed file.
In the history of httpie, black and typeorm, the tests that were changed together with code rank higher by all three
than by each alone.
"""

from __future__ import annotations

import math
import re
from collections import defaultdict
from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import TYPE_CHECKING

from holdfast.codegraph.analysis.neighbours import dependent_files, dependent_symbols
from holdfast.codegraph.analysis.walk import walk
from holdfast.codegraph.languages.language_registry import language_name
from holdfast.codegraph.recognised_tests import can_be_run, test_id
from holdfast.core.code_analysis import AffectedTest, ReachedCode

if TYPE_CHECKING:
    from holdfast.codegraph.analysis.adjacency import Adjacency
    from holdfast.codegraph.analysis.targets import Target
    from holdfast.codegraph.analysis.walk import Reach

# Tests often call code through helpers of their own, so that they are further away than other code.
_SYMBOL_DEPTH = 6
# More single tests of one file than these are run as the whole file.
_MOST_SINGLE = 5
_SAME_NAME, _SIMILAR_NAME, _SHORTEST = 1.0, 0.5, 4
_AFFIXES = re.compile(r"^tests?_|_?tests?$|_?spec$")


def tests_to_run(
    graph: Adjacency, target: Target, depth: int, affected: Sequence[ReachedCode]
) -> tuple[AffectedTest, ...]:
    """Returns the test files that may notice a change, the nearest first, with single tests if known.

    Those that are only named after a changed file come last.
    """
    files = _test_files(graph, target, depth, affected)
    single = _single_tests(graph, target)
    named = dict(_named_alike(graph, target))
    found = []
    for id in files.keys() | single.keys() | named.keys():
        path = graph.files[id].path
        reaches = single.get(id, {})
        closest = max((reach.weight for reach in reaches.values()), default=0.0)
        distance, weight = files.get(id, (0, 0.0))
        depths = [reach.depth for reach in reaches.values()] + [distance] * (id in files)
        score = round(weight + closest + named.get(id, 0.0), 4)
        found.append(AffectedTest(path, _ids(path, reaches), min(depths, default=0), score))
    return tuple(sorted(found, key=lambda test: (test.depth or math.inf, -test.score, test.path)))


def _test_files(
    graph: Adjacency, target: Target, depth: int, affected: Sequence[ReachedCode]
) -> dict[int, tuple[int, float]]:
    """Returns the test files that depend on the target's files, with their distance and weight."""
    if target.symbol is None:
        return {graph.by_path[code.path].id: (code.depth, code.weight) for code in affected if code.is_test}
    near = walk([target.files[0].id], lambda level: dependent_files(graph, level), depth)
    return {id: (reach.depth, reach.weight) for id, reach in near.items() if reach.depth and id in graph.tests}


def _single_tests(graph: Adjacency, target: Target) -> dict[int, dict[str, Reach]]:
    """Returns how the tests of each file depend on the symbol, if the target is one; "" is the file as a whole."""
    tests: dict[int, dict[str, Reach]] = defaultdict(dict)
    if target.symbol is not None:
        start = [(target.files[0].id, target.symbol.name)]
        for (file, name), reach in walk(start, lambda level: dependent_symbols(graph, level), _SYMBOL_DEPTH).items():
            if reach.depth and file in graph.tests:
                tests[file][name] = reach
    return tests


def _ids(path: str, reaches: dict[str, Reach]) -> tuple[str, ...]:
    """Returns the single tests of a file, or the file if there are many or none is known."""
    single = sorted({test_id(path, name) for name in reaches if name and can_be_run(path, name)})
    return tuple(single) if 0 < len(single) <= _MOST_SINGLE else (path,)


def _named_alike(graph: Adjacency, target: Target) -> Iterator[tuple[int, float]]:
    """Yields the test files in the language of the target's file that are named after it, and how similar they are."""
    if target.kind == "folder" or target.files[0].id in graph.tests:
        return
    path = target.files[0].path
    subject, language = _subject(path), language_name(path)
    for id in graph.tests:
        if language_name(graph.files[id].path) != language:
            continue
        tested = _subject(graph.files[id].path)
        if tested and tested == subject:
            yield id, _SAME_NAME
        elif _resemble(tested, subject):
            yield id, _SIMILAR_NAME


@lru_cache(maxsize=20_000)
def _subject(path: str) -> str:
    """Returns what a file or its test is about: `client` for `src/client.py`, `test_client.py` and `client.spec.ts`."""
    folder, _, name = path.rpartition("/")
    stem = name.partition(".")[0].lower()
    if stem in ("__init__", "index", "mod", "main"):
        return folder.rpartition("/")[2].lower()
    return _AFFIXES.sub("", stem)


def _resemble(one: str, other: str) -> bool:
    return min(len(one), len(other)) >= _SHORTEST and (one in other or other in one)
