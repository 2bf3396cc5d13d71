"""The background job that links older memories to new names and aliases."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import datetime
from typing import TYPE_CHECKING, Any

from holdfast.core.frozen import frozen
from holdfast.core.reason import Reason
from holdfast.entities.entity_reasons import EntityCode
from holdfast.entities.registered import RegisteredNames

if TYPE_CHECKING:
    from holdfast.core.entity import Mention, PendingName
    from holdfast.core.progress import Progress
    from holdfast.store.writing.entities import EntityWriting

_MEMORIES = 200


@frozen
class NameLinking:
    """Links the memories that mention a name that was added, by reading those that contain one of its words.

    A name is finished when all of them were read. Interrupted, the name is read again, which changes nothing.
    """

    entities: EntityWriting
    now: Callable[[], datetime]

    def __call__(self, progress: Progress) -> Mapping[str, Any]:
        names = links = 0
        while pending := self.entities.pending_names():
            for name in pending:
                for linked in self._link(name):
                    links += linked
                    if not progress({"job": "link", "names": names, "links": links}):
                        return {"names": names, "links": links, "stopped": Reason.of(EntityCode.LEASE_LOST)}
                self.entities.finish_name(name)
                names += 1
        return {"names": names, "links": links}

    def _link(self, pending: PendingName) -> Iterator[int]:
        """Links batch by batch; yields the number of new links of each."""
        if not pending.registered.is_matched:
            return
        finder = RegisteredNames(self.entities, pending.project)
        memories = self.entities.memories_with(pending.project, pending.registered.name)
        for at in range(0, len(memories), _MEMORIES):
            texts = self.entities.contents(memories[at : at + _MEMORIES])
            found = [(id, finder.find(text)) for id, text in texts.items()]
            yield self.entities.link_all(pending.project, _only(pending.registered.entity_name, found), self.now())


def _only(name: str, found: Sequence[tuple[str, list[Mention]]]) -> list[tuple[str, list[Mention]]]:
    named = ((id, [mention for mention in mentions if mention.text == name]) for id, mentions in found)
    return [(id, mentions) for id, mentions in named if mentions]
