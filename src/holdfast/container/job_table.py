"""All background jobs, in the order they run. `interfaces/messages/upkeep_messages.py` has their help."""

from __future__ import annotations

from typing import TYPE_CHECKING

from holdfast.codegraph.code_jobs import ANCHORS, CODE
from holdfast.entities.entity_jobs import ENRICH, LINK
from holdfast.learn.learn_jobs import CONSOLIDATE, REFLECT
from holdfast.observer.observer_jobs import OBSERVE, RELATE
from holdfast.sessions.session_jobs import MESSAGES
from holdfast.upkeep.store_jobs import BACKUP, EMBED, ERASE, EVICT, TIDY

if TYPE_CHECKING:
    from holdfast.container import Container
    from holdfast.core.job import Job

JOBS: tuple[Job[Container], ...] = (
    # First, so that nothing is learned from what shall be erased, and no backup keeps it.
    ERASE,
    # Early, because the next session may begin at once; no period, because a session may end at any time.
    MESSAGES, CONSOLIDATE, OBSERVE,
    BACKUP, EVICT, TIDY, ENRICH, LINK, CODE, ANCHORS, RELATE, REFLECT,
    # Last, so that memories learned by the other jobs are embedded too.
    EMBED,
)  # fmt: skip
