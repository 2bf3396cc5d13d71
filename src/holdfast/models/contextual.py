"""What is embedded of a memory or a document: its text, led by what a reader would need to know about it (R-B3)."""

from __future__ import annotations

import re

from holdfast.core.document import Chunk
from holdfast.core.memory import Memory

_SENTENCE = re.compile(r"(?<=[.!?])\s+(?=[^\W\d_a-z]|[\"'(])|\n+|(?<=[。！？])")
_SHORTEST, _LONGEST, _SENTENCES = 15, 600, 12
_DEFINED = re.compile(r"\b(?:def|func|function|fn|class|interface|struct|trait|sub)\s+([A-Za-z_]\w*)")
_HUMP = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|[0-9]+")


def memory_text(memory: Memory, before: Memory | None = None) -> str:
    """`Files: … | Module: … | Type: …` and the content; for an episode, who said it when.

    `before` is the episode said just before this one; with it the text is that of the pair.
    """
    if memory.type != "episode":
        return f"{_context(memory)}\n\n{memory.content}"
    said = _said(memory)
    return f"{_said(before)}\n{said}" if before is not None else said


def passage_text(found: Memory | Chunk) -> str:
    """What is embedded of either."""
    return chunk_text(found) if isinstance(found, Chunk) else memory_text(found)


def chunk_text(chunk: Chunk) -> str:
    """The headings it stands under and its text; in code, the lines that open the definitions around it."""
    return f"{' > '.join(chunk.heading)}\n\n{chunk.text}" if chunk.heading else chunk.text


def views_of(found: Memory | Chunk, kind: str) -> tuple[str, ...]:
    """What deserves a vector of its own beside the whole: single sentences, and the name of a function.

    Why: people mention things in passing, and a turn about something else hides the one sentence that matters. What an
    assistant said is long and to the point: its sentences would cost much and tell little.
    """
    if isinstance(found, Chunk):
        named = _named(found.text) if kind == "code" else ""
        return (f"{named}\n{found.text}",) if named else ()
    if found.source_role == "assistant" and kind == "episode":
        return ()
    sentences = [sentence.strip()[:_LONGEST] for sentence in _SENTENCE.split(found.content[: _LONGEST * _SENTENCES])]
    told = tuple(sentence for sentence in sentences if len(sentence) >= _SHORTEST)[:_SENTENCES]
    # Why: a message is embedded nearly as it stands, so that its only sentence would say the same again.
    return () if kind == "episode" and len(told) < 2 else told


def _named(code: str) -> str:
    """The first definition's name in words: `def parseHTTPDate` is `function: parse http date.`"""
    match = _DEFINED.search(code)
    parts = _HUMP.findall(match[1]) if match else []
    return f"function: {' '.join(parts).lower()}." if parts else ""


def _context(memory: Memory) -> str:
    parts = []
    if memory.files:
        parts.append(f"Files: {', '.join(memory.files)}")
    if memory.modules:
        parts.append(f"Module: {memory.modules[0]}")
    parts.append(f"Type: {memory.type}")
    return " | ".join(parts)


def _said(episode: Memory) -> str:
    day = (episode.event_time or episode.created_at).date().isoformat()
    return f"{episode.source_role}, {day}: {episode.content}" if episode.source_role else f"{day}: {episode.content}"
