"""Finds names in a text with a language model. Names that do not occur in the text are ignored."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from holdfast.core.entity import LABELS, UNNAMED, Mention
from holdfast.core.errors import ModelGarbled
from holdfast.core.frozen import frozen
from holdfast.core.local_text import stays_local

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
_MAX_CHARACTERS = 8_000
_MAX_TOKENS = 1024
_MAX_NAMES = 100


@frozen
class LlmReader:
    """Reads with a language model. An unreadable answer gives no names; a text that must stay here is not sent.

    Raises ModelError if the model cannot be reached or the daily limit is spent; another reader should take over.
    """

    chat: Chat
    name: str = "llm"
    overrides: frozenset[str] = frozenset()

    def read(self, text: str) -> list[Mention]:
        if stays_local(text):
            return []
        beginning = text[:_MAX_CHARACTERS]
        try:
            answer = self.chat.complete(prompt(), beginning, schema=SCHEMA, max_tokens=_MAX_TOKENS).text
        except ModelGarbled:
            return []
        labels = {name: label for name, label in _parse(answer) if label in LABELS and label not in UNNAMED}
        names = list(labels.items())[:_MAX_NAMES]
        return [mention for name, label in names for mention in _occurrences(beginning, name, label)]


@cache
def prompt() -> str:
    """The system prompt."""
    return (Path(__file__).parent / "prompts" / f"{VERSION}.md").read_text(encoding="utf-8").strip()


def _parse(answer: str) -> Iterator[tuple[str, str]]:
    """Yields names and labels in an answer, ignoring other text; in a truncated answer, those that are complete."""
    decoder, at = json.JSONDecoder(strict=False), answer.find("{")
    while at >= 0:
        try:
            value, end = decoder.raw_decode(answer, at)
        except (ValueError, RecursionError):
            value, end = None, at + 1
        yield from _pairs(value)
        at = answer.find("{", end)


def _pairs(value: Any) -> Iterator[tuple[str, str]]:
    items = value.get("entities", [value]) if isinstance(value, dict) else []
    for item in items if isinstance(items, list) else ():
        if isinstance(item, dict) and isinstance(item.get("text"), str):
            yield item["text"].strip(), str(item.get("label", "other")).lower()


def _occurrences(text: str, name: str, label: str) -> Iterator[Mention]:
    """Yields every occurrence of the name as a whole word; none if the model invented it."""
    for match in re.finditer(rf"(?<!\w){re.escape(name)}(?!\w)", text) if name else ():
        yield Mention(name, match.start(), match.end(), label, CONFIDENCE)
