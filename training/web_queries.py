"""Queries that people typed into a search engine, with Python functions that answer them or do not: CoSQA's train part.

python -m training.web_queries --mirrors DIR --out web_queries.jsonl.xz

The authors' repository lists the file; clones may leave it out because of its size. Its copy in five parts has the same
bytes, which is checked. Left out are the queries of the other parts, and every function that answers one of them, so
that what is learned is measured on functions that were not seen.
"""

from __future__ import annotations

import ast
import json
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from training.pair_files import arguments, report, write_lines
from training.sources import Mirrors, MissingFile, sources

SET, TRAIN = "Jun-jie-Huang/CoCLR", "data/qa/cosqa-train.json"
OTHER_PARTS = (
    "data/qa/cosqa-dev.json",
    "data/search/cosqa-retrieval-dev-500.json",
    "data/search/cosqa-retrieval-test-500.json",
)
COPY, COPY_COMMIT = "rlucas7/code-searcher", "8d9c9aae4c2b2b68ec8876b409cd758e1f10dd90"
COPIED_PARTS = tuple(f"cosqa-train-{number}.json" for number in range(1, 6))
Row = dict[str, Any]


def labelled(mirrors: Mirrors) -> list[Row]:
    """The train part: queries with functions and their labels."""
    try:
        return list(mirrors.json(SET, TRAIN))
    except MissingFile:
        rows = [row for part in COPIED_PARTS for row in json.loads(mirrors.read(COPY, part, COPY_COMMIT))]
    mirrors.check_copy(SET, TRAIN, json.dumps(rows, indent=1).encode(), COPY)
    return rows


def pairs(mirrors: Mirrors) -> Iterator[Row]:
    """Each query once, with the functions that answer it and those that were judged not to."""
    other = [row for part in OTHER_PARTS for row in mirrors.json(SET, part)]
    queries, functions = {plain(row["doc"]) for row in other}, {row["code"] for row in other}
    found: dict[str, Row] = {}
    for row in labelled(mirrors):
        query = plain(row["doc"])
        if query in queries or row["code"] in functions:
            continue
        entry = found.setdefault(query, {"query": query, "right": [], "wrong": []})
        entry["right" if row["label"] else "wrong"].append(row["code"])
    yield from (row for row in found.values() if row["right"])


def plain(query: str) -> str:
    return " ".join(query.lower().strip('"').split())


def undocumented(code: str) -> str:
    """The function without its docstring; the same text if it has none or is no Python 3."""
    try:
        [function] = ast.parse(code).body
    except (SyntaxError, ValueError):
        return code
    if not isinstance(function, ast.FunctionDef) or not ast.get_docstring(function) or len(function.body) < 2:
        return code
    lines, first = code.split("\n"), function.body[0]
    return "\n".join(lines[: first.lineno - 1] + lines[first.end_lineno or first.lineno :])


def main() -> None:
    given = arguments()
    mirrors = Mirrors(Path(given.mirrors))
    rows = list(pairs(mirrors))
    write_lines(given.out, [json.dumps(row, ensure_ascii=False) for row in rows])
    report(Counter(queries=len(rows), functions=len({code for row in rows for code in row["right"]})), given.out)
    print(f"from {SET} at {sources()[SET].commit}")


if __name__ == "__main__":
    main()
