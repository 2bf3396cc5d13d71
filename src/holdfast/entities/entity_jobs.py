"""The background jobs on names."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Protocol

from holdfast.core.job import DAILY, NAMES, Job

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from datetime import datetime

    from holdfast.core.progress import Progress
    from holdfast.core.settings import Settings
    from holdfast.llm.chats import Chats
    from holdfast.store.protocol import Store


class NameParts(Protocol):
    """What the jobs need."""

    settings: Settings
    store: Store
    chats: Chats
    now: Callable[[], datetime]


def _enrich(parts: NameParts, progress: Progress) -> Mapping[str, Any]:
    from holdfast.entities.enrich_job import Enrichment
    from holdfast.entities.llm import FIELDS

    own, entities = parts.settings, parts.store.entities
    return Enrichment(own.entities, entities, lambda: parts.chats.chat("entities", FIELDS), parts.now)(progress)


def _link(parts: NameParts, progress: Progress) -> Mapping[str, Any]:
    from holdfast.entities.link_job import NameLinking

    return NameLinking(parts.store.entities, parts.now)(progress)


def _any_pending(parts: NameParts) -> bool:
    return parts.store.entities.any_pending_names()


ENRICH: Job[NameParts] = Job("enrich", _enrich, DAILY, gives_way=True)
# No period: a person may add a name at any time.
LINK: Job[NameParts] = Job("link", _link, is_due=_any_pending, after=NAMES)
