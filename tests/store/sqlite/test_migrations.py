"""Every earlier schema is migrated; files of other programs stay untouched."""

from __future__ import annotations

import contextlib
import multiprocessing
import os
import shutil
import sqlite3
import stat
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from holdfast.core.answer import Filters
from holdfast.core.clock import SystemClock
from holdfast.core.errors import HoldfastError, StoreDamaged, StoreForeign, StoreNewer, StoreReadOnly
from holdfast.core.ids import Ids
from holdfast.core.vector_size import VectorSize
from holdfast.store.sqlite import migrate as migrations
from holdfast.store.sqlite.database import Database
from holdfast.store.sqlite.migrate import APPLICATION_ID, migrate, versions
from holdfast.store.sqlite.sqlite_store import SqliteStore
from holdfast.store.writing.memories import Embedding
from tests.store.state import assert_sound

AT = "2025-06-01T12:00:00.000Z"
# What each version knew, as plain SQL: a later version adds its own lines and keeps these.
FIRST = (
    f"insert into projects (id, name, root, created_at, last_seen_at) values ('p', 'house', '/house', '{AT}', '{AT}')",
    "insert into memories (id, project_id, type, content, content_hash, created_at, tags)"
    f" values ('mem_1', 'p', 'fact', 'The kettle whistles', 'h', '{AT}', '[\"tea\"]')",
    f"insert into memory_events (memory_id, at, verb) values ('mem_1', '{AT}', 'remember')",
    "insert into passages (project_id, kind, owner_id, body) values ('p', 'memory', 'mem_1', 'The kettle whistles')",
    f"insert into sessions (project_id, id, kind, created_at, last_at) values ('p', 's', 'build', '{AT}', '{AT}')",
)
DOCUMENTS = (
    "insert into documents (id, project_id, path, kind, content_hash, bytes, indexed_at)"
    f" values ('doc_1', 'p', 'a.md', 'markdown', 'h', 5, '{AT}')",
    "insert into chunks (id, document_id, ordinal, text, start_at, end_at, line, end_line)"
    " values ('chk_1', 'doc_1', 0, 'Pot', 0, 3, 1, 1)",
    "insert into passages (project_id, kind, owner_id, body) values ('p', 'document', 'chk_1', 'Pot')",
)
ENTITIES = (
    "insert into entities (number, id, project_id, name, type, created_at)"
    f" values (1, 'ent_1', 'p', 'Kettle', 'other', '{AT}')",
    "insert into entity_names values ('p', 'kettle', 1, 'Kettle', 0)",
    "insert into memory_entities values (1, 'mem_1')",
)
LINKS = (
    "insert into document_links (project_id, source_id, target, kind) values ('p', 'doc_1', 'b.md', 'link')",
    "insert into removed_chunks (project_id, run, at, why, path, hash, document_hash)"
    f" values ('p', 'r', '{AT}', 'faded', 'b.md', 'h', 'h')",
)
ITEMS = (f"insert into items values ('p', 'a/b', 'k', '1', '{AT}', '{AT}', null)",)
MERGES = (
    "insert into entity_merges values ('ent_2', 'p', 'ent_1', "
    f"'{AT}', 'Pot', 'other', '', null, 0, '{AT}', '[]', '[]', '[\"Pot\"]', '[]', 0)",
)
MERGES_WITH_RELATION = (MERGES[0].replace("'[]', 0)", "'[]', 0, null)"),)
USES = (f"insert into memory_uses values ('p', 's', 'mem_1', '{AT}', 'prompt', 'used', 'cited')",)
SENTENCES = ("insert into sentences (passage_id) select min(id) from passages",)
SUPPLIED = (f"insert into supplied values ('p', 's', 'mem_1', '{AT}')",)
CODE = (
    "insert into code_files (id, project_id, path, language, lines, size, mtime_ns, hash, version, interface, record)"
    " values (1, 'p', 'a.py', 'python', 1, 5, 0, 'h', 1, 'i', x'00')",
    "insert into code_symbols (file_id, name, kind, start_line, end_line) values (1, 'pour', 'function', 1, 1)",
    "insert into code_edges values (1, 'pour', 1, '', 'uses', 'exact', 'tree-sitter', 1, 1)",
    "insert into code_index (project_id, generation) values ('p', 1)",
)
WALKS = ("insert into code_file_edges values (1, 1, 'uses exact')", "insert into code_lookups values (7, 1)")
OPERATIONS = (
    "insert into operations (id, project_id, verb) values (1, 'p', 'remember')",
    "insert into operation_changes values (1, 'mem_1', null)",
)
ERASURES = (
    "insert into erasures (project_id, memories, texts) values ('p', '[\"mem_2\"]', '[\"The pot leaks\"]')",
    "insert into project_roots (project_id, root) values ('p', '/p/tree')",
)
OPERATIONS_WITH_TIME = (
    f"insert into operations (id, project_id, verb, at) values (1, 'p', 'remember', '{AT}')",
    OPERATIONS[1],
)
OBSERVATIONS = (
    f"insert into observed_sessions (project_id, session_id, at, steps) values ('p', 's', '{AT}', 3)",
    "insert into observed_files (project_id, session_id, path, first_step, reads, edits)"
    " values ('p', 's', 'a.py', 1, 1, 1)",
    "insert into observations (project_id, signal, key, session_id) values ('p', 'backtrack', 'a.py', 's')",
    "insert into promotions values ('p', 'backtrack', 'a.py', 'mem_1', 2)",
)
ROWS: dict[int, tuple[str, ...]] = {
    1: FIRST,
    2: FIRST,
    3: FIRST,
    4: (*FIRST, *DOCUMENTS),
    5: (*FIRST, *DOCUMENTS),
    6: (*FIRST, *DOCUMENTS, *ENTITIES),
    7: (*FIRST, *DOCUMENTS, *ENTITIES, *LINKS),
    8: (*FIRST, *DOCUMENTS, *ENTITIES, *LINKS, *MERGES),
    9: (*FIRST, *DOCUMENTS, *ENTITIES, *LINKS, *MERGES),
    10: (*FIRST, *DOCUMENTS, *ENTITIES, *LINKS, *MERGES),
    11: (*FIRST, *DOCUMENTS, *ENTITIES, *LINKS, *MERGES),
    12: (*FIRST, *DOCUMENTS, *ENTITIES, *LINKS, *MERGES),
    13: (*FIRST, *DOCUMENTS, *ENTITIES, *LINKS, *MERGES),
    14: (*FIRST, *DOCUMENTS, *ENTITIES, *LINKS, *MERGES),
    15: (*FIRST, *DOCUMENTS, *ENTITIES, *LINKS, *MERGES),
    16: (*FIRST, *DOCUMENTS, *ENTITIES, *LINKS, *MERGES, *SUPPLIED),
    17: (*FIRST, *DOCUMENTS, *ENTITIES, *LINKS, *MERGES_WITH_RELATION, *SUPPLIED),
    18: (*FIRST, *DOCUMENTS, *ENTITIES, *LINKS, *MERGES_WITH_RELATION, *SUPPLIED, *CODE),
    19: (*FIRST, *DOCUMENTS, *ENTITIES, *LINKS, *MERGES_WITH_RELATION, *SUPPLIED, *CODE),
    20: (*FIRST, *DOCUMENTS, *ENTITIES, *LINKS, *MERGES_WITH_RELATION, *SUPPLIED, *CODE, *OPERATIONS),
    21: (*FIRST, *DOCUMENTS, *ENTITIES, *LINKS, *MERGES_WITH_RELATION, *SUPPLIED, *CODE, *WALKS, *OPERATIONS),
    22: (*FIRST, *DOCUMENTS, *ENTITIES, *LINKS, *MERGES_WITH_RELATION, *SUPPLIED, *CODE, *WALKS, *OPERATIONS),
    23: (
        *FIRST,
        *DOCUMENTS,
        *ENTITIES,
        *LINKS,
        *MERGES_WITH_RELATION,
        *SUPPLIED,
        *CODE,
        *WALKS,
        *OPERATIONS,
        *OBSERVATIONS,
    ),
    24: (
        *FIRST,
        *DOCUMENTS,
        *ENTITIES,
        *LINKS,
        *MERGES_WITH_RELATION,
        *SUPPLIED,
        *CODE,
        *WALKS,
        *OPERATIONS,
        *OBSERVATIONS,
    ),
    25: (
        *FIRST,
        *DOCUMENTS,
        *ENTITIES,
        *LINKS,
        *MERGES_WITH_RELATION,
        *SUPPLIED,
        *CODE,
        *WALKS,
        *OPERATIONS,
        *OBSERVATIONS,
    ),
    26: (
        *FIRST,
        *DOCUMENTS,
        *ENTITIES,
        *LINKS,
        *MERGES_WITH_RELATION,
        *SUPPLIED,
        *CODE,
        *WALKS,
        *OPERATIONS,
        *OBSERVATIONS,
        *ITEMS,
    ),
    27: (
        *FIRST,
        *DOCUMENTS,
        *ENTITIES,
        *LINKS,
        *MERGES_WITH_RELATION,
        *SUPPLIED,
        *CODE,
        *WALKS,
        *OPERATIONS,
        *OBSERVATIONS,
        *ITEMS,
        *USES,
    ),
    28: (
        *FIRST,
        *DOCUMENTS,
        *ENTITIES,
        *LINKS,
        *MERGES_WITH_RELATION,
        *SUPPLIED,
        *CODE,
        *WALKS,
        *OPERATIONS,
        *OBSERVATIONS,
        *ITEMS,
        *USES,
    ),
    29: (
        *FIRST,
        *DOCUMENTS,
        *ENTITIES,
        *LINKS,
        *MERGES_WITH_RELATION,
        *SUPPLIED,
        *CODE,
        *WALKS,
        *OPERATIONS,
        *OBSERVATIONS,
        *ITEMS,
        *USES,
    ),
    30: (
        *FIRST,
        *DOCUMENTS,
        *ENTITIES,
        *LINKS,
        *MERGES_WITH_RELATION,
        *SUPPLIED,
        *CODE,
        *WALKS,
        *OPERATIONS,
        *OBSERVATIONS,
        *ITEMS,
        *USES,
        *SENTENCES,
    ),
    31: (
        *FIRST,
        *DOCUMENTS,
        *ENTITIES,
        *LINKS,
        *MERGES_WITH_RELATION,
        *SUPPLIED,
        *CODE,
        *WALKS,
        *OPERATIONS,
        *OBSERVATIONS,
        *ITEMS,
        *USES,
        *SENTENCES,
    ),
    32: (
        *FIRST,
        *DOCUMENTS,
        *ENTITIES,
        *LINKS,
        *MERGES_WITH_RELATION,
        *SUPPLIED,
        *CODE,
        *WALKS,
        *OPERATIONS,
        *OBSERVATIONS,
        *ITEMS,
        *USES,
        *SENTENCES,
    ),
    33: (
        *FIRST,
        *DOCUMENTS,
        *ENTITIES,
        *LINKS,
        *MERGES_WITH_RELATION,
        *SUPPLIED,
        *CODE,
        *WALKS,
        *OPERATIONS_WITH_TIME,
        *OBSERVATIONS,
        *ITEMS,
        *USES,
        *SENTENCES,
    ),
}
ROWS[34] = ROWS[33]  # It changed triggers only.
ROWS[35] = ROWS[34]  # It added indexes only.
ROWS[36] = (*ROWS[35], """update code_index set folders = '[1, ["app"]]'""")
ROWS[37] = (*ROWS[36], *ERASURES)


@pytest.fixture(autouse=True)
def _new_stores() -> None:
    """Makes every store of this module by migrating, as users do."""


def open_store(path: Path) -> SqliteStore:
    return SqliteStore(str(path), now=SystemClock().now, ids=Ids())


def write(path: Path, *statements: str) -> None:
    with contextlib.closing(sqlite3.connect(path)) as connection, connection:
        for statement in statements:
            connection.execute(statement)


@pytest.mark.parametrize("version", versions())
def test_every_earlier_schema_upgrades(tmp_path: Path, version: int) -> None:
    path = tmp_path / "old.db"
    database = Database(str(path))
    migrate(database, Ids(), upto=version)
    database.close()
    write(path, *ROWS[version])
    with contextlib.closing(open_store(path)) as store:
        memory = store.reading.memory("mem_1")
        assert memory is not None
        assert (memory.content, memory.tags) == ("The kettle whistles", ("tea",))
        assert [event.verb for event in store.reading.events("mem_1")] == ["remember"]
        assert len(store.reading.find_words("p", ["kettle"], Filters(), 5)) == 1
        assert all(finding.level != "bad" for finding in store.health.examine())
        assert (store.backup is not None) == (version < versions()[-1])
    assert_sound(path)


def test_the_folders_of_an_earlier_schema_are_known(tmp_path: Path) -> None:
    path = tmp_path / "old.db"
    database = Database(str(path))
    migrate(database, Ids(), upto=36)
    database.close()
    write(path, *ROWS[36])
    root = "select root from projects where id = 'p'"
    with contextlib.closing(open_store(path)) as store, contextlib.closing(sqlite3.connect(path)) as connection:
        assert store.projects.folders("p") == {connection.execute(root).fetchone()[0]: False}
        assert store.erasure.recorded() == ()


def test_bags_of_an_earlier_schema_learn_whose_they_are(tmp_path: Path) -> None:
    path = tmp_path / "old.db"
    database = Database(str(path))
    migrate(database, Ids(), upto=8)
    database.close()
    said = "insert into bags (passage_id, bag) select id, x'00000000' from passages"
    write(path, *ROWS[8], "update memories set source_role = 'user', session_id = 's'", said)
    with contextlib.closing(open_store(path)) as store:
        traits = store.reading.traits([1, 2])
    assert (traits.kinds, traits.roles, traits.sessions) == (("fact", "document"), ("user", None), ("s", None))


def test_long_messages_of_an_earlier_schema_wait_for_their_sentences(tmp_path: Path) -> None:
    path = tmp_path / "old.db"
    database = Database(str(path))
    migrate(database, Ids(), upto=29)
    database.close()
    bags = (
        "insert into bags (passage_id, bag, kind, role) select id, x'00000000', 'episode', 'user' from passages",
        "update passages set body = body || ' ' || printf('%.*c', 200, 'x') where owner_id = 'mem_1'",
    )
    write(path, *ROWS[29], bags[1], bags[0])
    with contextlib.closing(open_store(path)) as store:
        [waiting] = store.reading.pending_sentences("any", 10, VectorSize.SMALL)
    assert waiting.memory == "mem_1"


def test_what_was_past_before_an_upgrade_is_past_after_it(tmp_path: Path) -> None:
    path = tmp_path / "old.db"
    database = Database(str(path))
    migrate(database, Ids(), upto=10)
    database.close()
    write(path, *ROWS[10], "update memories set deprecated = 1")
    with contextlib.closing(open_store(path)) as store:
        assert store.reading.find_words("p", ["kettle"], Filters(), 5) == ()
        assert len(store.reading.find_words("p", ["kettle"], Filters(include_forgotten=True), 5)) == 1


def test_reflections_that_counted_words_are_forgotten(tmp_path: Path) -> None:
    path = tmp_path / "old.db"
    database = Database(str(path))
    migrate(database, Ids(), upto=16)
    database.close()
    row = (
        "insert into memories (id, project_id, type, content, content_hash, created_at, attributes)"
        f" values ('%s', 'p', 'reflection', '%s', 'h', '{AT}', '{{\"how\": \"%s\"}}')"
    )
    counted = "12 memories from 3 sessions: 9 fact, 3 decision."
    write(path, *ROWS[16], row % ("r1", counted, "extract"), row % ("r2", "- The harbour.", "model"))
    with contextlib.closing(open_store(path)) as store:
        assert [memory.id for memory in store.reading.latest("p", "reflection", 5)] == ["r2"]
        assert [event.verb for event in store.reading.events("r1")] == ["forget"]


def test_names_of_an_earlier_schema_are_matched(tmp_path: Path) -> None:
    path = tmp_path / "old.db"
    database = Database(str(path))
    migrate(database, Ids(), upto=16)
    database.close()
    write(path, *ROWS[16], "update entities set name = 'Zoë Kettle', type = 'person'",
          "update entity_names set name = 'Zoë Kettle', key = 'zoë kettle'")  # fmt: skip
    with contextlib.closing(open_store(path)) as store:
        assert [known.entity for known in store.entities.registered("p", ["zoe"])] == ["ent_1"]
        assert [name.key for name in store.entities.pending_names()] == ["zoë kettle"]


def test_mentions_of_an_earlier_schema_are_counted_again(tmp_path: Path) -> None:
    path = tmp_path / "old.db"
    database = Database(str(path))
    migrate(database, Ids(), upto=16)
    database.close()
    write(path, *ROWS[16], "update memories set deprecated = 1")
    with contextlib.closing(open_store(path)) as store:
        assert store.entities.entities("p") == ()


def test_titles_of_an_earlier_schema_are_found(tmp_path: Path) -> None:
    path = tmp_path / "old.db"
    database = Database(str(path))
    migrate(database, Ids(), upto=14)
    database.close()
    write(path, *ROWS[14], "update documents set title = 'Teapots', path = 'docs/pots.md'")
    with contextlib.closing(open_store(path)) as store:
        for word in ("teapot", "pots"):
            [(passage, _)] = store.reading.find_titles("p", [word], Filters(), 5)
            assert store.reading.titles([passage]) == {passage: ("Teapots", "docs/pots.md")}


def test_vectors_of_an_earlier_schema_answer_until_better_ones_replace_them(tmp_path: Path) -> None:
    path = tmp_path / "old.db"
    database = Database(str(path))
    migrate(database, Ids(), upto=11)
    database.close()
    vectors = (
        "insert into embedders values (1, 'older', 2)",
        "insert into vectors (passage_id, embedder_id, vector) select id, 1, x'003c0000' from passages",
        "insert into codes select id, 1, x'01', x'02' from passages",
        "update passages set embedder_id = 1",
    )
    write(path, *ROWS[11], *vectors)
    with contextlib.closing(open_store(path)) as store:
        near = store.reading.find_near("p", "older", np.array([1, 0], np.float32), Filters(), 5)
        assert sorted(near) == [(1, 1.0), (2, 1.0)]
        assert (store.reading.count_pending("older"), store.reading.count_pending("space")) == (0, 2)
        assert store.reading.count_by_size("older") == {VectorSize.SINGLE: 2}
        store.memories.put_vectors({1: Embedding("space", 2, b"\0\x3c\0\0", size=VectorSize.STATIC)})
        assert [waiting.passage for waiting in store.reading.pending("space", 5)] == [2]
        assert len(store.reading.find_near("p", "older", np.array([1, 0], np.float32), Filters(), 5)) == 2
    write(path, "update memories set deprecated = 1")
    with contextlib.closing(sqlite3.connect(path)) as connection:
        sizes = connection.execute("select passage_id, embedder_id, size from vectors order by 1, 2").fetchall()
        assert sizes == [(1, 1, 0), (1, 2, 1), (2, 1, 0)]
        assert not connection.execute("select 1 from sqlite_schema where name in ('codes', 'views')").fetchall()
    assert_sound(path)


def test_every_version_says_what_it_knew() -> None:
    assert sorted(ROWS) == versions()


def test_a_new_file_is_ours_and_only_its_owners(tmp_path: Path) -> None:
    path = tmp_path / "deep" / "new.db"
    with contextlib.closing(open_store(path)) as store:
        assert store.backup is None
        assert len(_store_id(store)) == 26
    with contextlib.closing(sqlite3.connect(path)) as connection:
        assert connection.execute("pragma application_id").fetchone()[0] == APPLICATION_ID
        assert connection.execute("pragma user_version").fetchone()[0] == versions()[-1]
        assert connection.execute("pragma journal_mode").fetchone()[0] == "wal"
    assert stat.S_IMODE(path.stat().st_mode) == 0o600


@pytest.fixture
def one_more_version(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> int:
    """A program that knows one schema more than this one."""
    folder, new = tmp_path / "schema", versions()[-1] + 1
    shutil.copytree(migrations._FOLDER, folder)
    (folder / f"{new:04d}_next.sql").write_text(
        "alter table memories add column mood text;\nupdate memories set mood = 'calm';\n"
    )
    monkeypatch.setattr(migrations, "_FOLDER", str(folder))
    return new


def test_an_upgrade_leaves_a_backup_beside_the_file(tmp_path: Path, one_more_version: int) -> None:
    path, old = tmp_path / "old.db", one_more_version - 1
    database = Database(str(path))
    migrate(database, Ids(), upto=old)
    database.close()
    write(path, *ROWS[old])
    with contextlib.closing(open_store(path)) as store:
        assert store.backup == f"{path}.backup-v{old}"
    with contextlib.closing(sqlite3.connect(path)) as connection:
        assert connection.execute("select mood from memories").fetchall() == [("calm",)]
    assert stat.S_IMODE(os.stat(f"{path}.backup-v{old}").st_mode) == 0o600
    with contextlib.closing(sqlite3.connect(f"{path}.backup-v{old}")) as backup:
        assert backup.execute("pragma user_version").fetchone()[0] == old
        assert backup.execute("select content from memories").fetchall() == [("The kettle whistles",)]
    assert sorted(p.suffix for p in tmp_path.iterdir() if p.is_file()) == [f".backup-v{old}", ".db"]
    with contextlib.closing(open_store(path)) as store:
        assert store.backup is None


def test_a_backup_that_was_interrupted_does_not_stop_the_upgrade(tmp_path: Path, one_more_version: int) -> None:
    path, old = tmp_path / "old.db", one_more_version - 1
    database = Database(str(path))
    migrate(database, Ids(), upto=old)
    database.close()
    Path(f"{path}.backup-v{old}.part").write_bytes(b"half a backup")
    with contextlib.closing(open_store(path)) as store:
        assert store.backup is not None


def test_a_backup_can_be_opened_in_place_of_the_file(tmp_path: Path, one_more_version: int) -> None:
    path, old = tmp_path / "old.db", one_more_version - 1
    database = Database(str(path))
    migrate(database, Ids(), upto=old)
    database.close()
    write(path, *ROWS[old])
    open_store(path).close()
    os.replace(f"{path}.backup-v{old}", path)
    with contextlib.closing(open_store(path)) as store:
        assert store.reading.memory("mem_1") is not None


def test_a_failing_upgrade_changes_nothing(tmp_path: Path, one_more_version: int) -> None:
    path, old = tmp_path / "old.db", one_more_version - 1
    database = Database(str(path))
    migrate(database, Ids(), upto=old)
    database.close()
    with (tmp_path / "schema" / f"{one_more_version:04d}_next.sql").open("a") as file:
        file.write("insert into nowhere values (1);\n")
    with pytest.raises(HoldfastError):
        open_store(path)
    with contextlib.closing(sqlite3.connect(path)) as connection:
        assert connection.execute("pragma user_version").fetchone()[0] == old
        assert "mood" not in [row[1] for row in connection.execute("pragma table_info(memories)")]


@pytest.mark.parametrize("wal", [True, False])
def test_a_newer_file_is_refused_untouched(tmp_path: Path, wal: bool) -> None:
    path = tmp_path / "newer.db"
    open_store(path).close()
    write(path, f"pragma user_version = {versions()[-1] + 1}")
    if not wal:
        write(path, "pragma journal_mode = delete")
    before = path.read_bytes()
    with pytest.raises(StoreNewer, match="knows up to"):
        open_store(path)
    assert path.read_bytes() == before
    assert [p.name for p in tmp_path.iterdir()] == ["newer.db"]


@pytest.mark.parametrize("statement", ["create table songs (title text)", "pragma application_id = 99"])
def test_a_foreign_database_is_refused_untouched(tmp_path: Path, statement: str) -> None:
    path = tmp_path / "songs.db"
    write(path, "create table notes (text text)", statement)
    before = path.read_bytes()
    with pytest.raises(StoreForeign):
        open_store(path)
    assert path.read_bytes() == before
    assert [p.name for p in tmp_path.iterdir()] == ["songs.db"]


def test_a_file_that_is_no_database_is_refused_untouched(tmp_path: Path) -> None:
    path = tmp_path / "letter.txt"
    path.write_text("Dear reader, " * 100)
    before = path.read_bytes()
    with pytest.raises(StoreForeign):
        open_store(path)
    assert path.read_bytes() == before


@pytest.mark.parametrize("share", [0.2, 0.5, 0.9])
def test_a_truncated_file_is_called_damaged(tmp_path: Path, share: float) -> None:
    path = tmp_path / "memory.db"
    open_store(path).close()
    write(path, *ROWS[1])
    whole = path.read_bytes()
    path.write_bytes(whole[: int(len(whole) * share)])
    with pytest.raises(StoreDamaged) as caught, contextlib.closing(open_store(path)) as store:  # noqa: PT012
        for finding in store.health.examine():
            if finding.level == "bad":
                raise StoreDamaged(str(finding.detail))
    assert "backup" in caught.value.hint


def test_a_folder_in_its_place_and_a_folder_that_cannot_be_written(tmp_path: Path) -> None:
    with pytest.raises(HoldfastError):
        open_store(tmp_path)
    (tmp_path / "file").write_text("")
    with pytest.raises(StoreReadOnly):
        open_store(tmp_path / "file" / "memory.db")


def _store_id(store: SqliteStore) -> str:
    return str(store._database.read("select value from metadata where key = 'store_id'")[0][0])


def _open_and_tell(path: str, start: Any, results: Any) -> None:
    start.wait()
    try:
        with contextlib.closing(open_store(Path(path))) as store:
            results.put(_store_id(store))
    except HoldfastError as error:
        results.put(f"error: {error}")


@pytest.mark.integration
@pytest.mark.filterwarnings("ignore:This process .* is multi-threaded:DeprecationWarning")
def test_eight_processes_may_open_a_new_file_at_once(tmp_path: Path) -> None:
    context = multiprocessing.get_context("fork")
    start, results = context.Barrier(8), context.Queue()
    path = str(tmp_path / "memory.db")
    processes = [context.Process(target=_open_and_tell, args=(path, start, results)) for _ in range(8)]
    for process in processes:
        process.start()
    told = {results.get(timeout=60) for _ in processes}
    for process in processes:
        process.join(60)
    assert len(told) == 1
    assert not told.pop().startswith("error")
    assert_sound(path)
