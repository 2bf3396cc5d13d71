"""Vectors and their codes in a file that every process maps.

    head        owner, number of complete rows, highest seq; with a checksum
    code        how vectors become codes, fixed when the file is created
    block ...   a fixed number of rows, column by column: signs, short codes, vectors, seqs, passages, projects, kinds,
                and two checksums of each row: of its vector, and of everything else

Rows are written and synced first, then the head counts them. Bytes after the last counted row mean nothing. A reader
ignores a file whose head is torn or names another owner, or in which a checksum is wrong. Checksums of codes are
compared when rows are mapped, those of vectors when a search reads them.
"""

from __future__ import annotations

import contextlib
import mmap
import os
import struct
import time
import zlib
from typing import TYPE_CHECKING, NamedTuple, Protocol

import numpy as np

from holdfast.store.vectors.checksums import DamagedVectors, code_checksums, row_checksums
from holdfast.store.vectors.codes import BITS, WORDS, VectorCode, short_of
from holdfast.system.locking import try_lock

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from numpy.typing import NDArray

_MAGIC = b"HOLDVEC2"
_HEAD = struct.Struct("<8s32sIIIQQQI")
_HEAD_SIZE = 4096
# A mapping must start at a multiple of the system's granularity, which is never more than this.
_PAGE = 65_536
_FEW_ROWS, _SMALL_BLOCK, _LARGE_BLOCK = 65_536, 8_192, 65_536


def path_of(database: str, embedder: int | str) -> str:
    """The path of an embedder's vector file."""
    return f"{database}-vectors-{embedder}"


def files_of(database: str) -> list[str]:
    """The paths of the vector files of every embedder."""
    folder, name = os.path.split(os.path.abspath(database))
    start = path_of(name, "")
    return [entry.path for entry in os.scandir(folder) if entry.name.startswith(start) and entry.name[-1].isdigit()]


def remove_files(database: str) -> int:
    """Deletes the vector files of every embedder; returns how many. Processes that have one mapped keep using it."""
    files = files_of(database)
    for file in files:
        os.remove(file)
    return len(files)


def is_sound(path: str) -> bool:
    """Whether every checksum of a vector file is right; reads all of it."""
    try:
        storage = FileByteStore(path, path)
        head = _unpacked(storage.map(0, _HEAD_SIZE)[: _HEAD.size])
        file = None if head is None else VectorFile.open(path, head.owner, head.dimensions)
    except (ValueError, OSError):
        return False
    return file is not None and all(block.has_vectors(slice(None, count)) for block, count in file.filled())


class VectorRows(NamedTuple):
    """Vectors as read from the store; `projects` and `kinds` are hashes of the names (`number_of`)."""

    seqs: NDArray[np.int64]
    passages: NDArray[np.int64]
    projects: NDArray[np.int64]
    kinds: NDArray[np.int64]
    vectors: NDArray[np.float16]

    @classmethod
    def of(cls, numbers: Iterable[NDArray[np.int64]], vectors: NDArray[np.float16]) -> VectorRows:
        seqs, passages, projects, kinds = numbers
        return cls(seqs, passages, projects, kinds, vectors)

    def part(self, kept: slice) -> VectorRows:
        return VectorRows.of((column[kept] for column in self[:4]), self.vectors[kept])


class RowBlock(NamedTuple):
    """The columns of one block of rows."""

    signs: NDArray[np.uint64]
    short: NDArray[np.int8]
    vectors: NDArray[np.float16]
    seqs: NDArray[np.int64]
    passages: NDArray[np.int64]
    projects: NDArray[np.int64]
    kinds: NDArray[np.int64]
    vector_checks: NDArray[np.uint64]
    code_checks: NDArray[np.uint64]

    def has_vectors(self, rows: slice) -> bool:
        """Whether the vectors of these rows have the right checksums."""
        return bool((row_checksums(self.vectors[rows]) == self.vector_checks[rows]).all())

    def has_codes(self, rows: slice) -> bool:
        """Whether everything else of these rows has the right checksums."""
        numbers = (column[rows] for column in (self.seqs, self.passages, self.projects, self.kinds))
        return bool((code_checksums(self.signs[:, rows], self.short[rows], *numbers) == self.code_checks[rows]).all())


class FileHeader(NamedTuple):
    """The head of the file. A `depth` of 0 means that the codes are too coarse, so every row is compared."""

    owner: bytes
    dimensions: int
    block_rows: int
    depth: int
    fitted_at: int
    rows: int
    seq: int


class ByteStore(Protocol):
    """Where the bytes of a vector file are kept."""

    def write(self, at: int, data: bytes) -> None: ...
    def sync(self) -> None: ...
    def map(self, at: int, size: int) -> mmap.mmap: ...
    def is_current(self, size: int = 0) -> bool: ...
    def settle(self) -> None: ...


class VectorFile:
    """The rows of one embedder and their codes. Hold the lock of the file to append (see `locked`)."""

    def __init__(self, storage: ByteStore, head: FileHeader, code: VectorCode) -> None:
        self._storage = storage
        self.head = head
        self.code = code
        self._first, self._columns = _layout(head.dimensions, head.block_rows)
        self._head_map = storage.map(0, _HEAD_SIZE)
        self.blocks: list[RowBlock] = []
        self._checked = 0
        self._map_blocks()

    @classmethod
    def create(cls, storage: ByteStore, owner: bytes, code: VectorCode, expected: int) -> VectorFile:
        """Creates an empty file under a temporary name; `settle` puts it in place."""
        dimensions = len(code.mean)
        block_rows = _SMALL_BLOCK if expected < _FEW_ROWS else _LARGE_BLOCK
        head = FileHeader(owner, dimensions, block_rows, 1, expected, 0, 0)
        storage.write(0, _packed(head))
        storage.write(_HEAD_SIZE, _code_bytes(code))
        return cls(storage, head, code)

    @classmethod
    def open(cls, path: str, owner: bytes, dimensions: int) -> VectorFile | None:
        """Opens a file; None if it is absent, damaged or another owner's."""
        with contextlib.suppress(ValueError, OSError):
            storage = FileByteStore(path, path)
            head = _unpacked(storage.map(0, _HEAD_SIZE)[: _HEAD.size])
            if head is not None and (head.owner, head.dimensions) == (owner, dimensions):
                code = _code_of(storage.map(0, _layout(dimensions, head.block_rows)[0]), dimensions)
                if code is not None:
                    return cls(storage, head, code)
        return None

    @property
    def rows(self) -> int:
        return self.head.rows

    def filled(self) -> Iterator[tuple[RowBlock, int]]:
        """The blocks, each with the number of its rows."""
        for number, block in enumerate(self.blocks):
            yield block, min(self.head.block_rows, self.rows - number * self.head.block_rows)

    def seqs(self) -> NDArray[np.int64]:
        return np.concatenate([block.seqs for block in self.blocks])[: self.rows]

    def picked(self, rows: NDArray[np.int64]) -> VectorRows:
        """The given rows. Picks them one by one, so only for few."""
        places = [(self.blocks[row // self.head.block_rows], row % self.head.block_rows) for row in rows.tolist()]
        numbers = [(b.seqs[at], b.passages[at], b.projects[at], b.kinds[at]) for b, at in places]
        return VectorRows.of(np.array(numbers, np.int64).T, np.array([b.vectors[at] for b, at in places], np.float16))

    def is_whole(self) -> bool:
        """Whether the file is still in its place and as long as it was."""
        return self._storage.is_current(self._first + len(self.blocks) * self._columns.size)

    def refresh(self) -> bool:
        """Reads rows that another process appended. Returns False if the file was replaced, deleted or damaged."""
        if not self.is_whole():
            return False
        head = _unpacked(self._head_map[: _HEAD.size])
        # A torn head is no error: another process may be writing it at this moment.
        if head is not None and head.owner == self.head.owner and head.rows >= self.head.rows:
            self.head = head
        try:
            self._map_blocks()
        except (ValueError, OSError):
            # The file was truncated or deleted at this moment.
            return False
        return True

    def append(self, rows: VectorRows) -> None:
        """Appends rows with higher seqs. If it fails, nothing was added."""
        signs, short = self.code.encode(rows.vectors.astype(np.float32))
        size, done = self.head.block_rows, 0
        while done < len(rows.seqs):
            block, at = divmod(self.head.rows + done, size)
            part = slice(done, min(len(rows.seqs), done + size - at))
            checks = (
                row_checksums(rows.vectors[part]),
                code_checksums(signs[:, part], short[part], *rows.part(part)[:4]),
            )
            self._write(block, at, signs[:, part], (short[part], rows.vectors[part], *rows.part(part)[:4], *checks))
            done = part.stop
        self._storage.sync()
        self._write_head(self.head._replace(rows=self.head.rows + done, seq=int(rows.seqs[-1])))
        self._checked = self.head.rows
        self._map_blocks()

    def settle(self, depth: int) -> None:
        """Sets the search depth of the codes, and puts the file in place."""
        self._storage.sync()
        self._write_head(self.head._replace(depth=depth))
        self._storage.settle()

    def _write(self, block: int, at: int, signs: NDArray[np.uint64], others: tuple[NDArray[np.generic], ...]) -> None:
        begin = self._first + block * self._columns.size
        for number, words in enumerate(signs):
            self._storage.write(begin + 8 * (number * self.head.block_rows + at), words.tobytes())
        for offset, column in zip(self._columns.offsets[1:], others, strict=True):
            self._storage.write(begin + offset + at * column[:1].nbytes, np.ascontiguousarray(column).tobytes())
        # Extend the file, because a mapping must not reach beyond its end.
        self._storage.write(begin + self._columns.size - 1, b"\0")

    def _write_head(self, head: FileHeader) -> None:
        self._storage.write(0, _packed(head))
        self.head = head

    def _map_blocks(self) -> None:
        while len(self.blocks) * self.head.block_rows < self.head.rows:
            at = self._first + len(self.blocks) * self._columns.size
            self.blocks.append(self._columns.block(self._storage.map(at, self._columns.size)))
        for number, (block, count) in enumerate(self.filled()):
            known = max(0, self._checked - number * self.head.block_rows)
            if known < count and not block.has_codes(slice(known, count)):
                raise DamagedVectors
        self._checked = self.head.rows


class FileByteStore:
    """A file beside the database. Opened for each operation and closed again; mappings stay valid."""

    def __init__(self, path: str, place: str) -> None:
        self._path, self._place = path, place
        self._known = os.stat(path)

    @classmethod
    def new(cls, place: str) -> FileByteStore:
        """Creates a file under a temporary name, until `settle` moves it."""
        path = place + "-new"
        with contextlib.suppress(FileNotFoundError):
            os.remove(path)
        os.close(os.open(path, os.O_CREAT | os.O_EXCL | os.O_RDWR, 0o600))
        return cls(path, place)

    def write(self, at: int, data: bytes) -> None:
        with open(self._path, "r+b", buffering=0) as file:
            file.seek(at)
            left = memoryview(data)
            while left:
                left = left[file.write(left) :]

    def sync(self) -> None:
        with open(self._path, "r+b", buffering=0) as file:
            os.fsync(file.fileno())

    def map(self, at: int, size: int) -> mmap.mmap:
        """Maps a range of bytes. Raises ValueError if the file is too short or was replaced."""
        with open(self._path, "rb", buffering=0) as file:
            if not os.path.samestat(os.fstat(file.fileno()), self._known):
                raise ValueError(f"{self._path} was replaced")
            return mmap.mmap(file.fileno(), size, access=mmap.ACCESS_READ, offset=at)

    def is_current(self, size: int = 0) -> bool:
        """Whether the file is still there and has at least that size: reading beyond its end would kill the process."""
        try:
            now = os.stat(self._place)
        except FileNotFoundError:
            return False
        return os.path.samestat(now, self._known) and now.st_size >= size

    def settle(self) -> None:
        os.replace(self._path, self._place)
        self._path = self._place


class MemoryByteStore:
    """Keeps bytes in memory: for a store in memory, or if no file can be written."""

    def __init__(self) -> None:
        self._maps: dict[int, mmap.mmap] = {}
        self._pending: list[tuple[int, bytes]] = []

    def write(self, at: int, data: bytes) -> None:
        for begin, memory in self._maps.items():
            if begin <= at < begin + len(memory):
                memory[at - begin : at - begin + len(data)] = data
                return
        self._pending.append((at, data))

    def sync(self) -> None:
        pass

    def map(self, at: int, size: int) -> mmap.mmap:
        self._maps[at] = mmap.mmap(-1, size)
        pending, self._pending = self._pending, []
        for place, data in pending:
            self.write(place, data)
        return self._maps[at]

    def is_current(self, size: int = 0) -> bool:
        return True

    def settle(self) -> None:
        pass


@contextlib.contextmanager
def locked(path: str, patience: float = 0) -> Iterator[bool]:
    """Locks that file for writing; gives False if others hold the lock for longer than `patience` seconds."""
    descriptor = os.open(path + "-lock", os.O_CREAT | os.O_RDWR, 0o600)
    deadline = time.monotonic() + patience
    try:
        while not (got := try_lock(descriptor)) and time.monotonic() < deadline:
            time.sleep(0.05)
        yield got
    finally:
        # Closing the file releases the lock.
        os.close(descriptor)


class _BlockLayout(NamedTuple):
    """The offsets of the columns of a block."""

    rows: int
    dimensions: int
    offsets: tuple[int, ...]
    size: int

    def block(self, memory: mmap.mmap) -> RowBlock:
        kinds = _column_types(self.dimensions)
        parts = [
            np.frombuffer(memory, kind, self.rows * width, offset).reshape(self.rows, width)
            for (kind, width), offset in zip(kinds, self.offsets, strict=True)
        ]
        signs = parts[0].reshape(WORDS, self.rows)
        return RowBlock(signs, parts[1], parts[2], *(part[:, 0] for part in parts[3:]))


def _column_types(dimensions: int) -> list[tuple[type[np.generic], int]]:
    return [
        (np.uint64, WORDS),
        (np.int8, short_of(dimensions)),
        (np.float16, dimensions),
        *[(np.int64, 1)] * 4,
        *[(np.uint64, 1)] * 2,
    ]


def _layout(dimensions: int, rows: int) -> tuple[int, _BlockLayout]:
    """The start of the first block, and the layout of a block."""
    offsets, end = [], 0
    for kind, width in _column_types(dimensions):
        offsets.append(end)
        end += _rounded(rows * width * np.dtype(kind).itemsize, 64)
    first = _rounded(_HEAD_SIZE + _code_size(dimensions) + 4, _PAGE)
    # One byte more: the last byte is written to extend the file, and must belong to no column.
    return first, _BlockLayout(rows, dimensions, tuple(offsets), _rounded(end + 1, _PAGE))


def _rounded(size: int, to: int) -> int:
    return -(-size // to) * to


def _packed(head: FileHeader) -> bytes:
    body = _HEAD.pack(_MAGIC, *head, 0)[:-4]
    return body + struct.pack("<I", zlib.crc32(body))


def _unpacked(data: bytes) -> FileHeader | None:
    magic, *fields, check = _HEAD.unpack(data)
    whole = magic == _MAGIC and check == zlib.crc32(data[:-4])
    return FileHeader(*fields) if whole else None


def _code_shapes(dimensions: int) -> list[tuple[int, ...]]:
    short = short_of(dimensions)
    return [(dimensions,), (dimensions, short), (short,), (short, BITS)]


def _code_size(dimensions: int) -> int:
    return 4 * sum(int(np.prod(shape)) for shape in _code_shapes(dimensions))


def _code_bytes(code: VectorCode) -> bytes:
    body = b"".join(part.astype(np.float32).tobytes() for part in (code.mean, code.basis, code.scale, code.frame))
    return body + struct.pack("<I", zlib.crc32(body))


def _code_of(memory: mmap.mmap, dimensions: int) -> VectorCode | None:
    size = _code_size(dimensions)
    body = memory[_HEAD_SIZE : _HEAD_SIZE + size]
    if struct.pack("<I", zlib.crc32(body)) != memory[_HEAD_SIZE + size : _HEAD_SIZE + size + 4]:
        return None
    numbers, parts = np.frombuffer(body, np.float32), []
    for shape in _code_shapes(dimensions):
        taken = int(np.prod(shape))
        parts.append(numbers[:taken].reshape(shape))
        numbers = numbers[taken:]
    return VectorCode(*parts)
