"""The files of a project that are searched as code, and how each is cut."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Mapping
from functools import cache
from typing import TYPE_CHECKING

from holdfast.codegraph.code_files import LARGEST, discover_code
from holdfast.codegraph.encoding import decode
from holdfast.codegraph.languages.language_registry import language_name
from holdfast.codegraph.passages.spans import code_spans
from holdfast.codegraph.read_files import why_skipped
from holdfast.core.code import CodeText
from holdfast.core.frozen import frozen

if TYPE_CHECKING:
    from holdfast.store.writing.graph import GraphWriting

_FORMATS = os.path.join(os.path.dirname(__file__), "other_code.txt")
# Files of other formats are often data.
_LARGEST_OTHER = 100_000


@frozen
class CodeTexts:
    """Reads the code of one project for searches."""

    graph: GraphWriting
    project: str
    root: str

    def files(self) -> Mapping[str, tuple[int, int]]:
        """Returns the size and time of all files that are searched as code, by path."""
        found = discover_code(self.root, others=other_formats())
        others = {path: file for path, file in found.others.items() if file.size <= _LARGEST_OTHER}
        return {path: (file.size, file.mtime_ns) for path, file in (*found.files.items(), *others.items())}

    def read(self, path: str) -> CodeText | None:
        """Reads one file; None if it is no readable text, or if it is generated, minified or a copy."""
        flags = os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_BINARY", 0)
        try:
            with os.fdopen(os.open(os.path.join(self.root, path), flags), "rb") as file:
                status, source = os.fstat(file.fileno()), file.read(LARGEST + 1)
        except OSError:
            return None
        if why_skipped(path, source, self.root) is not None:
            return None
        text = source.decode("utf-8-sig", "replace")
        hash = hashlib.blake2b(source, digest_size=16).hexdigest()
        made = CodeText(path, status.st_size, status.st_mtime_ns, hash, text)
        record = self.graph.record(self.project, path) if language_name(path) else None
        decoded = decode(record) if record is not None else None
        # The file may have changed since it was indexed; then it is cut by its indentation until the next run.
        is_current = decoded is not None and decoded.hash == hash
        return made._replace(spans=code_spans(text, decoded.definitions)) if decoded and is_current else made


@cache
def other_formats() -> frozenset[str]:
    """The endings of further formats, for which there is no grammar."""
    with open(_FORMATS, encoding="utf-8") as file:
        return frozenset(line.strip() for line in file if line.strip() and not line.startswith("#"))
