"""The code graph is scored against an index with known definitions and references."""

from __future__ import annotations

from random import Random

from bench.codegraph.made_edits import MADE_EDITS
from bench.codegraph.places import places_of
from bench.codegraph.score import Counts, Graph, Target, score
from bench.codegraph.truth import Truth, truth_of

from holdfast.codegraph.scip import DEFINITION, Occurrence, ScipDocument

A = b"export class Hull { constructor() {} float() {} }\nexport const sail = () => 1\n"
B = b"import { Hull, sail } from './a'\nnew Hull().float()\nsail()\nhelm()\n"


def _occurrence(symbol: str, line: int, column: int, defines: bool = False) -> Occurrence:
    return Occurrence(symbol, line, column, line, column + 1, DEFINITION if defines else 0)


def _truth() -> Truth:
    first = [
        _occurrence("a/", 0, 0, True),
        _occurrence("a/Hull#", 0, 13, True),
        _occurrence("a/Hull#`<constructor>`().", 0, 20, True),
        _occurrence("a/Hull#float().", 0, 37, True),
        _occurrence("a/sail.", 1, 13, True),
    ]
    second = [
        _occurrence("a/Hull#", 0, 9),
        _occurrence("a/sail.", 0, 15),
        _occurrence("a/", 0, 27),
        _occurrence("a/Hull#`<constructor>`().", 1, 4),
        _occurrence("a/Hull#float().", 1, 11),
        _occurrence("a/sail.", 2, 0),
        _occurrence("other/helm().", 3, 0),
    ]
    return truth_of([ScipDocument("a.ts", "", tuple(first)), ScipDocument("b.ts", "", tuple(second))], {})


def _target(symbol: str, line: int, column: int) -> tuple[Target, ...]:
    return (Target("a.ts", symbol, frozenset({("a.ts", line, column)})),)


EDGES = frozenset({("b.ts", "a.ts")})


def _calls(calls: dict[tuple[str, int, int], tuple[Target, ...]]) -> Counts:
    places = {path: found for path, source in (("a.ts", A), ("b.ts", B)) if (found := places_of(path, source))}
    return score(Graph(EDGES, EDGES, calls), _truth(), places).calls


def test_a_class_counts_as_its_constructor() -> None:
    hull, float_, sail = _target("Hull", 0, 13), _target("Hull.float", 0, 37), _target("sail", 1, 13)
    counts = _calls({("b.ts", 1, 4): hull, ("b.ts", 1, 11): float_, ("b.ts", 2, 0): sail})
    assert (counts.precision, counts.recall, counts.true) == (1.0, 1.0, 3)


def test_wrong_and_missing_targets_count() -> None:
    counts = _calls({("b.ts", 1, 4): _target("sail", 1, 13), ("b.ts", 2, 0): _target("sail", 1, 13)})
    assert (counts.true, len(counts.false), len(counts.missed)) == (1, 1, 2)


def test_a_target_for_a_call_of_outside_code_is_wrong() -> None:
    counts = _calls({("b.ts", 3, 0): _target("sail", 1, 13)})
    assert [place for place, *_ in counts.false] == ["b.ts:4:0"]


def test_edges_count_between_indexed_files_only() -> None:
    places = {path: found for path, source in (("a.ts", A), ("b.ts", B)) if (found := places_of(path, source))}
    edges = frozenset({("b.ts", "a.ts"), ("b.ts", "c.ts"), ("a.ts", "b.ts")})
    scores = score(Graph(EDGES, edges, {}), _truth(), places)
    assert (scores.imports.f1, scores.edges.true) == (1.0, 1)
    assert scores.edges.false == (("a.ts", "b.ts"),)


def test_columns_count_utf16_units() -> None:
    found = places_of("a.ts", "const a = '😀é'; run()\n".encode())
    assert found is not None
    assert found.calls == {(0, 17)}


def test_made_edits_change_what_they_name():
    method = "  public open(now: Date): string {\n    return a(now);\n  }\n"
    source = f"import {{ a }} from './a';\n\nexport class Box {{\n{method}}}\n"
    edited = {kind: edit(source, Random(1)) for kind, edit in MADE_EDITS.items()}
    assert all(text != source for text in edited.values())
    assert "class BoxRenamed" in edited["a renamed export"]
    assert "openRenamed(" in edited["a renamed method"]
    assert "import" not in edited["a removed import"]
    assert [kind for kind, edit in MADE_EDITS.items() if edit("", Random(1))] == ["a comment", "a new function"]
