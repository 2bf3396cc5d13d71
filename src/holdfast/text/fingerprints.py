"""Tells whether two texts are the same, apart from case, spacing and final punctuation."""

from __future__ import annotations


def normalise(text: str) -> str:
    """Removes the differences that do not count: case, spacing and final punctuation."""
    return " ".join(text.split()).casefold().rstrip(" .!。！")


def fingerprint(text: str) -> str:
    """A short hash of the normalised text."""
    import hashlib

    return hashlib.sha256(normalise(text).encode()).hexdigest()[:32]
