"""Makes foreign text harmless in a prompt: no control characters, one line, or quoted line by line."""

from __future__ import annotations

from holdfast.core.citation import label_of, plain, unframed


def line(text: str) -> str:
    """Returns plain text on one line."""
    return " ".join(plain(text).split())


def label(text: str) -> str:
    """Returns plain text on one line that cannot close the brackets around it."""
    return label_of(text)


def quoted(text: str) -> str:
    """Marks every line as a quotation, so that a memory cannot pass for a heading, a speaker or another memory.

    Changes tags that agents give a meaning to: `<system-reminder>` in a tool result would read like one.
    """
    return "\n".join(f"> {part.rstrip()}" for part in unframed(text).split("\n") if part.strip())
