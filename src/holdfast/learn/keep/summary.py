"""Summarises part of a conversation by quoting a few of its sentences."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence

from holdfast.core.conversation import Learned, Message
from holdfast.core.frozen import frozen
from holdfast.learn.keep import cues
from holdfast.learn.keep.rule_extractor import learn
from holdfast.learn.keep.sentences import Sentence, content_words
from holdfast.learn.keep.sentences import sentences as split

# Two sentences that share more than this fraction of their words count as the same.
_SAME = 0.5
_MIN_WORDS = 3
# Few, because long explanations of an assistant rarely describe what happened.
_ASSISTANT_SENTENCES = 6
_MAX_LINES = 400


@frozen
class _SummaryLine:
    """A sentence that may be part of the summary, with its properties for ranking."""

    place: int
    text: str
    words: frozenset[str]
    role: str
    opens: bool
    decides: bool
    asks: bool


def summarise(
    messages: Sequence[Message], learned: Sequence[Learned] | None = None, sentences: int = 4, characters: int = 600
) -> str:
    """The most representative sentences in their original order, at most `characters` long; empty without messages.

    Statements that were learned from the messages rank first (they are extracted again if `learned` is None), and the
    person's sentences above the assistant's. Repetitions are left out.
    """
    lines = _lines(messages, learn(messages) if learned is None else learned)
    ranked = sorted(lines, key=_LineRank(lines).of, reverse=True)
    chosen: list[_SummaryLine] = []
    left = characters
    for line in ranked:
        if len(chosen) == sentences:
            break
        if len(line.text) + 1 > left or any(_same(line, other) for other in chosen):
            continue
        chosen.append(line)
        left -= len(line.text) + 1
    if not chosen and ranked:
        return _cut(ranked[0].text, characters)
    return " ".join(line.text for line in sorted(chosen, key=lambda line: line.place))


class _LineRank:
    """Scores a line: higher when many lines share its words, when it decides something or opens the conversation."""

    def __init__(self, lines: Sequence[_SummaryLine]) -> None:
        self._seen = Counter(word for line in lines for word in line.words)
        self._rarity = {word: math.log(1 + len(lines) / count) for word, count in self._seen.items()}

    def of(self, line: _SummaryLine) -> tuple[float, int]:
        central = sum(math.log(self._seen[word]) * self._rarity[word] for word in line.words)
        weight = central / math.sqrt(len(line.words))
        weight *= 1.6 if line.role == "user" else 1.0
        weight += 3.0 * line.decides + 2.0 * line.opens - 0.8 * line.asks
        return weight, -line.place


def _lines(messages: Sequence[Message], learned: Sequence[Learned]) -> list[_SummaryLine]:
    found: list[_SummaryLine] = []
    for message in messages:
        if message.role not in ("user", "assistant"):
            continue
        decided = [item for item in learned if message.id in item.evidence]
        sentences = split(message.text)
        for sentence in sentences if message.role == "user" else sentences[:_ASSISTANT_SENTENCES]:
            line = _line(len(found), sentence, message, decided, opens=not found)
            if line is not None:
                found.append(line)
        if len(found) >= _MAX_LINES:
            break
    return found


def _line(
    place: int, sentence: Sentence, message: Message, learned: Sequence[Learned], opens: bool
) -> _SummaryLine | None:
    decision = next((item for item in learned if sentence.text in item.quote), None)
    words = frozenset(content_words(sentence.text))
    text = " ".join(sentence.text.split())
    if len(words) < _MIN_WORDS and decision is not None and decision.quote.startswith(sentence.text):
        # A one-word answer is unclear without its question, which the learned text includes.
        text, words = decision.text, frozenset(content_words(decision.text))
    if len(words) < _MIN_WORDS or sentence.item or cues.COMMENTS.match(cues.plain(text)):
        return None
    return _SummaryLine(place, text, words, message.role, opens, decision is not None, sentence.asks)


def _same(line: _SummaryLine, other: _SummaryLine) -> bool:
    return len(line.words & other.words) > _SAME * min(len(line.words), len(other.words))


def _cut(text: str, characters: int) -> str:
    return text if len(text) <= characters else (text[: characters - 1].rstrip() + "…")[:characters]
