"""Recognises texts that stay on this machine: secrets were removed from them, and nobody has released them since."""

from __future__ import annotations

# The beginning of the placeholder that replaces a secret, and of the one in a released text.
REMOVED_MARK = "[secret:"
RELEASED_MARK = "[removed "


def stays_local(text: str) -> bool:
    """Must this text not be sent to any model endpoint? Beside a removed secret there may be one that was missed."""
    return REMOVED_MARK in text


def released(text: str) -> str:
    """The text with placeholders that no longer keep it on this machine."""
    return text.replace(REMOVED_MARK, RELEASED_MARK)
