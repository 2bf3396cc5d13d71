"""A stretch of conversation in a few of its own sentences."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from holdfast.conversation.extract import cues
from holdfast.conversation.extract.rules import learn
from holdfast.conversation.extract.sentences import Sentence, telling
from holdfast.conversation.extract.sentences import sentences as split
from holdfast.core.conversation import Learned, Message

# Two sentences that share more of their words than this say the same.
_SAME = 0.5
_FEWEST_WORDS = 3
# Why so few: what an assistant explains at length is rarely what happened.
_OF_ASSISTANT = 6
_MOST_READ = 400


@dataclass(frozen=True, slots=True)
class _SummaryLine:
    place: int
    text: str
    words: frozenset[str]
    role: str
    opens: bool
    decides: bool
    asks: bool


def summarise(messages: Sequence[Message], sentences: int = 4, characters: int = 600) -> str:
    """The sentences that stand for the whole, in the order said, one after another; empty when nobody said anything.

    What people said comes before what they were told, what was decided before all else; nothing is said twice.
    Never longer than `characters`.
    """
    lines = _lines(messages)
    ranked = sorted(lines, key=_LineRank(lines).of, reverse=True)
    chosen: list[_SummaryLine] = []
    room = characters
    for line in ranked:
        if len(chosen) == sentences:
            break
        if len(line.text) + 1 > room or any(_same(line, other) for other in chosen):
            continue
        chosen.append(line)
        room -= len(line.text) + 1
    if not chosen and ranked:
        return _cut(ranked[0].text, characters)
    return " ".join(line.text for line in sorted(chosen, key=lambda line: line.place))


class _LineRank:
    """How well a line stands for all: its words are common to many lines, and it was said where things are said."""

    def __init__(self, lines: Sequence[_SummaryLine]) -> None:
        self._seen = Counter(word for line in lines for word in line.words)
        self._rarity = {word: math.log(1 + len(lines) / count) for word, count in self._seen.items()}

    def of(self, line: _SummaryLine) -> tuple[float, int]:
        central = sum(math.log(self._seen[word]) * self._rarity[word] for word in line.words)
        weight = central / math.sqrt(len(line.words))
        weight *= 1.6 if line.role == "user" else 1.0
        weight += 3.0 * line.decides + 2.0 * line.opens - 0.8 * line.asks
        return weight, -line.place


def _lines(messages: Sequence[Message]) -> list[_SummaryLine]:
    learned = learn(messages)
    found: list[_SummaryLine] = []
    for message in messages:
        if message.role not in ("user", "assistant"):
            continue
        decided = [one for one in learned if message.id in one.evidence]
        said = split(message.text)
        for sentence in said if message.role == "user" else said[:_OF_ASSISTANT]:
            line = _line(len(found), sentence, message, decided, opens=not found)
            if line is not None:
                found.append(line)
        if len(found) >= _MOST_READ:
            break
    return found


def _line(
    place: int, sentence: Sentence, message: Message, learned: Sequence[Learned], opens: bool
) -> _SummaryLine | None:
    told = next((one for one in learned if sentence.text in one.quote), None)
    words = frozenset(telling(sentence.text))
    text = " ".join(sentence.text.split())
    if len(words) < _FEWEST_WORDS and told is not None and told.quote.startswith(sentence.text):
        # Why: an answer in a word says nothing without what it answers.
        text, words = told.text, frozenset(telling(told.text))
    if len(words) < _FEWEST_WORDS or sentence.item or cues.COMMENTS.match(cues.plain(text)):
        return None
    return _SummaryLine(place, text, words, message.role, opens, told is not None, sentence.asks)


def _same(one: _SummaryLine, other: _SummaryLine) -> bool:
    return len(one.words & other.words) > _SAME * min(len(one.words), len(other.words))


def _cut(text: str, characters: int) -> str:
    return text if len(text) <= characters else (text[: characters - 1].rstrip() + "…")[:characters]
