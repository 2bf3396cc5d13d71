"""Caches vectors of the bundled model in a file, so that the baselines embed no text twice."""

from __future__ import annotations

import hashlib
import sqlite3
import threading
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from holdfast.core.vector_size import VectorSize
    from holdfast.models.protocols import Embedder, Vectors

_TABLE = "create table if not exists vectors (key text primary key, vector blob not null) without rowid"
_AT_ONCE = 500


class KeptVectors:
    """An embedding model with a cache file; thread-safe.

    Runs of blanks count as one blank: the model treats them so, and programs that pass a text on often change them.
    """

    def __init__(self, file: Path, embedder: Embedder, name: str = "") -> None:
        """`name` tells its vectors from those of other models; by default the id, which the sizes of a model share."""
        file.parent.mkdir(parents=True, exist_ok=True)
        self._embedder = embedder
        self.name = name or embedder.id
        self._lock = threading.Lock()
        self._db = sqlite3.connect(file, check_same_thread=False, isolation_level=None)
        self._db.execute("pragma journal_mode = wal")
        self._db.execute("pragma synchronous = normal")
        self._db.execute(_TABLE)

    @property
    def dimensions(self) -> int:
        return self._embedder.dimensions

    @property
    def embedder(self) -> KeptEmbedder:
        """The model as a store uses it, with this cache."""
        return KeptEmbedder(self, self._embedder)

    def passages(self, texts: Sequence[str], progress: Callable[[int], None] = lambda done: None) -> Vectors:
        """Embeds each text as a passage."""
        return self._rows("passage", texts, lambda text: self._embedder.embed([text])[0], progress)

    def questions(self, texts: Sequence[str]) -> Vectors:
        """Embeds each text as a query."""
        import numpy as np

        def embed(text: str) -> Vectors:
            return np.asarray(self._embedder.embed_query(text))

        return self._rows("question", texts, embed, lambda done: None)

    def close(self) -> None:
        self._db.close()

    def _rows(
        self, use: str, texts: Sequence[str], embed: Callable[[str], Vectors], progress: Callable[[int], None]
    ) -> Vectors:
        import numpy as np

        plain = [" ".join(text.split()) for text in texts]
        keys = [self._key(use, text) for text in plain]
        with self._lock:
            known = self._known(keys)
            for done, (key, text) in enumerate(zip(keys, plain, strict=True)):
                if key not in known:
                    known[key] = embed(text).astype("<f2").tobytes()
                    self._db.execute("insert or replace into vectors values (?, ?)", (key, known[key]))
                progress(done + 1)
        packed = b"".join(known[key] for key in keys)
        return np.frombuffer(packed, "<f2").reshape(-1, self.dimensions).astype(np.float32)

    def _key(self, use: str, text: str) -> str:
        key = "\0".join((use, self.name, text))
        return hashlib.sha256(key.encode("utf-8", "surrogatepass")).hexdigest()

    def _known(self, keys: Sequence[str]) -> dict[str, bytes]:
        found: dict[str, bytes] = {}
        for some in _parts(list(dict.fromkeys(keys))):
            marks = ",".join("?" * len(some))
            found.update(self._db.execute(f"select key, vector from vectors where key in ({marks})", some))
        return found


class KeptEmbedder:
    """An embedder that reads known vectors from the cache file, so that stores and baselines share them."""

    def __init__(self, vectors: KeptVectors, model: Embedder) -> None:
        self._vectors = vectors
        self._model = model

    @property
    def id(self) -> str:
        return self._model.id

    @property
    def size(self) -> VectorSize:
        return self._model.size

    @property
    def dimensions(self) -> int:
        return self._model.dimensions

    def embed(self, texts: Sequence[str]) -> Vectors:
        return self._vectors.passages(texts)

    def embed_query(self, text: str) -> Vectors:
        vector: Vectors = self._vectors.questions([text])[0]
        return vector


def bundled(file: Path) -> KeptVectors:
    """The bundled model with a cache file."""
    from holdfast.models.choice import bundled_embedder

    return KeptVectors(file, bundled_embedder())


def _parts(keys: Sequence[str]) -> Iterable[Sequence[str]]:
    return (keys[at : at + _AT_ONCE] for at in range(0, len(keys), _AT_ONCE))
