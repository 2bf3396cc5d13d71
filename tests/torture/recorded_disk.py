"""Records what SQLite and Python write to the disk, and builds every state that a power cut could leave.

A write that was not synced may be on the disk, be missing, or be there in part. SQLite's virtual file system is wrapped
with ctypes: the recorded process uses the same SQLite library as always.
"""

from __future__ import annotations

import ctypes
import os
import random
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

_POINTER, _INT, _LONG = ctypes.c_void_p, ctypes.c_int, ctypes.c_int64
_SECTOR = 512


class Step(NamedTuple):
    """`what` is write, truncate, sync, delete, rename, folder or ack; `data` is what an acknowledgement said."""

    what: str
    file: str = ""
    at: int = 0
    data: Any = b""


class _Methods(ctypes.Structure):
    _fields_ = [("version", _INT), *((name, _POINTER) for name in (
        "close", "read", "write", "truncate", "sync", "size", "lock", "unlock", "check_reserved", "control", "sector",
        "characteristics", "shm_map", "shm_lock", "shm_barrier", "shm_unmap", "fetch", "unfetch",
    ))]  # fmt: skip


class _Vfs(ctypes.Structure):
    _fields_ = [
        ("version", _INT), ("file_size", _INT), ("longest", _INT), ("next", _POINTER), ("name", ctypes.c_char_p),
        ("data", _POINTER), *((name, _POINTER) for name in (
            "open", "delete", "access", "full", "dl_open", "dl_error", "dl_sym", "dl_close", "random", "sleep", "time",
            "error", "time64", "set_call", "get_call", "next_call",
        )),
    ]  # fmt: skip


_OPEN = ctypes.CFUNCTYPE(_INT, _POINTER, _POINTER, _POINTER, _INT, _POINTER)
_DELETE = ctypes.CFUNCTYPE(_INT, _POINTER, ctypes.c_char_p, _INT)
_WRITE = ctypes.CFUNCTYPE(_INT, _POINTER, _POINTER, _INT, _LONG)
_TRUNCATE = ctypes.CFUNCTYPE(_INT, _POINTER, _LONG)
_SYNC = ctypes.CFUNCTYPE(_INT, _POINTER, _INT)


class RecordedDisk:
    """Makes every database that this process opens from now on record its writes. Never undone: use it in a child."""

    def __init__(self) -> None:
        self.steps: list[Step] = []
        self._files: dict[int, str] = {}
        self._methods: dict[int, tuple[_Methods, tuple[Any, ...]]] = {}
        self._library = ctypes.CDLL("libsqlite3.so.0")
        self._library.sqlite3_vfs_find.restype = ctypes.POINTER(_Vfs)
        self._system: _Vfs = self._library.sqlite3_vfs_find(None).contents
        self._vfs = _Vfs.from_buffer_copy(self._system)
        self._vfs.name = b"recorded"
        self._opens, self._deletes = _OPEN(self._open), _DELETE(self._delete)
        self._vfs.open = ctypes.cast(self._opens, _POINTER)
        self._vfs.delete = ctypes.cast(self._deletes, _POINTER)
        self._library.sqlite3_vfs_register(ctypes.byref(self._vfs), 1)
        self._record_python()

    def acknowledge(self, value: Any) -> None:
        self.steps.append(Step("ack", data=value))

    def _open(self, vfs: int, name: int | None, file: int, flags: int, out: int) -> int:
        # The name stays a pointer: SQLite keeps it to name the file of shared memory, and a copy made by Python
        # would be freed before that.
        code: int = _OPEN(self._system.open)(vfs, name, file, flags, out)
        place = ctypes.cast(file, ctypes.POINTER(_POINTER))
        if code == 0 and name is not None and place[0]:
            self._files[file] = os.fsdecode(ctypes.string_at(name))
            place[0] = ctypes.addressof(self._recorded(int(place[0] or 0)))
        return code

    def _recorded(self, address: int) -> _Methods:
        """The methods of a kind of file, three of them replaced."""
        if address in self._methods:
            return self._methods[address][0]
        system = ctypes.cast(address, ctypes.POINTER(_Methods)).contents
        write, truncate, sync = _WRITE(system.write), _TRUNCATE(system.truncate), _SYNC(system.sync)

        def on_write(file: int, data: int, size: int, at: int) -> int:
            self.steps.append(Step("write", self._files[file], at, ctypes.string_at(data, size)))
            return int(write(file, data, size, at))

        def on_truncate(file: int, size: int) -> int:
            self.steps.append(Step("truncate", self._files[file], size))
            return int(truncate(file, size))

        def on_sync(file: int, flags: int) -> int:
            self.steps.append(Step("sync", self._files[file]))
            return int(sync(file, flags))

        own = _Methods.from_buffer_copy(system)
        kept = (_WRITE(on_write), _TRUNCATE(on_truncate), _SYNC(on_sync))
        own.write, own.truncate, own.sync = (ctypes.cast(one, _POINTER) for one in kept)
        self._methods[address] = own, kept
        return own

    def _delete(self, vfs: int, name: bytes, folder_too: int) -> int:
        self.steps.append(Step("delete", os.fsdecode(name)))
        if folder_too:
            self.steps.append(Step("folder"))
        return int(_DELETE(self._system.delete)(vfs, name, folder_too))

    def _record_python(self) -> None:
        """Records the renames of Python code, and its syncs of folders."""
        replace, fsync = os.replace, os.fsync

        def on_replace(old: Any, new: Any) -> None:
            self.steps.append(Step("rename", os.fspath(old), data=os.fspath(new)))
            replace(old, new)

        def on_fsync(handle: int) -> None:
            fsync(handle)
            if os.path.isdir(f"/proc/self/fd/{handle}"):
                self.steps.append(Step("folder"))

        os.replace, os.fsync = on_replace, on_fsync  # type: ignore[assignment] # without the options nobody uses


class CutState(NamedTuple):
    """The files that a power cut may leave, and what had been acknowledged before it."""

    files: dict[str, bytes]
    acknowledged: list[Any]


class _Disk:
    """The content of each file that is certainly on the disk, and the steps since then that may be."""

    def __init__(self, files: dict[str, bytes]) -> None:
        self.files = {name: bytearray(data) for name, data in files.items()}
        self.pending: list[Step] = []

    def take(self, step: Step) -> None:
        if step.what == "sync":
            self._settle(lambda one: one.file == step.file and one.what in ("write", "truncate"))
        elif step.what == "folder":
            self._settle(lambda one: one.what in ("rename", "delete"))
        elif step.what != "ack":
            self.pending.append(step)

    def _settle(self, is_synced: Callable[[Step], bool]) -> None:
        for step in self.pending:
            if is_synced(step):
                apply(self.files, step)
        self.pending = [step for step in self.pending if not is_synced(step)]

    def states(self, chance: random.Random, most: int) -> Iterator[dict[str, bytes]]:
        """Which of the pending steps reached the disk: none, all, each beginning, all but one, one alone, any."""
        count = len(self.pending)
        everything = range(count)
        choices: list[list[int]] = [list(range(upto)) for upto in range(count + 1)]
        choices += [[n for n in everything if n != left_out] for left_out in everything]
        choices += [[n] for n in everything]
        choices += [sorted(chance.sample(everything, chance.randint(0, count))) for _ in range(4)]
        unique = list({tuple(choice) for choice in choices})
        for chosen in sorted(chance.sample(unique, min(most, len(unique)))):
            files = {name: bytearray(data) for name, data in self.files.items()}
            for number in chosen:
                apply(files, torn(self.pending[number], chance) if number == chosen[-1] else self.pending[number])
            yield {name: bytes(data) for name, data in files.items()}


def torn(step: Step, chance: random.Random) -> Step:
    """Sometimes only the first sectors of the last write."""
    if step.what != "write" or chance.random() < 0.7:
        return step
    return step._replace(data=step.data[: chance.randrange(0, len(step.data) + 1, _SECTOR)])


def apply(files: dict[str, bytearray], step: Step) -> None:
    if step.what == "write":
        content = files.setdefault(step.file, bytearray())
        content.extend(bytes(max(0, step.at + len(step.data) - len(content))))
        content[step.at : step.at + len(step.data)] = step.data
    elif step.what == "truncate":
        del files.setdefault(step.file, bytearray())[step.at :]
    elif step.what == "delete":
        files.pop(step.file, None)
    elif step.what == "rename" and step.file in files:
        files[step.data] = files.pop(step.file)


def cuts(before: dict[str, bytes], steps: list[Step], each: int, seed: int = 1) -> Iterator[CutState]:
    """States that a power cut may leave: just before and after every sync, `each` at a time."""
    disk, chance, said = _Disk(before), random.Random(seed), list[Any]()
    for step in steps:
        if step.what in ("sync", "folder", "ack"):
            yield from (CutState(files, list(said)) for files in disk.states(chance, each))
        disk.take(step)
        if step.what == "ack":
            said.append(step.data)
    yield from (CutState(files, list(said)) for files in disk.states(chance, each))


def snapshot(folder: Path) -> dict[str, bytes]:
    """The files of a folder that belong to a database, without shared memory, which does not survive."""
    return {
        str(path): path.read_bytes()
        for path in folder.iterdir()
        if path.is_file() and ".db" in path.name and not path.name.endswith(("-shm", "-lock"))
    }


def restore(state: CutState, folder: Path) -> None:
    """Writes a state to the folder in place of all database files."""
    for path in folder.iterdir():
        if path.is_file() and ".db" in path.name:
            path.unlink()
    for name, data in state.files.items():
        Path(name).write_bytes(data)
