"""Files that exist only in the database, below one virtual folder; their texts are searched like documents."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from typing import TYPE_CHECKING

from holdfast.core.errors import NotFound
from holdfast.core.item import ItemChange, StoredItem, joined
from holdfast.intake.item_intake import LONGEST_NAME, MOST_PARTS

if TYPE_CHECKING:
    from holdfast.workspace import Workspace

ROOT = "memories"
_SPACE = "memory-files"
_LONGEST_FILE = 1_000_000
_MOST_FILES = 1_000
_DEEPEST_SHOWN = 2


class FileProblem(Exception):
    """What a model asked of a file cannot be done."""


class VirtualFiles:
    """Text files by path, all below `/memories`."""

    def __init__(self, ws: Workspace) -> None:
        self._ws = ws
        self._items = ws.items

    def exists(self, path: str) -> bool:
        """Is there a file or folder at this path?"""
        parts = _parts(path)
        return self._file(parts) is not None or self.is_folder(path)

    def is_folder(self, path: str) -> bool:
        """Is it the virtual folder itself, or a folder with at least one file?"""
        parts = _parts(path)
        return not parts or bool(self._items.under((_SPACE, *parts)))

    def read(self, path: str) -> str:
        """The text of a file."""
        found = self._file(_parts(path))
        if found is None:
            what = "is not a file" if self.is_folder(path) else "does not exist. Please provide a valid path"
            raise FileProblem(f"The path {path} {what}.")
        return str(found.value)

    def write(self, path: str, text: str) -> None:
        """Creates or replaces a file."""
        parts = _parts(path)
        if not parts or self.is_folder(path):
            raise FileProblem(f"The path {path} is not a file.")
        if len(text) > _LONGEST_FILE:
            raise FileProblem(f"A file has at most {_LONGEST_FILE:,} characters.")
        if self._file(parts) is None and len(self._items.under((_SPACE,))) >= _MOST_FILES:
            raise FileProblem(f"There are {_MOST_FILES:,} files already; delete some first.")
        if any(self._file(parts[:n]) is not None for n in range(1, len(parts))):
            raise FileProblem(f"A part of {path} is a file, not a folder.")
        self._items.change([ItemChange((_SPACE, *parts[:-1]), parts[-1], text)])
        self._ws.add_document(_document(parts), self.read(path), "markdown", label=_SPACE)

    def delete(self, path: str) -> None:
        """Deletes a file, or a folder with everything in it."""
        parts = _parts(path)
        if not parts:
            raise FileProblem(f"Cannot delete the /{ROOT} directory itself")
        found = list(self._below(parts))
        if not found:
            raise FileProblem(f"The path {path} does not exist")
        self._items.change([ItemChange(item.space, item.key) for item in found])
        for item in found:
            self._unindex(item)

    def rename(self, old: str, new: str) -> None:
        """Moves a file or a folder."""
        parts, target = _parts(old), _parts(new)
        if not parts:
            raise FileProblem(f"Cannot rename the /{ROOT} directory itself")
        if not list(self._below(parts)):
            raise FileProblem(f"The path {old} does not exist")
        if self.exists(new):
            raise FileProblem(f"The destination {new} already exists")
        if target[: len(parts)] == parts:
            raise FileProblem(f"The destination {new} is inside {old}")
        moved = [((*item.space[1:], item.key)[len(parts) :], str(item.value)) for item in self._below(parts)]
        for rest, text in moved:
            self.write("/".join(("", ROOT, *target, *rest)), text)
        self.delete(old)

    def listed(self, path: str) -> Iterator[tuple[str, str]]:
        """The size and path of a folder, and of the files and folders in it up to two levels deep."""
        parts = _parts(path)
        sizes: dict[str, int] = {}
        for item in self._items.under((_SPACE, *parts)):
            inside = (*item.space[1:], item.key)[len(parts) :]
            if any(part.startswith(".") for part in inside):
                continue
            for depth in range(min(len(inside), _DEEPEST_SHOWN) + 1):
                name = "/".join(inside[:depth]) + ("/" if 0 < depth < len(inside) else "")
                sizes[name] = sizes.get(name, 0) + len(str(item.value).encode())
        base = path.rstrip("/")
        yield _size(sizes.pop("", 0)), base
        yield from ((_size(sizes[name]), f"{base}/{name}") for name in sorted(sizes))

    def clear(self) -> None:
        """Deletes all files."""
        for item in self._items.under((_SPACE,)):
            self._unindex(item)
        self._items.clear((_SPACE,))

    def _unindex(self, item: StoredItem) -> None:
        with suppress(NotFound):  # An empty file was never indexed.
            self._ws.remove_document(_document((*item.space[1:], item.key)))

    def _file(self, parts: tuple[str, ...]) -> StoredItem | None:
        return self._items.get((_SPACE, *parts[:-1]), parts[-1]) if parts else None

    def _below(self, parts: tuple[str, ...]) -> Iterator[StoredItem]:
        """The file at a path, or all files of the folder there."""
        found = self._file(parts)
        yield from (found,) if found else self._items.under((_SPACE, *parts))


def _parts(path: str) -> tuple[str, ...]:
    """The parts of a path below the virtual folder. Raises FileProblem for a path that leads elsewhere."""
    first, _, rest = path.removeprefix("/").partition("/")
    if not path.startswith("/") or first != ROOT:
        raise FileProblem(f"Path must start with /{ROOT}, got: {path}")
    parts = tuple(part for part in rest.split("/") if part)
    if len(parts) > MOST_PARTS or any(len(part) > LONGEST_NAME for part in parts):
        raise FileProblem(f"A path has at most {MOST_PARTS} names of at most {LONGEST_NAME} characters.")
    if any(part in (".", "..") or not part.isprintable() or "\\" in part for part in parts):
        raise FileProblem(f"Path {path} would escape /{ROOT} directory")
    return parts


def _document(parts: tuple[str, ...]) -> str:
    return joined((_SPACE, *parts))


def _size(count: int) -> str:
    """A number of bytes as people write it: 512B, 1.5K."""
    size, units = float(count), iter("BKMG")
    unit = next(units)
    while size >= 1024 and unit != "G":
        size, unit = size / 1024, next(units)
    return f"{size:.0f}{unit}" if size == int(size) else f"{size:.1f}{unit}"
