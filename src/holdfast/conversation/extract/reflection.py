"""Summarises a week of memories by counting and quoting them, without a model."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from datetime import date, datetime

from holdfast.conversation.extract.rules import COMMITMENT
from holdfast.conversation.extract.sentences import content_words
from holdfast.core.memory import EPISODE, REFLECTION, Memory

_MIN_MEMORIES = 3
_THEMES, _PER_THEME, _CHANGES, _OPEN = 4, 3, 5, 5
# A theme is a word that at least two memories share and, from ten memories on, at most half of them.
_MIN_SHARED = 2
_MAX_FRACTION = 0.5
_MANY = 10
_LONGEST = 160
_SPECIAL = re.compile(r"([\\`*_{}\[\]<>#|!~])")
_WORD = re.compile(r"\w+")
_LEADING = re.compile(r"^(?:\s*(?:[-+>=]|\d+[.)])\s*)+")
_NAMED = re.compile(r"`([^`\n]{2,40})`|(?<=[a-z,;] )([A-Z][\w.-]{2,30})")


def reflect(memories: Sequence[Memory], now: datetime) -> str | None:
    """The themes, changes and open commitments of memories as markdown; None for fewer than three memories.

    A memory is quoted on one line, escaped so that it cannot become a heading, a link, markup or a line of its own.
    The order of the memories does not matter.
    """
    ordered = sorted(memories, key=lambda memory: (memory.created_at, memory.id))
    facts = [m for m in ordered if m.type not in (EPISODE, REFLECTION) and not m.forgotten]
    current = [memory for memory in facts if not memory.superseded]
    if len(current) < _MIN_MEMORIES:
        return None
    sections = [_counted(current), _section("Themes", _themes(current))]
    sections += [_section("What changed", _changed(facts)), _section("Still open", _open(current, now.date()))]
    return "\n\n".join(section for section in sections if section)


def _counted(current: Sequence[Memory]) -> str:
    types = Counter(memory.type for memory in current)
    sessions = len({memory.session for memory in current if memory.session})
    counts = ", ".join(f"{count} {type}" for type, count in sorted(types.items(), key=lambda item: (-item[1], item[0])))
    where = f" from {sessions} session{'s' * (sessions > 1)}" if sessions else ""
    return f"{len(current)} memories{where}: {counts}."


def _section(title: str, lines: Iterator[str]) -> str:
    items = [f"- {line}" for line in lines]
    return "\n".join((f"## {title}", *items)) if items else ""


def _themes(current: Sequence[Memory]) -> Iterator[str]:
    """Each theme with the number of its memories and the most confident of them; a memory appears under one theme."""
    sharing = _sharing(current)
    used: set[str] = set()
    themes = 0
    while themes < _THEMES:
        left = {theme: [memory for memory in memories if memory.id not in used] for theme, memories in sharing.items()}
        theme = max(left, key=lambda name: (len(left[name]), len(sharing[name]), name), default=None)
        if theme is None or len(left[theme]) < _MIN_SHARED:
            return
        best = sorted(left[theme], key=lambda memory: (-memory.confidence, memory.created_at, memory.id))
        used.update(memory.id for memory in best)
        themes += 1
        quotes = "; ".join(_safe(memory.content) for memory in best[:_PER_THEME])
        yield f"**{_safe(_as_written(theme, best))}** ({len(sharing[theme])}): {quotes}"


def _sharing(current: Sequence[Memory]) -> Mapping[str, Sequence[Memory]]:
    found: dict[str, list[Memory]] = defaultdict(list)
    for memory in current:
        for theme in sorted(_words(memory)):
            found[theme].append(memory)
    most = len(current) * _MAX_FRACTION if len(current) >= _MANY else len(current)
    return {theme: memories for theme, memories in found.items() if _MIN_SHARED <= len(memories) <= most}


def _words(memory: Memory) -> set[str]:
    """The possible themes of a memory: its tags, the names in it, and its content words."""
    names = {(quoted or bare).lower() for quoted, bare in _NAMED.findall(memory.content)}
    tags = {tag.lower() for tag in memory.tags if tag != COMMITMENT}
    words = {word for word in content_words(memory.content) if len(word) > 3 and not word[0].isdigit()}
    return names | tags | words


def _as_written(theme: str, memories: Sequence[Memory]) -> str:
    """The shortest word in the memories that begins with the stem: `configure` for `configur`."""
    found = [word for memory in memories for word in _WORD.findall(memory.content.lower()) if word.startswith(theme)]
    return min(found, key=lambda word: (len(word), word), default=theme)


def _changed(facts: Sequence[Memory]) -> Iterator[str]:
    by_id = {memory.id: memory for memory in facts}
    pairs = (
        (by_id[relation.memory], new)
        for new in facts
        for relation in new.relations
        if relation.kind == "supersedes" and relation.memory in by_id
    )
    for old, new in list(pairs)[-_CHANGES:]:
        yield f"{_safe(new.content)} (before: {_safe(old.content)})"


def _open(current: Sequence[Memory], today: date) -> Iterator[str]:
    commitments = [(_due(memory), memory) for memory in current if COMMITMENT in memory.tags]
    commitments.sort(key=lambda item: (item[0] or date.max, item[1].id))
    for due, memory in commitments[:_OPEN]:
        late = f" (was due {due.isoformat()})" if due and due < today else ""
        yield f"{_safe(memory.content)}{late}"


def _due(memory: Memory) -> date | None:
    """The due day, as the extractor stored it in the attributes."""
    day = memory.attributes.get("date")
    try:
        return date.fromisoformat(day) if isinstance(day, str) else None
    except ValueError:
        return None


def _safe(text: str) -> str:
    """One short line, escaped so that markdown shows it literally."""
    line = " ".join("".join(char if char.isprintable() else " " for char in text).split())
    line = _LEADING.sub("", line)
    if len(line) > _LONGEST:
        line = line[: _LONGEST - 1].rstrip() + "…"
    return _SPECIAL.sub(r"\\\1", line)
