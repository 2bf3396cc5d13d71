"""Finds what an agent stored itself after it had read what strangers can write: the agent may not say so."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, NamedTuple

from holdfast.agents import event as kinds
from holdfast.agents.tool_shapes import command_of
from holdfast.agents.untrusted_tools import is_own, untrusted_source
from holdfast.core.answer import Filters
from holdfast.core.ids import short
from holdfast.core.memory import Taint
from holdfast.observer.injected_instructions import instructs
from holdfast.text.patterns import compiled

if TYPE_CHECKING:
    from holdfast.agents.event import Event
    from holdfast.core.memory import Memory
    from holdfast.store.reading import MemoryReading

# The ends of the names of our tools that store a memory, and our commands that do.
_STORING = ("remember", "correct_memory", "record_outcome")
_COMMANDS = (" remember", " correct")
# The end of an id as answers show it, or a whole one.
_ID = r"(?<![0-9a-z])(?:[0-9a-hjkmnp-tv-z]{18})?[0-9a-hjkmnp-tv-z]{8}(?![0-9a-z])"
_MOST_IDS = 50
# The latest memories of agents that are looked through.
_MOST_MEMORIES = 500
# What an agent remembers, the state of the work that it reports with an outcome, and the failures in that.
_SOURCES = ("agent_explicit", "observer_inferred", "qa_auto")
# The text of these is ours: they have figures of the agent only.
_OF_FIGURES = ("work_unit_outcome", "task_calibration")


class StoredAfter(NamedTuple):
    """A call that stored a memory: the ids in its answer, the text, what was read before, and since when."""

    ids: frozenset[str]
    text: str
    taint: Taint
    since: float


def stored_after(events: Iterable[Event]) -> Iterator[StoredAfter]:
    """The calls of one session with which its agents stored a memory after one of them had read foreign text."""
    client, read, storing = "", None, dict[str, str]()
    for event in events:
        if event.kind == kinds.SESSION:
            client = event.tool or client
        elif event.kind == kinds.TOOL_CALL:
            source = untrusted_source(event.tool, event.args, client)
            read = read or ((Taint(source[:200], event.step), event.at) if source else None)
            if _stores(event):
                storing[event.id] = str(event.args.get("text") or "")
        elif event.kind == kinds.TOOL_RESULT:
            text = storing.pop(event.id, None)
            if text is not None and read is not None:
                yield StoredAfter(frozenset(compiled(_ID).findall(event.text)[:_MOST_IDS]), text, *read)
            elif text is None and read is None and instructs(event.text):
                read = (Taint("instructions in a tool's output", event.step), event.at)


def memories_of(stored: Iterable[StoredAfter], reading: MemoryReading, project: str) -> dict[str, Taint]:
    """The memories that these calls stored, with their taints; not those that quote the user."""
    found, recent = list(stored), Filters(sources=_SOURCES)
    written = reading.memories(project, recent, limit=_MOST_MEMORIES) if found else ()
    taints: dict[str, Taint] = {}
    for memory in written:
        if memory.source_role != "user" and not memory.is_persons and memory.type not in _OF_FIGURES:
            taint = next((one.taint for one in found if _is_of(memory, one)), None)
            taints |= {memory.id: taint} if taint else {}
    return taints


def _is_of(memory: Memory, stored: StoredAfter) -> bool:
    """Was a memory stored by this call? What was known before is not. Times are stored in whole milliseconds."""
    is_named = memory.id[-26:] in stored.ids or short(memory.id) in stored.ids
    return (is_named or memory.content == stored.text) and memory.created_at.timestamp() >= stored.since - 0.001


def _stores(event: Event) -> bool:
    if is_own(event.tool):
        return event.tool.endswith(_STORING)
    command = command_of(event.args)
    return "holdfast" in command and any(name in command for name in _COMMANDS)
