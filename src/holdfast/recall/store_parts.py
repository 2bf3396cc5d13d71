"""The parts of the store that recall reads."""

from __future__ import annotations

from typing import Protocol

from holdfast.store.reading import DocumentReading, MemoryReading, PassageReading, SearchReading, WordReading


class PassageSearch(WordReading, SearchReading, PassageReading, Protocol):
    """Finds passages and reads their properties."""


class RecallReading(PassageSearch, DocumentReading, MemoryReading, Protocol):
    """Everything that recall reads; each step takes only the Protocol it needs."""
