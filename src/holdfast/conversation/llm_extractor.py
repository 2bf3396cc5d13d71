"""What a language model is asked about a page of messages, and what is taken from its answer (R-E3, R-E8)."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from holdfast.conversation.limited_chat import fenced, prompt, quoted
from holdfast.core.conversation import Learned, Message
from holdfast.core.errors import ModelGarbled
from holdfast.text.words import STOP_WORDS, stem, words

if TYPE_CHECKING:
    from holdfast.core.memory_types import TypeRegistry
    from holdfast.models.protocols import Chat

PAGE_PROMPT, CONFLICT_PROMPT = "consolidate.v1", "conflict.v1"
PAGE_FIELDS = ("history_entry", "facts", "memory_update")
CONFLICT_FIELDS = ("verdicts",)
KINDS = ("same", "update", "clash", "apart")
_PAGE_TOKENS, _CONFLICT_TOKENS = 2048, 1024
# How much of a page the model reads, and of one message at least.
_PAGE_CHARACTERS, _MESSAGE_CHARACTERS = 24_000, 400
_LONGEST_FACT, _MOST_FACTS, _LONGEST_ENTRY, _LONGEST_QUOTE, _LONGEST_TOOLS = 600, 30, 2_000, 400, 200
# How sure a fact is by who said it: the person, the assistant, nobody that could be found.
_SAID, _TOLD, _UNFOUND = 0.7, 0.55, 0.4
# The share of a fact's words that a message must hold to be taken for its evidence.
_GROUNDED = 0.5


@dataclass(frozen=True, slots=True)
class Extraction:
    """What was drawn from a page: a paragraph of history, empty when there is none, and what was learned."""

    entry: str
    learned: tuple[Learned, ...]


@dataclass(frozen=True, slots=True)
class ShownMemory:
    """A memory that the model is shown."""

    id: str
    type: str
    text: str


@dataclass(frozen=True, slots=True)
class LlmExtractor:
    """The model, asked about pages and about conflicts. Every method may raise ModelError."""

    pages: Chat
    conflicts: Chat
    types: TypeRegistry

    def page(self, messages: Sequence[Message], known: Sequence[ShownMemory]) -> Extraction:
        """What the model draws from messages, given what is known."""
        reply = self.pages.complete(
            prompt(PAGE_PROMPT),
            page_prompt(messages, known),
            schema=_page_schema(self.types.extractable),
            max_tokens=_PAGE_TOKENS,
        )
        drawn = read_page(json.loads(reply.text), messages, known, self.types.extractable)
        if not drawn.entry and not drawn.learned:
            raise ModelGarbled("the answer has neither a history entry nor facts")
        return drawn

    def verdicts(self, pairs: Sequence[tuple[str, str]]) -> tuple[str | None, ...]:
        """How each new statement stands to an older one; None where the model did not say."""
        reply = self.conflicts.complete(
            prompt(CONFLICT_PROMPT), conflict_prompt(pairs), schema=_CONFLICT_SCHEMA, max_tokens=_CONFLICT_TOKENS
        )
        return read_verdicts(json.loads(reply.text), len(pairs))


def page_prompt(messages: Sequence[Message], known: Sequence[ShownMemory]) -> str:
    """The page as the model reads it: messages by number, memories by `m1`, `m2` …, all of it quoted."""
    longest = max(_MESSAGE_CHARACTERS, _PAGE_CHARACTERS // max(1, len(messages)))
    memory = [f"m{n} {one.type}: {quoted(one.text, _LONGEST_FACT)}" for n, one in enumerate(known, 1)]
    said = [f"{n} {_line(message, longest)}" for n, message in enumerate(messages, 1)]
    return f"{fenced('memory', memory or ['(empty)'])}\n\n{fenced('messages', said)}"


def conflict_prompt(pairs: Sequence[tuple[str, str]]) -> str:
    """The pairs as the model reads them."""
    lines = [
        f"{n} new: {quoted(new, _LONGEST_FACT)} old: {quoted(old, _LONGEST_FACT)}"
        for n, (new, old) in enumerate(pairs, 1)
    ]
    return fenced("pairs", lines)


def read_page(
    answer: Any, messages: Sequence[Message], known: Sequence[ShownMemory], types: Sequence[str]
) -> Extraction:
    """What an answer gives, however odd it is: what has the wrong form is passed over."""
    given = answer if isinstance(answer, Mapping) else {}
    entry = given.get("history_entry")
    items = [*_list(given.get("facts")), *_new_lines(given.get("memory_update"), known)]
    learned = (_learned(item, messages, known, types) for item in items[:_MOST_FACTS])
    return Extraction(
        " ".join(entry.split())[:_LONGEST_ENTRY] if isinstance(entry, str) else "",
        tuple(one for one in learned if one is not None),
    )


def read_verdicts(answer: Any, count: int) -> tuple[str | None, ...]:
    """The verdict on each pair; None for a pair that is missing or has none of the four kinds."""
    told: dict[int, str] = {}
    for item in _list(answer.get("verdicts") if isinstance(answer, Mapping) else None):
        if isinstance(item, Mapping) and item.get("kind") in KINDS:
            told[_number(item.get("pair"))] = str(item["kind"])
    return tuple(told.get(n) for n in range(1, count + 1))


def _line(message: Message, longest: int) -> str:
    tools = f" (tools: {quoted(', '.join(message.tools), _LONGEST_TOOLS)})" if message.tools else ""
    return f"[{message.at:%Y-%m-%d %H:%M}] {message.role}: {quoted(message.text, longest)}{tools}"


def _learned(
    item: Any, messages: Sequence[Message], known: Sequence[ShownMemory], types: Sequence[str]
) -> Learned | None:
    given = {"text": item} if isinstance(item, str) else item if isinstance(item, Mapping) else {}
    text = given.get("text")
    text = " ".join(text.split()) if isinstance(text, str) else ""
    if not text or len(text) > _LONGEST_FACT:
        return None
    evidence = _evidence(given.get("evidence"), text, messages)
    type = given.get("type")
    return Learned(
        text=text,
        type=str(type) if type in types else "fact",
        evidence=tuple(m.id for m in evidence),
        quote=_quote(text, evidence),
        confidence=_confidence(evidence),
        replaces=_replaced(given.get("replaces"), known),
    )


def _evidence(numbers: Any, text: str, messages: Sequence[Message]) -> tuple[Message, ...]:
    """The messages named, or else the one that holds most of the words, if it holds enough of them."""
    places = dict.fromkeys(_number(number) for number in _list(numbers))
    named = tuple(messages[place - 1] for place in places if 0 < place <= len(messages))
    if named:
        return named
    wanted = _telling(text)
    best = max(messages, key=lambda m: len(wanted & _telling(m.text)), default=None)
    held = len(wanted & _telling(best.text)) / len(wanted) if best and wanted else 0.0
    return (best,) if best and held >= _GROUNDED else ()


def _quote(text: str, evidence: Sequence[Message]) -> str:
    """The sentence of the evidence that holds most of the words."""
    wanted = _telling(text)
    sentences = [s.strip() for m in evidence for s in re.split(r"(?<=[.!?])\s|\n", m.text) if s.strip()]
    return max(sentences, key=lambda s: len(wanted & _telling(s)), default="")[:_LONGEST_QUOTE]


def _confidence(evidence: Sequence[Message]) -> float:
    if any(m.role == "user" for m in evidence):
        return _SAID
    return _TOLD if evidence else _UNFOUND


def _replaced(names: Any, known: Sequence[ShownMemory]) -> tuple[str, ...]:
    """The memories named; what was not shown cannot be."""
    shown = {f"m{n}": one.id for n, one in enumerate(known, 1)}
    return tuple(dict.fromkeys(shown[name] for name in _list(names) if isinstance(name, str) and name in shown))


def _new_lines(update: Any, known: Sequence[ShownMemory]) -> Iterator[str]:
    """The lines of a rewritten memory page that were not on it before."""
    before = {" ".join(one.text.split()).casefold() for one in known}
    for line in update.splitlines() if isinstance(update, str) else ():
        text = re.sub(r"^\s*(?:[-*+•]|\d+[.)])\s+", "", line).strip()
        if text and not text.startswith(("#", "<!--", "```", "---")) and text.casefold() not in before:
            yield text


def _telling(text: str) -> frozenset[str]:
    return frozenset(stem(word) for word in words(text) if word not in STOP_WORDS)


def _list(value: Any) -> list[Any]:
    return value if isinstance(value, list) else []


def _number(value: Any) -> int:
    """A number as models write it: 3, "3" or "#3"; 0 when it is none."""
    if isinstance(value, int) and not isinstance(value, bool):
        return value
    digits = value.strip("#[] ") if isinstance(value, str) else ""
    return int(digits) if digits.isascii() and digits.isdigit() and len(digits) < 9 else 0


def _object(**properties: Mapping[str, Any]) -> dict[str, Any]:
    return {
        "type": "object",
        "properties": properties,
        "required": list(properties),
        "additionalProperties": False,
    }


def _array(items: Mapping[str, Any]) -> dict[str, Any]:
    return {"type": "array", "items": items}


def _page_schema(types: Sequence[str]) -> dict[str, Any]:
    fact = _object(
        text=_TEXT,
        type={"type": "string", "enum": list(types)},
        evidence=_array({"type": "integer"}),
        replaces=_array(_TEXT),
    )
    return _object(history_entry=_TEXT, facts=_array(fact))


_TEXT = {"type": "string"}
_CONFLICT_SCHEMA = _object(
    verdicts=_array(_object(pair={"type": "integer"}, kind={"type": "string", "enum": list(KINDS)}))
)
