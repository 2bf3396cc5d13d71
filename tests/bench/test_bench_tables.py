from __future__ import annotations

import json
from pathlib import Path

import pytest

from holdfast.bench.measure import Measurement, milliseconds, quantile, rate
from holdfast.bench.reports import Figure, Report, Section, as_json, as_text, ratio, write_docs

MACHINE = {"cores": 2}


def test_a_quantile_lies_between_its_neighbours() -> None:
    assert quantile([3.0, 1.0, 2.0], 0.5) == 2.0
    assert quantile([1.0, 2.0], 0.5) == 1.5
    assert quantile([7.0], 0.95) == 7.0


def test_a_budget_holds_only_below_it() -> None:
    assert milliseconds("search", [0.002], budget=3.0).holds is True
    assert milliseconds("search", [0.003], budget=3.0).holds is False
    assert milliseconds("search", [0.002]).holds is None


def test_a_ratio_above_one_means_that_holdfast_is_better() -> None:
    assert ratio(Measurement("search", 2.0), Measurement("search", 6.0)) == 3.0
    assert ratio(rate("add", 100, 1.0), rate("add", 50, 1.0)) == 2.0


def test_the_table_is_aligned_and_leaves_out_empty_columns() -> None:
    rows = (Measurement("search", 2.5, 4.0, budget=3.0), Measurement("remember", 12.345, 100.0, budget=4.0))
    text = as_text(Report("store", "holdfast bench store", (Section("Promised", rows),), ("Read ratios.",), MACHINE))

    assert text == (
        "$ holdfast bench store\n\ncores 2\n\nPromised\n"
        "           p50   p95  unit  budget\n"
        "search    2.50  4.00  ms    < 3.00  holds\n"
        "remember  12.3   100  ms    < 4.00  MISSED\n\n"
        "- Read ratios."
    )


def test_a_peer_is_shown_beside_the_rows_it_has() -> None:
    rows = (Measurement("search", 2.0), Measurement("context", 5.0))
    section = Section("The same work", rows, "chromadb", (Measurement("search", 6.0),))
    report = Report("store", "holdfast bench store", (section,), machine=MACHINE)

    assert "search   2.00  ms        6.00  3.00×" in as_text(report)
    first, second = json.loads(as_json(report))["sections"][0]["rows"]
    assert (first["peer"], first["ratio"]) == ({"p50": 6.0, "p95": None}, 3.0)
    assert (second["peer"], second["ratio"]) == (None, None)


def test_only_the_text_between_the_markers_of_the_docs_changes(tmp_path: Path) -> None:
    page = tmp_path / "store.md"
    page.write_text("Why.\n<!-- bench store -->\nlast year\n<!-- end of bench store -->\nHow.\n")
    report = Report("store", "holdfast bench store", (Section("Promised", (Measurement("search", 2.0),)),))

    write_docs(report, tmp_path)
    write_docs(report, tmp_path)

    text = page.read_text()
    assert text.startswith("Why.\n")
    assert text.endswith("\nHow.\n")
    assert text.count("$ holdfast bench store") == 1
    assert "last year" not in text


def test_a_page_without_markers_is_left_alone(tmp_path: Path) -> None:
    page = tmp_path / "store.md"
    page.write_text("Why.\n")

    with pytest.raises(ValueError, match="lacks the markers"):
        write_docs(Report("store", "holdfast bench store", ()), tmp_path)
    assert page.read_text() == "Why.\n"


def test_figures_that_are_texts_are_in_both_forms_and_can_miss_their_target() -> None:
    figures = (Figure("rules learned", "18 of 18", "≥ 15", True), Figure("recall", "0.43", "≥ 0.60", False))
    section = Section("Learning", (), figures=figures)
    report = Report("conversation", "holdfast bench conversation", (section,), machine=MACHINE)

    assert section.is_missed
    assert not Section("Learning", (), figures=figures[:1]).is_missed
    assert "recall             0.43  ≥ 0.60  MISSED" in as_text(report)
    assert json.loads(as_json(report))["sections"][0]["rows"][1] == {
        "name": "recall", "value": "0.43", "target": "≥ 0.60", "holds": False,
    }  # fmt: skip
