"""A memory as hooks need it, read without building the whole record."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any


class LightMemory:
    """A memory with the fields that decide whether a hook may show it. `confidence` is that after decay."""

    __slots__ = (
        "access_count", "citation", "confidence", "content", "contradicts", "day", "files", "id", "needs_review",
        "personal", "quarantined", "source", "type", "verified",
    )  # fmt: skip

    def __init__(self, row: Mapping[str, Any]) -> None:
        self.id: str = row["id"]
        self.type: str = row["type"]
        self.content: str = row["content"]
        self.citation: str = row["citation"]
        self.files: tuple[str, ...] = tuple(row["files"].split("\n")) if row["files"] else ()
        self.day: str = row["day"]
        self.source: str = row["source"]
        self.access_count: int = row["access_count"]
        self.verified = bool(row["verified"])
        self.personal = bool(row["personal"])
        self.quarantined = bool(row["quarantined"])
        self.needs_review = bool(row["needs_review"])
        self.contradicts: tuple[str, ...] = tuple(row["contradicts"].split("\n")) if row["contradicts"] else ()
        decays = row["half_life"] is not None and not row["protected"]
        factor = 0.5 ** (max(0.0, row["days"]) / row["half_life"]) if decays else 1.0
        self.confidence: float = row["confidence"] * factor
