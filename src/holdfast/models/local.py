"""Runs an ONNX embedder of other people from a folder, on this machine's CPU."""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from holdfast.core.errors import ModelDamaged, ModelError, ModelMissing
from holdfast.core.vector_size import VectorSize
from holdfast.models.card import ModelCard, read_card, verify
from holdfast.models.clean_text import sendable
from holdfast.models.onnx_session import open_session, run, unit

if TYPE_CHECKING:
    from holdfast.core.cosine_scale import CosineScales
    from holdfast.models.protocols import Vectors

# Texts are clipped before tokenising, because the tokenizer reads a whole megabyte before it truncates. Only a text
# that is mostly blanks needs more characters than this to fill its tokens.
CHARACTERS_PER_TOKEN = 40


class LocalEmbedder:
    """Embeds one text at a time. Thread-safe.

    Building it reads only small files; the weights are hashed and loaded at first use. One text at a time is faster on
    a CPU than any batch, and makes a text's vector independent of the other texts: a quantised model scales its numbers
    over the whole batch.
    """

    def __init__(self, folder: Path, *, threads: int = 1) -> None:
        self._folder = folder
        self._card = read_card(folder)
        self._threads = threads
        self._network: _Network | None = None
        self._lock = threading.Lock()

    @property
    def id(self) -> str:
        return self._card.id

    @property
    def size(self) -> VectorSize:
        return VectorSize.SINGLE

    @property
    def scales(self) -> CosineScales | None:
        """The scales of its cosines, if its card has them."""
        return self._card.cosines

    @property
    def is_loaded(self) -> bool:
        return self._network is not None

    @property
    def dimensions(self) -> int:
        return self._card.dimensions

    def load(self) -> None:
        """Loads the weights now instead of at first use."""
        self._loaded()

    def embed(self, texts: Sequence[str]) -> Vectors:
        import numpy as np

        vectors = np.zeros((len(texts), self.dimensions), np.float32)
        for row, text in enumerate(texts):
            vectors[row] = self._embed(self._card.passage_prefix + text)
        return vectors

    def embed_query(self, text: str) -> Vectors:
        return self._embed(self._card.query_prefix + text)

    def _embed(self, text: str) -> Vectors:
        network = self._loaded()
        return unit(network.pooled(network.tokens(text)))

    def _loaded(self) -> _Network:
        with self._lock:
            if self._network is None:
                verify(self._folder, self._card)
                self._network = _Network(self._folder, self._card, self._threads)
            return self._network


class _Network:
    """The loaded tokenizer and weights."""

    def __init__(self, folder: Path, card: ModelCard, threads: int) -> None:
        self._card = card
        self._pooled_token = -1 if card.pooling == "last" else 0
        self._tokenizer = open_tokenizer(folder / card.tokenizer)
        self._max_text_tokens = card.max_tokens - self._tokenizer.num_special_tokens_to_add(False)
        self._session = open_session(folder / card.model, threads)
        self._inputs = token_inputs(self._session, card.name)
        self._output = _output_name(self._session)

    def tokens(self, text: str) -> Any:
        clipped = sendable(text[: self._card.max_tokens * CHARACTERS_PER_TOKEN])
        encoding = self._tokenizer.encode(clipped, add_special_tokens=False)
        encoding.truncate(self._max_text_tokens)
        return self._tokenizer.post_process(encoding)

    def pooled(self, tokens: Any) -> Vectors:
        states = self.states(tokens)
        return states if states.ndim == 1 else self.pool(states)

    def pool(self, states: Vectors) -> Vectors:
        """Reduces the tokens' states to one vector."""
        pooled: Vectors = states.mean(axis=0) if self._card.pooling == "mean" else states[self._pooled_token]
        return pooled

    def states(self, tokens: Any) -> Vectors:
        """Returns the last hidden states, (tokens, dimensions), or (dimensions,) if the graph itself pools."""
        import numpy as np

        feed = self._inputs(tokens)
        states: Vectors = run(self._session, self._output, feed, self._card.name)[0].astype(np.float32)
        if states.shape[-1] != self._card.dimensions:
            raise ModelDamaged(f"{self._card.name} returns {states.shape[-1]} dimensions, not {self._card.dimensions}")
        return states


def token_inputs(session: Any, name: str) -> Callable[[Any], dict[str, Any]]:
    """Returns a function that makes a graph's inputs from a text's tokens; raises ModelError if it needs others."""
    inputs = {node.name for node in session.get_inputs()}
    unknown = inputs - {"input_ids", "attention_mask", "token_type_ids", "position_ids"}
    if unknown:
        raise ModelError(f"{name} requires inputs that a text does not have: {', '.join(sorted(unknown))}")

    def inputs_of(tokens: Any) -> dict[str, Any]:
        import numpy as np

        offered = {
            "input_ids": tokens.ids,
            "attention_mask": tokens.attention_mask,
            "token_type_ids": tokens.type_ids,
            "position_ids": range(len(tokens.ids)),
        }
        return {name: np.array([offered[name]], np.int64) for name in inputs}

    return inputs_of


def tokenizers() -> Any:
    """Returns the library that reads `tokenizer.json`; raises ModelMissing if it is not installed."""
    try:
        import tokenizers as library
    except ImportError as error:
        raise ModelMissing(
            f"models of other people need the library tokenizers ({error})",
            hint="Install it: pip install 'holdfast[onnx-models]'",
        ) from error
    return library


def open_tokenizer(file: Path) -> Any:
    """Reads a `tokenizer.json`; raises ModelDamaged, or ModelMissing without the library for it."""
    library = tokenizers()
    if not file.is_file():
        raise ModelDamaged(f"{file} is missing")
    try:
        tokenizer = library.Tokenizer.from_str(file.read_text(encoding="utf-8"))
    except Exception as error:  # The library raises nothing narrower for a bad file.
        raise ModelDamaged(f"{file} is not a tokenizer ({error})") from error
    tokenizer.no_padding()
    tokenizer.no_truncation()
    return tokenizer


def _output_name(session: Any) -> str:
    names = [str(node.name) for node in session.get_outputs()]
    return next((name for name in ("last_hidden_state", "token_embeddings") if name in names), names[0])
