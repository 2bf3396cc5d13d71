"""Reads files that somebody else may have placed, and writes files and folders that only the user can read.

A cloned or unpacked project can contain links to devices and named pipes: reading one of them would never end, and
writing through a link would change another file of the user. Every file of a person is written here.
"""

from __future__ import annotations

import contextlib
import errno
import os
import stat
import sys

TYPE_CHECKING = False  # Not from typing: every hook imports this module.
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

# Open no symbolic link; O_BINARY keeps Windows from converting line ends.
NO_LINK = getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_BINARY", 0)
_NEVER_WAIT = getattr(os, "O_NONBLOCK", 0)
PRIVATE = 0o600
_PRIVATE_FOLDER = 0o700


def read_file(path: str | os.PathLike[str], most: int, *, links: bool = False) -> bytes:
    """Returns the bytes of a regular file of at most `most` bytes. Raises OSError; never waits for a pipe or device.

    A link is an error unless `links`; even then its target must be a regular file.
    """
    flags = os.O_RDONLY | _NEVER_WAIT | (NO_LINK & ~getattr(os, "O_NOFOLLOW", 0) if links else NO_LINK)
    handle = os.open(path, flags)
    with os.fdopen(handle, "rb") as opened:
        if not stat.S_ISREG(os.fstat(handle).st_mode):
            raise OSError(errno.EINVAL, "it is not a regular file")
        content = opened.read(most + 1)
    if len(content) > most:
        raise OSError(errno.EFBIG, f"it has more than {most:,} bytes")
    return content


def make_folders(path: str | os.PathLike[str]) -> None:
    """Creates a folder and the missing ones above it, for the user alone whatever the umask."""
    missing = []
    folder = os.path.abspath(path)
    while not os.path.isdir(folder):
        missing.append(folder)
        folder = os.path.dirname(folder)
    for folder in reversed(missing):
        try:
            os.mkdir(folder, _PRIVATE_FOLDER)
        except FileExistsError:
            continue  # Another process created it.
        os.chmod(folder, _PRIVATE_FOLDER)


def readable_by_others(folder: str) -> Iterator[str]:
    """Yields the folders and files below a folder that other users can reach and read; nothing on Windows."""
    pending = [folder] if os.name == "posix" and os.path.isdir(folder) and not os.path.islink(folder) else []
    while pending:
        at = pending.pop()
        if not os.stat(at).st_mode & 0o077:
            continue  # Nobody else can enter it.
        for entry in sorted(os.scandir(at), key=lambda entry: entry.name):
            if entry.is_dir(follow_symlinks=False):
                pending.append(entry.path)
            elif entry.is_file(follow_symlinks=False) and entry.stat().st_mode & 0o077 and entry.name != ".gitignore":
                yield entry.path


def create_file(path: str | os.PathLike[str], flags: int = os.O_WRONLY, like: str | os.PathLike[str] = "") -> int:
    """Creates a file and returns its descriptor; raises FileExistsError if there is one.

    Only the user can read it, whatever the umask; with `like`, it has the mode of that file, if there is one.
    """
    handle = os.open(path, flags | os.O_CREAT | os.O_EXCL | NO_LINK, PRIVATE)
    try:
        mode = stat.S_IMODE(os.lstat(like).st_mode) if like and os.path.isfile(like) else PRIVATE
        if hasattr(os, "fchmod"):
            os.fchmod(handle, mode)
    except OSError:
        os.close(handle)
        raise
    return handle


def replace_file(path: str | os.PathLike[str], content: bytes, *, keep_mode: bool = True) -> None:
    """Replaces or creates a file as a whole: a reader sees the old or the new content, also after a power cut.

    A link at the path is replaced, its target stays. A file keeps its mode; without `keep_mode`, and if it is new, only
    the user can read it. Raises OSError; then no other file is left.
    """
    with replacing(path, keep_mode=keep_mode) as write:
        write(content)


@contextlib.contextmanager
def replacing(path: str | os.PathLike[str], *, keep_mode: bool = True) -> Iterator[Callable[[bytes], None]]:
    """As `replace_file`, with what the block writes by the function it gets. If the block raises, the file stays."""
    part, handle = _create_part(path, keep_mode)
    try:
        try:
            yield lambda content: write_all(handle, content)
            os.fsync(handle)
        finally:
            os.close(handle)
        os.replace(part, path)
    except BaseException:  # Also when the person interrupts: no part of a file may stay.
        os.unlink(part)
        raise
    sync_folder(os.path.dirname(os.path.abspath(path)))


def write_part(path: str | os.PathLike[str], content: bytes, *, keep_mode: bool = True) -> str:
    """Writes what shall replace a file into a new file beside it, synced to the disk; returns its name.

    Nobody can place a link or a pipe under that name before. Raises OSError; then no file is left.
    """
    part, handle = _create_part(path, keep_mode)
    try:
        try:
            write_all(handle, content)
            os.fsync(handle)
        finally:
            os.close(handle)
    except OSError:
        os.unlink(part)
        raise
    return part


def _create_part(path: str | os.PathLike[str], keep_mode: bool) -> tuple[str, int]:
    part = os.path.join(os.path.dirname(os.path.abspath(path)), f".holdfast-{os.urandom(8).hex()}.part")
    return part, create_file(part, like=path if keep_mode else "")


def link_below(root: str | os.PathLike[str], path: str | os.PathLike[str]) -> str | None:
    """The first link on the way from a folder to a path, the path included; None if none, or if it is not below."""
    at, full = os.path.abspath(root), os.path.abspath(path)
    for part in full.removeprefix(at).split(os.sep)[1:] if full.startswith(os.path.join(at, "")) else ():
        at = os.path.join(at, part)
        if os.path.islink(at):
            return at
    return None


def open_to_append(path: str | os.PathLike[str]) -> int:
    """Opens a file for reading and appending, and creates it for the user alone; returns its descriptor.

    Raises OSError for a link and for a pipe, which would swallow what is written, or wait for a reader.
    """
    flags = os.O_RDWR | os.O_APPEND | NO_LINK | _NEVER_WAIT
    try:
        handle = os.open(path, flags)
    except FileNotFoundError:
        try:
            return create_file(path, flags)
        except FileExistsError:
            handle = os.open(path, flags)  # Another process created it.
    if not stat.S_ISREG(os.fstat(handle).st_mode):
        os.close(handle)
        raise OSError(errno.EINVAL, "it is not a regular file")
    return handle


def write_all(handle: int, content: bytes) -> None:
    """Writes all bytes to an open file."""
    while content:
        content = content[os.write(handle, content) :]


def sync_folder(folder: str) -> None:
    """Makes renamed and deleted files of a folder survive a power cut; does nothing where the system cannot."""
    try:
        handle = os.open(folder, os.O_RDONLY)
    except OSError:  # pragma: no cover # Windows
        return
    try:
        os.fsync(handle)
    except OSError:  # pragma: no cover # some network file systems
        pass
    finally:
        os.close(handle)


def exchange(one: str, other: str) -> bool:
    """Swaps two files in one step. Returns False where the system or the file system cannot."""
    import ctypes

    try:
        library = ctypes.CDLL(None, use_errno=True)
        if sys.platform == "darwin":  # pragma: no cover # the tests run on Linux
            return bool(library.renamex_np(os.fsencode(one), os.fsencode(other), 2) == 0)
        here = -100  # AT_FDCWD: relative paths start at the working directory.
        return bool(library.renameat2(here, os.fsencode(one), here, os.fsencode(other), 2) == 0)
    except (AttributeError, OSError, TypeError):  # pragma: no cover # Windows, an old C library
        return False
