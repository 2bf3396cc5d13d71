"""Readers: small transformers that read two texts together, on this machine's CPU.

One with six layers judges whether a sentence of a conversation is worth keeping, given its context, and whether a
passage answers a question; two short texts take about 3 ms. One with twelve layers judges how a newer statement relates
to an older one, in twice the time. Both have the vocabulary and the token vectors of our embedding model.
`training/reader.py` trains them.
"""

from __future__ import annotations

import math
import os
import threading
from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

from holdfast.core.errors import ModelDamaged
from holdfast.models.model_files import read_json, verify_file
from holdfast.models.onnx_session import open_session, run
from holdfast.models.own_model import open_own
from holdfast.models.wordpiece import CLS, SEP
from holdfast.text.announcements import unannounced
from holdfast.text.gloss import in_english

if TYPE_CHECKING:
    from holdfast.models.own_model import OwnModel
    from holdfast.models.protocols import Vectors
    from holdfast.models.static import StaticEmbedder
    from holdfast.models.token_table import TokenTable

Text = TypeVar("Text")

FILE, OF_RELATIONS, LIMITS = "reader.onnx", "relations.onnx", "relations.json"
RELATIONS = ("different", "update", "contradiction", "same")
LABELS = "rdpfcmx"
# Outputs: the log-odds of each relation, of keeping, of each label of a kept sentence, and of answering.
KEEP = len(RELATIONS)
ANSWER = KEEP + 1 + len(LABELS)
OUTPUTS = ANSWER + 1


class ReadingTask(NamedTuple):
    """A task: the token after [CLS] that names it, which no text contains, and the most tokens of either text."""

    token: int
    first: int
    second: int


RELATION, KEEPING, ANSWERING = ReadingTask(1, 64, 64), ReadingTask(2, 96, 190), ReadingTask(3, 40, 96)
# Texts are clipped before they are tokenized.
_CHARACTERS = 2_000
_CACHED = 2_048
# Several passages are read by as many threads as there are cores, up to this many.
_FEWEST_AT_ONCE, _MOST_THREADS = 3, 4


class PairReader:
    """Reads pairs of texts. Thread-safe. Building it loads nothing; the weights are hashed and loaded at first use."""

    def __init__(self, model: OwnModel, name: str = FILE) -> None:
        self._model, self._name = model, name
        self._lock = threading.Lock()
        self._graph: tuple[Any, TokenTable] | None = None
        self._kept: dict[tuple[str, str], float] = {}

    def load(self) -> None:
        """Loads the weights now instead of at first use; raises ModelError."""
        self._loaded()

    def relation(self, new: str, old: str) -> tuple[float, ...]:
        """The scores of RELATIONS for two statements, without words that announce them; raises ModelError."""
        return self._read(RELATION, unannounced(new), unannounced(old))[:KEEP]

    def keep(self, sentence: str, around: str) -> float:
        """The log-odds that a sentence is worth keeping in its context; raises ModelError.

        The last ones are known: a page of a conversation is read together with the page before it.
        """
        known = self._kept.get((sentence, around))
        if known is None:
            if len(self._kept) >= _CACHED:
                self._kept.clear()
            known = self._kept[sentence, around] = self._read(KEEPING, sentence, around)[KEEP]
        return known

    def answer(self, question: str, passage: str) -> float:
        """The log-odds that a passage answers a question; raises ModelError. A long passage is cut."""
        return self._read(ANSWERING, in_english(question), in_english(passage))[ANSWER]

    def answers(self, question: str, passages: Sequence[str]) -> list[float]:
        """The log-odds that each passage answers a question, read at the same time; raises ModelError."""
        return _at_once(lambda passage: self.answer(question, passage), passages)

    def keep_all(self, sentences: Sequence[tuple[str, str]]) -> list[float]:
        """The log-odds that each sentence is worth keeping in its context, read at the same time; raises ModelError."""
        return _at_once(lambda pair: self.keep(*pair), sentences)

    def verify(self) -> None:
        """Checks the file; raises ModelError."""
        verify_file(self._file, self._sha256)

    def _read(self, task: ReadingTask, first: str, second: str) -> tuple[float, ...]:
        session, tokens = self._loaded()
        embedded = tokens.vectors(self._ids(task, first, second))[None]
        scores = run(session, "score", {"inputs_embeds": embedded}, self._name)
        if scores.size != OUTPUTS:
            raise ModelDamaged(f"{self._file} returns {scores.size} numbers, not {OUTPUTS}")
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


def _at_once(read: Callable[[Text], float], texts: Sequence[Text]) -> list[float]:
    """Reads several texts with as many threads as there are cores.

    Each thread reads one text at a time: a quantised model would judge the texts of a batch by each other's numbers.
    """
    if len(texts) < _FEWEST_AT_ONCE:
        return [read(text) for text in texts]
    from concurrent.futures import ThreadPoolExecutor

    with ThreadPoolExecutor(min(_MOST_THREADS, os.cpu_count() or 1)) as threads:
        return list(threads.map(read, texts))


@lru_cache(maxsize=1)
def bundled_reader() -> PairReader:
    """The reader of the package: of sentences to keep, and of answers."""
    return PairReader(_own())


@lru_cache(maxsize=1)
def bundled_relation_reader() -> PairReader:
    """The reader of the package that compares statements."""
    return PairReader(_own(), OF_RELATIONS)


@lru_cache(maxsize=_CACHED)
def read_relation(new: str, old: str) -> tuple[float, ...]:
    """The scores of RELATIONS for two statements; cached, because they are often compared again."""
    return bundled_relation_reader().relation(new, old)


@lru_cache(maxsize=_CACHED)
def second_opinion(new: str, old: str) -> float:
    """The log-odds of the smaller reader that a newer statement conflicts with an older one; cached."""
    return conflict_odds(bundled_reader().relation(new, old))


def limits_of_relations() -> dict[str, Any]:
    """The thresholds of the reader of statements, as they lie beside it; raises ModelError."""
    file = os.path.join(_own().folder, LIMITS)
    verify_file(file, _own().card.files.get(LIMITS, ""))
    return read_json(file)


class BundledReaders:
    """The readers of the package, as `TextReader`."""

    def load(self) -> None:
        """Loads the reader of answers now instead of at first use; raises ModelError."""
        bundled_reader().load()

    def answers(self, question: str, passages: Sequence[str]) -> Sequence[float]:
        return bundled_reader().answers(question, passages)


def read_change(new: str, old: str) -> float:
    """The log-odds that a newer statement conflicts with an older one."""
    return conflict_odds(read_relation(new, old))


def conflict_odds(scores: Sequence[float]) -> float:
    """The log-odds of an update or a contradiction, given the scores of RELATIONS."""
    different, update, contradiction, same = scores
    return _either(update, contradiction) - _either(different, same)


def _either(one: float, other: float) -> float:
    return max(one, other) + math.log1p(math.exp(-abs(one - other)))


@lru_cache(maxsize=_CACHED)
def nearness(one: str, other: str) -> float:
    """The cosine of the static vectors of two texts; cached."""
    return float(_vector(one) @ _vector(other))


@lru_cache(maxsize=512)
def _vector(text: str) -> Vectors:
    """The static vector of a text. Cached: a statement is compared with many."""
    vector: Vectors = _static().embed((unannounced(text),))[0]
    return vector


@lru_cache(maxsize=1)
def _static() -> StaticEmbedder:
    from holdfast.models.static import StaticEmbedder

    return StaticEmbedder(_own())


@lru_cache(maxsize=1)
def _own() -> OwnModel:
    """The model of the package, opened once: the readers and the static vectors share its vocabulary."""
    return open_own()
