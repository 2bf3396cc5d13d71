"""Decides what an agent gets at a tool result or before its next step, from what it just did.

Three triggers: it touched a file that has unseen memories; somebody taught something during this session; it repeats a
search that a memory answers. Otherwise it gets nothing. Hooks import this module, so it imports little.
"""

from __future__ import annotations

from holdfast.agents import event as kinds
from holdfast.agents.tool_shapes import EDIT, READ, RUN, SEARCH, shape_of
from holdfast.inject.gate import TAUGHT, may_inject

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from holdfast.agents.event import Event
    from holdfast.core.light_memory import LightMemory
    from holdfast.store.light import LightStore

# The types that warn about a file; other types are shown with a file only if somebody taught them about that file.
WARNINGS = ("gotcha", "error_pattern", "dead_end")
_TAUGHT_TYPES = ("decision", "requirement", "preference", "pattern", "fact", "workflow_recipe", "causal_dependency")
_LEARNED = (*WARNINGS, *_TAUGHT_TYPES, "module_insight")
MOST = 4
_SILENT_STEPS = 5
_SEARCHES = 3
# A search is answered from memory only if its words are rare: more matching passages than this say nothing.
_RARE, _LONG_WORD = 5, 6


class Moment:
    """What the decision depends on: the project, the session, the trust level, and the step the agent has reached."""

    __slots__ = ("project", "session", "step", "trust_level")

    def __init__(self, project: str, session: str, trust_level: int, step: int) -> None:
        self.project = project
        self.session = session
        self.trust_level = trust_level
        self.step = step


def for_files(store: LightStore, moment: Moment, files: Sequence[str]) -> list[LightMemory]:
    """The unseen memories about files, warnings first, at most four."""
    if not files:
        return []
    asked = list(dict.fromkeys(place for file in files for place in _places(file)))
    found = store.about_files(moment.project, moment.session, asked, (*WARNINGS, *_TAUGHT_TYPES))
    wanted = [m for m in found if m.type in WARNINGS or m.source in TAUGHT]
    passed = [m for m in wanted if may_inject(m, moment.trust_level, while_working=True)]
    return sorted(passed, key=lambda memory: memory.type not in WARNINGS)[:MOST]


def is_early(moment: Moment) -> bool:
    """Is it one of the first steps, in which the agent is left alone?"""
    return moment.step <= _SILENT_STEPS


def for_search(store: LightStore, moment: Moment, pattern: str, recent: Iterable[Event]) -> list[LightMemory]:
    """The memory that answers a search which the agent repeats; none in the first five steps."""
    if is_early(moment) or not _is_repeated(pattern, recent):
        return []
    match = _match(pattern)
    if match is None:
        return []
    found = store.about_words(moment.project, moment.session, match, _LEARNED, _RARE + 1)
    passed = [m for m in found if may_inject(m, moment.trust_level, while_working=True)]
    return passed[:1] if len(found) <= _RARE else []


def for_notes(store: LightStore, moment: Moment, recent: Sequence[Event]) -> list[LightMemory]:
    """What a person or another session taught since the oldest of the recent events; none in the first five steps."""
    if is_early(moment) or not recent:
        return []
    found = store.taught_since(moment.project, moment.session, recent[0].at, _LEARNED)
    return [m for m in found if may_inject(m, moment.trust_level, while_working=True)][:MOST]


def touches(kind: str) -> bool:
    """Does a call of this kind touch files?"""
    return kind in (READ, EDIT, RUN)


def _places(file: str) -> list[str]:
    """The file and the folders above it: a memory may be about a folder."""
    parts = file.split("/")
    return ["/".join(parts[:end]) for end in range(len(parts), 0, -1)]


def _is_repeated(pattern: str, recent: Iterable[Event]) -> bool:
    """Does one of the last searches before this one share a word with it?"""
    shapes = (shape_of(event.tool, event.args) for event in recent if event.kind == kinds.TOOL_CALL)
    searched = [shape.pattern for shape in shapes if shape.kind == SEARCH][-_SEARCHES:]
    words = set(_words(pattern))
    return any(not words.isdisjoint(_words(earlier)) for earlier in searched)


def _match(pattern: str) -> str | None:
    """The full-text query for a search pattern; None if it is too common to say what the agent is looking for."""
    alternatives = [words for part in pattern.split("|") if (words := _telling(part))]
    if not alternatives or any(len(words) == 1 and not _is_identifier(words[0]) for words in alternatives):
        return None
    return " OR ".join("(" + " AND ".join(f'"{word}"' for word in words) + ")" for words in alternatives)


def _telling(text: str) -> list[str]:
    """The identifiers of a text; its words if it has none."""
    words = _words(text)
    return [word for word in words if _is_identifier(word)] or words


def _words(text: str) -> list[str]:
    kept = "".join(ch if ch.isalnum() or ch == "_" else " " for ch in text[:200])
    return [word for word in dict.fromkeys(kept.split()) if len(word) > 2]


def _is_identifier(word: str) -> bool:
    mixed = word != word.lower() and word != word.upper() and not word.istitle()
    return len(word) >= _LONG_WORD and ("_" in word or mixed or any(ch.isdigit() for ch in word))
