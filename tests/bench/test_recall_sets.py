from __future__ import annotations

import gzip
import json
from pathlib import Path
from typing import Any

from bench.recall import functions, languages, longmemeval, markdown, sde
from bench.recall.plain import ByWords
from bench.recall.pool import Answer, ask_all

SESSIONS: list[dict[str, Any]] = [
    {
        "session_id": "new",
        "date": "2023/05/02 (Tue) 09:00",
        "turns": [
            {"role": "user", "content": "My dentist moved to Oak Street.", "has_answer": True},
            {"role": "assistant", "content": "Noted."},
        ],
    },
    {
        "session_id": "old",
        "date": "2023/04/10 (Mon) 17:50",
        "turns": [{"role": "user", "content": "My dentist is on Elm Street.", "has_answer": True}],
    },
]
QUESTIONS: list[dict[str, Any]] = [
    {
        "question_id": "where",
        "question_type": "knowledge-update",
        "question": "Where is my dentist?",
        "question_date": "2023/06/01 (Thu) 10:00",
        "answer_session_ids": ["new", "old"],
    },
    {
        "question_id": "price_abs",
        "question_type": "single-session-user",
        "question": "What did my dentist cost?",
        "question_date": "2023/06/01 (Thu) 10:00",
        "answer_session_ids": ["old"],
    },
]


def test_longmemeval_knows_its_evidence_in_the_order_of_time(tmp_path: Path) -> None:
    _write(tmp_path / "longmemeval", sessions=SESSIONS, questions=QUESTIONS)

    pool = longmemeval.load(tmp_path)

    assert pool is not None
    assert [unit.key for unit in pool.units] == ["new#0", "new#1", "old#0"]
    assert pool.units[0].full_text == "user, 2023-05-02: My dentist moved to Oak Street."
    assert [question.id for question in pool.answerable] == ["where"]
    assert pool.answerable[0].groups == ("old", "new")
    assert pool.answerable[0].keys == ("new#0", "old#0")


def test_the_newest_evidence_must_come_first(tmp_path: Path) -> None:
    _write(tmp_path / "longmemeval", sessions=SESSIONS, questions=QUESTIONS)
    pool = longmemeval.load(tmp_path)
    assert pool is not None

    def score(*keys: str) -> Any:
        return longmemeval.score(pool, {"where": Answer(pool.found(keys))})

    assert score("new#1", "new#0", "old#0")["newest first"] == 1
    assert score("old#0", "new#0")["newest first"] == 0
    assert score("new#1")["newest first"] == 0
    assert score("old#0")["session recall@5"] == score("old#0")["turn recall@10"] == 0.5


def test_an_amendment_follows_its_rule_and_should_rank_above_it(tmp_path: Path) -> None:
    chat = [{"role": "user", "text": "Round up."}, {"role": "assistant", "text": "Done."}]
    task = {"task_id": "t", "source": "conversation-amended", "bug_report": "It rounds.", "conversations": [chat, chat]}
    _write(tmp_path / "sde-bench", tasks=[task], decoys=[{"turns": chat} for _ in range(5)])

    pool = sde.load(tmp_path)

    assert pool is not None
    days = {unit.group: unit.when for unit in pool.units}
    first, second = days["t/0"], days["t/1"]
    assert first is not None
    assert second is not None
    assert first < second
    assert len(set(days.values())) == 7
    ranked = {"t": Answer(pool.found(["t/1#0", "decoy/0#0", "t/0#0"]))}
    assert set(sde.score(pool, ranked).values()) == {1.0}
    assert sde.user_turns(pool, pool.questions[0]) == ("Round up.",)


def test_a_function_is_found_by_its_file(tmp_path: Path) -> None:
    rows = [{"id": 1, "code": "def close(door): ..."}, {"id": 2, "code": "def open(window): ..."}]
    _write(tmp_path / "code-search", functions=rows, queries=[{"query": "open a window", "gold": 2}])

    pool = functions.load(tmp_path)

    assert pool is not None
    assert pool.documents["f2.py"] == "def open(window): ..."
    assert functions.score(pool, ask_all(ByWords(pool), pool)) == {"MRR@10": 1.0, "recall@10": 1.0}


def test_the_chunks_of_a_document_have_no_gaps() -> None:
    text = "# Title\n\n" + "A sentence of some length. " * 200 + "\n\nlast" + "x" * 2000

    pieces = list(markdown.cut("a.md", text))

    assert "".join(piece.text for piece in pieces) == text
    assert all(text[piece.start : piece.end] == piece.text for piece in pieces)
    assert max(len(piece.text) for piece in pieces) <= markdown.PIECE


def test_a_missing_data_set_is_none(tmp_path: Path) -> None:
    for load in (longmemeval.load, sde.load, functions.load, markdown.load):
        assert load(tmp_path) is None
    assert languages.load("klingon") is None


def test_the_sets_of_languages_are_whole() -> None:
    for language in ("french", "chinese"):
        pool = languages.load(language)
        assert pool is not None
        known = {unit.key for unit in pool.units}
        assert all(question.groups[0] in known for question in pool.questions)


def _write(folder: Path, **files: list[dict[str, Any]]) -> None:
    folder.mkdir()
    for name, rows in files.items():
        with gzip.open(folder / f"{name}.jsonl.gz", "wt", encoding="utf-8") as file:
            file.write("\n".join(json.dumps(row) for row in rows))
