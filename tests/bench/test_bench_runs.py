from __future__ import annotations

import contextlib
import io
import json
import re
from pathlib import Path
from typing import Any

import pytest

from holdfast.bench import peers, run, store_bench

TINY = ["--memories", "30", "--samples", "2"]
SHARED = {
    "add all, with vectors",
    "add one, with its vector",
    "search by vector only",
    "search within one type",
    "search within one file",
    "resident memory",
    "disk per memory",
}


@pytest.fixture(scope="module")
def alone() -> Any:
    """A run of the store benchmark without another system."""
    return _json(["store", *TINY, "--peer", "none"])


def test_the_store_bench_prints_every_row(alone: Any) -> None:
    promised, rest, kept, shared, model = ({row["name"] for row in section["rows"]} for section in alone["sections"])

    assert promised == {"search", "remember", "say (one message)"}
    assert rest >= {"context", "open a store", "first search after opening", "say_all, batches of 100"}
    assert kept == {"disk per short message", "disk per long message", "disk per document chunk"}
    assert shared == SHARED
    assert model >= {"load and embed the first text", "embed a query", "embed memories"}


def test_every_row_has_the_same_shape(alone: Any) -> None:
    assert set(alone) == {"bench", "command", "machine", "sections", "notes"}
    for row in (row for section in alone["sections"] for row in section["rows"]):
        assert set(row) == {"name", "p50", "p95", "unit", "budget", "holds", "peer", "ratio"}
        assert isinstance(row["p50"], float | int)
    assert [row["budget"] for row in alone["sections"][0]["rows"]] == [15.0, 4.0, 1.0]


@pytest.mark.parametrize("peer", ["chromadb", "lancedb"])
def test_a_peer_does_the_same_work(peer: str) -> None:
    if not peers.is_installed(peer):
        pytest.skip(f"{peer} is not installed: {peers.INSTALL[peer]}")

    shared = _json(["store", *TINY, "--peer", peer])["sections"][2]

    assert shared["peer"] == peer
    assert {row["name"] for row in shared["rows"] if row["peer"]} == SHARED


def test_without_the_peer_it_says_how_to_install_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(store_bench, "is_installed", lambda peer: False)

    told = _json(["store", *TINY])

    assert told["sections"][2]["peer"] is None
    assert any("pip install 'holdfast[bench]'" in note for note in told["notes"])


def test_the_startup_bench_weighs_the_hook_against_a_bare_python() -> None:
    wall, times, imports = _json(["startup", "--repeat", "1"])["sections"]

    names = [row["name"] for row in wall["rows"]]
    assert names[0] == "python -c pass"
    assert {"holdfast hook: after a tool", "holdfast hook: session start"} <= {*names}
    budgets = {row["name"]: row["budget"] for row in times["rows"]}
    assert budgets["holdfast --help"] == 4.0
    in_milliseconds = {row["name"]: row["budget"] for row in wall["rows"]}
    assert in_milliseconds["holdfast mcp: until initialize is answered"] == 600
    assert in_milliseconds["holdfast hook: first prompt"] == 400
    assert budgets["holdfast hook: after a tool, with a memory about its file"] == 4.0
    assert any(row["name"].startswith("holdfast.") for row in imports["rows"])


def test_little_is_measured_quickly_and_not_judged() -> None:
    told = _json(["store", "--quick"])

    assert told["command"] == "holdfast bench store --quick"
    assert {row["budget"] for section in told["sections"] for row in section["rows"]} == {None}
    assert any("to judge the budgets" in note for note in told["notes"])


@pytest.mark.parametrize("bench", run.BENCHES, ids=lambda bench: bench.name)
def test_every_bench_has_its_options(bench: run.Bench, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        run.main([bench.name, "--help"])
    assert ended.value.code == 0
    assert "--write-docs" in capsys.readouterr().out


def test_no_benchmark_imports_the_training_of_models() -> None:
    files = [*Path(run.CLONE, "bench").rglob("*.py"), *Path(run.CLONE, "src").rglob("*.py")]
    importing = [file.name for file in files if re.search(r"^\s*(from|import) training\b", file.read_text(), re.M)]
    assert len(files) > 700
    assert not importing


def test_an_unknown_bench_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        run.main(["nothing"])
    assert "store" in capsys.readouterr().err


def _json(argv: list[str]) -> Any:
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        run.main([*argv, "--json"])
    return json.loads(printed.getvalue())
