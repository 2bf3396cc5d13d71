"""Separates what a sentence states from what it asks: `I just moved to Ghent, any tips?`"""

from __future__ import annotations

import re

from holdfast.statements.change_words import EVENTS
from holdfast.statements.parsing import read

# How a clause that asks begins.
ASKING = re.compile(
    r"(?:(?:and|but|so|also|hey|hi|ok|okay)\b[ ,]*)*(?:what|when|where|who|whose|why|how|which|can|could|would|should|"
    r"will|is|are|am|was|were|do|does|did|have|has|had|if|any|quand|où|qui|pourquoi|comment|combien|quel|quelle|"
    r"est-ce|peux|pouvez|as|avez|faut)\b",
    re.IGNORECASE,
)
_NEXT_SENTENCE = re.compile(r"[.!?]\s")


def without_question(text: str) -> str:
    """What a text says before it asks; the whole text if it asks nothing, or if nothing before the question states."""
    clause, comma, asked = text.rstrip().rpartition(",")
    if not comma or not asked.endswith("?") or _NEXT_SENTENCE.search(asked) or ASKING.match(clause):
        return text
    stated = read(clause)
    states = stated.verb > 0 or stated.change.kinds & EVENTS
    return f"{clause.rstrip()}." if states and not stated.unsure else text
