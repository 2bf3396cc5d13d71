"""Which memories stand on the page, and how shortly, when all of them are more than it may hold."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from holdfast.conversation.memory_files.memory_page import (
    LIMIT,
    MORE,
    PageEntry,
    belongs,
    heading,
    line,
    parse,
    signed,
    write,
)
from holdfast.core.errors import ModelError
from holdfast.core.ids import short
from holdfast.core.memory import Memory, nothing
from holdfast.trust.decay import current_confidence

# Asks a language model for a shorter page: the page and the bytes it may have; its answer is checked line by line.
Compress = Callable[[str, int], str]

# From here on a line of a full page shows only its beginning.
_LONG = 400
# A model is shown so many times the limit at most: what ranks lower would not stay anyway.
_SHOWN_TO_MODEL = 4
# The least share of words that a shorter line has from its memory; below, the model made something up.
_FROM_MEMORY = 0.5


@dataclass(frozen=True, slots=True)
class RenderedPage:
    """The page without its last line, how many memories it leaves out, and what shortened it: rank, model."""

    body: str
    left_out: int = 0
    shortened: str = ""


def render(
    memories: Sequence[Memory],
    sections: Mapping[str, str],
    now: datetime,
    limit: int = LIMIT,
    *,
    compress: Compress | None = None,
    shorter: Mapping[str, str] = nothing(),
    refused: Sequence[str] = (),
) -> RenderedPage:
    """MEMORY.md: everything when it fits; else what a model or, without one, rank leaves of it.

    `sections` are the types it shows and their titles, in order.
    `shorter` are the lines of the page before, by anchor: what a model shortened once stays so. What was refused comes
    on top of the limit: it is a person's own text, and theirs to take away.
    """
    ranked = sorted(_once([m for m in memories if belongs(m, sections)]), key=lambda m: rank(m, now), reverse=True)
    kept, how = [PageEntry(m, m.content) for m in ranked], ""
    if _size(kept, sections) > limit:
        kept, how = _by_rank(ranked, sections, limit, shorter), "rank"
        if compress and len(kept) < len(ranked) and (by_model := _by_model(ranked, sections, limit, compress)):
            kept, how = by_model, "model"
    left_out = len(ranked) - len(kept)
    return RenderedPage(write(_in_order(kept), sections, left_out=left_out, refused=refused), left_out, how)


def rank(memory: Memory, now: datetime) -> tuple[bool, bool, float, int, datetime]:
    """What matters most is greatest: pinned, verified, sure by now, used, new."""
    since = memory.last_accessed_at or memory.created_at
    protected = memory.pinned or memory.verified
    sure = current_confidence(memory.confidence, memory.half_life_days, since, now, protected=protected)
    return memory.pinned, memory.verified, round(sure, 2), memory.access_count, memory.event_time or memory.created_at


def _by_rank(
    ranked: Sequence[Memory], sections: Mapping[str, str], limit: int, shorter: Mapping[str, str] = nothing()
) -> list[PageEntry]:
    """As many as fit, the first first; a long one is shown by its beginning."""
    kept: list[PageEntry] = []
    titles: set[str] = set()
    room = limit - _size([], sections, left_out=len(ranked))
    for memory in ranked:
        before = shorter.get(short(memory.id), memory.content)
        shown = PageEntry(memory, before if len(before) < len(memory.content) else _beginning(memory.content))
        title = 0 if memory.type in titles else len(heading(sections[memory.type]).encode())
        if (size := len(line(shown).encode()) + title) <= room:
            kept.append(shown)
            titles.add(memory.type)
            room -= size
    return kept


def _by_model(
    ranked: Sequence[Memory], sections: Mapping[str, str], limit: int, compress: Compress
) -> list[PageEntry] | None:
    """The page as a model shortened it, line by line as far as it can be believed; None when it is of no use."""
    asked = _by_rank(ranked, sections, limit * _SHOWN_TO_MODEL)
    try:
        answer = parse(compress(signed(write(_in_order(asked), sections), 0), limit))
    except ModelError:
        return None
    shorter = {item.anchor: item.text for item in reversed(answer.items) if item.anchor and item.text.strip()}
    kept = [_believed(one, shorter) for one in asked if one.memory.pinned or short(one.memory.id) in shorter]
    fits = _size(kept, sections, left_out=len(ranked)) <= limit
    return kept if kept and fits else None


def _believed(one: PageEntry, shorter: Mapping[str, str]) -> PageEntry:
    said = shorter.get(short(one.memory.id), one.text)
    known = {word.casefold() for word in one.memory.content.split()}
    words = [word.casefold() for word in said.split()]
    from_memory = sum(word in known for word in words) >= _FROM_MEMORY * len(words)
    return PageEntry(one.memory, said) if from_memory and len(said) < len(one.text) else one


def _beginning(text: str) -> str:
    if len(text) <= _LONG:
        return text
    cut = text[: _LONG - len(MORE)]
    return cut[: cut.rindex(" ")].rstrip() + MORE if " " in cut[_LONG // 2 :] else cut + MORE


def _in_order(shown: Sequence[PageEntry]) -> list[PageEntry]:
    """The oldest first: a page that grows at the end of its sections is easy to compare."""
    return sorted(shown, key=lambda one: (one.memory.event_time or one.memory.created_at, one.memory.id))


def _size(shown: Sequence[PageEntry], sections: Mapping[str, str], *, left_out: int = 0) -> int:
    return len(signed(write(shown, sections, left_out=left_out), 10**8).encode())


def _once(memories: Sequence[Memory]) -> list[Memory]:
    """One memory for each anchor; of two whose ids end alike the second has no line."""
    return list({short(m.id): m for m in reversed(memories)}.values())
