"""The data of a project that `export` writes and `import` reads."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from holdfast.core.frozen import frozen

if TYPE_CHECKING:
    from holdfast.core.conversation import HistoryEntry, SessionState
    from holdfast.core.entity import EntityMentions, EntityMerge
    from holdfast.core.memory import Memory


@frozen
class ProjectArchive:
    """A project's data at one moment. `events` are the changes of its memories, `history` the summaries of sessions.

    Documents are not included: they are read from their files.
    """

    memories: tuple[Memory, ...] = ()
    events: tuple[Mapping[str, Any], ...] = ()
    sessions: tuple[SessionState, ...] = ()
    history: tuple[HistoryEntry, ...] = ()
    entities: tuple[EntityMentions, ...] = ()
    merges: tuple[EntityMerge, ...] = ()
    personal: bool = False
