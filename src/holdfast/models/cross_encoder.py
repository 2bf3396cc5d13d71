"""Runs a cross-encoder from a folder, on this machine's CPU: a model that reads a query and a text together."""

from __future__ import annotations

import math
import threading
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from holdfast.core.errors import ModelDamaged, ModelGarbled, ModelMissing
from holdfast.models.card import read_card, verify
from holdfast.models.circuit_breaker import CircuitBreaker
from holdfast.models.clean_text import sendable
from holdfast.models.guarded import loaded_or_failed
from holdfast.models.local import CHARACTERS_PER_TOKEN, open_tokenizer, token_inputs
from holdfast.models.onnx_session import open_session, run
from holdfast.models.probability import logistic

if TYPE_CHECKING:
    from holdfast.models.card import ModelCard


class CrossEncoder:
    """Scores one text at a time. Thread-safe.

    Building it reads nothing; the weights are hashed and loaded at first use. After a failure it refuses for a while,
    like an endpoint. `folder` is an absolute path.
    """

    def __init__(self, folder: str, *, threads: int = 1) -> None:
        self._folder = Path(folder)
        self._threads = threads
        self._network: _PairNetwork | None = None
        self._lock = threading.Lock()
        self._breaker = CircuitBreaker()

    @property
    def id(self) -> str:
        """The id of the model; loads it."""
        return self._loaded().card.id

    def rerank(self, query: str, texts: Sequence[str]) -> tuple[float, ...]:
        """Returns one score from 0 to 1 per text; the graph's scores pass the logistic function."""
        return self._breaker.call(lambda: loaded_or_failed(lambda: self._scores(query, texts))) if texts else ()

    def _scores(self, query: str, texts: Sequence[str]) -> tuple[float, ...]:
        network = self._loaded()
        return tuple(logistic(network.score(query, text)) for text in texts)

    def _loaded(self) -> _PairNetwork:
        with self._lock:
            if self._network is None:
                if not self._folder.is_absolute():
                    raise ModelMissing(f"{self._folder} is not the absolute path of a folder")
                card = read_card(self._folder)
                verify(self._folder, card)
                self._network = _PairNetwork(self._folder, card, self._threads)
            return self._network


class _PairNetwork:
    """The loaded tokenizer and weights. The query gets at most half of the tokens, the text the rest."""

    def __init__(self, folder: Path, card: ModelCard, threads: int) -> None:
        self.card = card
        self._tokenizer = open_tokenizer(folder / card.tokenizer)
        self._most = card.max_tokens - self._tokenizer.num_special_tokens_to_add(True)
        self._session = open_session(folder / card.model, threads)
        self._inputs = token_inputs(self._session, card.name)
        self._output = str(self._session.get_outputs()[0].name)

    def score(self, query: str, text: str) -> float:
        asked = self._tokens(query, self._most // 2)
        pair = self._tokenizer.post_process(asked, self._tokens(text, self._most - len(asked.ids)))
        found = run(self._session, self._output, self._inputs(pair), self.card.name)
        if found.size != 1:
            raise ModelDamaged(f"{self.card.name} does not return one score per text: it is no cross-encoder")
        score = float(found.reshape(())[()])
        if not math.isfinite(score):
            raise ModelGarbled(f"{self.card.name} returned a score that is not a number")
        return score

    def _tokens(self, text: str, most: int) -> Any:
        clipped = sendable(text[: self.card.max_tokens * CHARACTERS_PER_TOKEN])
        encoding = self._tokenizer.encode(clipped, add_special_tokens=False)
        encoding.truncate(most)
        return encoding
