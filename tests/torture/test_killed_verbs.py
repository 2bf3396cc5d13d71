"""Every verb is killed with `kill -9` at a random moment: the database is intact, and doing it again completes it.

HOLDFAST_KILLS sets how often each is killed.
"""

from __future__ import annotations

import contextlib
import os
import random
import shutil
import sqlite3
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import pytest

import holdfast
from holdfast.core.admission import Candidate
from holdfast.core.ids import Ids
from holdfast.store.sqlite import migrate as migrations
from holdfast.store.sqlite.database import Database
from holdfast.store.sqlite.migrate import migrate
from holdfast.workspace import Workspace, salvage
from tests.store.sqlite.earlier import stored, with_one_more
from tests.store.sqlite.test_migrations import FIRST
from tests.store.sqlite.test_salvage import overwrite, pages_of
from tests.store.state import assert_sound
from tests.torture.children import Child, Report, forks

pytestmark = [pytest.mark.torture, forks]

KILLS = int(os.environ.get("HOLDFAST_KILLS", "2"))


class Place(NamedTuple):
    """A folder with a database and a project."""

    folder: Path

    @property
    def db(self) -> Path:
        return self.folder / "memory.db"

    @property
    def project(self) -> Path:
        return self.folder / "project"

    def open(self) -> Workspace:
        return holdfast.open(db=str(self.db), project=str(self.project), embedder="none", background=False)


def teach(place: Place) -> None:
    with place.open() as ws:
        ws.remember_all([Candidate(f"Drawer d{n} holds thing t{n * 7}") for n in range(60)])


def talk(place: Place) -> None:
    with place.open() as ws:
        session = ws.session("s")
        for n in range(30):
            session.say("user", f"From now on room r{n} must be locked at {n % 12 + 8}:00.")


def write_documents(place: Place) -> None:
    (place.project / "docs").mkdir()
    for n in range(40):
        (place.project / "docs" / f"d{n}.md").write_text(f"# Tea {n}\n\n{'Steep it for long. ' * 40}\n")


def indexed_twice(place: Place) -> None:
    write_documents(place)
    for n in range(0, 40, 2):
        shutil.copy(place.project / "docs" / f"d{n}.md", place.project / "docs" / f"copy{n}.md")
    with place.open() as ws:
        ws.index()


def exported(place: Place) -> None:
    teach(place)
    talk(place)
    with place.open() as ws:
        (place.folder / "export.json").write_text(ws.export(), encoding="utf-8")
    place.db.unlink()


def edited(place: Place) -> None:
    talk(place)
    with place.open() as ws:
        ws.consolidate("s")
        ws.sync_memory()
    page = next(place.project.rglob("MEMORY.md"))
    page.write_text(page.read_text(encoding="utf-8").replace("must be locked", "must be bolted"), encoding="utf-8")


def old_schema(place: Place) -> None:
    database = Database(str(place.db))
    migrate(database, Ids())
    with database.write(durable=True) as connection:
        for statement in FIRST:
            connection.execute(statement)
        for n in range(300):
            connection.execute(
                "insert into memories (id, project_id, type, content, content_hash, created_at) values (?, 'p', 'fact',"
                " ?, ?, '2025-06-01T12:00:00.000Z')", (f"m{n}", f"Drawer d{n} holds thing t{n * 7}", f"h{n}"),
            )  # fmt: skip
    database.close()


def damaged(place: Place) -> None:
    teach(place)
    overwrite(place.db, pages_of(place.db, "memories")[2:3])


def remember(place: Place, report: Report) -> None:
    with place.open() as ws:
        for n in range(40):
            stored = ws.remember(f"Drawer d{n} holds thing t{n * 7}").memory
            assert stored is not None
            report(stored.id)


def say(place: Place, report: Report) -> None:
    with place.open() as ws:
        said = len(ws.session("s").episodes(limit=1_000))
        for n in range(said, 200):
            stored = ws.session("s").say("user", f"message {n}").memory
            assert stored is not None
            report(stored.id)


def using(act: Callable[[Workspace], object]) -> Callable[[Place, Report], None]:
    def run(place: Place, report: Report) -> None:
        with place.open() as ws:
            act(ws)

    return run


def import_(place: Place, report: Report) -> None:
    with place.open() as ws:
        ws.import_((place.folder / "export.json").read_text(encoding="utf-8"))


def export(place: Place, report: Report) -> None:
    from holdfast.interfaces.cli import main

    arguments = ["--db", str(place.db), "--project", str(place.project), "export", "-o", str(place.folder / "out.json")]
    main.run(arguments)


def upgrade(place: Place, report: Report) -> None:
    # In a child, which ends afterwards.
    migrations._FOLDER = str(with_one_more(place.folder / "schema"))
    database = Database(str(place.db))
    migrate(database, Ids())
    database.close()


def convert(place: Place, report: Report) -> None:
    salvage(str(place.db))


def repair(place: Place, report: Report) -> None:
    salvage(str(place.db))
    with place.open() as ws:
        ws.doctor(repair=True)


class Verb(NamedTuple):
    prepare: Callable[[Place], object]
    act: Callable[[Place, Report], None]


VERBS = {
    "remember": Verb(lambda place: None, remember),
    "say": Verb(lambda place: None, say),
    "consolidate": Verb(talk, using(lambda ws: ws.consolidate("s"))),
    "index": Verb(write_documents, using(lambda ws: ws.index())),
    "import": Verb(exported, import_),
    "sync": Verb(edited, using(lambda ws: ws.sync_memory())),
    "gc": Verb(indexed_twice, using(lambda ws: ws.gc(dry_run=False))),
    "migrate": Verb(old_schema, upgrade),
    "convert": Verb(lambda place: stored(27, place.db), convert),
    "export": Verb(teach, export),
    "repair": Verb(damaged, repair),
}


@pytest.mark.parametrize("name", VERBS)
def test_a_killed_verb_leaves_an_intact_database_and_can_be_repeated(tmp_path: Path, name: str, capsys: Any) -> None:
    verb, dice, acknowledged = VERBS[name], random.Random(name), 0
    # Always in the same place: a project is recognised by its folder.
    place, saved = Place(tmp_path / "work"), tmp_path / "saved"
    place.project.mkdir(parents=True)
    verb.prepare(place)
    shutil.copytree(place.folder, saved)
    started = time.monotonic()
    assert Child(lambda report: verb.act(place, report)).end()[0] == 0
    seconds, expected = time.monotonic() - started, _content(place)
    for _ in range(KILLS):
        shutil.rmtree(place.folder)
        shutil.copytree(saved, place.folder)
        child = Child(lambda report: verb.act(place, report))
        time.sleep(dice.uniform(0, seconds))
        child.kill()
        code, told = child.end()
        assert code in (-9, 0)
        acknowledged += len(told)
        _check(place, name, told)
        assert Child(lambda report: verb.act(place, report)).end()[0] == 0
        assert _content(place) == expected
        assert_sound(place.db)
    with capsys.disabled():
        print(f"\n{name}: {KILLS} kills, {acknowledged} acknowledged, none lost, all completed when repeated")


def _check(place: Place, name: str, told: list[Any]) -> None:
    """After the kill: intact, except the database that was damaged before; everything acknowledged is there."""
    if name not in ("repair", "migrate", "convert") and place.db.exists() and place.db.stat().st_size:
        assert_sound(place.db)
        with place.open() as ws:
            ids = {memory.id for memory in ws.list(limit=10_000, include_forgotten=True)}
        assert set(told) <= ids


def _content(place: Place) -> object:
    """What a person has stored, without ids and times."""
    with contextlib.closing(sqlite3.connect(place.db)) as connection:
        memories = connection.execute("select type, content, deprecated, valid_until is null from memories").fetchall()
        version = connection.execute("pragma user_version").fetchone()
        documents = connection.execute("select path, deprecated from documents").fetchall()
        chunks = connection.execute("select text from chunks").fetchall()
        passages = connection.execute("select body from passages").fetchall()
    files = [(path.name, path.stat().st_size > 0) for path in place.folder.glob("out.json*")]
    return [version, *(sorted(rows) for rows in (memories, documents, chunks, passages, files))]
