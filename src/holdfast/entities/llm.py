"""What a text names, by asking a language model; what it says that is not in the text is not believed."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from holdfast.core.entity import LABELS, UNNAMED, Mention
from holdfast.core.errors import ModelGarbled

if TYPE_CHECKING:
    from holdfast.models.protocols import Chat

VERSION = "entities.v1"
FIELDS = ("entities",)
LABELS_ASKED = (
    "person", "organization", "location", "project", "library", "application", "os", "language", "class", "function",
    "symbol", "file", "error", "website", "other",
)  # fmt: skip
SCHEMA: Mapping[str, Any] = {
    "type": "object",
    "properties": {
        "entities": {
            "type": "array",
            "items": {
                "type": "object",
                "properties": {"text": {"type": "string"}, "label": {"type": "string", "enum": list(LABELS_ASKED)}},
                "required": ["text", "label"],
                "additionalProperties": False,
            },
        }
    },
    "required": ["entities"],
    "additionalProperties": False,
}
CONFIDENCE = 0.85
_LONGEST = 8_000
_TOKENS = 1024
_MOST = 100


@dataclass(frozen=True, slots=True)
class LlmReader:
    """Reads with a language model. An answer of which nothing can be read gives no names.

    Raises ModelError when the model cannot be reached or may not be asked: somebody else should read on.
    """

    chat: Chat
    name: str = "llm"
    decides: frozenset[str] = frozenset()

    def read(self, text: str) -> list[Mention]:
        seen = text[:_LONGEST]
        try:
            answer = self.chat.complete(prompt(), seen, schema=SCHEMA, max_tokens=_TOKENS).text
        except ModelGarbled:
            return []
        named = {name: label for name, label in _said(answer) if label in LABELS and label not in UNNAMED}
        return [mention for name, label in list(named.items())[:_MOST] for mention in _places(seen, name, label)]


@cache
def prompt() -> str:
    """What the model is told."""
    return (Path(__file__).parent / "prompts" / f"{VERSION}.md").read_text(encoding="utf-8").strip()


def _said(answer: str) -> Iterator[tuple[str, str]]:
    """The names in an answer, whatever stands around them; of one that was cut off, those that are whole."""
    decoder, at = json.JSONDecoder(strict=False), answer.find("{")
    while at >= 0:
        try:
            found, end = decoder.raw_decode(answer, at)
        except (ValueError, RecursionError):
            found, end = None, at + 1
        yield from _pairs(found)
        at = answer.find("{", end)


def _pairs(found: Any) -> Iterator[tuple[str, str]]:
    items = found.get("entities", [found]) if isinstance(found, dict) else []
    for item in items if isinstance(items, list) else ():
        if isinstance(item, dict) and isinstance(item.get("text"), str):
            yield item["text"].strip(), str(item.get("label", "other")).lower()


def _places(text: str, name: str, label: str) -> Iterator[Mention]:
    """Where the name stands as a whole word; nowhere, when the model made it up."""
    for match in re.finditer(rf"(?<!\w){re.escape(name)}(?!\w)", text) if name else ():
        yield Mention(name, match.start(), match.end(), label, CONFIDENCE)
