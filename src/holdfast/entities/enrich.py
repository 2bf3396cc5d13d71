"""Searches memories with few known names again, with slower and more accurate readers."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from datetime import datetime
from typing import TYPE_CHECKING, Any

from holdfast.core.errors import ModelError
from holdfast.core.reason import Reason
from holdfast.entities.entity_reasons import EntityCode
from holdfast.entities.registered import RegisteredNames
from holdfast.entities.strategies import NameExtractor, entity_mentions, with_registered

if TYPE_CHECKING:
    from holdfast.core.entity import Mention
    from holdfast.store.writing.entities import EntityWriting

MEMORIES_PER_RUN = 50
FEW_NAMES = 2


def enrich(
    entities: EntityWriting,
    extractors: Sequence[NameExtractor],
    now: Callable[[], datetime],
    progress: Callable[[Mapping[str, Any]], bool],
    limit: int = MEMORIES_PER_RUN,
) -> Mapping[str, Any]:
    """Extracts names accurately from up to `limit` memories, links them and marks each memory as read.

    `extractors` come best first: if the model of one fails, the next takes over. Each memory is one transaction.
    """
    usable = [extractor for extractor in extractors if extractor.readers]
    if not usable:
        return {"enriched": 0, "skipped": Reason.of(EntityCode.NO_ACCURATE_READER)}
    pending = entities.sparse(limit, FEW_NAMES)
    done = links = 0
    for memory in pending:
        usable, mentions = _read(usable, memory.content)
        registered = RegisteredNames(entities, memory.project).find(memory.content)
        named = with_registered(entity_mentions(mentions), registered)
        links += entities.link_all(memory.project, [(memory.id, named)], now(), usable[0].name)
        done += 1
        if not progress({"job": "enrich", "done": done, "of": len(pending)}):
            return {"enriched": done, "links": links, "stopped": Reason.of(EntityCode.LEASE_LOST)}
    return {"enriched": done, "links": links}


def _read(extractors: list[NameExtractor], text: str) -> tuple[list[NameExtractor], list[Mention]]:
    """Returns the mentions found by the first extractor that does not fail, and the extractors from it on."""
    try:
        return extractors, extractors[0].accurate(text)
    except ModelError:
        if len(extractors) == 1:
            raise
        return _read(extractors[1:], text)
