"""The files of a project as resolvers see them, loaded from the store when they are needed."""

from __future__ import annotations

from collections.abc import Callable, Collection

from holdfast.codegraph.code_records import FileRecord
from holdfast.codegraph.encoding import decode

_MOST_KEPT = 60


class StoredFiles:
    """`ProjectFiles` on a store. Keeps only a few records: a resolver keeps the part it needs."""

    def __init__(
        self, paths: Collection[str], load: Callable[[str], bytes | None], text: Callable[[str], str | None]
    ) -> None:
        self._paths = frozenset(paths)
        self._load = load
        self._text = text
        self._latest: dict[str, FileRecord] = {}

    @property
    def paths(self) -> Collection[str]:
        """All code files."""
        return self._paths

    def record(self, path: str) -> FileRecord | None:
        """Returns the record of a file: files that need each other are often resolved one after the other."""
        found = self._latest.pop(path, None)
        if found is None:
            data = self._load(path) if path in self._paths else None
            if data is None:
                return None
            found = decode(data)
            if len(self._latest) >= _MOST_KEPT:
                del self._latest[next(iter(self._latest))]
        self._latest[path] = found
        return found

    def text(self, path: str) -> str | None:
        """Returns the text of a configuration file."""
        return self._text(path)
