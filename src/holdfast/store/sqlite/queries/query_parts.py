"""What all readers share: the database, the clock, the vector indexes and the parameters of filters."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from datetime import datetime
from typing import TYPE_CHECKING, Any

from holdfast.core.answer import Filters
from holdfast.store.rows.memory_rows import parameters_of
from holdfast.store.sqlite.sqlite_statements import statements
from holdfast.store.sqlite.vector_indexes import VectorIndexes

if TYPE_CHECKING:
    from holdfast.store.sqlite.database import Database


class SqliteReader:
    """Reads named statements of `reading.sql`."""

    def __init__(self, database: Database, now: Callable[[], datetime]) -> None:
        self._database = database
        self._now = now
        self._indexes = VectorIndexes(database)

    def close(self) -> None:
        """Frees the vector indexes."""
        self._indexes.clear()

    def _rows(self, name: str, parameters: Mapping[str, Any]) -> list[Any]:
        return self._database.read(statements("reading")[name], parameters)

    def _plain(self, name: str, parameters: Mapping[str, Any]) -> list[tuple[Any, ...]]:
        return self._database.read_plain(statements("reading")[name], parameters)

    def _seen(self, project: str) -> tuple[str, ...]:
        """The project, and the one with the memories of the person who works in it."""
        return (project, *(row[0] for row in self._plain("seen", {"project": project}) if row[0] is not None))

    def _filter(self, project: str, filters: Filters) -> dict[str, Any]:
        """The parameters of the `filter` and `placed` fragments."""
        return {**parameters_of(project, filters, self._now()), **self._partition(project, filters)}

    def _partition(self, project: str, filters: Filters) -> dict[str, Any]:
        """The parameters that can be checked on a passage without reading the row of its memory or document."""
        about = json.dumps(self._about(project, filters)) if filters.files else None
        kinds = json.dumps(filters.types) if filters.types else None
        return {"project": project, "about": about, "kinds": kinds}

    def _about(self, project: str, filters: Filters) -> list[int]:
        """The passages that mention one of the filter's files, or a file below one of its folders."""
        files = json.dumps([path.rstrip("/") for path in filters.files])
        return [row[0] for row in self._rows("about", {"project": project, "files": files})]


def needs_rows(filters: Filters) -> bool:
    """Whether the filters go beyond types and files, so that the rows of memories or documents must be read."""
    return filters != Filters(types=filters.types, files=filters.files)
