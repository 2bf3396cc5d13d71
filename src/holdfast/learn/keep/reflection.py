"""Summarises a week of memories in at most three lines, without a model: what was decided, changed and is open."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import date, datetime

from holdfast.core.memory import EPISODE, REFLECTION, Memory
from holdfast.learn.earlier import without_earlier
from holdfast.learn.keep.rule_extractor import COMMITMENT

_MIN_MEMORIES = 3
_DECIDING = ("decision", "requirement", "preference")
# The most memories quoted in one line, and the longest quotation.
_PER_LINE, _LONGEST = 3, 160


def reflect(memories: Sequence[Memory], now: datetime) -> str | None:
    """The decisions, changes and open commitments of memories, a line each; None if there are none of them.

    None also for fewer than three memories. A memory is quoted on one line, so that it cannot become a line of its own.
    The order of the memories does not matter.
    """
    ordered = sorted(memories, key=lambda memory: (memory.created_at, memory.id))
    facts = [m for m in ordered if m.type not in (EPISODE, REFLECTION) and not m.forgotten]
    current = [memory for memory in facts if not memory.superseded]
    if len(current) < _MIN_MEMORIES:
        return None
    changed = dict(_changed(facts))
    lines = [
        _line("Decided", _decided([memory for memory in current if memory.id not in changed])),
        _line("Changed", list(changed.values())[-_PER_LINE:]),
        _line("Open", list(_open(current, now.date()))),
    ]
    return "\n".join(line for line in lines if line) or None


def _line(title: str, quotes: Sequence[str]) -> str:
    return f"{title}: {'; '.join(quote.rstrip('. ') for quote in quotes)}." if quotes else ""


def _decided(current: Sequence[Memory]) -> list[str]:
    """The most certain decisions, rules and preferences, decisions first; of equals, the newest."""
    found = [m for m in current if m.type in _DECIDING and COMMITMENT not in m.tags]
    newest_first = sorted(found, key=lambda m: (m.created_at, m.id), reverse=True)
    best = sorted(newest_first, key=lambda m: (_DECIDING.index(m.type), not m.verified, -m.confidence))
    return [_quoted(memory.content) for memory in best[:_PER_LINE]]


def _changed(facts: Sequence[Memory]) -> Iterator[tuple[str, str]]:
    """Each memory that replaced another one of the week, by its id."""
    by_id = {memory.id: memory for memory in facts}
    for new in facts:
        old = next((by_id[r.memory] for r in new.relations if r.kind == "supersedes" and r.memory in by_id), None)
        if old is not None and not new.superseded:
            now, before = (_quoted(without_earlier(memory.content)).rstrip(". ") for memory in (new, old))
            yield new.id, f"{now} (before: {before})"


def _open(current: Sequence[Memory], today: date) -> Iterator[str]:
    commitments = [(_due(memory), memory) for memory in current if COMMITMENT in memory.tags]
    commitments.sort(key=lambda item: (item[0] or date.max, item[1].id))
    for due, memory in commitments[:_PER_LINE]:
        late = f" (was due {due.isoformat()})" if due and due < today else ""
        yield f"{_quoted(memory.content).rstrip('. ')}{late}"


def _due(memory: Memory) -> date | None:
    """The due day, as the extractor stored it in the attributes."""
    day = memory.attributes.get("date")
    try:
        return date.fromisoformat(day) if isinstance(day, str) else None
    except ValueError:
        return None


def _quoted(text: str) -> str:
    """One short line of printable characters."""
    line = " ".join("".join(char if char.isprintable() else " " for char in text).split())
    return line if len(line) <= _LONGEST else line[: _LONGEST - 1].rstrip() + "…"
