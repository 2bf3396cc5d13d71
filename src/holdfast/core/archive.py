"""The data of a project that `export` writes and `import` reads."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any

from holdfast.core.frozen import frozen

if TYPE_CHECKING:
    from holdfast.core.conversation import HistoryEntry, SessionState
    from holdfast.core.entity import EntityMentions, EntityMerge
    from holdfast.core.memory import Memory


@frozen
class ProjectArchive:
    """A project's data at one moment. `events` are the changes of its memories, `history` the summaries of sessions.

    Documents are not included: they are read from their files. An archive of a store reads its rows while they are
    iterated, each time again; one of a file has them all.
    """

    memories: Iterable[Memory] = ()
    events: Iterable[Mapping[str, Any]] = ()
    sessions: Iterable[SessionState] = ()
    history: Iterable[HistoryEntry] = ()
    entities: Iterable[EntityMentions] = ()
    merges: Iterable[EntityMerge] = ()
    personal: bool = False
