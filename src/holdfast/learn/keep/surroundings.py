"""Puts the context of a sentence into one text, for a model that reads both."""

from __future__ import annotations

from collections.abc import Sequence

from holdfast.learn.keep.keep_features import SentenceView

# Characters of the end of the message before, of the own message before the sentence, and after it.
_MESSAGE, _BEFORE, _AFTER = 320, 220, 120


def surroundings(found: Sequence[SentenceView], n: int) -> str:
    """The end of the message that the sentence answers, the sentences before it in its message, and the next one."""
    view = found[n]
    sentences = view.turn.sentences
    before = " ".join(sentence.text for sentence in sentences[max(0, view.place - 3) : view.place])
    after = sentences[view.place + 1].text if view.place + 1 < len(sentences) else ""
    speaker = "assistant" if view.turn.before else "somebody" if view.before else "nobody"
    return f"{speaker}: {_end(view.before, _MESSAGE)} | {_end(before, _BEFORE)} | {after[:_AFTER]}"


def _end(text: str, most: int) -> str:
    return " ".join(text[-most:].split())
