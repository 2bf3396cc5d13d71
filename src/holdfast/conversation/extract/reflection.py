"""What a week of memories adds up to, told by counting and quoting them."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from datetime import date, datetime

from holdfast.conversation.extract.rules import COMMITMENT
from holdfast.conversation.extract.sentences import telling
from holdfast.core.memory import Memory

_FEWEST = 3
_THEMES, _PER_THEME, _CHANGES, _OPEN = 4, 3, 5, 5
# A word is a theme when this many memories share it; one that more than half of many share tells nothing.
_SHARED = 2
_COMMON = 0.5
_MANY = 10
_LONGEST = 160
_SPECIAL = re.compile(r"([\\`*_{}\[\]<>#|!~])")
_WORD = re.compile(r"\w+")
_LEADING = re.compile(r"^(?:\s*(?:[-+>=]|\d+[.)])\s*)+")
_NAMED = re.compile(r"`([^`\n]{2,40})`|(?<=[a-z,;] )([A-Z][\w.-]{2,30})")


def reflect(memories: Sequence[Memory], now: datetime) -> str | None:
    """The themes of the memories, what changed among them and what is open, as markdown; None when they are too few.

    A memory's text is quoted on one line, with everything taken out that could make it a heading, a link, markup or a
    line of its own. The same memories in any order give the same text.
    """
    ordered = sorted(memories, key=lambda one: (one.created_at, one.id))
    facts = [one for one in ordered if one.type not in ("episode", "reflection") and not one.forgotten]
    current = [one for one in facts if not one.superseded]
    if len(current) < _FEWEST:
        return None
    parts = [_counted(current), _section("Themes", _themes(current))]
    parts += [_section("What changed", _changed(facts)), _section("Still open", _open(current, now.date()))]
    return "\n\n".join(part for part in parts if part)


def _counted(current: Sequence[Memory]) -> str:
    kinds = Counter(one.type for one in current)
    sessions = len({one.session for one in current if one.session})
    told = ", ".join(f"{count} {kind}" for kind, count in sorted(kinds.items(), key=lambda one: (-one[1], one[0])))
    where = f" from {sessions} session{'s' * (sessions > 1)}" if sessions else ""
    return f"{len(current)} memories{where}: {told}."


def _section(title: str, lines: Iterator[str]) -> str:
    told = [f"- {line}" for line in lines]
    return "\n".join((f"## {title}", *told)) if told else ""


def _themes(current: Sequence[Memory]) -> Iterator[str]:
    """Each theme with how many memories share it and the surest of them; a memory stands under one theme only."""
    sharing = _sharing(current)
    told: set[str] = set()
    themes = 0
    while themes < _THEMES:
        left = {theme: [one for one in all if one.id not in told] for theme, all in sharing.items()}
        theme = max(left, key=lambda name: (len(left[name]), len(sharing[name]), name), default=None)
        if theme is None or len(left[theme]) < _SHARED:
            return
        best = sorted(left[theme], key=lambda one: (-one.confidence, one.created_at, one.id))
        told.update(one.id for one in best)
        themes += 1
        said = "; ".join(_safe(one.content) for one in best[:_PER_THEME])
        yield f"**{_safe(_as_written(theme, best))}** ({len(sharing[theme])}): {said}"


def _sharing(current: Sequence[Memory]) -> Mapping[str, Sequence[Memory]]:
    found: dict[str, list[Memory]] = defaultdict(list)
    for memory in current:
        for theme in sorted(_words(memory)):
            found[theme].append(memory)
    most = len(current) * _COMMON if len(current) >= _MANY else len(current)
    return {theme: all for theme, all in found.items() if _SHARED <= len(all) <= most}


def _words(memory: Memory) -> set[str]:
    """What a memory may be said to be about: its tags, the names in it, and its telling words."""
    names = {(quoted or bare).lower() for quoted, bare in _NAMED.findall(memory.content)}
    tags = {tag.lower() for tag in memory.tags if tag != COMMITMENT}
    words = {word for word in telling(memory.content) if len(word) > 3 and not word[0].isdigit()}
    return names | tags | words


def _as_written(theme: str, memories: Sequence[Memory]) -> str:
    """A stem as the shortest word that begins so: nobody writes `configur`."""
    found = [word for one in memories for word in _WORD.findall(one.content.lower()) if word.startswith(theme)]
    return min(found, key=lambda word: (len(word), word), default=theme)


def _changed(facts: Sequence[Memory]) -> Iterator[str]:
    by_id = {one.id: one for one in facts}
    pairs = (
        (by_id[relation.memory], one)
        for one in facts
        for relation in one.relations
        if relation.kind == "supersedes" and relation.memory in by_id
    )
    for old, new in list(pairs)[-_CHANGES:]:
        yield f"{_safe(new.content)} (before: {_safe(old.content)})"


def _open(current: Sequence[Memory], today: date) -> Iterator[str]:
    promised = [(_due(one), one) for one in current if COMMITMENT in one.tags]
    promised.sort(key=lambda one: (one[0] or date.max, one[1].id))
    for due, one in promised[:_OPEN]:
        late = f" (was due {due.isoformat()})" if due and due < today else ""
        yield f"{_safe(one.content)}{late}"


def _due(memory: Memory) -> date | None:
    """The day that was named, as the extractor kept it."""
    told = memory.attributes.get("date")
    try:
        return date.fromisoformat(told) if isinstance(told, str) else None
    except ValueError:
        return None


def _safe(text: str) -> str:
    """One short line that markdown shows as it is."""
    line = " ".join("".join(char if char.isprintable() else " " for char in text).split())
    line = _LEADING.sub("", line)
    if len(line) > _LONGEST:
        line = line[: _LONGEST - 1].rstrip() + "…"
    return _SPECIAL.sub(r"\\\1", line)
