"""Reads files of a project and the symbols in them, as far as they are safe to read."""

from __future__ import annotations

import hashlib
import os
import stat
from collections import Counter
from functools import cached_property

from holdfast.codegraph.code_files import LARGEST
from holdfast.codegraph.code_records import Definition
from holdfast.codegraph.languages.language_registry import language, language_name
from holdfast.codegraph.read_files import why_skipped
from holdfast.codegraph.symbols import text_hash
from holdfast.core.frozen import frozen
from holdfast.system.files import read_file

_KEPT = 16
FileSizeAndTime = tuple[int, int]


@frozen
class CodeSnippet:
    """The text of a file or of a symbol in it; `hash` identifies it."""

    symbol: str
    text: str
    hash: str
    line: int | None = None
    end_line: int | None = None

    @property
    def lines(self) -> int:
        return self.text.count("\n") + 1


@frozen(slots=False)
class SourceFile:
    """A file as it was read."""

    path: str
    stamp: FileSizeAndTime
    source: bytes

    @cached_property
    def whole(self) -> CodeSnippet:
        """The whole file."""
        hash = hashlib.blake2b(self.source, digest_size=16).hexdigest()
        return CodeSnippet("", self.source.decode("utf-8", "replace"), hash)

    @cached_property
    def symbols(self) -> tuple[CodeSnippet, ...]:
        """The functions, classes and other definitions; none for a file that is no readable code.

        Overloads are left out where the function itself is defined.
        """
        name = language_name(self.path)
        if name is None or why_skipped(self.path, self.source) is not None:
            return ()
        try:
            record = language(name).extract(self.path, self.source, self.whole.hash)
        except Exception:  # noqa: BLE001 # Why: the file may be hostile, and memories about it can do without symbols.
            return ()
        named = [d for d in record.definitions if d.kind != "block"]
        defined = {d.qualified for d in named if not d.is_signature}
        return tuple(self._snippet(d) for d in named if not (d.is_signature and d.qualified in defined))

    @property
    def is_text(self) -> bool:
        """Is it text that can be shown and compared line by line?"""
        return b"\0" not in self.source

    def _snippet(self, definition: Definition) -> CodeSnippet:
        d = definition
        text = self.source[d.start_byte : d.end_byte]
        hash = text_hash(text, d.name)
        return CodeSnippet(d.qualified, text.decode("utf-8", "replace"), hash, d.start_line, d.end_line)


class CodeSources:
    """The files of a project. Keeps the last few, because several memories are about the same file."""

    def __init__(self, root: str) -> None:
        self._root = root
        self._kept: dict[str, SourceFile] = {}

    def stamp(self, path: str) -> FileSizeAndTime | None:
        """Returns the size and time of a file; None if there is no regular file. Links are not followed."""
        try:
            status = os.lstat(self._full(path))
        except (OSError, ValueError):
            return None
        return (status.st_size, status.st_mtime_ns) if stat.S_ISREG(status.st_mode) else None

    def read(self, path: str) -> SourceFile | None:
        """Reads a file; None if it is missing, too large, or reached through a link."""
        stamp, kept = self.stamp(path), self._kept.get(path)
        if stamp is None or stamp[0] > LARGEST:
            return None
        if kept is not None and kept.stamp == stamp:
            return kept
        full = self._full(path)
        try:
            if os.path.realpath(full) != full:
                return None
            source = read_file(full, LARGEST)
        except OSError:
            return None
        while len(self._kept) >= _KEPT:
            del self._kept[next(iter(self._kept))]
        self._kept[path] = SourceFile(path, stamp, source)
        return self._kept[path]

    def _full(self, path: str) -> str:
        return os.path.join(self._root, *path.split("/"))


def unchanged_share(old: str, new: str) -> float:
    """Returns the share of the old lines that the new text still has, 0 to 1; blank space does not count."""
    before, after = _lines(old), _lines(new)
    total = before.total()
    return (before & after).total() / total if total else 1.0


def _lines(text: str) -> Counter[str]:
    return Counter("".join(line.split()) for line in text.splitlines() if line.strip())
