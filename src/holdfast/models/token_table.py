"""A file with one vector of 8-bit numbers per token, read through a memory map.

Opening it checks the checksum of everything but the vectors. These are in blocks, each with its own checksum, which is
checked when a token of the block is first used. So no text gets a vector from damaged data, and opening takes less than
a millisecond.

Layout, little-endian: header; scale of each row; weights of all rows, once per use; a bias per use; checksums of the
blocks; rows of signed bytes. A vector is its row times its scale.
"""

from __future__ import annotations

import mmap
import struct
import zlib
from collections.abc import Sequence
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

from holdfast.core.errors import ModelDamaged, ModelMissing

if TYPE_CHECKING:
    from pathlib import Path

    import numpy as np
    from numpy.typing import NDArray

    from holdfast.models.protocols import Vectors

_MAGIC = b"holdfast tokens\x01"
_HEADER = struct.Struct("<16sIIIIII")  # magic, rows, dimensions, uses, vocabulary's crc, crc of the rest, unused
_ROWS_PER_BLOCK = 32
_FLOAT = struct.Struct("<f")


class TokenTable:
    """An open table. Thread-safe. `uses` is the number of weights per token and of biases; 0 if there are none."""

    def __init__(self, file: str | Path) -> None:
        self._file = file
        self._bytes = _map(file)
        self._read_header()
        # One byte per block, 1 once its checksum is found right.
        self._checked = bytearray(-(-self.rows // _ROWS_PER_BLOCK))

    def row(self, id: int) -> bytes:
        """Returns a row as signed bytes, without its scale."""
        self._check_block(id // _ROWS_PER_BLOCK)
        start = self._places.table + id * self.dimensions
        return self._bytes[start : start + self.dimensions]

    def scale(self, id: int) -> float:
        scale: float = _FLOAT.unpack_from(self._bytes, self._places.scales + 4 * id)[0]
        return scale

    def weight(self, use: int, id: int) -> float:
        weight: float = _FLOAT.unpack_from(self._bytes, self._places.weights + 4 * (use * self.rows + id))[0]
        return weight

    def bias(self, use: int) -> tuple[float, ...]:
        return struct.unpack_from(f"<{self.dimensions}f", self._bytes, self._places.biases + 4 * use * self.dimensions)

    @cached_property
    def arrays(self) -> TableArrays:
        """The table as arrays that share the mapped memory."""
        import numpy as np

        def floats(place: int, *shape: int) -> Vectors:
            count = int(np.prod(shape))
            return np.frombuffer(self._bytes, "<f4", count, place).reshape(shape)

        places, rows, dimensions = self._places, self.rows, self.dimensions
        return TableArrays(
            np.frombuffer(self._bytes, np.int8, rows * dimensions, places.table).reshape(rows, dimensions),
            floats(places.scales, rows),
            floats(places.weights, self.uses, rows),
            floats(places.biases, self.uses, dimensions),
        )

    def vectors(self, ids: Sequence[int]) -> Vectors:
        """Returns the vectors of tokens, one row per token."""
        import numpy as np

        arrays, chosen = self.arrays, np.array(ids, np.int64)
        self.check(chosen)
        vectors: Vectors = arrays.table[chosen] * arrays.scales[chosen, None]
        return vectors

    def check(self, ids: NDArray[np.int64]) -> None:
        """Checks the blocks of rows that `arrays` gives access to; raises ModelDamaged."""
        if 0 not in self._checked:
            return
        import numpy as np

        blocks = ids // _ROWS_PER_BLOCK
        checked = np.frombuffer(self._checked, np.uint8)[blocks]
        if not checked.all():
            # `np.unique` would take 10 ms when first called.
            for block in set(blocks[checked == 0].tolist()):
                self._check_block(block)

    def verify(self) -> None:
        """Checks all blocks, also those found right before; raises ModelDamaged. Takes 5 ms for 12 MB."""
        for block in range(len(self._checked)):
            self._checked[block] = 0
            self._check_block(block)

    def _check_block(self, block: int) -> None:
        if self._checked[block]:
            return
        size = _ROWS_PER_BLOCK * self.dimensions
        start = self._places.table + block * size
        expected = struct.unpack_from("<I", self._bytes, self._places.checksums + 4 * block)[0]
        if zlib.crc32(self._bytes[start : start + size]) != expected:
            raise ModelDamaged(f"{self._file} has changed")
        self._checked[block] = 1

    def _read_header(self) -> None:
        if len(self._bytes) < _HEADER.size:
            raise ModelDamaged(f"{self._file} is cut short")
        magic, self.rows, self.dimensions, self.uses, self.vocabulary_crc, crc, _ = _HEADER.unpack_from(self._bytes)
        if magic != _MAGIC:
            raise ModelDamaged(f"{self._file} is not a token table")
        self._places = _places(self.rows, self.dimensions, self.uses)
        if len(self._bytes) != self._places.end:
            raise ModelDamaged(f"{self._file} has {len(self._bytes)} bytes, not {self._places.end}")
        if zlib.crc32(self._bytes[_HEADER.size : self._places.table]) != crc:
            raise ModelDamaged(f"{self._file} has changed")


class TableArrays(NamedTuple):
    """The parts of a table; the vector of a token is its row of `table` times its scale."""

    table: NDArray[np.int8]
    scales: Vectors
    weights: Vectors
    biases: Vectors


def write_token_table(
    file: Path, vectors: Vectors, *, vocabulary: Path, weights: Sequence[Vectors] = (), biases: Sequence[Vectors] = ()
) -> None:
    """Writes vectors, one row per token id, rounded to 8 bits; with weights, not negative, and a bias for each use.

    The table can be opened only with the vocabulary it was written for.
    """
    import numpy as np

    if len(weights) != len(biases) or any((each < 0).any() for each in weights):
        raise ValueError("each use has weights of 0 or more, and a bias")

    scales = np.abs(vectors).max(axis=1) / 127
    table = np.rint(vectors / np.maximum(scales, 1e-12)[:, None]).astype(np.int8)
    size = _ROWS_PER_BLOCK * table.shape[1]
    packed = table.tobytes()
    checksums = [zlib.crc32(packed[start : start + size]) for start in range(0, len(packed), size)]
    floats = (part.astype("<f4").tobytes() for part in (scales, *weights, *biases))
    front = b"".join((*floats, struct.pack(f"<{len(checksums)}I", *checksums)))
    crcs = zlib.crc32(vocabulary.read_bytes()), zlib.crc32(front)
    file.write_bytes(_HEADER.pack(_MAGIC, *table.shape, len(weights), *crcs, 0) + front + packed)


class _Places(NamedTuple):
    """Where each part of the file begins."""

    scales: int
    weights: int
    biases: int
    checksums: int
    table: int
    end: int


def _places(rows: int, dimensions: int, uses: int) -> _Places:
    weights = _HEADER.size + 4 * rows
    biases = weights + 4 * uses * rows
    checksums = biases + 4 * uses * dimensions
    table = checksums + 4 * -(-rows // _ROWS_PER_BLOCK)
    return _Places(_HEADER.size, weights, biases, checksums, table, table + rows * dimensions)


def _map(file: str | Path) -> mmap.mmap:
    try:
        with open(file, "rb") as opened:
            return mmap.mmap(opened.fileno(), 0, access=mmap.ACCESS_READ)
    except ValueError:
        raise ModelDamaged(f"{file} is empty") from None
    except OSError as error:
        raise ModelMissing(f"{file} cannot be read ({error.strerror})") from error
