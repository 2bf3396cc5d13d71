"""Holdfast on a data set: builds its store once, keeps it, and searches through the public API."""

from __future__ import annotations

import hashlib
import json
import shutil
import sqlite3
import threading
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, closing, contextmanager
from dataclasses import dataclass, replace
from datetime import datetime
from pathlib import Path
from typing import Any, Self

from bench.recall.pool import Answer, Found, Pool, Question, Unit
from bench.recall.vectors import KeptVectors
from holdfast import Admission, Candidate, Hit, Memory, Recall, Settings, Workspace
from holdfast import open as open_workspace
from holdfast.bench.measure import seconds_of, show_progress
from holdfast.core.clock import SystemClock
from holdfast.core.memory import REFLECTION
from holdfast.intake.message_intake import IncomingMessage
from holdfast.models import contextual
from holdfast.models.guarded import GuardedEmbedder

_TYPES = {"said": ("episode",), "code": ("code",), "markdown": ("document",)}
_LOOK_SECONDS = 15.0
_AS_IT_COMES = Settings(background=False, embedder="bundled", identity="folder")
_RANKING = replace(_AS_IT_COMES, per_session=0)


@dataclass(frozen=True, slots=True)
class Call:
    """How recall is called. The default has no arguments except the query and the number of hits.

    `typed` names the types of the set. `uncut` returns the complete ranking: no abstention, no limit per session.
    """

    name: str
    typed: bool = False
    uncut: bool = False


DEFAULT = Call("Holdfast")
TYPED = Call("types=", typed=True)
UNCUT = Call("types=, uncut", typed=True, uncut=True)


class Calendar(SystemClock):
    """A clock that can be set to another day; by default the machine's clock."""

    def __init__(self) -> None:
        self.at: datetime | None = None

    def now(self) -> datetime:
        return self.at or super().now()


@dataclass(frozen=True, slots=True)
class Built:
    """A store with a data set, and the unit of each of its memories. `vectors` is the cache that it embeds with."""

    folder: Path
    units: Mapping[str, str]
    file: str = "holdfast.db"
    vectors: KeptVectors | None = None

    @property
    def db(self) -> Path:
        return self.folder / self.file

    def open(self, clock: Calendar, settings: Settings = _AS_IT_COMES, db: Path | None = None) -> Workspace:
        workspace = open_workspace(str(db or self.db), str(self.folder), settings=settings, clock=clock)
        models = workspace.container.models
        if self.vectors and models.embedder:
            embedder = GuardedEmbedder(self.vectors.embedder, models.embedder.uncached)
            models.__dict__["embedder"] = embedder  # in place of the one that `built_once` keeps there
        return workspace


def ranking(built: Built, clock: Calendar) -> Workspace:
    """Opens a store to measure its ranking: no limits, no background process."""
    return built.open(clock, _RANKING)


def build(pool: Pool, folder: Path, vectors: KeptVectors | None = None) -> Built:
    """Builds the store of a set unless it exists, and embeds missing passages. This can take long.

    `pool` has one store: it is a set without parts, or one part.
    """
    home = folder / f"{pool.name}-{_fingerprint(pool)}"
    kept = home / "units.json"
    if not kept.is_file():
        shutil.rmtree(home, ignore_errors=True)
        home.mkdir(parents=True)
        show_progress(f"{pool.name}: filling a store with {len(pool.units):,} units")
        units = _fill(pool, Built(home, {}, vectors=vectors))
        part = home / "units.part"
        part.write_text(json.dumps(units), encoding="utf-8")
        part.replace(kept)
    built = Built(home, json.loads(kept.read_text(encoding="utf-8")), vectors=vectors)
    embed(pool, built)
    return built


class Holdfast:
    """An open copy of a built store. A copy, because a store counts its hits."""

    def __init__(
        self,
        pool: Pool,
        built: Built,
        call: Call = DEFAULT,
        *,
        recipe: Any = "default",
        timed: bool = False,
        without: Sequence[str] = (),
    ) -> None:
        self._pool = pool
        self._built = built
        self._call = call
        self._recipe = recipe
        self._timed = timed
        self._clock = Calendar()
        self._stack = ExitStack()
        copy = self._stack.enter_context(_copied(built, without))
        settings = _RANKING if call.uncut else _AS_IT_COMES
        self._workspace = self._stack.enter_context(built.open(self._clock, settings, copy))

    def ask(self, question: Question, limit: int) -> Answer:
        """The answer and, if requested, its time with a known query vector."""
        answer = self._recall(question, limit)
        seconds = seconds_of(lambda: self._recall(question, limit)) if self._timed else 0.0
        ranked = self._recall(question, limit, abstain=False) if self._pool.asks_unanswerable else answer
        return Answer(self._entries(answer), answer.confidence, seconds, self._entries(ranked))

    def pack(self, question: Question, budget: int | None = None) -> tuple[str, int]:
        """The pack for a question, and its token count."""
        self._clock.at = question.at
        packed = self._workspace.context(question.text, budget=budget)
        return packed.text, packed.tokens

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        self._stack.close()

    def _recall(self, question: Question, limit: int, abstain: bool = True) -> Recall:
        """Calls recall as people do, but without counting: a question must not influence the next."""
        self._clock.at = question.at
        abstain = abstain and not self._call.uncut
        types = self._types() if self._call.typed else None
        return self._workspace.recall(
            question.text, limit, types=types, recipe=self._recipe, abstain=abstain, count=False, also=question.also
        )

    def _types(self) -> Sequence[str]:
        return _TYPES.get(self._pool.kind) or sorted({unit.type for unit in self._pool.units if unit.type})

    def _entries(self, answer: Recall) -> tuple[Found, ...]:
        return tuple(self._found(hit) for hit in answer.hits)

    def _found(self, hit: Hit) -> Found:
        """The unit of a hit; for a learned memory, the messages that it cites. A summary of a week does not count.

        Both with the messages that the hit names as saying the same.
        """
        if hit.memory is not None:
            units = self._built.units
            repeats = self._pool.found(units[repeat.id] for repeat in hit.repeats if repeat.id in units)
            if hit.memory.id in units:
                return replace(self._pool.found([units[hit.memory.id]])[0], repeats=repeats)
            cites = self._cited(hit.memory)
            group = cites[0].group if cites else hit.memory.id
            return Found(hit.memory.id, group, cites=cites, repeats=repeats)
        assert hit.document is not None
        assert hit.chunk is not None
        return Found("", hit.document.path, hit.chunk.start, hit.chunk.end)

    def _cited(self, memory: Memory) -> tuple[Found, ...]:
        if memory.type == REFLECTION:
            return ()
        return self._pool.found(self._built.units[id] for id in memory.source_ids if id in self._built.units)


def _fingerprint(pool: Pool) -> str:
    """Changes with the units, and with the code that says which text is embedded for each."""
    content = json.dumps([[unit.key, unit.full_text, unit.type, *unit.questions] for unit in pool.units]).encode()
    return hashlib.sha256(content + Path(contextual.__file__).read_bytes()).hexdigest()[:12]


def _fill(pool: Pool, built: Built) -> dict[str, str]:
    """Stores messages, memories and documents; returns the unit of each message and memory."""
    clock = Calendar()
    with built.open(clock, _RANKING) as workspace:
        units = _say(pool, workspace, clock)
        clock.at = None
        memories = [unit for unit in pool.units if unit.type]
        given = (Candidate(unit.text, unit.type, questions=unit.questions) for unit in memories)
        units |= _kept(memories, workspace.remember_all(given))
        for name, text in pool.documents.items():
            workspace.add_document(name, text, kind="code" if name.endswith(".py") else "markdown")
        return units


def _say(pool: Pool, workspace: Workspace, clock: Calendar) -> dict[str, str]:
    units: dict[str, str] = {}
    for session, messages in pool.sessions().items():
        if not messages[0].role:
            continue
        clock.at = messages[0].when
        answers = workspace.session(session).say_all(
            IncomingMessage(unit.role, unit.text, unit.when) for unit in messages
        )
        units |= _kept(messages, answers)
    return units


def _kept(units: Sequence[Unit], answers: Sequence[Admission]) -> dict[str, str]:
    """Maps memories to units. A refused unit cannot be found, as in the product."""
    pairs = zip(units, answers, strict=True)
    return {answer.memory.id: unit.key for unit, answer in pairs if answer.memory is not None}


def embed(pool: Pool, built: Built) -> None:
    """Embeds the passages that have no vector of the model yet."""
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
