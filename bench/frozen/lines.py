"""What is learned from real transcripts, from dialogues and from written conversations, and what replaces what."""

from __future__ import annotations

import tempfile
from collections.abc import Iterable, Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path

import holdfast
from bench.conversation import kept, updates
from bench.conversation.consolidation import consolidated
from bench.observer.streams import PROJECTS, stream
from bench.recall.ours import Calendar
from bench.recall.pool import spread
from holdfast import Memory

_LATER = datetime(2026, 6, 1, 12, tzinfo=UTC)
_SDE, _LONG, _CODING = "sde-bench", "longmemeval", "coding-sessions"
_LONG_CHATS, _WRITTEN_CHATS, _TALKS = 60, 150, 40
_TALK_SETS = ("dev", "test", "fresh", "more", "late", "passing")


def values(data: Path) -> Mapping[str, Sequence[str]] | None:
    """One line for each learned memory."""
    if not data.is_dir():
        return None
    coding, long = kept.conversations(_CODING, data), kept.conversations(_LONG, data)
    found = {
        _SDE: _learned(kept.conversations(_SDE, data)),
        _LONG: _learned(dict(spread([*long.items()], _LONG_CHATS))),
    }
    for name in PROJECTS:
        own = {id: turns for id, turns in coding.items() if id.startswith(name) and turns}
        found[f"{name} consolidated"] = _learned(own)
        found[f"{name} observed"] = _observed(data, name)
    for part in ("", "more ", "third ", "agents "):
        chats = (chat for chat in kept.written((part,)) if chat.origin == "chats")
        talks = [chat.messages for chat in chats]
        found[f"written {part}".strip()] = _lines(consolidated(spread(talks, _WRITTEN_CHATS), clock=_clock()).facts)
    for part in _TALK_SETS:
        talks_of_part = enumerate(spread(updates.read(f"talks_{part}"), _TALKS))
        found[f"talks {part}"] = [line for n, talk in talks_of_part for line in _of_talk(n, talk)]
    return found


def _learned(chats: Mapping[str, list[tuple[int, str, str]]]) -> list[str]:
    talks = [kept.messages_of(id, turns) for id, turns in chats.items() if turns]
    return _lines(consolidated(talks, clock=_clock()).facts)


def _observed(data: Path, name: str) -> list[str]:
    """What the observer keeps of the sessions of agents in the older part of a project."""
    found = stream(data, name, newer=False)
    assert found is not None
    with tempfile.TemporaryDirectory() as folder:
        settings = holdfast.Settings(background=False, embedder="none", identity="folder", memory_files=False)
        with holdfast.open(f"{folder}/m.db", folder, settings=settings, clock=_clock()) as ws:
            ws.container.observer.observe_all((one.id, one.events) for one in found.sessions)
            return _lines(ws.list(limit=100_000, include_forgotten=True))


def _of_talk(number: int, talk: Mapping[str, object]) -> list[str]:
    result = updates.held(talk, clock=_clock())
    return [f"{number} {line}" for line in (*_lines((*result.believed, *result.retired)), f"{result.newest_first=}")]


def _clock() -> Calendar:
    clock = Calendar()
    clock.at = _LATER
    return clock


def _lines(memories: Iterable[Memory]) -> list[str]:
    """The memories in the order of their ids, which is that of time, with the texts of those that they relate to."""
    ordered = sorted(memories, key=lambda memory: memory.id)
    texts = {memory.id: memory.content for memory in ordered}
    return [_line(memory, texts) for memory in ordered]


def _line(memory: Memory, texts: Mapping[str, str]) -> str:
    related = [f"{one.kind}: {texts.get(one.memory or '', one.file or 'another')}" for one in memory.relations]
    state = "current" if memory.is_current else "replaced or forgotten"
    marks = [name for name in ("needs_review", "verified", "pinned") if getattr(memory, name)]
    what = f"{memory.type} {memory.confidence:.2f} {memory.source} {' '.join([state, *marks])}"
    when = memory.event_time.isoformat() if memory.event_time else ""
    parts = (memory.session or "", what, when, *sorted(memory.files), memory.content, *sorted(related))
    return " | ".join(" ".join(part.split()) for part in parts)
