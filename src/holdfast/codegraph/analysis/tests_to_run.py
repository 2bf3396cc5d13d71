"""Ranks the tests that may notice a change.

Three signs add up: how closely the test's file depends on the changed files, how closely one of its tests depends on
the changed symbol, and whether it is named after a changed file. In the history of httpie, black and typeorm, the
tests that were changed together with code rank higher by all three than by each alone.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator
from typing import TYPE_CHECKING

from holdfast.codegraph.analysis.neighbours import dependent_files, dependent_symbols
from holdfast.codegraph.analysis.recognised_tests import can_be_run, is_test_file, test_id
from holdfast.codegraph.analysis.walk import walk
from holdfast.core.code_analysis import AffectedTest

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


def tests_to_run(graph: Adjacency, target: Target, depth: int) -> tuple[AffectedTest, ...]:
    """Returns the test files that may notice a change, the most likely first, with single tests if known."""
    start = [file.id for file in target.files]
    near = walk(start, lambda level: dependent_files(graph, level), depth)
    files = {id: reach for id, reach in near.items() if is_test_file(graph.files[id].path)}
    single = _single_tests(graph, target)
    named = dict(_named_alike(graph, target))
    found = []
    for id in files.keys() | single.keys() | named.keys():
        path = graph.files[id].path
        reaches = single.get(id, {})
        closest = max((reach.weight for reach in reaches.values()), default=0.0)
        score = (files[id].weight if id in files else 0.0) + closest + named.get(id, 0.0)
        depths = [reach.depth for reach in (*reaches.values(), *filter(None, [files.get(id)]))]
        found.append(AffectedTest(path, _ids(path, reaches), min(depths, default=0), round(score, 4)))
    return tuple(sorted(found, key=lambda test: (-test.score, test.path)))


def _single_tests(graph: Adjacency, target: Target) -> dict[int, dict[str, Reach]]:
    """Returns how the tests of each file depend on the symbol, if the target is one; "" is the file as a whole."""
    tests: dict[int, dict[str, Reach]] = defaultdict(dict)
    if target.symbol is not None:
        start = [(target.files[0].id, target.symbol.name)]
        for (file, name), reach in walk(start, lambda level: dependent_symbols(graph, level), _SYMBOL_DEPTH).items():
            if reach.depth and is_test_file(graph.files[file].path):
                tests[file][name] = reach
    return tests


def _ids(path: str, reaches: dict[str, Reach]) -> tuple[str, ...]:
    """Returns the single tests of a file, or the file if there are many or none is known."""
    single = sorted({test_id(path, name) for name in reaches if name and can_be_run(path, name)})
    return tuple(single) if 0 < len(single) <= _MOST_SINGLE else (path,)


def _named_alike(graph: Adjacency, target: Target) -> Iterator[tuple[int, float]]:
    """Yields the test files that are named after a file of the target, with how similar the names are."""
    subjects = {subject for file in target.files if not is_test_file(file.path) and (subject := _subject(file.path))}
    if not subjects or target.kind == "folder":
        return
    for id, file in graph.files.items():
        tested = _subject(file.path) if is_test_file(file.path) else ""
        if tested in subjects:
            yield id, _SAME_NAME
        elif tested and any(_resemble(tested, subject) for subject in subjects):
            yield id, _SIMILAR_NAME


def _subject(path: str) -> str:
    """Returns what a file or its test is about: `client` for `src/client.py`, `test_client.py` and `client.spec.ts`."""
    folder, _, name = path.rpartition("/")
    stem = name.partition(".")[0].lower()
    if stem in ("__init__", "index", "mod", "main"):
        return folder.rpartition("/")[2].lower()
    return _AFFIXES.sub("", stem)


def _resemble(one: str, other: str) -> bool:
    return min(len(one), len(other)) >= _SHORTEST and (one in other or other in one)
