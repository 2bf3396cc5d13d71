"""Reads and writes files in a project's folder: never follows links, and writes a file whole or not at all."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from holdfast.core.errors import FileNotWritten, InvalidFile
from holdfast.core.frozen import frozen
from holdfast.system.files import (
    create_file,
    exchange,
    link_below,
    make_folders,
    open_to_append,
    read_file,
    replace_file,
    sync_folder,
    write_all,
    write_part,
)
from holdfast.system.locking import locked

# Seconds to wait for the lock: longer than a language model may take to shorten a page.
_PATIENCE = 45.0
# No file that Holdfast writes here is larger.
_LARGEST = 256 * 1024 * 1024
_LINKED = "Holdfast does not follow links out of a project. Remove the link, or set memory_files to off."


@frozen
class Folder:
    """A folder of Holdfast below a project's root, created by the first write.

    Only the user can read it and its new files, because they contain conversations; a file that exists keeps its mode.
    Its own `.gitignore` keeps them out of git until the person empties that file.
    """

    root: Path
    parts: tuple[str, ...] = (".holdfast", "memory")

    @property
    def path(self) -> Path:
        return self.root.joinpath(*self.parts)

    def subfolder(self, name: str) -> Folder:
        return Folder(self.root, (*self.parts, name))

    @property
    def is_present(self) -> bool:
        """Is there such a folder, and no link on the way to it? Nothing was ever written through a link."""
        ways = (self.root.joinpath(*self.parts[:n]) for n in range(1, len(self.parts) + 1))
        return self.path.is_dir() and not any(map(os.path.islink, ways))

    def read(self, name: str) -> bytes | None:
        """The bytes of a file, or None if it does not exist. Raises InvalidFile."""
        path = self._checked(name)
        try:
            return read_file(path, _LARGEST)
        except FileNotFoundError:
            return None
        except OSError as error:
            raise _failed(path, "read", error) from error

    def write(self, name: str, content: bytes) -> None:
        """Replaces a file atomically: a reader sees the old or the new content. Survives a power cut."""
        path = self._created(name)
        try:
            replace_file(path, content)
        except OSError as error:
            raise _failed(path, "written", error) from error

    def write_over(self, name: str, content: bytes, expected: bytes | None) -> bool:
        """Replaces a file only if its content is still the expected one, or None if it must not exist.

        Returns False if somebody saved the file in the meantime; their version then stays. Where files cannot be
        swapped in one step, a save in the last microseconds before the replacement is overwritten.
        """
        path = self._created(name)
        try:
            temporary = Path(write_part(path, content))
            try:
                done = _swap(temporary, path, content, expected)
            finally:
                temporary.unlink(missing_ok=True)
            sync_folder(str(path.parent))
        except OSError as error:
            raise _failed(path, "written", error) from error
        return done

    def append(self, name: str, content: bytes | Callable[[bytes], bytes], *, durable: bool = True) -> None:
        """Appends to a file in one write, which survives a power cut if `durable`.

        `content` may be a function of the file's last byte, which is empty for a new file.
        """
        path = self._created(name)
        try:
            handle = open_to_append(path)
            try:
                write_all(handle, content(_last_byte(handle)) if callable(content) else content)
                if durable:
                    os.fsync(handle)
            finally:
                os.close(handle)
        except OSError as error:
            raise _failed(path, "written", error) from error

    def names(self) -> list[str]:
        """The names of its files, without hidden ones."""
        folder = self._checked("x").parent
        if not folder.is_dir():
            return []
        with os.scandir(folder) as entries:
            return sorted(e.name for e in entries if e.is_file(follow_symlinks=False) and not e.name.startswith("."))

    def remove(self, name: str) -> None:
        """Deletes a file."""
        self._checked(name).unlink(missing_ok=True)

    def remove_parts(self) -> None:
        """Deletes what killed processes had begun to write. The caller holds the lock: nobody writes now."""
        for part in self.path.glob(".*.part"):
            part.unlink(missing_ok=True)

    def rename(self, name: str, to: str) -> None:
        path = self._checked(name)
        try:
            os.replace(path, self._checked(to))
        except OSError as error:
            raise _failed(path, "renamed", error) from error

    @contextmanager
    def locked(self) -> Iterator[None]:
        """Holds the folder's lock, one thread or process at a time. Raises StoreBusy after 45 seconds."""
        with locked(self._created(".lock"), _PATIENCE):
            yield

    def _checked(self, name: str) -> Path:
        """The path of a file. Raises InvalidFile if it, or a folder between it and the root, is a link."""
        for part in (*self.parts, name):
            if part in ("", ".", "..") or "/" in part or "\\" in part or "\0" in part:
                raise InvalidFile(f"{part!r} is not a file name", hint="Use a plain name.")
        path = self.path / name
        if link := link_below(self.root, path):
            raise InvalidFile(f"{link} is a link", hint=_LINKED)
        return path

    def _created(self, name: str) -> Path:
        path = self._checked(name)
        if not path.parent.is_dir():
            if not self.root.is_dir():
                raise InvalidFile(f"{self.root} does not exist", hint="Name the folder of the project with --project.")
            try:
                make_folders(path.parent)
                _keep_out_of_git(self.root.joinpath(*self.parts[:2]))
            except OSError as error:
                raise _failed(path.parent, "created", error) from error
        return path


def _keep_out_of_git(folder: Path) -> None:
    """Writes a `.gitignore`, because memories may be personal; a person who wants to commit them empties it once."""
    file = folder / ".gitignore"
    if not file.exists() and not file.is_symlink():
        handle = create_file(file)
        write_all(handle, b"*\n")
        os.close(handle)


def _swap(temporary: Path, path: Path, content: bytes, expected: bytes | None) -> bool:
    if expected is None:
        try:
            os.link(temporary, path)  # Unlike a rename, it fails if the file exists.
        except FileExistsError:
            return False
        return True
    if not exchange(str(temporary), str(path)):
        unchanged = _content(path) == expected
        if unchanged:
            os.replace(temporary, path)
        return unchanged
    # The replaced file is still there, with everything that was saved before the swap.
    if _content(temporary) == expected:
        return True
    exchange(str(temporary), str(path))
    if _content(temporary) != content:
        os.replace(temporary, path)  # It was saved again between the two swaps: the latest version wins.
    return False


def _content(path: Path) -> bytes | None:
    try:
        return read_file(path, _LARGEST)
    except FileNotFoundError:
        return None


def _last_byte(handle: int) -> bytes:
    size = os.fstat(handle).st_size
    os.lseek(handle, max(0, size - 1), os.SEEK_SET)
    return os.read(handle, 1)


def _failed(path: Path, what: str, error: OSError) -> InvalidFile:
    if what == "written":
        return FileNotWritten(f"{path} ({error.strerror})")
    return InvalidFile(f"{path} cannot be {what} ({error.strerror})", hint="Check its folder and its permissions.")
