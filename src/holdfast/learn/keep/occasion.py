"""Quotes what was said just before a statement, so that a reader who was not there knows what it was about.

`We should call ours max_concurrency` says little alone; after “ask whether promptfoo controls concurrent workers” it
does. The quotation is shown beside the line and is no part of it: unlike a guessed topic it is never wrong.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

from holdfast.learn.keep.self_contained import without_lead_in
from holdfast.learn.keep.sentences import content_words
from holdfast.text.request_titles import request_title

if TYPE_CHECKING:
    from holdfast.learn.keep.kept_statements import KeptStatement
    from holdfast.learn.keep.turns import TalkTurn

# A quotation with fewer content words that the line does not have explains nothing.
_LEAST_NEW = 3
# The earlier messages of the person that may hold the request.
_EARLIER_MESSAGES = 3
LONGEST = 90
# The beginning of a message that is read; people may paste a whole log.
_READ = 1_000


def requests_before(turns: Sequence[TalkTurn]) -> Mapping[str, tuple[str, ...]]:
    """The person's messages before each one, by its id, the latest first."""
    texts = [turn.message.text for turn in turns]
    return {turn.message.id: tuple(reversed(texts[max(0, n - _EARLIER_MESSAGES) : n])) for n, turn in enumerate(turns)}


def occasion(statement: KeptStatement, line: str, earlier: Sequence[str]) -> str:
    """The beginning of what was said before a statement, if it tells something that its line does not; else empty.

    It is the sentence before it in its message, the assistant's question, or one of the person's `earlier` messages.
    """
    known = set(content_words(line))
    for text in _said_before(statement, earlier):
        if len(set(content_words(text)) - known) >= _LEAST_NEW:
            return quotable(text)
    return ""


def quotable(text: str) -> str:
    """The text on one line, short, without marks that would end a quotation."""
    return request_title(without_lead_in(text).translate(_MARKS), LONGEST)


_MARKS = str.maketrans({"“": '"', "”": '"', "*": "", "<": "", ">": ""})


def _said_before(statement: KeptStatement, earlier: Sequence[str]) -> Iterator[str]:
    turn = statement.turn
    yield from (sentence.text for sentence in reversed(turn.sentences[: statement.place]))
    if turn.question:
        yield turn.question
    yield from (text[:_READ] for text in earlier)
