"""What recall reads from the store."""

from __future__ import annotations

from typing import Protocol

from holdfast.store.reading import DocumentReading, PassageReading, SearchReading


class PassageSearch(SearchReading, PassageReading, Protocol):
    """Finds passages and reads their properties."""


class RecallReading(PassageSearch, DocumentReading, Protocol):
    """What the steps of all recipes read."""
