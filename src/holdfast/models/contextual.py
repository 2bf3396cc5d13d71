"""The text that is embedded for a memory or a chunk: its content, preceded by its context."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from holdfast.core.memory import EPISODE, Memory
from holdfast.text.code_title import code_title
from holdfast.text.sentence_windows import sentence_windows

if TYPE_CHECKING:
    from holdfast.core.document import Chunk


def memory_text(memory: Memory, before: Memory | None = None) -> str:
    """Returns `Files: … | Module: … | Type: …` and the content; for a message its role, date and content.

    `before` is the previous message of the session; if given, its text comes first.
    """
    if memory.type != EPISODE:
        return f"{_context(memory)}\n\n{memory.content}"
    text = _episode_text(memory)
    return f"{_episode_text(before)}\n{text}" if before is not None else text


def passage_text(owner: Memory | Chunk) -> str:
    """Returns the text to embed for a memory or a chunk."""
    return memory_text(owner) if isinstance(owner, Memory) else chunk_text(owner)


def sentence_texts(message: Memory) -> list[str]:
    """Returns the texts to embed for the sentences of a message: role and date, then one or more sentences.

    For the questions of a memory, the questions alone.
    """
    if message.type != EPISODE:
        return list(message.questions)
    return [_episode_text(replace(message, content=window)) for window in sentence_windows(message.content)]


def chunk_text(chunk: Chunk) -> str:
    """Returns the chunk's headings and its text; for code its title, as in `fetch page. Tries again.`, and its text.

    Without path and lines: functions were found less often with them (docs/research/code-queries.md).
    """
    if chunk.is_code:
        name = chunk.heading[-1].partition(": ")[2] if chunk.heading else ""
        title = code_title(chunk.text, name)
        return f"{title}\n\n{chunk.text}" if title else chunk.text
    return f"{' > '.join(chunk.heading)}\n\n{chunk.text}" if chunk.heading else chunk.text


def _context(memory: Memory) -> str:
    parts = []
    if memory.files:
        parts.append(f"Files: {', '.join(memory.files)}")
    if memory.modules:
        parts.append(f"Module: {memory.modules[0]}")
    parts.append(f"Type: {memory.type}")
    return " | ".join(parts)


def _episode_text(episode: Memory) -> str:
    day = (episode.event_time or episode.created_at).date().isoformat()
    return f"{episode.source_role}, {day}: {episode.content}" if episode.source_role else f"{day}: {episode.content}"
