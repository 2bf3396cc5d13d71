"""The parts of the store that recall reads."""

from __future__ import annotations

from typing import Protocol

from holdfast.store.reading import DocumentReading, PassageReading, SearchReading


class PassageSearch(SearchReading, PassageReading, Protocol):
    """Finds passages and reads their properties."""


class RecallReading(PassageSearch, DocumentReading, Protocol):
    """The reading interface of the steps of all recipes."""
