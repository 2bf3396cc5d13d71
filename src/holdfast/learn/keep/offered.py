"""Recognises answers that repeat an option which the assistant offered, with the option's description.

A client that shows options writes the chosen one as the person's message: `Standalone page (Recommended): A new page
at /segments. …`. Its sentences say one thing together, after the question.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from holdfast.learn.keep.references import refers_back
from holdfast.learn.keep.sentences import content_words

if TYPE_CHECKING:
    from holdfast.learn.keep.turns import TalkTurn

# A longer text is cut to the option's first sentence.
_LONGEST = 500
# A question with fewer words of content, such as `Which?`, needs the sentence before it.
_FEW = 3
# The last sentences after the options, among which the question is.
_LAST = 3
_ADVISED = re.compile(r" ?\((?:recommended|default|recommandé|conseillé)\)", re.IGNORECASE)


def is_offered(turn: TalkTurn) -> bool:
    """Is the person's message an option of the list in the assistant's last message, with its description?"""
    text = turn.message.text.strip()
    return bool(turn.before) and ": " in text and f"- {text}\n" in f"{turn.before[-1].text}\n"


def option_up_to(turn: TalkTurn, quote: str) -> str:
    """The words of the person's message up to the end of a quote from it; of a long one its first sentence."""
    text, first = turn.message.text, turn.sentences[0]
    end = text.find(quote) + len(quote)
    return text[first.start : end if end - first.start <= _LONGEST else first.end]


def without_advice(line: str) -> str:
    """The line without the mark by which an assistant recommends an option."""
    return _ADVISED.sub("", line)


def question_before(turn: TalkTurn) -> str:
    """The question under the options, with the sentence before it if it says little by itself."""
    after = [sentence for sentence in turn.assistant_sentences if not sentence.item][-_LAST:]
    place = next((n for n in reversed(range(len(after))) if after[n].asks), None)
    if place is None:
        return ""
    question = after[place].text
    is_unclear = len(content_words(question)) < _FEW or refers_back(question)
    return f"{after[place - 1].text} {question}" if is_unclear and place else question
