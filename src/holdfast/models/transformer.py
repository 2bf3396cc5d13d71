"""The transformer sizes of our embedding model: `small` and `base`.

Their graphs hold no vocabulary: token vectors come from a memory-mapped table that both sizes share.
"""

from __future__ import annotations

import os
import threading
from collections.abc import Sequence
from typing import TYPE_CHECKING

from holdfast.core.errors import ModelDamaged
from holdfast.models.model_files import verify_file
from holdfast.models.onnx_session import open_session, run, unit
from holdfast.models.own_model import OwnEmbedder
from holdfast.models.wordpiece import CLS, SEP
from holdfast.text.gloss import in_english

if TYPE_CHECKING:
    from holdfast.core.vector_size import VectorSize
    from holdfast.models.own_model import OwnModel
    from holdfast.models.protocols import Vectors
    from holdfast.models.token_table import TokenTable

_INPUT = "inputs_embeds"


class TransformerEmbedder(OwnEmbedder):
    """Embeds one text at a time. Thread-safe.

    Building it loads nothing; the weights are hashed and loaded at first use. One text at a time is faster on a CPU
    than any batch, and makes a text's vector independent of the other texts: a quantised model scales its numbers over
    the whole batch.
    """

    def __init__(self, model: OwnModel, size: VectorSize, *, threads: int = 1) -> None:
        super().__init__(model, size)
        self._file, self._sha256 = model.find(size)
        self._threads = threads
        self._graph: _Graph | None = None
        self._lock = threading.Lock()

    @property
    def is_loaded(self) -> bool:
        return self._graph is not None

    def load(self) -> None:
        """Loads the weights now instead of at first use."""
        self._loaded()

    def embed(self, texts: Sequence[str]) -> Vectors:
        import numpy as np

        vectors = np.zeros((len(texts), self.dimensions), np.float32)
        for row, text in enumerate(texts):
            vectors[row] = self._embed(self._card.passage_prefix + in_english(text))
        return vectors

    def embed_query(self, text: str) -> Vectors:
        return self._embed(self._card.query_prefix + in_english(text))

    def verify(self) -> None:
        """Checks every file that this size reads; raises ModelError."""
        verify_file(self._file, self._sha256)
        self._loaded().tokens.verify()

    def _embed(self, text: str) -> Vectors:
        graph = self._loaded()
        ids = self._model.wordpiece.ids(text, self._card.max_tokens - 2)
        return graph.vector([CLS, *ids, SEP])

    def _loaded(self) -> _Graph:
        with self._lock:
            if self._graph is None:
                verify_file(self._file, self._sha256)
                tokens = self._model.open_table(self._model.card.tokens)
                self._graph = _Graph(self._file, tokens, self._threads)
            return self._graph


class _Graph:
    """The loaded layers and the token vectors."""

    def __init__(self, file: str, tokens: TokenTable, threads: int) -> None:
        self._file = file
        self.tokens = tokens
        self._session = open_session(file, threads)
        inputs = [node.name for node in self._session.get_inputs()]
        if inputs != [_INPUT]:
            raise ModelDamaged(f"{file} requires the inputs {', '.join(inputs)}, not {_INPUT}")
        self._output = self._session.get_outputs()[0].name

    def vector(self, ids: Sequence[int]) -> Vectors:
        embedded = self.tokens.vectors(ids)
        states = run(self._session, self._output, {_INPUT: embedded[None]}, os.path.basename(self._file))[0]
        vector = states if states.ndim == 1 else states[0]  # the vector of a text is that of [CLS], its first token
        if vector.size != self.tokens.dimensions:
            raise ModelDamaged(f"{self._file} returns {vector.size} dimensions, not {self.tokens.dimensions}")
        return unit(vector)
