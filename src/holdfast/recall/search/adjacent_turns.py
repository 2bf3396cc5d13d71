"""Adds the user's other messages of the best conversations: people rarely settle a rule in one message."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from holdfast.core.answer import Hit, Why
from holdfast.recall.paths import CONVERSATION
from holdfast.text.similarity import content_words

if TYPE_CHECKING:
    from holdfast.core.memory import Memory
    from holdfast.store.reading import MemoryReading

# The number of conversations to complete, the share of the first hit's score that their best hit must reach, and the
# number of messages to read from each.
_CONVERSATIONS = 2
_CLOSE = 0.85
_TURNS = 60
# Where an agent works with tools: the user's messages before and after the hit, and their words of meaning.
_NEAR, _MEANINGFUL = 2, 4


def with_adjacent_turns(hits: Sequence[Hit], reading: MemoryReading, project: str) -> tuple[Hit, ...]:
    """Inserts the user's other messages of each leading conversation right after its best hit."""
    leading = _leading(hits)
    if not leading:
        return tuple(hits)
    known = {hit.id: hit for hit in hits}
    ordered: dict[str, Hit] = {}
    for best in leading:
        ordered[best.id] = best
        for episode in _turns(reading.episodes(project, best.conversation, _TURNS), best):
            adjacent = Hit(episode, episode.content, best.score, Why({CONVERSATION.name: 1}, {}))
            ordered.setdefault(episode.id, known.get(episode.id, adjacent))
    return tuple({**ordered, **{id: hit for id, hit in known.items() if id not in ordered}}.values())


def _turns(episodes: Sequence[Memory], best: Hit) -> list[Memory]:
    """The user's messages that belong to the best hit: all of a chat; where an agent works, meaningful ones near it.

    Work on code passes from task to task, and most messages only steer it: "yes please", "option 2", "fix all".
    """
    turns = [e for e in episodes if e.is_current and (e.source_role == "user" or e.id == best.id)]
    if any(episode.attributes.get("tools") for episode in episodes):
        place = next((at for at, turn in enumerate(turns) if turn.id == best.id), None)
        near = [] if place is None else turns[max(0, place - _NEAR) : place + _NEAR + 1]
        turns = [turn for turn in near if len(content_words(turn.content)) >= _MEANINGFUL]
    return [turn for turn in turns if turn.source_role == "user"]


def _leading(hits: Sequence[Hit]) -> list[Hit]:
    """Returns the best hit of each leading conversation; empty when the first hit is not a message."""
    if not hits or not hits[0].conversation:
        return []
    best: dict[str, Hit] = {}
    for hit in hits:
        if hit.conversation and hit.score >= _CLOSE * hits[0].score:
            best.setdefault(hit.conversation, hit)
    return list(best.values())[:_CONVERSATIONS]
