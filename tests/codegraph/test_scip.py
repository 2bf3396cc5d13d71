"""SCIP indexes are read without a protobuf package, and malformed ones are refused."""

from __future__ import annotations

from pathlib import Path

import pytest

from holdfast.codegraph.scip import Occurrence, ScipDocument, parse_scip, read_scip
from holdfast.core.errors import InvalidFile
from tests.codegraph.scip_files import document, index, occurrence


def test_documents_and_their_occurrences_are_read() -> None:
    name = "npm x 1 `a.ts`/f()."
    content = index(
        document("src/a.ts", [occurrence(name, (3, 9, 10), roles=1), occurrence("local 4", (300, 2, 5))]),
        document("src/b.ts", [occurrence(name, (1, 0, 2, 7))]),
    )

    first, second = parse_scip(content)

    assert first == ScipDocument(
        "src/a.ts",
        "typescript",
        (Occurrence(name, 3, 9, 3, 10, 1), Occurrence("local 4", 300, 2, 300, 5)),
    )
    assert first.occurrences[0].is_definition
    assert first.occurrences[1].is_local
    assert second.occurrences[0].end_line == 2


@pytest.mark.parametrize(
    ("content", "why"),
    [
        (b"\x12\x7f\x00", "longer than its message"),
        (b"\x12", "ends inside a number"),
        (b"\xff" * 11, "more than ten bytes"),
        (b"\x0b", "unknown wire type 3"),
        (index(document("a", [occurrence("f", (1, 2))])), "a range has 2 numbers"),
        (index(b"\x0a\x01\xff"), "codec can't decode"),
    ],
)
def test_a_malformed_index_is_refused(tmp_path: Path, content: bytes, why: str) -> None:
    (tmp_path / "index.scip").write_bytes(content)
    with pytest.raises(InvalidFile, match=why):
        read_scip(tmp_path / "index.scip")


def test_a_cut_index_is_read_up_to_the_cut_or_refused() -> None:
    content = index(document("src/a.ts", [occurrence("npm x 1 `a.ts`/f().", (3, 9, 10))] * 3))
    (whole,) = parse_scip(content)
    for end in range(len(content)):
        try:
            documents = parse_scip(content[:end])
        except ValueError:
            continue
        assert documents in ((), (whole,))
