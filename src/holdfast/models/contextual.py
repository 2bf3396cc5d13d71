"""What is embedded of a memory: its text, led by what a reader would need to know about it (R-B3)."""

from __future__ import annotations

from holdfast.core.memory import Memory


def memory_text(memory: Memory, before: Memory | None = None) -> str:
    """`Files: … | Module: … | Type: …` and the content; for an episode, who said it when.

    `before` is the episode said just before this one; with it the text is that of the pair.
    """
    if memory.type != "episode":
        return f"{_context(memory)}\n\n{memory.content}"
    said = _said(memory)
    return f"{_said(before)}\n{said}" if before is not None else said


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
