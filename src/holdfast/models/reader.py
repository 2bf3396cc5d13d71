"""Readers: small transformers that read two texts together, on this machine's CPU.

One judges how a newer statement relates to an older one, and whether a sentence of a conversation is worth keeping,
given its context; the other whether a passage answers a question. Both have the vocabulary and the token vectors of our
embedding model, and the size of its `small`; two short texts take about 3 ms. `training/reader.py` trains them.
"""

from __future__ import annotations

import os
import threading
from collections.abc import Sequence
from functools import lru_cache
from typing import TYPE_CHECKING, Any, NamedTuple

from holdfast.core.errors import ModelDamaged
from holdfast.models.model_files import verify_file
from holdfast.models.onnx_session import open_session, run
from holdfast.models.own_model import open_own
from holdfast.models.wordpiece import CLS, SEP

if TYPE_CHECKING:
    from holdfast.models.own_model import OwnModel
    from holdfast.models.static import StaticEmbedder
    from holdfast.models.token_table import TokenTable

FILE, ANSWERS = "reader.onnx", "answers.onnx"
RELATIONS = ("different", "update", "contradiction", "same")
LABELS = "rdpfcmx"
# Outputs: the log-odds of each relation, of keeping, of each label of a kept sentence, and of answering.
KEEP = len(RELATIONS)
ANSWER = KEEP + 1 + len(LABELS)
OUTPUTS = {FILE: ANSWER, ANSWERS: ANSWER + 1}


class ReadingTask(NamedTuple):
    """A task: the token after [CLS] that names it, which no text contains, and the most tokens of either text."""

    token: int
    first: int
    second: int


RELATION, KEEPING, ANSWERING = ReadingTask(1, 64, 64), ReadingTask(2, 80, 80), ReadingTask(3, 40, 96)
# Texts are clipped before they are tokenized.
_CHARACTERS = 2_000
_CACHED = 2_048


class PairReader:
    """Reads pairs of texts. Thread-safe. Building it loads nothing; the weights are hashed and loaded at first use."""

    def __init__(self, model: OwnModel, name: str = FILE) -> None:
        self._model, self._name = model, name
        self._lock = threading.Lock()
        self._graph: tuple[Any, TokenTable] | None = None

    def relation(self, new: str, old: str) -> tuple[float, ...]:
        """The scores of RELATIONS for two statements; raises ModelError."""
        return self._read(RELATION, new, old)[:KEEP]

    def keep(self, sentence: str, around: str) -> float:
        """The log-odds that a sentence is worth keeping in its context; raises ModelError."""
        return self._read(KEEPING, sentence, around)[KEEP]

    def answer(self, question: str, passage: str) -> float:
        """The log-odds that a passage answers a question; raises ModelError. A long passage is cut."""
        return self._read(ANSWERING, question, passage)[ANSWER]

    def verify(self) -> None:
        """Checks the file; raises ModelError."""
        verify_file(self._file, self._sha256)

    def _read(self, task: ReadingTask, first: str, second: str) -> tuple[float, ...]:
        session, tokens = self._loaded()
        embedded = tokens.vectors(self._ids(task, first, second))[None]
        scores = run(session, "score", {"inputs_embeds": embedded}, self._name)
        if scores.size != OUTPUTS[self._name]:
            raise ModelDamaged(f"{self._file} returns {scores.size} numbers, not {OUTPUTS[self._name]}")
        return tuple(map(float, scores.reshape(-1)))

    def _ids(self, task: ReadingTask, first: str, second: str) -> Sequence[int]:
        ids = self._model.wordpiece.ids
        read = ids(first[:_CHARACTERS], task.first), ids(second[:_CHARACTERS], task.second)
        return [CLS, task.token, *read[0], SEP, *read[1], SEP]

    def _loaded(self) -> tuple[Any, TokenTable]:
        with self._lock:
            if self._graph is None:
                self.verify()
                self._graph = open_session(self._file, 1), self._model.open_table(self._model.card.tokens)
            return self._graph

    @property
    def _file(self) -> str:
        return os.path.join(self._model.folder, self._name)

    @property
    def _sha256(self) -> str:
        return self._model.card.files.get(self._name, "")


@lru_cache(maxsize=1)
def bundled_reader() -> PairReader:
    """The reader of statements of the package."""
    return PairReader(open_own())


@lru_cache(maxsize=1)
def bundled_answer_reader() -> PairReader:
    """The reader of answers of the package."""
    return PairReader(open_own(), ANSWERS)


@lru_cache(maxsize=_CACHED)
def read_relation(new: str, old: str) -> tuple[float, ...]:
    """What the readers of the package say about two statements; cached, because they are often compared again.

    Both have learned it, in different runs; their mean is better than either.
    """
    both = (bundled_reader().relation(new, old), bundled_answer_reader().relation(new, old))
    return tuple(sum(scores) / len(both) for scores in zip(*both, strict=True))


@lru_cache(maxsize=_CACHED)
def nearness(one: str, other: str) -> float:
    """The cosine of the static vectors of two texts; cached."""
    vectors = _static().embed((one, other))
    return float(vectors[0] @ vectors[1])


@lru_cache(maxsize=1)
def _static() -> StaticEmbedder:
    from holdfast.models.static import StaticEmbedder

    return StaticEmbedder(open_own())
