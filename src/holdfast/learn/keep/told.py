"""Recognises what somebody tells an assistant to remember or to do from now on, and how they want to be called.

Their words say so themselves, so they are kept although most orders to an agent at work are about one task.
"""

from __future__ import annotations

import re

from holdfast.learn.keep import cues
from holdfast.learn.keep.one_off_orders import begins_like_one_off
from holdfast.learn.keep.sentences import content_words
from holdfast.statements.parsing import read
from holdfast.text.announcements import lasting

# An order with fewer words of content says nothing by itself.
_FEW = 2
# A direct order to remember. `Remember that time …` only reminds.
# A name begins with a capital: `call me when it is done` is no name.
_CALL_ME = re.compile(
    r"(?:(?i:please|just|and|also|but|you can|you may|oh|s'il te plaît),? )*(?i:call me|appelle[rz]?[- ]moi)"
    r" [\"“«]? ?[A-ZÀ-Ý][\w'’-]+"
)
_COMMAND = re.compile(r"(?:/remember|#)\s")
_REMEMBER = re.compile(
    r"(?:(?:please|and|also|so|ok(?:ay)?|oh|hey|s'il te plaît),? )*"
    r"(?:(?:remember|memori[sz]e|don't forget|do not forget|never forget|keep in mind|bear in mind)"
    r"(?:(?: this)?:|,? that\b(?! (?:time|day|one|guy|movie|film|episode|scene|song|thing|when|night|week|year|is|was"
    r"|part|conversation|chat|for|we (?:talked|spoke|discussed|did))\b))"
    r"|(?:retiens|retenez|mémorise[rz]?|souviens-toi|souvenez-vous|rappelle-toi|n'oublie[sz]? (?:pas|jamais))"
    r"(?: ?:|,? qu(?:e\b|'))"
    r"|(?:add|save|write|put) (?:this |that |it )?(?:to|in|into) (?:your |the )?memory:)"
)


def asks_for_name(text: str) -> bool:
    """Does a person say how they want to be called: `call me Sam`?"""
    return _CALL_ME.match(text) is not None


def is_command_to_remember(text: str) -> bool:
    """Does it begin like an order to a program to remember what follows: `/remember …`, or `# …` in one line?"""
    return _COMMAND.match(text.lower()) is not None


def to_remember(text: str) -> str:
    """What follows an order in words to remember it, at the beginning of a sentence; empty if there is none."""
    found = _REMEMBER.match(plain := cues.plain(text))
    told = found is not None and not text.rstrip().endswith("?") and len(content_words(text)) >= _FEW
    return plain[found.end() :].strip() if found and told else ""


def is_standing_order(text: str) -> bool:
    """Does somebody say what to do from now on, as in `Just run the linter directly going forward`?"""
    order = lasting(text)
    if not order or text.rstrip().endswith("?") or len(content_words(order)) < _FEW:
        return False
    signs = (cues.LASTING_ORDER, cues.SINGLE_ORDER, cues.FORBIDS, cues.REFUSES)
    is_known = any(sign.match(cues.plain(order)) for sign in signs)
    return is_known or begins_like_one_off(order) or read(order).verb < 0
