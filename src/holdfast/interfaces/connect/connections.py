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

from holdfast.core.errors import FileNotWritten, InvalidFile
from holdfast.core.frozen import frozen
from holdfast.interfaces.connect.edits import FileEdit

_MOST_BYTES = 50 * 1024 * 1024


@frozen
class FileChange:
    """A planned change of a file: its bytes before and after; None where there is no file.

    `original` are its bytes without us, to be restored later; None if we make the file.
    """

    path: str
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
            if _read(change.path) != change.before:
                raise InvalidFile(f"{change.path} was changed meanwhile", hint="Run the command again.")
        # A removal goes backwards: the file that was made first knows the folders that were made for it.
        for change in needed if all(change.connects for change in needed) else reversed(needed):
            self._apply(change)

    def _connecting(self, edit: FileEdit) -> FileChange:
        before = _read(edit.path)
        text = _decoded(edit.path, before)
        with _naming(edit.path):
            base = edit.remove(text)
            after = edit.add(base)
            is_connected = before is not None and edit.same(after, text)
        if is_connected:
            return FileChange(edit.path, before, before)
        known = self._point(edit.path, before)
        original = self._backup(known) if known else None if before is None else base.encode()
        return FileChange(edit.path, before, after.encode(), original)

    def _removing(self, edit: FileEdit) -> FileChange:
        before = _read(edit.path)
        if before is None:
            return FileChange(edit.path, None, None, connects=False)
        known = self._point(edit.path, before)
        if known is not None:
            return FileChange(edit.path, before, self._backup(known), connects=False)
        text = _decoded(edit.path, before)
        with _naming(edit.path):
            left = edit.remove(text)
        ours = edit.path in self._points() and self._points()[edit.path].backup is None
        gone = left != text and (not left.strip() or (ours and left.strip() == "{}"))
        return FileChange(edit.path, before, None if gone else left.encode(), connects=False)

    def _apply(self, change: FileChange) -> None:
        points = dict(self._points())
        known = points.pop(change.path, None)
        target = os.path.realpath(change.path)
        if change.after is None:
            os.unlink(target)
            _remove_folders(known.made if known else ())
        else:
            made = _make_folders(os.path.dirname(target))
            if change.connects:
                backup = self._back_up(change)
                points[change.path] = RestorePoint(backup, _hash(change.after), made or (known.made if known else ()))
            _write(target, change.after)
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

    def _point(self, path: str, current: bytes | None) -> RestorePoint | None:
        """The restore point of a file, if nobody has edited the file since."""
        known = self._points().get(path)
        return known if known is not None and current is not None and known.after == _hash(current) else None

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


def _read(path: str) -> bytes | None:
    try:
        with open(path, "rb") as opened:
            content = opened.read(_MOST_BYTES + 1)
    except FileNotFoundError:
        return None
    except OSError as error:
        raise InvalidFile(f"{path} cannot be read ({error.strerror})", hint="Check its permissions.") from error
    if len(content) > _MOST_BYTES:
        raise InvalidFile(f"{path} is too large", hint="Add the entries by hand (docs/integrations).")
    return content


def _write(path: str, content: bytes) -> None:
    """Replaces a file as a whole and keeps its permissions; a new one is readable by its owner alone."""
    partial = f"{path}.holdfast-part"
    try:
        mode = os.stat(path).st_mode & 0o777 if os.path.exists(path) else 0o600
        with open(os.open(partial, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, mode), "wb") as opened:
            opened.write(content)
            opened.flush()
            os.fsync(opened.fileno())
        os.chmod(partial, mode)
        os.replace(partial, path)
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
