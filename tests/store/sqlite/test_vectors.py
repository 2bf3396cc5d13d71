"""The vector index finds what a comparison with every vector finds, whatever happens to its file."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import Phase, given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from holdfast.core.answer import Filters
from holdfast.core.clock import SystemClock
from holdfast.core.embedding import Embedding
from holdfast.core.ids import Ids
from holdfast.core.memory import Memory
from holdfast.store.sqlite.queries import SqliteReading
from holdfast.store.sqlite.sqlite_store import SqliteStore
from holdfast.store.vectors import vector_file
from holdfast.store.vectors import vector_index as index
from holdfast.store.vectors import vector_search as search
from holdfast.store.vectors.codes import VectorCode
from holdfast.store.vectors.vector_file import VectorFile, locked
from holdfast.system.project import ProjectIdentity

DIMENSIONS = 64
KINDS = ("fact", "gotcha")


@pytest.fixture(autouse=True, scope="module")
def small() -> Iterator[None]:
    """Lowers the limits, so that tens of rows behave like tens of thousands."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(index, "_SMALL_ROWS", 40)
        patch.setattr(index, "_TAIL", 10)
        patch.setattr(index, "_BATCH", 16)
        patch.setattr(vector_file, "_SMALL_BLOCK", 32)
        patch.setattr(search, "_FEW", 30)
        patch.setattr(search, "_FEW_PICKED", 30)
        yield


class World:
    """A store, and the vector and kind that each of its passages must have."""

    def __init__(self, path: str) -> None:
        self.path = path
        self.store = SqliteStore(path, now=SystemClock().now, ids=Ids())
        self.store.projects.recognise(ProjectIdentity("/p", "p", None, None, "p"), "p", SystemClock().now())
        self.chance = np.random.default_rng(7)
        self.true: dict[int, tuple[NDArray[np.float32], str]] = {}

    def put(self, count: int) -> None:
        made = [(self._vector(), KINDS[number % 2]) for number in range(count)]
        with self.store.memories.change(durable=False) as change:
            for vector, kind in made:
                memory = Memory(Ids().new(), kind, "said", "p", SystemClock().now())
                change.add(memory, Embedding("m", DIMENSIONS, vector.astype(np.float16).tobytes()))
        last = self.store._database.read("select max(id) from passages")[0][0]
        self.true |= zip(range(last - count + 1, last + 1), made, strict=True)

    def replace(self, number: int) -> None:
        passage = sorted(self.true)[number % len(self.true)]
        vector = self._vector()
        self.store.memories.put_vectors({passage: Embedding("m", DIMENSIONS, vector.astype(np.float16).tobytes())})
        self.true[passage] = (vector, self.true[passage][1])

    def delete(self, number: int) -> None:
        passage = sorted(self.true)[number % len(self.true)]
        with self.store._database.write(durable=False) as connection:
            connection.execute("delete from passages where id = ?", (passage,))
        del self.true[passage]

    def reopen(self) -> None:
        self.store.close()
        self.store = SqliteStore(self.path, now=SystemClock().now, ids=Ids())

    def check(self, limit: int = 5) -> None:
        asked = self._vector()
        for kinds in ((), ("fact",)):
            found = self.store.reading.find_near("p", "m", asked, Filters(types=kinds), limit)
            fitting = {p: v for p, (v, kind) in self.true.items() if not kinds or kind in kinds}
            exact = sorted(fitting, key=lambda p: -float(fitting[p] @ asked))[:limit]
            assert [p for p, _ in found] == exact
            assert [score for _, score in found] == pytest.approx([float(fitting[p] @ asked) for p in exact], abs=1e-3)
        passages = [*self.true, 10_000]
        similar = self.store.reading.similar("m", asked, passages)
        assert similar == pytest.approx({p: float(v @ asked) for p, (v, _) in self.true.items()}, abs=1e-3)
        assert self.store.reading.lacking_vector("m", passages) == {10_000}

    @property
    def index(self) -> index.VectorIndex:
        assert isinstance(self.store.reading, SqliteReading)
        found = self.store.reading._indexes.index("m", DIMENSIONS)
        assert isinstance(found, index.VectorIndex)
        return found

    @property
    def file(self) -> Path:
        return Path(vector_file.path_of(self.path, 1))

    def _vector(self) -> NDArray[np.float32]:
        drawn = self.chance.standard_normal(DIMENSIONS)
        rounded: NDArray[Any] = (drawn / np.linalg.norm(drawn)).astype(np.float16)
        return rounded.astype(np.float32)


@pytest.fixture
def world(tmp_path: Path) -> Any:
    made = World(str(tmp_path / "memory.db"))
    yield made
    made.store.close()


acts = st.one_of(
    st.tuples(st.just("put"), st.integers(1, 45)),
    st.tuples(st.sampled_from(("replace", "delete")), st.integers(0, 200)),
    st.just(("reopen",)),
    st.just(("check",)),
)


@given(st.lists(acts, min_size=1, max_size=12))
@settings(max_examples=15, deadline=None, phases=(Phase.explicit, Phase.reuse, Phase.generate))
def test_it_finds_what_a_full_comparison_finds_whatever_was_done(taken: list[tuple[Any, ...]]) -> None:
    with tempfile.TemporaryDirectory() as folder:
        world = World(f"{folder}/memory.db")
        world.put(3)
        for verb, *given_ in taken:
            if verb in ("put", "reopen", "check") or len(world.true) > 1:
                getattr(world, verb)(*given_)
        world.check()
        world.store.close()


def test_a_small_store_writes_no_file(world: World) -> None:
    world.put(30)
    world.check()
    assert not world.file.exists()


def test_a_larger_one_writes_a_file_that_only_its_owner_reads_and_adds_to_it(world: World) -> None:
    world.put(50)
    world.check()
    assert world.file.stat().st_mode & 0o077 == 0
    held = world.index._file
    assert held is not None
    assert held.rows == 50
    world.put(12)
    world.check()
    assert held.rows == 62
    assert world.index._file is held
    world.put(3)
    world.check()
    assert (held.rows, world.index._tail.count) == (62, 3)


def test_the_file_is_read_again_not_made_again(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    world.put(50)
    world.check()
    world.reopen()
    monkeypatch.setattr(VectorCode, "fitted", None)
    world.check()
    assert world.index._file is not None


def _torn_head(file: Path) -> None:
    with file.open("r+b") as opened:
        opened.seek(60)
        opened.write(b"\xff\xff\xff")


def _cut_short(file: Path) -> None:
    os.truncate(file, file.stat().st_size // 2)


def _emptied(file: Path) -> None:
    file.write_bytes(b"")


def _another_program(file: Path) -> None:
    file.write_bytes(b"SQLite format 3\0" + bytes(200_000))


def _torn_code(file: Path) -> None:
    with file.open("r+b") as opened:
        opened.seek(5_000)
        opened.write(bytes(64))


def _vectors_zeroed(file: Path) -> None:
    """Damages rows under an intact head, as a power cut does on a disk that does not sync."""
    head = vector_file._unpacked(file.read_bytes()[: vector_file._HEAD.size])
    assert head is not None
    first, columns = vector_file._layout(head.dimensions, head.block_rows)
    with file.open("r+b") as opened:
        opened.seek(first + columns.offsets[2])
        opened.write(bytes(head.block_rows * head.dimensions * 2))


@pytest.mark.parametrize(
    "harm", [_torn_head, _cut_short, _emptied, _another_program, _torn_code, _vectors_zeroed], ids=lambda f: f.__name__
)
def test_a_harmed_file_is_not_believed_but_made_anew(world: World, harm: Any) -> None:
    world.put(50)
    world.check()
    world.store.close()
    harm(world.file)
    world.reopen()
    world.check()
    world.check()
    held = VectorFile.open(str(world.file), world.index._owner(), DIMENSIONS)
    assert held is not None
    assert held.rows == 50


def test_no_changed_byte_of_the_file_changes_an_answer(world: World) -> None:
    """Each byte belongs to a checksum, or to no row: 40 files with 16 other bytes each."""
    world.put(50)
    world.check()
    good, chance = world.file.read_bytes(), np.random.default_rng(3)
    changed = 0
    for _ in range(40):
        world.store.close()
        harmed = bytearray(good)
        for at in chance.integers(0, len(good), 16):
            harmed[at] ^= int(chance.integers(1, 256))
        world.file.write_bytes(harmed)
        changed += not vector_file.is_sound(str(world.file))
        world.reopen()
        world.check()
    assert changed > 10
    world.file.write_bytes(good)
    assert vector_file.is_sound(str(world.file))


@pytest.mark.parametrize("column", range(9))
def test_a_changed_byte_in_any_column_is_noticed(world: World, column: int) -> None:
    world.put(50)
    world.check()
    world.store.close()
    head = vector_file._unpacked(world.file.read_bytes()[: vector_file._HEAD.size])
    assert head is not None
    first, columns = vector_file._layout(head.dimensions, head.block_rows)
    with world.file.open("r+b") as opened:
        opened.seek(first + columns.offsets[column] + 7)
        old = opened.read(1)[0]
        opened.seek(-1, os.SEEK_CUR)
        opened.write(bytes([old ^ 0x10]))
    assert not vector_file.is_sound(str(world.file))
    world.reopen()
    for _ in range(5):
        world.check()


def test_a_file_cut_short_under_a_search_does_not_end_the_process(world: World) -> None:
    world.put(50)
    world.check()
    os.truncate(world.file, 70_000)
    world.check()
    assert vector_file.is_sound(str(world.file))


def test_the_file_of_another_store_is_not_believed(world: World, tmp_path: Path) -> None:
    other = World(str(tmp_path / "other.db"))
    for one in (world, other):
        one.put(50)
        one.check()
    other.store.close()
    other.file.replace(world.file)
    world.check()
    world.reopen()
    world.check()


def test_after_a_restored_backup_the_newer_file_is_not_believed(world: World, tmp_path: Path) -> None:
    world.put(50)
    backup, true = tmp_path / "backup.db", dict(world.true)
    world.store._database.read(f"vacuum into '{backup}'")
    world.put(30)
    world.check()
    world.store.close()
    for ending in ("", "-wal", "-shm"):
        Path(world.path + ending).unlink(missing_ok=True)
    backup.replace(world.path)
    world.true = true
    world.reopen()
    world.chance = np.random.default_rng(8)
    world.check()
    world.put(40)
    world.reopen()
    world.check()


def test_where_nothing_can_be_written_it_answers_from_memory(world: World) -> None:
    Path(str(world.file) + "-lock").mkdir()
    world.put(60)
    world.check()
    assert not world.file.exists()
    world.put(20)
    world.check()


def test_a_full_disk_leaves_the_file_as_it_was(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    world.put(50)
    world.check()

    def full(self: object, at: int, data: bytes) -> None:
        raise OSError(28, "No space left on device")

    with monkeypatch.context() as patch:
        patch.setattr(vector_file.FileByteStore, "write", full)
        world.put(20)
        world.check()
    assert world.index._file is not None
    assert world.index._file.rows == 50
    world.put(1)
    world.check()
    assert world.index._file.rows == 71


def test_a_disk_that_fills_up_while_rows_are_added_finds_none_twice(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    world.put(50)
    world.check()
    written, append = [], VectorFile.append

    def second_fails(self: VectorFile, rows: vector_file.VectorRows) -> None:
        written.append(len(rows.seqs))
        if len(written) > 1:
            raise OSError(28, "No space left on device")
        append(self, rows)

    monkeypatch.setattr(VectorFile, "append", second_fails)
    world.put(30)
    world.check()
    assert written[:2] == [16, 14]
    assert (world.index._file.rows, world.index._tail.count) == (66, 14)  # type: ignore[union-attr] # there is one


def test_while_another_writes_the_tail_stays_in_memory(world: World) -> None:
    world.put(50)
    world.check()
    with locked(str(world.file)) as ours:
        assert ours
        world.put(30)
        world.check()
        assert world.index._file is not None
        assert world.index._file.rows == 50
    world.put(1)
    world.check()
    assert world.index._file.rows == 81


@pytest.mark.integration
def test_two_processes_share_the_file(world: World) -> None:
    world.put(50)
    world.check()
    asked = world._vector()
    for _ in range(3):
        world.put(11)
        told = json.loads(subprocess.run(_ASK(world, asked), capture_output=True, check=True, text=True).stdout)
        assert told["found"] == [p for p, _ in world.store.reading.find_near("p", "m", asked, Filters(), 5)]
        world.check()
    assert told["rows"] == world.index._file.rows == 83  # type: ignore[union-attr] # there is one


def _ASK(world: World, asked: NDArray[np.float32]) -> list[str]:
    """Another process that searches, and so appends, with the same low limits."""
    program = (
        "import json, sys, numpy as np\n"
        "from holdfast.store.vectors import vector_file\n"
        "from holdfast.store.vectors import vector_index as index, vector_search as search\n"
        "index._SMALL_ROWS, index._TAIL, vector_file._SMALL_BLOCK, search._FEW = 40, 10, 32, 30\n"
        "from holdfast.core.answer import Filters\n"
        "from holdfast.core.clock import SystemClock\n"
        "from holdfast.core.ids import Ids\n"
        "from holdfast.store.sqlite.sqlite_store import SqliteStore\n"
        "store = SqliteStore(sys.argv[1], now=SystemClock().now, ids=Ids())\n"
        "asked = np.array(json.loads(sys.argv[2]), np.float32)\n"
        "found = store.reading.find_near('p', 'm', asked, Filters(), 5)\n"
        "rows = store.reading._indexes.opened('m')._file.rows\n"
        "print(json.dumps({'found': [p for p, _ in found], 'rows': rows}))\n"
        "store.close()\n"
    )
    return [sys.executable, "-c", program, world.path, json.dumps(asked.tolist())]


def test_repair_throws_the_file_away_and_it_comes_back(world: World) -> None:
    world.put(50)
    world.check()
    world.store.health.repair()
    assert not world.file.exists()
    world.put(1)
    world.check()
    world.put(40)
    world.check()
    assert world.file.exists()


def test_after_many_deletions_the_file_is_made_anew(world: World) -> None:
    world.put(100)
    world.check()
    for _ in range(50):
        world.delete(0)
    world.check()
    world.put(11)
    world.check()
    held = world.index._file
    assert held is not None
    assert held.rows == 61


@pytest.mark.parametrize(
    ("spread", "used"), [(4, True), (512, False)], ids=["codes that find everything", "codes that lose too much"]
)
def test_codes_are_used_only_where_they_lose_little(monkeypatch: pytest.MonkeyPatch, spread: int, used: bool) -> None:
    """Vectors that differ in few directions, and vectors that differ in more directions than a code can hold."""
    for name, value in (("_FIRST_LEAST", 1), ("_FIRST_TIMES", 1), ("_SECOND_LEAST", 2), ("_SECOND_TIMES", 2)):
        monkeypatch.setattr(search, name, value)
    chance = np.random.default_rng(7)
    made = chance.standard_normal((600, spread)) @ chance.standard_normal((spread, 512))
    rows = (made / np.linalg.norm(made, axis=1, keepdims=True)).astype(np.float16)
    code = VectorCode.fitted(rows.astype(np.float32))
    held = VectorFile.create(vector_file.MemoryByteStore(), b"", code, 600)
    numbers = np.arange(600)
    held.append(vector_file.VectorRows(numbers, numbers, numbers, numbers, rows))
    assert (index._fitting_depth(held) > 0) is used


def test_signs_and_values_of_halves_survive_the_shift() -> None:
    halves = np.arange(65_536, dtype=np.uint16).view(np.float16)
    halves = halves[np.isfinite(halves)]
    room = np.empty((1, halves.size), np.int32)
    wide = search._from_halves(halves.view(np.int16)[None], room) * np.float64(2.0**112)
    assert np.array_equal(wide[0], halves.astype(np.float64))
