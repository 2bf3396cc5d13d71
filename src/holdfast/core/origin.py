"""Says in a few words where a memory is from: taught by a person, or overheard in a conversation, and when."""

from __future__ import annotations

from typing import TYPE_CHECKING

from holdfast.core.memory import EPISODE, OCCASION, PERSONAL, USER_TAUGHT

if TYPE_CHECKING:
    from holdfast.core.memory import Memory

# Part of prompts and files, so not translated.
_TAUGHT = {USER_TAUGHT: "taught", "agent_explicit": "stored by an agent"}
_SAID = {"user": "the user said", "assistant": "the assistant said"}
_OBSERVED = "observed"
_ORIGINS = (*_TAUGHT.values(), *_SAID.values(), _OBSERVED)
# A pattern of what `with_date` writes, with or without the occasion.
WITH_DATE = rf"(?:{PERSONAL}, )?(?:{'|'.join(_ORIGINS)}), \d{{4}}-\d\d-\d\d(?:, after “[^”]*”)?"


def origin(memory: Memory) -> str:
    """Who gave the memory: `taught` if a person stored it, `the user said` if it was learned from what they said."""
    if memory.source in _TAUGHT:
        return _TAUGHT[memory.source]
    return _SAID.get(memory.source_role or "", _OBSERVED)


def told_by(memory: Memory) -> str:
    """Who wrote a message, as `user`; the origin of any other memory. Empty if it is unknown who wrote."""
    return (memory.source_role or "") if memory.type == EPISODE else origin(memory)


def occasion(memory: Memory) -> str:
    """What was said just before it, such as `after “Which separator should the export use?”`; empty if unknown."""
    said = memory.attributes.get(OCCASION)
    return f"after “{said.replace('”', '')}”" if isinstance(said, str) and said else ""


def with_date(memory: Memory, after: str = "") -> str:
    """Whether it is personal, the origin, the day and the occasion, as `personal, the user said, 2026-11-16`."""
    about = [PERSONAL] if memory.visibility == PERSONAL else []
    day = (memory.event_time or memory.created_at).date().isoformat()
    return ", ".join([*about, origin(memory), day, *([after] if after else [])])
