"""The step that reads the best candidates."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from types import SimpleNamespace
from typing import Any

import pytest

from holdfast import Settings, open
from holdfast.core.answer import Filters
from holdfast.core.errors import ModelDamaged
from holdfast.models.reader import bundled_reader
from holdfast.recall.evidence.read_answers import ANSWER, ReadAnswers, best_sentences
from holdfast.recall.question import Question, RecallCandidate
from holdfast.recall.recall_reasons import RecallCode
from holdfast.recall.weigh.word_measures import Terms, terms_of

QUESTION = Question("when do we deploy", "p", Filters(), 10, datetime(2026, 1, 1, tzinfo=UTC))


def candidate(passage: int, score: float, text: str, type: str = "fact") -> RecallCandidate:
    row: Any = SimpleNamespace(searched=text, views=text, type=type)
    return RecallCandidate(passage, {}, {}, score, row=row)


def reading(judge: Callable[[str], float]) -> Callable[[str, Sequence[str]], list[float]]:
    return lambda _, texts: [judge(text) for text in texts]


def order(found: tuple[RecallCandidate, ...]) -> list[int]:
    return [each.passage for each in found]


def test_what_answers_comes_first() -> None:
    step = ReadAnswers(reading(lambda text: 4.0 if "Tuesday" in text else -4.0))
    found, notes = step(QUESTION, (candidate(1, 0.5, "Deploys are slow."), candidate(2, 0.45, "On Tuesday.")))
    assert order(found) == [2, 1]
    assert notes == {"read": 2}
    assert found[0].factors[ANSWER] > 0.9 > 0.1 > found[1].factors[ANSWER]


def test_a_query_that_names_a_time_is_not_read() -> None:
    step = ReadAnswers(reading(lambda _: 4.0))
    question = Question("who came in May 2026?", "p", Filters(), 10, datetime(2026, 9, 1, tzinfo=UTC))
    _, notes = step(question, (candidate(1, 0.5, "Forty people came."),))
    assert notes == {"skipped": RecallCode.NAMES_A_TIME}


def test_long_texts_and_code_are_not_read_nor_documents_without_terms() -> None:
    read: list[str] = []
    step = ReadAnswers(reading(lambda text: read.append(text) or 0.0))  # type: ignore[func-returns-value]
    candidates = (
        candidate(1, 0.9, "x" * 421),
        candidate(2, 0.8, "y", "document"),
        candidate(3, 0.7, "z", "code"),
        candidate(4, 0.6, "short"),
    )
    found, _ = step(QUESTION, candidates)
    assert read == ["short"]
    assert order(found) == [1, 2, 3, 4]
    assert ANSWER not in found[0].factors


def terms(question: Question) -> Terms:
    return terms_of(question.text, question.words, {}, 1000)


def test_of_a_chunk_the_sentences_with_the_words_of_the_query_are_read() -> None:
    read: list[str] = []

    def judge(text: str) -> float:
        read.append(text)
        return 5.0 if "Tuesday" in text else -5.0

    filler = "Nothing in this sentence has to do with it, and so it is long enough to stand for itself here."
    chunk = " ".join(
        [filler, "We deploy the shop on Tuesday, after the meeting of the team that runs the payments.", filler]
    )
    unrelated = "Whoever wants to deploy asks first in the room of the operators, who know what is going on there."
    step = ReadAnswers(reading(judge), terms=terms)
    found, notes = step(QUESTION, (candidate(1, 0.5, unrelated, "document"), candidate(2, 0.45, chunk, "document")))
    assert order(found) == [2, 1]
    assert notes == {"read": 2}
    assert read[0] == unrelated
    assert "Tuesday" in read[1]
    assert ANSWER not in found[0].factors


def test_chunks_after_the_limit_stay_behind() -> None:
    step = ReadAnswers(reading(lambda _: -5.0), chunks=2, terms=terms)
    found, notes = step(QUESTION, tuple(candidate(n, 0.5 - n / 100, f"deploy {n}", "document") for n in range(4)))
    assert order(found) == [0, 1, 2, 3]
    assert notes == {"read": 2}


def test_of_a_text_the_sentences_with_the_rarest_words_come_first() -> None:
    text = "\n".join(
        f"The {word} of the shop is described here at some length, so that it fills a line." for word in "abc"
    )
    asked = terms_of("the b of the shop", ["b", "shop"], {"shop": 500, "b": 1}, 1000)
    assert best_sentences(text, asked, 1)[0].startswith("The b of")
    assert best_sentences("", asked) == []


def test_candidates_after_the_limit_stay_behind() -> None:
    step = ReadAnswers(reading(lambda _: -5.0), characters=10)
    found, notes = step(QUESTION, tuple(candidate(n, 0.5 - n / 100, "12345") for n in range(4)))
    assert order(found) == [0, 1, 2, 3]
    assert notes == {"read": 2}
    assert found[2].score <= found[1].score


def test_scores_stay_between_0_and_1() -> None:
    high, _ = ReadAnswers(reading(lambda _: 9.0))(QUESTION, (candidate(1, 0.95, "a"),))
    low, _ = ReadAnswers(reading(lambda _: -9.0))(QUESTION, (candidate(1, 0.05, "a"),))
    assert (high[0].score, low[0].score) == (1.0, 0.0)


def test_without_a_model_and_for_one_word_nothing_is_read() -> None:
    candidates = (candidate(1, 0.5, "a"),)
    assert ReadAnswers(None)(QUESTION, candidates) == (candidates, {"skipped": RecallCode.NO_READER})
    one = Question("deploy", "p", Filters(), 10, datetime(2026, 1, 1, tzinfo=UTC))
    assert ReadAnswers(reading(lambda _: 1.0))(one, candidates) == (candidates, {"skipped": RecallCode.TOO_FEW_WORDS})


def test_a_damaged_model_leaves_the_order() -> None:
    def fails(*_: object) -> list[float]:
        raise ModelDamaged("reader.onnx cannot be loaded")

    candidates = (candidate(1, 0.5, "a"), candidate(2, 0.4, "b"))
    found, notes = ReadAnswers(fails)(QUESTION, candidates)
    assert found == candidates
    assert notes["failed"].code == RecallCode.READER_FAILED


def test_the_bundled_reader_tells_an_answer_from_a_remark() -> None:
    read = bundled_reader().answer
    right = read("When do we release?", "Deploys go out every Tuesday morning.")
    assert right > read("When do we release?", "The deploy bot logs in with a token.")
    assert right > read("Who may approve a refund?", "Deploys go out every Tuesday morning.")


def test_passages_read_at_the_same_time_are_judged_as_one_by_one() -> None:
    reader, question = bundled_reader(), "When do we release?"
    passages = [f"Deploys of team {n} go out every Tuesday morning." for n in range(9)]
    assert reader.answers(question, passages) == [reader.answer(question, passage) for passage in passages]
    assert reader.answers(question, []) == []


@pytest.mark.parametrize("recipe", ["default", "keyword", "vector"])
def test_only_the_default_recipe_reads(tmp_path: Any, recipe: str) -> None:
    settings = Settings(background=False, identity="folder")
    with open(tmp_path / "h.db", tmp_path, settings=settings) as memory:
        memory.remember("Deploys go out every Tuesday morning.")
        memory.remember("The deploy bot logs in with a token.")
        answer = memory.recall("when do we deploy?", recipe=recipe, abstain=False)
    assert any(ANSWER in hit.why.factors for hit in answer.hits) is (recipe == "default")
