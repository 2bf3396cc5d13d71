from __future__ import annotations

import contextlib
import gzip
import io
import json
import sys
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from bench.recall import command, dialogues, everyday, longmemeval, ours, peers, sizes, tables
from bench.recall.learned import build_learned
from bench.recall.pool import Pool, Question, Unit
from bench.recall.vectors import bundled

from holdfast.bench import run
from holdfast.bench.reports import Report, write_docs

SHARED = Path(__file__).resolve().parents[3] / "shared" / "data"
PETS = ["a cat called Miso", "a dog called Rex", "a horse called Juno", "a parrot called Kiwi"]


@pytest.fixture(scope="module")
def small(tmp_path_factory: pytest.TempPathFactory) -> Any:
    """A run on four generated sessions, and a second run on the stores it kept."""
    folder = tmp_path_factory.mktemp("recall")
    _write_sessions(folder / "data" / "longmemeval")
    given = ["--sets", "longmemeval,code", "--data", str(folder / "data"), "--folder", str(folder / "kept")]
    return [_json([*given, "--no-peers", "--repeats", "1", "--no-ablation"]) for _ in range(2)]


def test_every_system_is_judged_by_the_same_figures(small: Any) -> None:
    rows = {row["name"]: row for row in small[0][1]["sections"][1]["rows"]}

    assert rows["session recall@5"]["p50"] == 1.0
    assert rows["session recall@5"]["budget"] == 0.88
    assert rows["session recall@5"]["holds"] is True
    assert {f"turn recall@10, plain {way}" for way in ("hybrid", "BM25", "vectors", "RRF")} <= set(rows)
    assert {"turn recall@10, types=", "turn recall@10, types=, uncut"} <= set(rows)


def test_the_first_table_compares_the_default_with_the_best_typed_call_and_plain_hybrid(small: Any) -> None:
    section = small[0][1]["sections"][0]
    rows = {row["name"]: row["p50"] for row in section["rows"]}
    turns = "LongMemEval: turn recall@10"

    assert section["title"] == "All sets"
    assert {turns, f"{turns}, best typed call", f"{turns}, plain hybrid"} <= set(rows)
    assert rows["mean of the first figure of 1 sets"] == rows[turns]


def test_missing_measurements_are_reported(small: Any) -> None:
    assert any("code: its data was not found" in note for note in small[0][1]["notes"])


def test_evidence_withheld_and_typos_are_measured_too(small: Any) -> None:
    names = {row["name"] for section in small[0][1]["sections"] for row in section["rows"]}

    assert {"evidence removed", "share kept", "tokens packed", "Holdfast"} <= names


def test_kept_stores_answer_the_same_again(small: Any) -> None:
    first, second = ([s for s in told["sections"] if "time per" not in s["title"]] for _, told in small)

    assert first == second


def test_a_withheld_session_is_gone_and_the_kept_store_is_as_it_was(tmp_path: Path) -> None:
    _write_sessions(tmp_path / "longmemeval")
    pool = longmemeval.load(tmp_path)
    assert pool is not None
    built = ours.build(pool, tmp_path / "kept")

    with ours.Holdfast(pool, built, without=["s0"]) as holdfast:
        less = holdfast.ask(pool.questions[0], 50)
    with ours.Holdfast(pool, built) as holdfast:
        whole = holdfast.ask(pool.questions[0], 50)

    assert "s0" not in less.groups
    assert whole.groups[0] == "s0"
    assert whole.confidence > less.confidence


def test_a_message_counts_as_found_with_the_memory_that_cites_it(tmp_path: Path) -> None:
    said = "We decided to keep all exports for thirty days, because auditors ask for them."
    units = (
        Unit("s#0", said, "s", "user", datetime(2025, 1, 6, 10, tzinfo=UTC)),
        Unit("s#1", "Good, I will note that down.", "s", "assistant", datetime(2025, 1, 6, 10, 1, tzinfo=UTC)),
    )
    asked = Question("q", "how long are exports kept", keys=("s#0",), groups=("s",))
    pool = Pool("tiny", "Tiny", "said", units, (asked,), dialogues.score)
    vectors = bundled(tmp_path / "vectors.db")
    built = build_learned(pool, tmp_path, vectors)

    with ours.Holdfast(pool, built) as holdfast:
        by_default = holdfast.ask(asked, 10)
    with ours.Holdfast(pool, built, ours.UNCUT) as holdfast:
        of_messages = holdfast.ask(asked, 10)
    vectors.close()

    learned = [one for one in by_default.found if one.cites]
    assert [([cited.key for cited in one.cites], one.group) for one in learned] == [(["s#0"], "s")]
    assert all(not one.cites for one in of_messages.found)
    assert dialogues.score(pool, {"q": by_default}) == {"turn recall@10": 1.0}


def test_a_message_counts_as_found_with_the_hit_that_repeats_it(tmp_path: Path) -> None:
    days = {f"s{day}": datetime(2025, 1, day, 10, tzinfo=UTC) for day in (6, 7)}
    units = tuple(Unit(f"{id}#0", "The harbour closes at nine.", id, "user", when) for id, when in days.items())
    asked = Question("q", "when does the harbour close?", keys=tuple(unit.key for unit in units), groups=tuple(days))
    pool = Pool("tiny", "Tiny", "said", units, (asked,), longmemeval.score)
    vectors = bundled(tmp_path / "vectors.db")
    with ours.Holdfast(pool, ours.build(pool, tmp_path, vectors)) as holdfast:
        answer = holdfast.ask(asked, 10)
    vectors.close()

    (hit,) = answer.found
    assert {hit.key, *(repeat.key for repeat in hit.repeats)} == set(asked.keys)
    assert set(answer.places[0]) == set(days)
    assert longmemeval.score(pool, {"q": answer})["turn recall@10"] == 1.0


def test_stores_of_five_and_of_forty_memories_are_measured(tmp_path: Path) -> None:
    vectors = bundled(tmp_path / "vectors.db")
    found = sizes.measure((5, 40, 1000), tmp_path, tmp_path / "kept", vectors)
    vectors.close()

    more = f", {sizes.WORDINGS}"
    stored = [f"{size} passages{how}" for size in (5, 40) for how in ("", f", {sizes.QUESTIONS}")]
    sized = [f"{store}{how}" for store in stored for how in ("", more)]
    assert list(found) == sized, "without data there is nothing to make a larger store of"
    assert found[f"40 passages, {sizes.QUESTIONS}"][everyday.FIRST] > found[f"40 passages{more}"][everyday.FIRST]
    assert found[f"40 passages{more}"][everyday.FIRST] > found["40 passages"][everyday.FIRST]
    for figures in found.values():
        assert set(sizes.COLUMNS) <= set(figures)
        assert figures[everyday.FIRST] + figures[everyday.WRONG] <= 1.0
        assert figures[everyday.WITHHELD] <= 1 - figures[everyday.FIRST]


def test_without_any_data_there_is_nothing_and_no_failure(tmp_path: Path) -> None:
    status, told = _json(["--sets", "sde", "--data", str(tmp_path), "--folder", str(tmp_path / "kept"), "--no-peers"])

    assert status == 0
    assert told["sections"] == []
    assert "was not found and not measured" in told["notes"][0]


def test_an_unknown_set_is_named(tmp_path: Path) -> None:
    with pytest.raises(SystemExit, match="unknown data set 'latin'"):
        _json(["--sets", "latin", "--folder", str(tmp_path), "--no-peers"])


def test_peers_that_are_absent_are_named_with_the_way_to_get_them(tmp_path: Path) -> None:
    if peers.installed(sys.executable):
        pytest.skip("a peer is installed here")

    _, told = _json(["--sets", "sde", "--data", str(tmp_path), "--folder", str(tmp_path / "kept")])

    assert any("pip install mem0ai" in note for note in told["notes"])


def test_a_sample_of_the_real_data_runs_without_floors(tmp_path: Path) -> None:
    if not SHARED.is_dir():
        pytest.skip("the shared data is not here")

    _, told = _json(["--sets", "sde", "--questions", "1", "--folder", str(tmp_path), "--no-peers", "--no-ablation"])

    assert told["sections"][1]["title"] == "sde-bench: 1 bug reports, 5 chats in one store"
    assert all(row["budget"] is None for section in told["sections"] for row in section["rows"])


def test_a_missed_floor_is_reported_and_holdfast_comes_first() -> None:
    table = tables.side_by_side(
        "Sets", {"Holdfast": {"a": 0.7, "b": float("nan")}, "other": {"a": 0.81234}}, {"a": 0.75}
    )

    assert table.cells == (("", "Holdfast", "floor", "", "other"), ("a", "0.700", "≥ 0.750", "MISSED", "0.812"))
    assert [(figure.name, figure.holds) for figure in table.rows] == [("a", False), ("a, other", None)]


def test_a_share_of_errors_has_a_maximum() -> None:
    table = tables.side_by_side(
        "Sets", {"Holdfast": {everyday.WITHHELD: 0.04}, "other": {everyday.WITHHELD: 0.1}}, {everyday.WITHHELD: 0.05}
    )

    assert table.cells[1] == (everyday.WITHHELD, "0.040", "≤ 0.050", "holds", "0.100")


def test_the_report_goes_between_its_markers(tmp_path: Path) -> None:
    page = tmp_path / "recall.md"
    page.write_text("before\n<!-- bench recall -->\nold\n<!-- end of bench recall -->\nafter\n", encoding="utf-8")
    table = tables.side_by_side("A set", {"Holdfast": {"a": 0.7}}, {})

    write_docs(Report("recall", "holdfast bench recall", (table,), ("a note",)), tmp_path)

    text = page.read_text(encoding="utf-8")
    assert text.startswith("before\n<!-- bench recall -->\n```text\n$ holdfast bench recall\n")
    assert "A set\n   Holdfast\na     0.700\n\n- a note\n```\n<!-- end of bench recall -->\nafter\n" in text


@pytest.mark.parametrize(
    ("platform", "environment", "expected"),
    [
        ("linux", {"HOME": "/h"}, "/h/.cache/holdfast"),
        ("linux", {"HOME": "/h", "XDG_CACHE_HOME": "/c"}, "/c/holdfast"),
        ("darwin", {"HOME": "/h"}, "/h/Library/Caches/holdfast"),
    ],
)
def test_stores_are_kept_where_caches_are(platform: str, environment: dict[str, str], expected: str) -> None:
    assert command.cache_folder(environment, platform) == Path(expected)


def _json(argv: list[str]) -> tuple[int, Any]:
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        status = run.main(["recall", *argv, "--json"])
    return status, json.loads(printed.getvalue())


def _write_sessions(folder: Path) -> None:
    folder.mkdir(parents=True)
    sessions = [
        {
            "session_id": f"s{n}",
            "date": f"2023/05/0{n + 1} (Mon) 09:00",
            "turns": [
                {"role": "user", "content": f"We have {pet} at home.", "has_answer": True},
                {"role": "assistant", "content": "How lovely! Shall I look for a good book about the weather?"},
            ],
        }
        for n, pet in enumerate(PETS)
    ]
    questions = [
        {
            "question_id": f"q{n}",
            "question_type": "knowledge-update",
            "question": f"What is our {pet.split()[1]} called?",
            "question_date": "2023/06/01 (Thu) 10:00",
            "answer_session_ids": [f"s{n}"],
        }
        for n, pet in enumerate(PETS)
    ]
    for name, rows in (("sessions", sessions), ("questions", questions)):
        with gzip.open(folder / f"{name}.jsonl.gz", "wt", encoding="utf-8") as file:
            file.write("\n".join(json.dumps(row) for row in rows))
