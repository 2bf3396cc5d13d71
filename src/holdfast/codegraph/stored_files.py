"""The files of a project as resolvers see them, loaded from the store when they are needed."""

from __future__ import annotations

from collections.abc import Callable, Collection

from holdfast.codegraph.encoding import decode
from holdfast.codegraph.records import FileRecord


class StoredFiles:
    """`ProjectFiles` on a store. Does not keep records: a resolver keeps the part it needs."""

    def __init__(
        self, paths: Collection[str], load: Callable[[str], bytes | None], text: Callable[[str], str | None]
    ) -> None:
        self._paths = frozenset(paths)
        self._load = load
        self._text = text
        self._latest: FileRecord | None = None

    @property
    def paths(self) -> Collection[str]:
        """All code files."""
        return self._paths

    def record(self, path: str) -> FileRecord | None:
        """Returns the record of a file. Only the latest is kept."""
        if self._latest is not None and self._latest.path == path:
            return self._latest
        data = self._load(path) if path in self._paths else None
        if data is None:
            return None
        self._latest = decode(data)
        return self._latest

    def text(self, path: str) -> str | None:
        """Returns the text of a configuration file."""
        return self._text(path)
