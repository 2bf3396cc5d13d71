"""Plans and makes the changes that connect a program, and undoes them.

A file that nobody has edited since is restored byte by byte; from an edited one only our entries are removed. The
state and the backups lie in a folder of their own.
"""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any

from holdfast.agents.connect.edits import FileEdit
from holdfast.core.errors import FileNotWritten, InvalidFile
from holdfast.core.frozen import frozen
from holdfast.system.files import link_below, read_file, replace_file

_MOST_BYTES = 50 * 1024 * 1024
_LINKED = "It may lead to any file of yours. Connect the file itself, or put one in the place of the link."


@frozen
class FileChange:
    """A planned change of a file: its bytes before and after; None where there is no file.

    `target` is the file that a link at `path` leads to. `original` are its bytes without us, to be restored later; None
    if we make the file.
    """

    path: str
    target: str
    before: bytes | None
    after: bytes | None
    original: bytes | None = None
    connects: bool = True

    @property
    def is_needed(self) -> bool:
        return self.before != self.after


@frozen
class RestorePoint:
    """The record of a file that we changed: its backup (None: there was no file), its hash then, folders we made."""

    backup: str | None
    after: str
    made: tuple[str, ...] = ()


class Connections:
    """The files of a user that were changed to connect programs."""

    def __init__(self, folder: str) -> None:
        self._folder = folder
        self._file = os.path.join(folder, "connections.json")

    def plan(self, edits: Sequence[FileEdit]) -> tuple[FileChange, ...]:
        """The changes that connect a program, including those that are not needed any more."""
        return tuple(map(self._connecting, edits))

    def plan_removal(self, edits: Sequence[FileEdit]) -> tuple[FileChange, ...]:
        """The changes that undo a program's connection."""
        return tuple(map(self._removing, edits))

    def apply(self, changes: Sequence[FileChange]) -> None:
        """Backs up and writes the files that change. Raises InvalidFile if one was changed since the plan was made."""
        needed = [change for change in changes if change.is_needed]
        for change in needed:
            if _read(change.target) != change.before:
                raise InvalidFile(f"{change.path} was changed meanwhile", hint="Run the command again.")
        # A removal goes backwards: the file that was made first knows the folders that were made for it.
        for change in needed if all(change.connects for change in needed) else reversed(needed):
            self._apply(change)

    def _connecting(self, edit: FileEdit) -> FileChange:
        target = _target(edit)
        before = _read(target)
        text = _decoded(edit.path, before)
        with _naming(edit.path):
            after = edit.add(edit.remove(text) or "")
            if before is not None and edit.same(after, text):
                return FileChange(edit.path, target, before, before)
            original = self._without_us(edit, before, text)
        return FileChange(edit.path, target, before, after.encode(), original)

    def _removing(self, edit: FileEdit) -> FileChange:
        target = _target(edit)
        before = _read(target)
        text = _decoded(edit.path, before)
        with _naming(edit.path):
            left = self._without_us(edit, before, text)
        return FileChange(edit.path, target, before, left, connects=False)

    def _without_us(self, edit: FileEdit, before: bytes | None, text: str) -> bytes | None:
        """The file's bytes without our entries; None where there is no file, and where nothing in it is the user's."""
        if before is None:
            return None
        point = self._points().get(edit.path)
        is_made_by_us = point is not None and point.backup is None
        if point is not None and point.after == _hash(before):  # Nobody has edited it since.
            backup = self._backup(point)
            if is_made_by_us or backup is not None:
                return backup
        left = edit.remove(text)
        if left is None or (is_made_by_us and left != text and left.strip() in ("", "{}")):
            return None
        return left.encode()

    def _apply(self, change: FileChange) -> None:
        points = dict(self._points())
        known = points.pop(change.path, None)
        if change.after is None:
            os.unlink(change.target)
            _remove_folders(known.made if known else ())
        else:
            made = _make_folders(os.path.dirname(change.target))
            if change.connects:
                backup = self._back_up(change)
                points[change.path] = RestorePoint(backup, _hash(change.after), made or (known.made if known else ()))
            _write(change.target, change.after)
        self._save(points)

    def _back_up(self, change: FileChange) -> str | None:
        if change.original is None:
            return None
        name = f"{hashlib.sha256(change.path.encode()).hexdigest()[:16]}-{os.path.basename(change.path)}"
        _make_folders(self._folder)
        _write(os.path.join(self._folder, name), change.original)
        return name

    def _backup(self, known: RestorePoint) -> bytes | None:
        return None if known.backup is None else _read(os.path.join(self._folder, known.backup))

    def _points(self) -> Mapping[str, RestorePoint]:
        try:
            stored: Any = json.loads(_read(self._file) or b"{}")
            return {path: RestorePoint(p["backup"], p["after"], tuple(p["made"])) for path, p in stored.items()}
        except (ValueError, TypeError, KeyError, AttributeError):
            return {}  # Without its state, a connection can still be removed entry by entry.

    def _save(self, points: Mapping[str, RestorePoint]) -> None:
        stored = {path: {"backup": p.backup, "after": p.after, "made": p.made} for path, p in points.items()}
        _make_folders(self._folder)
        _write(self._file, json.dumps(stored, indent=1, sort_keys=True).encode())


@contextmanager
def _naming(path: str) -> Iterator[None]:
    """Adds the file's path to errors about its content."""
    try:
        yield
    except InvalidFile as error:
        hint = "Correct the file, or add the entries by hand (docs/integrations)."
        raise InvalidFile(f"{path}: {error.detail}", hint=hint) from error


def _decoded(path: str, content: bytes | None) -> str:
    try:
        return (content or b"").decode("utf-8")
    except UnicodeDecodeError as error:
        raise InvalidFile(f"{path} is not UTF-8 text", hint="Convert the file first.") from error


def _target(edit: FileEdit) -> str:
    """The file to change. People link their settings to another place; a link in a project may be a stranger's."""
    if not edit.root:
        return os.path.realpath(edit.path)
    if link := link_below(edit.root, edit.path):
        raise InvalidFile(f"{link} is a link", hint=_LINKED)
    return edit.path


def _read(path: str) -> bytes | None:
    try:
        return read_file(path, _MOST_BYTES)
    except FileNotFoundError:
        return None
    except OSError as error:
        hint = "Check the file, or add the entries by hand (docs/integrations)."
        raise InvalidFile(f"{path} cannot be read ({error.strerror})", hint=hint) from error


def _write(path: str, content: bytes) -> None:
    try:
        replace_file(path, content)
    except OSError as error:
        raise FileNotWritten(f"{path} ({error.strerror})") from error


def _make_folders(folder: str) -> tuple[str, ...]:
    """Makes a folder and those above it; returns those that were missing, the innermost first."""
    missing: list[str] = []
    while folder and not os.path.isdir(folder):
        missing.append(folder)
        folder = os.path.dirname(folder)
    try:
        for made in reversed(missing):
            os.mkdir(made, 0o700)
    except OSError as error:
        raise InvalidFile(f"{missing[0]} cannot be made ({error.strerror})", hint="Check its permissions.") from error
    return tuple(missing)


def _remove_folders(folders: Sequence[str]) -> None:
    for folder in folders:
        try:
            os.rmdir(folder)
        except OSError:  # Somebody uses it by now.
            return


def _hash(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()
