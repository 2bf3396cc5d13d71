from __future__ import annotations

import gzip
import json
from pathlib import Path
from typing import Any

from bench.evaluation_sets import part_of
from bench.recall import dialogues, everyday, functions, languages, longmemeval, markdown, sde, sizes
from bench.recall.plain import ByMeaning, ByWords, plain
from bench.recall.pool import Answer, Found, ask_all
from bench.recall.vectors import KeptVectors

from holdfast.models.fake import FakeEmbedder

_SOURCES = ["friendsqa", "qmsum"]
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


def test_dialogues_are_split_as_for_training(tmp_path: Path) -> None:
    ids = [f"d{n}" for n in range(60)]
    turns = [{"speaker": "Ann", "text": "The key is under the mat."}, {"speaker": "Bo", "text": "Thanks."}]
    dialogues_ = [{"id": id, "source": source, "turns": turns} for id, source in zip(ids, _SOURCES * 30, strict=True)]
    questions = [{"id": "q", "dialogue": id, "question": "Where is the key?", "evidence": [0]} for id in ids]
    questions.append({"id": "none", "dialogue": ids[0], "question": "Why?", "evidence": []})
    _write(tmp_path / "dialogue-qa", dialogues=dialogues_, questions=questions)

    for part in ("test", "development"):
        expected = {id for id in ids if part_of(id) == part}
        scenes, meetings = dialogues.friends(tmp_path, part=part), dialogues.meetings(tmp_path, part=part)
        assert scenes is not None
        assert meetings is not None
        assert {unit.group for unit in (*scenes.units, *meetings.units)} == expected
        assert {question.groups[0] for question in (*scenes.questions, *meetings.questions)} == expected
        assert len(meetings.parts) == len(meetings.questions)
        assert not meetings.questions[0].id.endswith("none")


def test_a_sample_of_dialogues_keeps_what_answers_its_questions(tmp_path: Path) -> None:
    turns = [{"speaker": "Ann", "text": "The key is under the mat."}]
    for source, load in (("friendsqa", dialogues.friends), ("qmsum", dialogues.meetings)):
        rows = [{"id": f"{source}{n}", "source": source, "turns": turns} for n in range(80)]
        asked = [{"id": "q", "dialogue": row["id"], "question": "Where?", "evidence": [0]} for row in rows]
        folder = tmp_path / source
        folder.mkdir()
        _write(folder / "dialogue-qa", dialogues=rows, questions=asked)

        pool = load(folder, 2)

        assert pool is not None
        known = {unit.key for unit in pool.units}
        assert len(pool.questions) == 2
        assert all(known.issuperset(question.keys) for question in pool.questions)
        assert len(known) < 80


def test_everyday_figures_separate_withheld_from_wrong() -> None:
    pool = everyday.load()
    right, none = pool.answerable[:4], [question for question in pool.questions if not question.is_answerable]

    def found(*keys: str) -> tuple[Found, ...]:
        return pool.found(keys)

    answer = [question.groups[0] for question in right]
    answers = {question.id: Answer((), ranked=()) for question in pool.questions}
    answers[right[0].id] = Answer(found(answer[0]), ranked=found(answer[0]))
    answers[right[1].id] = Answer((), ranked=found(answer[1], answer[0]))
    answers[right[2].id] = Answer(found(answer[0]), ranked=found(answer[0], answer[2]))
    answers[right[3].id] = Answer(found(answer[0], answer[3]), ranked=found(answer[3], answer[0]))
    answers[none[0].id] = Answer(found(answer[0]), ranked=found(answer[0]))

    scores = everyday.score(pool, answers)

    assert {name: round(figure * 35) for name, figure in scores.items() if name != everyday.SILENT} == {
        everyday.FIRST: 1,
        everyday.WITHHELD: 1,
        everyday.WRONG: 2,
    }
    assert scores[everyday.SILENT] == 14 / 15


def test_small_stores_hold_the_answer_or_none() -> None:
    pool = everyday.in_stores_of(5)

    assert len(pool.parts) == 8
    assert len(pool.questions) == 35 + 8 * 15
    for part in pool.parts:
        known = {unit.key for unit in part.units}
        assert all(known.issuperset(question.groups) for question in part.questions)


def test_a_large_store_has_functions_and_messages_beside_the_memories(tmp_path: Path) -> None:
    rows = [{"id": n, "code": f"def f{n}(): ..."} for n in range(30)]
    _write(tmp_path / "code-search", functions=rows, queries=[{"query": "f2", "gold": 2}])
    session = {**SESSIONS[0], "turns": SESSIONS[0]["turns"] * 30}
    _write(tmp_path / "longmemeval", sessions=[session], questions=QUESTIONS[:1])

    (pool,) = sizes.pools((100, 1000), tmp_path)

    assert len(pool.units) == 100
    assert len(pool.documents) == 18
    assert sum(bool(unit.role) for unit in pool.units) == 42
    assert len(pool.questions) == 50


def test_plain_hybrid_adds_scaled_words_and_vectors(tmp_path: Path) -> None:
    pool = everyday.load()
    vectors = KeptVectors(tmp_path / "vectors.db", FakeEmbedder())
    hybrid, words, meaning, _ = plain(pool, vectors)
    assert isinstance(words, ByWords)
    assert isinstance(meaning, ByMeaning)
    asked = pool.questions[0]

    by_words, by_meaning = words.scores(asked), meaning.scores(asked)
    scaled = [(scores - scores.min()) / (scores.max() - scores.min()) for scores in (by_meaning, by_words)]
    both = 0.6 * scaled[0] + 0.4 * scaled[1]

    best = [pool.units[row].key for row in (-both).argsort(kind="stable")[:8]]
    assert [one.key for one in hybrid.ask(asked, 8).found] == best
    vectors.close()


def test_a_missing_data_set_is_none(tmp_path: Path) -> None:
    for load in (longmemeval.load, sde.load, functions.load, markdown.load, dialogues.friends, dialogues.meetings):
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
