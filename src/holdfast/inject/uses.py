"""Judges what became of the memories that a session was given: used, ignored or contradicted.

A memory counts as used if the agent cites it, or takes over enough of its words that nobody said before, in one message
or tool call. It is contradicted if it was corrected, flagged or forgotten after it was given.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

from holdfast.agents import event as kinds
from holdfast.agents.hook_input import START
from holdfast.core.frozen import frozen
from holdfast.core.ids import short
from holdfast.core.memory_use import CONTRADICTED, IGNORED, USED, MemoryUse
from holdfast.text.similarity import content_words

if TYPE_CHECKING:
    from holdfast.agents.event import Event
    from holdfast.core.memory import Memory
    from holdfast.core.memory_description import MemoryEvent

_CONTRADICTING = ("correct", "flag", "forget", "supersede")
# The words to take over in one message or call: at least this many, and this share of those that nobody said before.
_FEWEST, _SHARE = 3, 0.5


@frozen
class GivenMemory:
    """A memory that was given: its place among the events, its time and the moment."""

    id: str
    place: int
    at: float
    point: str


def given_memories(events: Sequence[Event]) -> list[GivenMemory]:
    """The memories that a session was given, each once, in order."""
    found: dict[str, GivenMemory] = {}
    for place, event in enumerate(events):
        if event.kind == kinds.GIVEN:
            for id in event.memories:
                found.setdefault(id, GivenMemory(id, place, event.at, event.tool))
    return list(found.values())


def judge(
    events: Sequence[Event], memories: Mapping[str, Memory], history: Callable[[str], Sequence[MemoryEvent]]
) -> list[MemoryUse]:
    """What became of each given memory. Rules that every session starts with are not counted as ignored."""
    uses = []
    for given in given_memories(events):
        if given.id not in memories:
            continue
        outcome, evidence = _outcome(given, events, memories[given.id], history)
        if outcome != IGNORED or given.point != START:
            uses.append(MemoryUse(given.id, datetime.fromtimestamp(given.at, UTC), given.point, outcome, evidence))
    return uses


def _outcome(
    given: GivenMemory,
    events: Sequence[Event],
    memory: Memory,
    history: Callable[[str], Sequence[MemoryEvent]],
) -> tuple[str, str]:
    last = max(event.at for event in events)
    for event in history(memory.id):
        if event.verb in _CONTRADICTING and given.at <= event.at.timestamp() <= last:
            return CONTRADICTED, event.verb
    later = list(_produced(events[given.place + 1 :]))
    if any(f"#{short(memory.id)}" in text for text in later):
        return USED, "cited"
    said = content_words(" ".join(_said_before(events[: given.place])))
    own = content_words(memory.content) - said - content_words(" ".join(memory.files))
    taken = max((own & content_words(text) for text in later), key=len, default=set[str]())
    if len(taken) >= _FEWEST and len(taken) >= _SHARE * len(own):
        return USED, f"{len(taken)}/{len(own)}"  # Not the words: erasing the memory would have to find them here.
    return IGNORED, ""


def _produced(events: Iterable[Event]) -> Iterable[str]:
    """What the agent said and put into its tool calls."""
    for event in events:
        if event.kind in (kinds.ASSISTANT, kinds.REASONING):
            yield event.text
        elif event.kind == kinds.TOOL_CALL:
            yield " ".join(_texts(event.args))


def _said_before(events: Iterable[Event]) -> Iterable[str]:
    return (event.text for event in events if event.kind in (kinds.USER, kinds.TOOL_RESULT))


def _texts(value: Any) -> Iterable[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, Mapping):
        for inner in value.values():
            yield from _texts(inner)
    elif isinstance(value, list):
        for inner in value:
            yield from _texts(inner)
