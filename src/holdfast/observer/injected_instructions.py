"""Recognises instructions in the output of tools: text that addresses the agent instead of informing it.

Such output is data from elsewhere. It taints what follows, and never becomes a memory by itself.
"""

from __future__ import annotations

import json
import os
from functools import cache
from typing import NamedTuple

from holdfast.text.patterns import compiled

# The beginning and the end of longer outputs are examined: an instruction is put where an agent reads it.
_EXAMINED = 40_000
_FILE = os.path.join(os.path.dirname(__file__), "data", "instructions.json")
# Outputs are often quoted or wrapped: line breaks inside sentences become spaces.
_BREAKS = r"\\n|\\?\n\s*\\?|\\ "


# What messages of programs hardly contain, and instructions do: "you must", "please", an address outside the machine.
_ADDRESSED = (
    r"(?i)\byou (?:must|should|shall|need|have to|are required)\b|\bplease\b"
    r"|https?://(?!localhost|127\.|0\.0\.0\.0|\[::1)|[\w.+-]@(?:[\w-]+\.)+[a-z]{2,}\b"
)
# What Claude Code itself writes into results. Without these sentences the rest of a text is examined as any other.
_OF_CLIENTS = (
    "STOP what you are doing and wait for the user to tell you how to proceed",
    "This is an internal ID for your use, do not mention it to the user",
)


class _Rule(NamedTuple):
    """A pattern, and texts without which it does not match: looking for them is much faster."""

    pattern: str
    hints: tuple[str, ...]


def instructs(text: str) -> bool:
    """Does a tool's output address the agent with instructions?"""
    if len(text) > _EXAMINED:
        text = text[: _EXAMINED // 2] + "\n" + text[-_EXAMINED // 2 :]
    for sentence in _OF_CLIENTS:
        text = text.replace(sentence, "")
    lowered = text.lower()
    possible = [rule.pattern for rule in _rules() if any(hint in lowered for hint in rule.hints)]
    if not possible:
        return False
    text = compiled(_BREAKS).sub(" ", text)
    return any(compiled("(?i)" + pattern).search(text) for pattern in possible)


def addresses_reader(message: str) -> bool:
    """Does a program's message speak to its reader, or name an address? It may be an instruction in disguise."""
    return compiled(_ADDRESSED).search(message) is not None


@cache
def _rules() -> tuple[_Rule, ...]:
    with open(_FILE, encoding="utf-8") as opened:
        return tuple(_Rule(rule["pattern"], tuple(rule["hints"])) for rule in json.load(opened))
