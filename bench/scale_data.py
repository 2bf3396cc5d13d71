"""Generates a large store quickly: texts whose words follow Zipf's law, and vectors with dense neighbourhoods.

Vectors: a few thousand real ones (of the bundled model or from a file) are repeated, each time moved by half the
difference of two other real ones. This noise has the same distribution as the vectors, so every neighbourhood fills
up and no vector becomes easier to find than among real ones.
Texts: thirty words each. The commonest word occurs in a third of them, about fifty words in more than 5 %.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import TYPE_CHECKING

from holdfast.bench import corpus
from holdfast.bench.measure import show_progress

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from holdfast.store.sqlite.sqlite_store import SqliteStore

    Vectors = NDArray[np.float32]

EMBEDDER = "scale@1"
# One passage in ten belongs to the small project, the others to the large one.
LARGE, SMALL = "large", "small"
_REAL, _ASKED = 3_000, 100
_MOVED = 0.5
_WORDS, _VOCABULARY, _SHIFT = 30, 200_000, 8
_FILES = 1_000
_BATCH = 10_000
# Every third group of this many passages is a session of messages.
_SESSION, _GROUPS = 20, 3
BEGIN = datetime(2024, 1, 1, tzinfo=UTC)


def fill(
    folder: Path, passages: int, vectors: str | None = None, questions: str | None = None, embedder: str = EMBEDDER
) -> None:
    """Creates the store, the vectors and the queries in a folder unless they exist.

    The vectors are stored as those of `embedder`.
    """
    if (folder / "made.json").exists():
        return
    import numpy as np

    real, queries = _real(vectors, questions)
    np.save(folder / "questions.npy", queries)
    kept = np.lib.format.open_memmap(
        folder / "vectors.npy", mode="w+", dtype=np.float16, shape=(passages, real.shape[1])
    )
    for at in range(0, passages, _BATCH):
        kept[at : at + _BATCH] = _moved(real, at, min(passages, at + _BATCH))
    kept.flush()
    with opened(folder) as store:
        _put(store, kept, embedder)
        # as the background does
        store.memories.count_words(lambda: True)
        store.memories.join_words(lambda: True)
    (folder / "made.json").write_text(json.dumps({"passages": passages}), encoding="utf-8")


class opened:  # noqa: N801 # used as a function: `with opened(folder) as store`
    """Opens the store of a folder and closes it at the end."""

    def __init__(self, folder: Path) -> None:
        self._path = str(folder / "db" / "memory.db")

    def __enter__(self) -> SqliteStore:
        from holdfast.core.clock import SystemClock
        from holdfast.core.ids import Ids
        from holdfast.store.sqlite.sqlite_store import SqliteStore

        self._store = SqliteStore(self._path, now=SystemClock().now, ids=Ids())
        return self._store

    def __exit__(self, *ended: object) -> None:
        self._store.close()


def project_of(number: int) -> str:
    return SMALL if number % 10 == 0 else LARGE


def kind_of(number: int) -> str:
    return corpus.TYPES[number // 10 % len(corpus.TYPES)]


def file_of(number: int) -> str:
    return f"src/part{number * 7919 % _FILES}.py"


def texts(passages: int) -> Iterator[str]:
    """The words of each passage; the n-th word of the vocabulary is the n-th commonest."""
    import numpy as np

    chance = np.random.default_rng(corpus.SEED)
    known = np.array([word(rank) for rank in range(_VOCABULARY)], object)
    share = np.cumsum(1 / (np.arange(_VOCABULARY) + _SHIFT))
    for at in range(0, passages, _BATCH):
        drawn = np.searchsorted(share, chance.random((min(_BATCH, passages - at), _WORDS)) * share[-1])
        yield from map(" ".join, known[drawn])


def word(rank: int) -> str:
    """The invented word of a rank; no word is the stem of another."""
    syllables = ("ba", "cor", "dun", "fin", "gar", "hol", "mip", "jun", "kal", "lor")
    return "".join(syllables[int(digit)] for digit in f"{rank:03d}") + "x"


def _real(vectors: str | None, questions: str | None) -> tuple[Vectors, Vectors]:
    import numpy as np

    if vectors and questions:
        return np.load(vectors).astype(np.float32), np.load(questions).astype(np.float32)
    from holdfast.models.choice import bundled_embedder

    show_progress(f"embedding {_REAL:,} texts with the bundled model")
    made = corpus.build(_REAL, more=0, messages=0, questions=_ASKED)
    embedder = bundled_embedder()
    return embedder.embed([note.text for note in made.notes]), np.stack(list(map(embedder.embed_query, made.questions)))


def _moved(real: Vectors, begin: int, end: int) -> Vectors:
    import numpy as np

    chance = np.random.default_rng(begin)
    one, other = chance.integers(0, len(real), (2, end - begin))
    made = real[np.arange(begin, end) % len(real)] + _MOVED * (real[one] - real[other])
    unit: Vectors = made / np.linalg.norm(made, axis=1, keepdims=True)
    return unit


def _put(store: SqliteStore, vectors: NDArray[np.float16], embedder: str) -> None:
    from holdfast.core.embedding import Embedding
    from holdfast.core.ids import Ids
    from holdfast.core.memory import EPISODE, Memory
    from holdfast.system.project import ProjectIdentity

    for name in (LARGE, SMALL):
        store.projects.recognise(ProjectIdentity(f"/{name}", name, None, None, name), name, BEGIN)
    generated, ids = texts(len(vectors)), Ids()
    for at in range(0, len(vectors), _BATCH):
        show_progress(f"storing passage {at:,} of {len(vectors):,}")
        with store.memories.change(durable=False) as change:
            for number in range(at, min(at + _BATCH, len(vectors))):
                files, when = (file_of(number),), BEGIN + timedelta(minutes=number)
                type, session = kind_of(number), None
                if number // _SESSION % _GROUPS == 1:
                    type, session = EPISODE, f"session {number // _SESSION}"
                memory = Memory(
                    ids.new(), type, next(generated), project_of(number), when, files=files, session=session
                )
                embedded = vectors[number].tobytes()
                change.add(memory, Embedding(embedder, vectors.shape[1], embedded))
