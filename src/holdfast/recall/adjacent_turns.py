"""Adds the user's other messages of the best conversations: people rarely settle a rule in one message."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from holdfast.core.answer import Hit, Why
from holdfast.recall.paths import CONVERSATION

if TYPE_CHECKING:
    from holdfast.store.reading import MemoryReading

# The number of conversations to complete, the share of the first hit's score that their best hit must reach, and the
# number of messages to read from each.
_CONVERSATIONS = 2
_CLOSE = 0.85
_TURNS = 60


def with_adjacent_turns(hits: Sequence[Hit], reading: MemoryReading, project: str) -> tuple[Hit, ...]:
    """Inserts the user's other messages of each leading conversation right after its best hit."""
    leading = _leading(hits)
    if not leading:
        return tuple(hits)
    known = {hit.id: hit for hit in hits}
    ordered: dict[str, Hit] = {}
    for best in leading:
        ordered[best.id] = best
        for episode in reading.episodes(project, best.conversation, _TURNS):
            if episode.source_role == "user" and episode.is_current:
                adjacent = Hit(episode, episode.content, best.score, Why({CONVERSATION.name: 1}, {}))
                ordered.setdefault(episode.id, known.get(episode.id, adjacent))
    return tuple({**ordered, **{id: hit for id, hit in known.items() if id not in ordered}}.values())


def _leading(hits: Sequence[Hit]) -> list[Hit]:
    """Returns the best hit of each leading conversation; empty when the first hit is not a message."""
    if not hits or not hits[0].conversation:
        return []
    best: dict[str, Hit] = {}
    for hit in hits:
        if hit.conversation and hit.score >= _CLOSE * hits[0].score:
            best.setdefault(hit.conversation, hit)
    return list(best.values())[:_CONVERSATIONS]
