"""Questions about a text: which passages of it answer, and which do not."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from training.answer_texts import Context, chosen, cleaned, contains, content_words, count_shared, draw_for, whole_words

MOST_WRONG = 8
_MOST_RIGHT = 3
_FEW = 5  # with fewer wrong passages, those of nearby paragraphs are taken too


@dataclass(frozen=True)
class Question:
    """A question, the passages that answer it (none, if it has no answer) and passages that do not."""

    text: str
    right: Sequence[str]
    wrong: Sequence[str]
    language: str = "en"


@dataclass(frozen=True)
class Answer:
    """An answer in the words of a text, and where it starts, if the set says so."""

    text: str
    start: int | None = None


def reading(
    question: str,
    text: str,
    answers: Sequence[Answer],
    *,
    plausible: Sequence[Answer] = (),
    nearby: Iterable[str] = (),
    language: str = "en",
) -> Question | None:
    """The question with passages of a text, or None if no answer is found in it.

    Without answers, the text does not answer the question; passages with `plausible` answers are the first wrong ones.
    """
    question, context = cleaned(question), Context(text)
    draw = draw_for(question, text[:40])
    places = _places(question, context, answers)
    if answers and not places:
        return None
    right = [context.passage(number, draw, centre=start) for number, start in places.items()]
    misleading = [
        context.passage(number, draw, centre=start) for number, start in _places(question, context, plausible).items()
    ]
    strings = [answer.text for answer in answers if len(answer.text.strip()) > 1 or answer.text.strip().isdigit()]
    wrong = [
        context.passage(number, draw, without=strings)
        for number in range(len(context.spans))
        if number not in places and not contains(context.sentence(number), strings)
    ]
    if len(wrong) + len(misleading) < _FEW:
        wrong += [passage for other in nearby for passage in Context(other).passages(draw)]
    wrong = [passage for passage in wrong if passage not in right and not contains(passage, strings)]
    return Question(question, right[:_MOST_RIGHT], chosen(question, wrong, MOST_WRONG, misleading), language)


def _places(question: str, context: Context, answers: Iterable[Answer]) -> dict[int, int]:
    """The sentences that hold an answer, each with the offset of the first answer in it."""
    places: dict[int, int] = {}
    for answer in answers:
        start = _found(question, context.text, answer.text) if answer.start is None else answer.start
        number = None if start is None else context.number_at(start)
        if start is not None and number is not None:
            places.setdefault(number, start)
    return places


def _found(question: str, text: str, answer: str) -> int | None:
    """Where an answer is in a text: of several places, the one with most words of the question around it."""
    if not answer.strip():
        return None
    wanted = set(content_words(question))
    starts = [match.start() for match in re.finditer(whole_words(answer), text, re.I)]
    return max(starts, key=lambda at: count_shared(wanted, text[max(0, at - 150) : at + 150]), default=None)


def distinct(questions: Iterable[Question | None]) -> Iterator[Question]:
    """The questions that have passages, each once, and its passages once."""
    seen = set()
    for question in questions:
        if question is None or not question.text:
            continue
        right = [text for text in dict.fromkeys(question.right) if text]
        wrong = [text for text in dict.fromkeys(question.wrong) if text and text not in right][:MOST_WRONG]
        key = (question.text.lower(), *right, "", *wrong[:1])
        if key not in seen and (right or wrong):
            seen.add(key)
            yield replace(question, right=right, wrong=wrong)
