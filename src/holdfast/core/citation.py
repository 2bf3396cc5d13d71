"""How memories are cited in prompts. Hooks import this module, so it imports nothing."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

CITATION_LENGTH = 40
# Injected text is wrapped in this tag, so that what reads the session later can tell it from what was said.
TAG = "holdfast-memory"


def cite(content: str) -> str:
    """Shortens a text to at most forty characters, at a word boundary if possible."""
    line = " ".join(content.split())
    if len(line) <= CITATION_LENGTH:
        return line
    cut = line[: CITATION_LENGTH - 1]
    return (cut[: cut.rfind(" ")] if " " in cut[20:] else cut).rstrip(" ,;:.-") + "…"


def memory_line(short_id: str, label: str, text: str, about: Iterable[str]) -> str:
    """One memory as a line of a prompt: its citation, its text, and what is known about it."""
    return one_line(f"- [Memory #{short_id}: {label_of(label)}] {text} ({' · '.join(about)})")


def label_of(text: str) -> str:
    """The text in a citation, without the brackets that would end it."""
    return one_line(text).replace("]", ")").replace("[", "(")


def one_line(text: str) -> str:
    """Puts a text on one line without control characters, so that it cannot pass for a heading or a new speaker."""
    line = " ".join(text.split())
    return "".join(ch for ch in line if ch.isprintable())


def wrapped(text: str) -> str:
    """Wraps a text for a prompt in our tag; a memory that contains the tag cannot close it."""
    return f"<{TAG}>\n{text.replace(f'{TAG}>', f'{TAG} >')}\n</{TAG}>"
