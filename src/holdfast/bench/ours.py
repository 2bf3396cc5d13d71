"""Measures Holdfast through the workspace. Vectors come from a table, because embedding is measured separately."""

from __future__ import annotations

import os
import re
import shutil
import tempfile
import time
from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from holdfast.bench import corpus as corpus_
from holdfast.bench import disk_use
from holdfast.bench.corpus import Corpus, Note
from holdfast.bench.measure import (
    Measurement,
    bytes_under,
    milliseconds,
    rate,
    resident_megabytes,
    seconds_of,
    seconds_of_each,
    show_progress,
)
from holdfast.core.vector_size import VectorSize

if TYPE_CHECKING:
    from holdfast.bench.corpus import Vectors
    from holdfast.workspace import Workspace

# Budgets at 10,000 memories in milliseconds, without embedding.
BUDGETS = {"search": 15.0, "remember": 4.0, "say (one message)": 1.0}
ROUNDS = 3
_BATCH = 1_000
_SAID_TOGETHER = 100
_DOCUMENTED = 3_000


class TableEmbedder:
    """Returns precomputed vectors; an unknown text is an error."""

    id = f"table@1:{corpus_.DIMENSIONS}"
    size = VectorSize.SINGLE
    dimensions = corpus_.DIMENSIONS

    def __init__(self, table: Mapping[str, Vectors]) -> None:
        self._table = table

    def embed(self, texts: Sequence[str]) -> Vectors:
        import numpy as np

        # A memory is embedded as a context line, a blank line and its text.
        return np.stack([self._table[text.rpartition("\n\n")[2]] for text in texts])

    def embed_query(self, text: str) -> Vectors:
        # A search writes the meaning of a shorthand in brackets after it.
        return self._table[re.sub(r" \([^()]*\)", "", text)]


def measure(folder: Path, samples: int) -> list[Measurement]:
    """Measures every operation on a warm store filled with the corpus."""
    corpus, vectors = corpus_.load(folder)
    before = resident_megabytes()
    home = Path(tempfile.mkdtemp(dir=folder))
    _make_repository(home / "project")
    table = TableEmbedder(_table(corpus, vectors))
    filled = _fill(home, corpus, table)
    disk = bytes_under(home / "db") / len(corpus.notes)
    opened = _open_again(home, corpus, table)
    with _workspace(home, table) as ws:
        seconds = _rounds(ws, corpus, samples)
        held = resident_megabytes() - before
        seconds_for_messages = seconds_of(lambda: _say_all(ws, corpus.messages))
    seconds |= _with_vectors(home, table, corpus.more[ROUNDS * samples :][: ROUNDS * samples])
    kept = disk_use.measure(folder, corpus.messages, corpus.notes[:_DOCUMENTED])
    timed = [milliseconds(name, each, BUDGETS.get(name)) for name, each in (seconds | opened).items()]
    shutil.rmtree(home)
    return [
        *timed,
        *filled,
        rate("say_all, batches of 100", len(corpus.messages), seconds_for_messages),
        Measurement("resident memory", held, None, "MB"),
        Measurement("disk per memory", disk, None, "bytes"),
        *kept,
    ]


def _table(corpus: Corpus, vectors: Mapping[str, Vectors]) -> dict[str, Vectors]:
    notes = ((note.text, row) for name in ("notes", "more") for note, row in _zip(getattr(corpus, name), vectors[name]))
    return {**dict(notes), **dict(_zip(corpus.questions, vectors["questions"]))}


def _zip(things: Sequence[Any], rows: Vectors) -> list[tuple[Any, Vectors]]:
    return list(zip(things, rows, strict=True))


def _workspace(home: Path, table: TableEmbedder, embed_when: str = "later") -> Workspace:
    import holdfast

    project = str(home / "project")
    settings = holdfast.Settings(embedder="none", background=False, embed_when=embed_when, project=project)
    ws = holdfast.open(str(home / "db" / "holdfast.db"), settings=settings)
    # No setting names a table of vectors, so it replaces the embedder that the settings would build.
    ws.container.models.__dict__.update(embedder=table)
    return ws


def _make_repository(project: Path) -> None:
    """Creates the files by which a git repository and its commit are recognised."""
    git = project / ".git"
    (git / "refs" / "heads").mkdir(parents=True, exist_ok=True)
    (git / "HEAD").write_text("ref: refs/heads/main\n")
    (git / "refs" / "heads" / "main").write_text("5" * 40 + "\n")
    (git / "config").write_text('[remote "origin"]\n\turl = https://example.com/bench/project.git\n')


def _fill(home: Path, corpus: Corpus, table: TableEmbedder) -> list[Measurement]:
    notes = corpus.notes
    with _workspace(home, table) as ws:
        show_progress(f"remembering {len(notes):,} memories")
        batches = [notes[at : at + _BATCH] for at in range(0, len(notes), _BATCH)]
        kept = sum(seconds_of_each(lambda batch: ws.remember_all(map(_candidate, batch)), batches))
        show_progress("storing the vectors")
        embedded = seconds_of(lambda: ws.upkeep("embed"))
        count = ws.count()
    return [
        rate("remember_all, batches of 1,000", len(notes), kept),
        rate("add all, with vectors", len(notes), kept + embedded),
        Measurement("duplicates, not stored again", len(notes) - count, None, "memories"),
    ]


def _open_again(home: Path, corpus: Corpus, table: TableEmbedder) -> dict[str, list[float]]:
    """Measures opening an existing store and the first query, which reads all vectors."""
    seconds: dict[str, list[float]] = defaultdict(list)
    for question in corpus.questions[: 2 * ROUNDS]:
        started = time.perf_counter()
        with _workspace(home, table) as ws:
            seconds["open a store"].append(time.perf_counter() - started)
            seconds["first search after opening"] += seconds_of_each(ws.recall, [question])
    return seconds


def _rounds(ws: Workspace, corpus: Corpus, samples: int) -> dict[str, list[float]]:
    """Measures each operation in alternating rounds, so that a busy moment of the machine affects all of them."""
    seconds: dict[str, list[float]] = defaultdict(list)
    queries = list(zip(corpus.questions, corpus.notes, strict=False))[:samples]
    session = ws.session("one by one")
    ws.recall(corpus.questions[0])  # reads the vectors, which is measured separately
    for turn in range(ROUNDS):
        show_progress(f"round {turn + 1} of {ROUNDS}")
        own = slice(turn * samples, (turn + 1) * samples)
        for name, act in _questions(ws).items():
            seconds[name] += seconds_of_each(act, queries)
        seconds["remember"] += seconds_of_each(lambda note: _remember(ws, note), corpus.more[own])
        seconds["say (one message)"] += seconds_of_each(lambda text: session.say("user", text), corpus.messages[own])
        seconds["write and sync 4 KB"] += seconds_of_each(lambda _: _write_and_sync(ws.db), range(samples))
    return seconds


def _questions(ws: Workspace) -> dict[str, Callable[[tuple[str, Note]], Any]]:
    return {
        "search": lambda query: ws.recall(query[0]),
        "search by words only": lambda query: ws.recall(query[0], recipe="keyword"),
        "search by vector only": lambda query: ws.recall(query[0], recipe="vector"),
        "search within one type": lambda query: ws.recall(query[0], types=[query[1].type]),
        "search within one file": lambda query: ws.recall(query[0], files=[query[1].file]),
        "context": lambda query: ws.context(query[0]),
    }


def _remember(ws: Workspace, note: Note) -> None:
    ws.remember(note.text, note.type, files=[note.file], tags=note.tags)


def _write_and_sync(db: str) -> None:
    """Writes and syncs one page in the same folder: the disk's share of `remember`."""
    with open(f"{db}.sync", "wb") as file:
        file.write(bytes(4096))
        file.flush()
        os.fsync(file.fileno())


def _with_vectors(home: Path, table: TableEmbedder, notes: Sequence[Note]) -> dict[str, list[float]]:
    with _workspace(home, table, embed_when="now") as ws:
        return {"add one, with its vector": seconds_of_each(lambda note: _remember(ws, note), notes)}


def _say_all(ws: Workspace, messages: Sequence[str]) -> None:
    from holdfast.intake.message_intake import IncomingMessage

    session = ws.session("batches")
    for at in range(0, len(messages), _SAID_TOGETHER):
        session.say_all([IncomingMessage("user", text) for text in messages[at : at + _SAID_TOGETHER]])


def _candidate(note: Note) -> Any:
    from holdfast import Candidate

    return Candidate(note.text, note.type, files=(note.file,), tags=note.tags)
