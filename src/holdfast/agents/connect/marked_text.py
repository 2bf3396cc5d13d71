"""Adds a marked section to a text file for agents, such as AGENTS.md, and takes it out again."""

from __future__ import annotations

_BEGIN, _END = "<!-- holdfast: begin -->", "<!-- holdfast: end -->"


def add_section(text: str, section: str) -> str:
    """The text with our section at its end, or in the place of an older one."""
    block = f"{_BEGIN}\n{section.strip()}\n{_END}\n"
    start, end = _place(text)
    if start >= 0:
        return text[:start] + block + text[end:]
    gap = "" if not text or text.endswith("\n\n") else "\n" if text.endswith("\n") else "\n\n"
    return text + gap + block


def remove_section(text: str) -> str:
    """The text without our section and the empty line before it."""
    start, end = _place(text)
    if start < 0:
        return text
    before = text[:start]
    return (before[:-1] if before.endswith("\n\n") and not text[end:] else before) + text[end:]


def _place(text: str) -> tuple[int, int]:
    start = text.find(_BEGIN)
    end = text.find(_END, start)
    if start < 0 or end < 0:
        return -1, -1
    after = end + len(_END)
    return start, after + 1 if text[after : after + 1] == "\n" else after
