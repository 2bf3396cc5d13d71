"""The text that is embedded for a memory or a chunk: its content, preceded by its context."""

from __future__ import annotations

from typing import TYPE_CHECKING

from holdfast.core.memory import EPISODE, Memory
from holdfast.text.patterns import compiled

if TYPE_CHECKING:
    from holdfast.core.document import Chunk

_SENTENCE = r"(?<=[.!?])\s+(?=[^\W\d_a-z]|[\"'(])|\n+|(?<=[。！？])"
_MIN_CHARACTERS, _MAX_CHARACTERS, _MAX_SENTENCES = 15, 600, 12
_DEFINED = r"\b(?:def|func|function|fn|class|interface|struct|trait|sub)\s+([A-Za-z_]\w*)"
_HUMP = r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|[0-9]+"


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


def chunk_text(chunk: Chunk) -> str:
    """Returns the chunk's headings and its text; for code, headings are the first lines of enclosing definitions."""
    return f"{' > '.join(chunk.heading)}\n\n{chunk.text}" if chunk.heading else chunk.text


def views_of(owner: Memory | Chunk, type: str) -> tuple[str, ...]:
    """Returns the texts that get vectors of their own besides the passage: single sentences, or a named function.

    `type` is the memory type, or `document` or `code`.
    A message about one subject often mentions another in a single sentence, which the message's vector hides.
    Messages of an assistant have no views: they are long and stay on their subject, so views cost much and add little.
    """
    if not isinstance(owner, Memory):
        name = _defined_name(owner.text) if type == "code" else ""
        return (f"{name}\n{owner.text}",) if name else ()
    if owner.source_role == "assistant" and type == EPISODE:
        return ()
    beginning = owner.content[: _MAX_CHARACTERS * _MAX_SENTENCES]
    sentences = [sentence.strip()[:_MAX_CHARACTERS] for sentence in compiled(_SENTENCE).split(beginning)]
    views = tuple(sentence for sentence in sentences if len(sentence) >= _MIN_CHARACTERS)[:_MAX_SENTENCES]
    # A message of one sentence is embedded almost unchanged; a view would repeat its vector.
    return () if type == EPISODE and len(views) < 2 else views


def _defined_name(code: str) -> str:
    """Returns the name of the first definition in words: `def parseHTTPDate` gives `function: parse http date.`"""
    match = compiled(_DEFINED).search(code)
    parts = compiled(_HUMP).findall(match[1]) if match else []
    return f"function: {' '.join(parts).lower()}." if parts else ""


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
