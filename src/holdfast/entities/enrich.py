"""A second, closer reading of memories in which few names were found (R-F3)."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from datetime import datetime
from typing import TYPE_CHECKING, Any

from holdfast.core.errors import ModelError
from holdfast.entities.strategies import NameExtractor, naming

if TYPE_CHECKING:
    from holdfast.core.entity import Mention
    from holdfast.store.writing.entities import EntityWriting

AT_ONCE = 50
FEW = 2


def enrich(
    entities: EntityWriting,
    ways: Sequence[NameExtractor],
    now: Callable[[], datetime],
    progress: Callable[[Mapping[str, Any]], bool],
    limit: int = AT_ONCE,
) -> Mapping[str, Any]:
    """Reads up to so many memories the accurate way, links what is found and stamps each as read.

    `ways` are the best first: when the model of one fails, the next reads on. One memory is one transaction.
    """
    able = [way for way in ways if way.readers]
    if not able:
        return {"enriched": 0, "skipped": "no accurate reader"}
    waiting = entities.sparse(limit, FEW)
    done = links = 0
    for memory in waiting:
        able, mentions = _read(able, memory.content)
        links += entities.link_all(memory.project, [(memory.id, naming(mentions))], now(), able[0].name)
        done += 1
        if not progress({"job": "enrich", "done": done, "of": len(waiting)}):
            return {"enriched": done, "links": links, "stopped": "another process took over"}
    return {"enriched": done, "links": links}


def _read(ways: list[NameExtractor], text: str) -> tuple[list[NameExtractor], list[Mention]]:
    """What the text names by the first way that can read, and the ways that are left."""
    try:
        return ways, ways[0].accurate(text)
    except ModelError:
        if len(ways) == 1:
            raise
        return _read(ways[1:], text)
