"""Fits memories into MEMORY.md: chooses and shortens them when all of them exceed its limit."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from datetime import datetime

from holdfast.core.decay import current_confidence
from holdfast.core.errors import ModelError
from holdfast.core.frozen import frozen
from holdfast.core.ids import short
from holdfast.core.local_text import stays_local
from holdfast.core.memory import Memory, empty_mapping
from holdfast.sessions.memory_files.memory_page import (
    CUT_MARK,
    LIMIT,
    PageEntry,
    heading,
    may_appear,
    memory_line,
    page_body,
    parse,
    with_footer,
)

# Asks a language model to shorten a page to a number of bytes; its answer is checked line by line.
Compress = Callable[[str, int], str]

# The most characters of a memory on a full page; a longer one shows only its beginning.
_LONG = 400
# A model sees at most this multiple of the limit: memories that rank lower would not stay anyway.
_SHOWN_TO_MODEL = 4
# The smallest fraction of a shortened line's words that its memory must contain; with less the model invented text.
_MIN_FROM_MEMORY = 0.5


@frozen
class RenderedPage:
    """The page without its footer, the number of memories left out, and how it was shortened: rank, model or not."""

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
    shorter: Mapping[str, str] = empty_mapping(),
    refused: Sequence[str] = (),
) -> RenderedPage:
    """Renders MEMORY.md: all memories if they fit, if need be without the occasions on which they were said.

    Otherwise a model shortens the page, or rank decides.

    `sections` are the types it shows and their titles, in order. `shorter` are the previous lines by anchor: a line
    that a model shortened stays short. `refused` lines do not count towards the limit: they are a person's own text,
    which only the person removes.
    """
    shown = _one_per_anchor([m for m in memories if may_appear(m, sections) and not m.is_stale(now)])
    ranked = sorted(shown, key=lambda m: rank(m, now), reverse=True)
    kept, how = [PageEntry(m, m.content) for m in ranked], ""
    if _size(kept, sections) > limit:
        kept = [replace(entry, brief=True) for entry in kept]
    if _size(kept, sections) > limit:
        kept, how = _by_rank(ranked, sections, limit, shorter), "rank"
        if compress and len(kept) < len(ranked) and (by_model := _by_model(ranked, sections, limit, compress)):
            kept, how = by_model, "model"
    left_out = len(ranked) - len(kept)
    return RenderedPage(page_body(_in_order(kept), sections, left_out=left_out, refused=refused), left_out, how)


def rank(memory: Memory, now: datetime) -> tuple[bool, bool, float, int, datetime]:
    """A sort key, greatest first: pinned, verified, current confidence × freshness of the code, use, age."""
    since = memory.last_accessed_at or memory.created_at
    protected = memory.pinned or memory.verified
    current = current_confidence(memory.confidence, memory.half_life_days, since, now, protected=protected)
    when, freshness = memory.event_time or memory.created_at, memory.freshness
    current *= freshness.unchanged if freshness else 1.0
    return memory.pinned, memory.verified, round(current, 2), memory.access_count, when


def _by_rank(
    ranked: Sequence[Memory], sections: Mapping[str, str], limit: int, shorter: Mapping[str, str] = empty_mapping()
) -> list[PageEntry]:
    """The memories that fit, in their order; a long one shows only its beginning."""
    kept: list[PageEntry] = []
    titles: set[str] = set()
    left = limit - _size([], sections, left_out=len(ranked))
    for memory in ranked:
        before = shorter.get(short(memory.id), memory.content)
        text = before if len(before) < len(memory.content) else _beginning(memory.content)
        shown = PageEntry(memory, text, brief=True)
        title = 0 if memory.type in titles else len(heading(sections[memory.type]).encode())
        if (size := len(memory_line(shown).encode()) + title) <= left:
            kept.append(shown)
            titles.add(memory.type)
            left -= size
    return kept


def _by_model(
    ranked: Sequence[Memory], sections: Mapping[str, str], limit: int, compress: Compress
) -> list[PageEntry] | None:
    """The page as shortened by a model, each line checked; None if the model fails or the page is still too long.

    A page with a memory that must stay on this machine is not sent.
    """
    shown = _by_rank(ranked, sections, limit * _SHOWN_TO_MODEL)
    if any(stays_local(entry.memory.content) for entry in shown):
        return None
    try:
        answer = parse(compress(with_footer(page_body(_in_order(shown), sections), 0), limit))
    except ModelError:
        return None
    shorter = {item.anchor: item.text for item in reversed(answer.items) if item.anchor and item.text.strip()}
    kept = [_checked(entry, shorter) for entry in shown if entry.memory.pinned or short(entry.memory.id) in shorter]
    fits = _size(kept, sections, left_out=len(ranked)) <= limit
    return kept if kept and fits else None


def _checked(entry: PageEntry, shorter: Mapping[str, str]) -> PageEntry:
    """The shortened entry, or the original if the model invented text or made it no shorter."""
    text = shorter.get(short(entry.memory.id), entry.text)
    known = {word.casefold() for word in entry.memory.content.split()}
    words = [word.casefold() for word in text.split()]
    from_memory = sum(word in known for word in words) >= _MIN_FROM_MEMORY * len(words)
    return replace(entry, text=text) if from_memory and len(text) < len(entry.text) else entry


def _beginning(text: str) -> str:
    if len(text) <= _LONG:
        return text
    cut = text[: _LONG - len(CUT_MARK)]
    return cut[: cut.rindex(" ")].rstrip() + CUT_MARK if " " in cut[_LONG // 2 :] else cut + CUT_MARK


def _in_order(shown: Sequence[PageEntry]) -> list[PageEntry]:
    """The oldest first, so that sections grow at their end and versions are easy to compare."""
    return sorted(shown, key=lambda entry: (entry.memory.event_time or entry.memory.created_at, entry.memory.id))


def _size(shown: Sequence[PageEntry], sections: Mapping[str, str], *, left_out: int = 0) -> int:
    return len(with_footer(page_body(shown, sections, left_out=left_out), 10**8).encode())


def _one_per_anchor(memories: Sequence[Memory]) -> list[Memory]:
    """One memory for each anchor: of two whose ids end alike, only the first has a line."""
    return list({short(m.id): m for m in reversed(memories)}.values())
