"""Asks the language model to extract facts from messages and to compare statements; parses its answers."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from holdfast.core.conversation import Learned, Message
from holdfast.core.errors import ModelGarbled
from holdfast.core.frozen import frozen
from holdfast.intake.limits import MOST_QUESTIONS, may_be_question
from holdfast.learn.keep import cues
from holdfast.learn.keep.sentences import sentences
from holdfast.llm.limited_chat import fenced, prompt, quoted
from holdfast.text.sentence_ends import split_anywhere
from holdfast.text.similarity import shared_words, supports

if TYPE_CHECKING:
    from holdfast.core.memory_types import TypeRegistry
    from holdfast.models.protocols import Chat

PAGE_PROMPT, CONFLICT_PROMPT = "consolidate.v2", "conflict.v1"
PAGE_FIELDS = ("history_entry", "facts", "memory_update")
CONFLICT_FIELDS = ("verdicts",)
VERDICTS = ("same", "update", "clash", "apart")
_PAGE_TOKENS, _CONFLICT_TOKENS = 2048, 1024
# The characters of a page that the model is given, and the least for one message.
_PAGE_CHARACTERS, _MESSAGE_CHARACTERS = 24_000, 400
_LONGEST_FACT, _MAX_FACTS, _LONGEST_ENTRY, _LONGEST_QUOTE, _LONGEST_TOOLS = 600, 100, 2_000, 400, 200
# The confidence of a fact by its evidence: from the person, from the assistant, or none found.
_FROM_PERSON, _FROM_ASSISTANT, _NO_EVIDENCE = 0.7, 0.55, 0.4


@frozen
class Extraction:
    """A history entry, which may be empty, and the learned facts of a page."""

    entry: str
    learned: tuple[Learned, ...]


@frozen
class ShownMemory:
    """A known memory as the model sees it."""

    id: str
    type: str
    text: str


@frozen
class LlmExtractor:
    """Extracts with the chat model `pages` and compares with `conflicts`. Every method may raise ModelError."""

    pages: Chat
    conflicts: Chat
    types: TypeRegistry

    def extract(self, messages: Sequence[Message], known: Sequence[ShownMemory]) -> Extraction:
        """Extracts facts and a history entry from messages, given the memories already known."""
        reply = self.pages.complete(
            prompt(PAGE_PROMPT),
            page_prompt(messages, known),
            schema=_page_schema(self.types.extractable),
            max_tokens=_PAGE_TOKENS,
        )
        extraction = read_page(json.loads(reply.text), messages, known, self.types.extractable)
        if not extraction.entry and not extraction.learned:
            raise ModelGarbled("the answer has neither a history entry nor facts")
        return extraction

    def compare(self, pairs: Sequence[tuple[str, str]]) -> tuple[str | None, ...]:
        """The verdict on each pair of a new and an older statement; None where the model gave none."""
        reply = self.conflicts.complete(
            prompt(CONFLICT_PROMPT), conflict_prompt(pairs), schema=_CONFLICT_SCHEMA, max_tokens=_CONFLICT_TOKENS
        )
        return read_verdicts(json.loads(reply.text), len(pairs))


def page_prompt(messages: Sequence[Message], known: Sequence[ShownMemory]) -> str:
    """The request for a page: numbered messages, and memories as `m1`, `m2` …, all of them quoted."""
    longest = max(_MESSAGE_CHARACTERS, _PAGE_CHARACTERS // max(1, len(messages)))
    memories = [f"m{n} {memory.type}: {quoted(memory.text, _LONGEST_FACT)}" for n, memory in enumerate(known, 1)]
    lines = [f"{n} {_line(message, longest)}" for n, message in enumerate(messages, 1)]
    return f"{fenced('memory', memories or ['(empty)'])}\n\n{fenced('messages', lines)}"


def conflict_prompt(pairs: Sequence[tuple[str, str]]) -> str:
    """The request for comparing pairs of a new and an older statement."""
    lines = [
        f"{n} new: {quoted(new, _LONGEST_FACT)} old: {quoted(old, _LONGEST_FACT)}"
        for n, (new, old) in enumerate(pairs, 1)
    ]
    return fenced("pairs", lines)


def read_page(
    answer: Any, messages: Sequence[Message], known: Sequence[ShownMemory], types: Sequence[str]
) -> Extraction:
    """Parses an answer of any shape; parts of a wrong form are ignored."""
    fields = answer if isinstance(answer, Mapping) else {}
    entry = fields.get("history_entry")
    items = [*_list(fields.get("facts")), *_new_lines(fields.get("memory_update"), known)]
    learned = (_learned(item, messages, known, types) for item in items[:_MAX_FACTS])
    return Extraction(
        " ".join(entry.split())[:_LONGEST_ENTRY] if isinstance(entry, str) else "",
        tuple(fact for fact in learned if fact is not None),
    )


def read_verdicts(answer: Any, count: int) -> tuple[str | None, ...]:
    """The verdict on each pair; None for a pair that is missing or has no valid verdict."""
    verdicts: dict[int, str] = {}
    for item in _list(answer.get("verdicts") if isinstance(answer, Mapping) else None):
        if isinstance(item, Mapping) and item.get("kind") in VERDICTS:
            verdicts[_number(item.get("pair"))] = str(item["kind"])
    return tuple(verdicts.get(n) for n in range(1, count + 1))


def _line(message: Message, longest: int) -> str:
    tools = f" (tools: {quoted(', '.join(message.tools), _LONGEST_TOOLS)})" if message.tools else ""
    return f"[{message.at:%Y-%m-%d %H:%M}] {message.role}: {quoted(message.text, longest)}{tools}"


def _learned(
    item: Any, messages: Sequence[Message], known: Sequence[ShownMemory], types: Sequence[str]
) -> Learned | None:
    fields = {"text": item} if isinstance(item, str) else item if isinstance(item, Mapping) else {}
    text = fields.get("text")
    text = " ".join(text.split()) if isinstance(text, str) else ""
    if not text or len(text) > _LONGEST_FACT:
        return None
    evidence = _evidence(fields.get("evidence"), text, messages)
    type = fields.get("type")
    return Learned(
        text=text,
        type=str(type) if type in types else "fact",
        evidence=tuple(m.id for m in evidence),
        quote=_quote(text, evidence),
        confidence=_confidence(evidence),
        replaces=_replaced(fields.get("replaces"), known),
        questions=_questions(fields.get("questions")),
    )


def _questions(asked: Any) -> tuple[str, ...]:
    """The questions that a memory may have; others are left out."""
    lines = (" ".join(question.split()) for question in _list(asked) if isinstance(question, str))
    return tuple(dict.fromkeys(line for line in lines if may_be_question(line)))[:MOST_QUESTIONS]


def _evidence(numbers: Any, text: str, messages: Sequence[Message]) -> tuple[Message, ...]:
    """Of the messages with these numbers those that have the words of the fact; without any, the one with most of them.

    A page that the model read may have told it which message to name.
    """
    places = (_number(number) - 1 for number in dict.fromkeys(_list(numbers)))
    named = (place for place in places if 0 <= place < len(messages))
    if found := tuple(messages[place] for place in named if supports(_stated(messages, place), text)):
        return found
    best = max(messages, key=lambda m: shared_words(m.text, text), default=None)
    return (best,) if best and supports(best.text, text) else ()


def _stated(messages: Sequence[Message], place: int) -> str:
    """What a message says. A person who agrees to the question before it says what was asked."""
    message, before = messages[place], messages[place - 1] if place else None
    if before is None or (before.role, message.role) != ("assistant", "user"):
        return message.text
    asked = sentences(before.text)[-1:] if cues.AGREES.match(cues.plain(message.text)) else ()
    return " ".join((*(sentence.text for sentence in asked if sentence.asks), message.text))


def _quote(text: str, evidence: Sequence[Message]) -> str:
    """The sentence of the evidence that shares the most words with the fact."""
    found = [sentence for message in evidence for sentence in split_anywhere(message.text)]
    return max(found, key=lambda sentence: shared_words(sentence, text), default="")[:_LONGEST_QUOTE]


def _confidence(evidence: Sequence[Message]) -> float:
    if any(m.role == "user" for m in evidence):
        return _FROM_PERSON
    return _FROM_ASSISTANT if evidence else _NO_EVIDENCE


def _replaced(names: Any, known: Sequence[ShownMemory]) -> tuple[str, ...]:
    """The ids of the named memories; only memories that were shown can be named."""
    shown = {f"m{n}": memory.id for n, memory in enumerate(known, 1)}
    return tuple(dict.fromkeys(shown[name] for name in _list(names) if isinstance(name, str) and name in shown))


def _new_lines(update: Any, known: Sequence[ShownMemory]) -> Iterator[str]:
    """The lines of a rewritten memory page that were not on it before."""
    before = {" ".join(memory.text.split()).casefold() for memory in known}
    for line in update.splitlines() if isinstance(update, str) else ():
        text = re.sub(r"^\s*(?:[-*+•]|\d+[.)])\s+", "", line).strip()
        if text and not text.startswith(("#", "<!--", "```", "---")) and text.casefold() not in before:
            yield text


def _list(value: Any) -> list[Any]:
    return value if isinstance(value, list) else []


def _number(value: Any) -> int:
    """A number as models write it: 3, "3" or "#3"; 0 for anything else."""
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
        questions=_array(_TEXT),
    )
    return _object(history_entry=_TEXT, facts=_array(fact))


_TEXT = {"type": "string"}
_CONFLICT_SCHEMA = _object(
    verdicts=_array(_object(pair={"type": "integer"}, kind={"type": "string", "enum": list(VERDICTS)}))
)
