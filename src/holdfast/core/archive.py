"""All that a project knows by itself: what `export` writes and `import` brings back."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from holdfast.core.conversation import HistoryEntry, SessionState
    from holdfast.core.entity import EntityMentions, EntityMerge
    from holdfast.core.memory import Memory


@dataclass(frozen=True, slots=True)
class ProjectArchive:
    """A project at one moment. `events` are what was done to its memories, `history` what happened in its sessions.

    Documents are not in it: they are read from their files.
    """

    memories: tuple[Memory, ...] = ()
    events: tuple[Mapping[str, Any], ...] = ()
    sessions: tuple[SessionState, ...] = ()
    history: tuple[HistoryEntry, ...] = ()
    entities: tuple[EntityMentions, ...] = ()
    merges: tuple[EntityMerge, ...] = ()
