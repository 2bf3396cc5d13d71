"""Texts as models can take them."""

from __future__ import annotations


def sendable(text: str) -> str:
    """The text with half characters (lone surrogates) replaced: neither tokenizers nor JSON can carry them."""
    return text.encode("utf-8", "replace").decode("utf-8")
