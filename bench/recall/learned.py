"""The store of a set as a user has it: every session consolidated when it ended, background work done."""

from __future__ import annotations

import hashlib
import shutil
import sqlite3
from collections.abc import Mapping
from contextlib import closing
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from functools import cache
from pathlib import Path

import holdfast
from bench.recall.ours import Built, Calendar, build, embed
from bench.recall.pool import Pool
from bench.recall.vectors import KeptVectors
from holdfast.bench.measure import show_progress

# The packages that decide what is learned from messages and kept.
_LEARNING = ("agents", "entities", "intake", "learn", "llm", "sessions", "statements", "text", "trust", "upkeep")


def build_learned(pool: Pool, folder: Path, vectors: KeptVectors) -> Built:
    """Builds the store of a set, or of one part, unless it exists for this version of the learning code."""
    built = build(pool, folder, vectors)
    learned = replace(built, file=f"learned-{_code()}.db")
    done = learned.db.with_suffix(".done")
    if not done.is_file():
        for old in built.folder.glob("learned-*"):
            shutil.rmtree(old) if old.is_dir() else old.unlink()
        with closing(sqlite3.connect(built.db)) as original, closing(sqlite3.connect(learned.db)) as copy:
            original.backup(copy)
        _learn(pool, learned)
        done.touch()
    embed(pool, learned)
    return learned


def _learn(pool: Pool, learned: Built) -> None:
    clock, ends = Calendar(), _ends(pool)
    with learned.open(clock) as workspace:
        for number, session in enumerate(sorted(ends, key=lambda id: (ends[id], id))):
            if number % 50 == 0:
                show_progress(f"{pool.name}: {number:,} of {len(ends):,} sessions consolidated")
            clock.at = ends[session]
            workspace.consolidate(session)
        clock.at = max(ends.values()) + timedelta(hours=1) if ends else None
        workspace.upkeep()


def _ends(pool: Pool) -> Mapping[str, datetime]:
    """When each session ended."""
    beginning = datetime.min.replace(tzinfo=UTC)
    sessions = {id: units for id, units in pool.sessions().items() if units[0].role}
    return {id: max(unit.when or beginning for unit in units) for id, units in sessions.items()}


@cache
def _code() -> str:
    """A hash of the code and data that decide what is learned."""
    source = Path(holdfast.__file__).parent
    files = sorted(file for name in _LEARNING for file in (source / name).rglob("*") if file.suffix != ".pyc")
    content = hashlib.sha256()
    for file in files:
        if file.is_file():
            content.update(file.read_bytes())
    return content.hexdigest()[:12]
