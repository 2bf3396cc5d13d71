"""Makes texts acceptable to tokenizers and JSON."""

from __future__ import annotations


def sendable(text: str) -> str:
    """Replaces lone surrogates, which neither tokenizers nor JSON accept, with question marks."""
    return text.encode("utf-8", "replace").decode("utf-8")
