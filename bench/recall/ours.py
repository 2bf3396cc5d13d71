"""Holdfast on a data set: builds its store once, keeps it, and searches through the public API."""

from __future__ import annotations

import hashlib
import json
import shutil
import sqlite3
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, closing, contextmanager
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any, Self

from bench.measure import seconds_of, show_progress
from bench.recall.pool import Answer, Found, Pool, Question, Unit
from holdfast import Admission, Candidate, Hit, Recall, Settings, Workspace
from holdfast import open as open_workspace
from holdfast.core.clock import SystemClock
from holdfast.intake.messages import IncomingMessage

_TYPES = {"said": ("episode",), "code": ("code",), "markdown": ("document",), "memories": None}
_LOOK_SECONDS = 15.0
# No limit per session: the figures measure the ranking of messages, and several of one session may be wanted.
_RANKING = Settings(background=False, embedder="bundled", identity="folder", per_session=0)
_AS_IT_COMES = Settings(background=False, embedder="bundled", identity="folder")


class Calendar(SystemClock):
    """A clock that can be set to another day; by default the machine's clock."""

    def __init__(self) -> None:
        self.at: datetime | None = None

    def now(self) -> datetime:
        return self.at or super().now()


@dataclass(frozen=True, slots=True)
class Built:
    """A store with a data set, and the unit of each of its memories."""

    folder: Path
    units: Mapping[str, str]

    @property
    def db(self) -> Path:
        return self.folder / "holdfast.db"

    def open(self, clock: Calendar, settings: Settings, db: Path | None = None) -> Workspace:
        return open_workspace(str(db or self.db), str(self.folder), settings, clock=clock)


def ranking(built: Built, clock: Calendar) -> Workspace:
    """Opens a store to measure its ranking: no limits, no background process."""
    return built.open(clock, _RANKING)


def build(pool: Pool, folder: Path) -> Built:
    """Builds the store of a set unless it exists, and embeds missing passages. This can take long."""
    home = folder / f"{pool.name}-{_fingerprint(pool)}"
    kept = home / "units.json"
    if not kept.is_file():
        shutil.rmtree(home, ignore_errors=True)
        home.mkdir(parents=True)
        show_progress(f"{pool.name}: filling a store with {len(pool.units):,} units")
        units = _fill(pool, Built(home, {}))
        part = home / "units.part"
        part.write_text(json.dumps(units), encoding="utf-8")
        part.replace(kept)
    built = Built(home, json.loads(kept.read_text(encoding="utf-8")))
    _embed(pool, built)
    return built


class Holdfast:
    """An open copy of a built store. A copy, because a store counts its hits."""

    name = "Holdfast"

    def __init__(
        self,
        pool: Pool,
        built: Built,
        *,
        recipe: Any = "default",
        timed: bool = False,
        capped: bool = False,
        without: Sequence[str] = (),
    ) -> None:
        self._pool = pool
        self._built = built
        self._recipe = recipe
        self._timed = timed
        self._clock = Calendar()
        self._stack = ExitStack()
        copy = self._stack.enter_context(_copied(built, without))
        settings = _AS_IT_COMES if capped else _RANKING
        self._workspace = self._stack.enter_context(built.open(self._clock, settings, copy))

    def ask(self, question: Question, limit: int) -> Answer:
        """The answer and, if requested, its time with a known query vector."""
        answer = self._recall(question, limit)
        seconds = seconds_of(lambda: self._recall(question, limit)) if self._timed else 0.0
        return Answer(tuple(self._found(hit) for hit in answer.hits), answer.confidence, seconds)

    def pack(self, question: Question, budget: int | None = None) -> tuple[str, int]:
        """The pack for a question, and its token count."""
        self._clock.at = question.at
        packed = self._workspace.context(question.text, budget=budget)
        return packed.text, packed.tokens

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        self._stack.close()

    def _recall(self, question: Question, limit: int) -> Recall:
        self._clock.at = question.at
        types = _TYPES[self._pool.kind]
        return self._workspace.recall(
            question.text, limit, types=types, recipe=self._recipe, abstain=False, count=False
        )

    def _found(self, hit: Hit) -> Found:
        if hit.memory is not None:
            return self._pool.found([self._built.units[hit.memory.id]])[0]
        assert hit.document is not None
        assert hit.chunk is not None
        return Found("", hit.document.path, hit.chunk.start, hit.chunk.end)


def _fingerprint(pool: Pool) -> str:
    content = json.dumps([[unit.key, unit.full_text, unit.type] for unit in pool.units]).encode()
    return hashlib.sha256(content).hexdigest()[:12]


def _fill(pool: Pool, built: Built) -> dict[str, str]:
    clock = Calendar()
    with built.open(clock, _RANKING) as workspace:
        return _FILL[pool.kind](pool, workspace, clock)


def _say(pool: Pool, workspace: Workspace, clock: Calendar) -> dict[str, str]:
    units: dict[str, str] = {}
    for session, messages in pool.sessions().items():
        clock.at = messages[0].when
        answers = workspace.session(session).say_all(
            IncomingMessage(unit.role, unit.text, unit.when) for unit in messages
        )
        units |= _kept(messages, answers)
    return units


def _remember(pool: Pool, workspace: Workspace, clock: Calendar) -> dict[str, str]:
    return _kept(pool.units, workspace.remember_all(Candidate(unit.text, unit.type) for unit in pool.units))


def _add_documents(pool: Pool, workspace: Workspace, clock: Calendar) -> dict[str, str]:
    for name, text in pool.documents.items():
        workspace.add_document(name, text, kind=pool.kind)
    return {}


_FILL: Mapping[str, Callable[[Pool, Workspace, Calendar], dict[str, str]]] = {
    "said": _say,
    "memories": _remember,
    "code": _add_documents,
    "markdown": _add_documents,
}


def _kept(units: Sequence[Unit], answers: Sequence[Admission]) -> dict[str, str]:
    """Maps memories to units. A refused unit cannot be found, as in the product."""
    pairs = zip(units, answers, strict=True)
    return {answer.memory.id: unit.key for unit, answer in pairs if answer.memory is not None}


def _embed(pool: Pool, built: Built) -> None:
    with built.open(Calendar(), _RANKING) as workspace, _watched(pool, workspace):
        done = workspace.upkeep("embed")
        waiting = workspace.stats().waiting
    if waiting:
        raise RuntimeError(f"{waiting:,} passages of {pool.name} still wait for a vector ({done})")


@contextmanager
def _watched(pool: Pool, workspace: Workspace) -> Iterator[None]:
    """Reports from time to time how many passages have no vector yet."""
    finished = threading.Event()

    def look() -> None:
        while not finished.wait(_LOOK_SECONDS):
            show_progress(f"{pool.name}: {workspace.stats().waiting:,} passages still to embed")

    watcher = threading.Thread(target=look, daemon=True)
    watcher.start()
    try:
        yield
    finally:
        finished.set()
        watcher.join()


@contextmanager
def _copied(built: Built, without: Sequence[str]) -> Iterator[Path]:
    """Copies the database, optionally without some sessions."""
    copy = built.folder / "asked" / f"{time.monotonic_ns()}.db"
    copy.parent.mkdir(exist_ok=True)
    with closing(sqlite3.connect(built.db)) as original, closing(sqlite3.connect(copy)) as other:
        original.backup(other)
        _take_out(other, without)
    try:
        yield copy
    finally:
        for file in copy.parent.glob(f"{copy.name}*"):
            shutil.rmtree(file) if file.is_dir() else file.unlink()


def _take_out(db: sqlite3.Connection, sessions: Sequence[str]) -> None:
    db.execute("pragma foreign_keys = on")
    for session in sessions:
        theirs = "select id from memories where session_id = ?"
        db.execute(f"delete from passages where owner_id in ({theirs})", (session,))
        db.execute("delete from memories where session_id = ?", (session,))
    db.commit()
