"""The summary of the benchmarks shows figures of the linked pages, and every benchmark has a page and a line."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from holdfast.bench.run import BENCHES

DOCS = Path(__file__).parents[2] / "docs"
SUMMARY = (DOCS / "benchmarks.md").read_text(encoding="utf-8")
ROWS = [
    [cell.strip() for cell in line.strip("|").split("|")]
    for line in re.findall(r"^\|.*\]\([\w/.#-]+\) \|$", SUMMARY, re.MULTILINE)
]
FIGURE = re.compile(r"\d[\d,]*\.\d+|\d+(?:,\d{3})*(?= %)")


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row[0][:50])
def test_the_figures_of_the_summary_are_those_of_the_linked_page(row):
    _, ours, others, _, link = row
    [target] = re.findall(r"\]\(([\w/.-]+)", link)
    page = (DOCS / target).read_text(encoding="utf-8")
    figures = FIGURE.findall(f"{ours} {others}") or re.findall(r"\d+", ours)
    missing = [figure for figure in figures if not re.search(rf"(?<![\d.]){re.escape(figure)}(?!\d)", page)]
    assert figures
    assert not missing


def test_every_benchmark_has_a_page_and_a_command_in_the_summary():
    linked = " ".join(row[-1] for row in ROWS)
    for bench in BENCHES:
        page = "trust.md" if bench.name == "secrets" else f"benchmarks/{bench.name}.md"
        assert f"holdfast bench {bench.name}" in (DOCS / page).read_text(encoding="utf-8")
        assert f"holdfast bench {bench.name} " in SUMMARY
        assert f"({page}" in linked
