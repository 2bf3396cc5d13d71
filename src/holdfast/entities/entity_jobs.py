"""The background jobs on names."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

from holdfast.core.job import DAILY, NAMES, Job

if TYPE_CHECKING:
    from holdfast.entities.enrich_job import Enrichment
    from holdfast.entities.link_job import NameLinking
    from holdfast.store.protocol import Store


class NameParts(Protocol):
    """What the jobs need."""

    store: Store
    enrichment: Enrichment
    name_linking: NameLinking


ENRICH: Job[NameParts] = Job("enrich", lambda parts, progress: parts.enrichment(progress), DAILY, gives_way=True)
# No period: a person may add a name at any time.
LINK: Job[NameParts] = Job(
    "link",
    lambda parts, progress: parts.name_linking(progress),
    is_due=lambda parts: parts.store.entities.any_pending_names(),
    after=NAMES,
)
