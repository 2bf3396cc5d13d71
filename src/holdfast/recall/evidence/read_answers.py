"""Reads the best candidates together with the query, to judge whether they answer it."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING

from holdfast.core.errors import ModelError
from holdfast.core.frozen import frozen
from holdfast.core.memory import DOCUMENT_PASSAGE, DOCUMENT_PASSAGE_TYPES
from holdfast.core.reason import Reason
from holdfast.recall.evidence.rerank import is_reranked
from holdfast.recall.recall_reasons import RecallCode
from holdfast.recall.weigh.word_measures import lexical
from holdfast.text.bags import bag
from holdfast.text.sentence_windows import sentence_windows

if TYPE_CHECKING:
    from holdfast.recall.question import Notes, Question, RecallCandidate
    from holdfast.recall.steps import Candidates
    from holdfast.recall.weigh.word_measures import Terms

# The factor that this step adds: the probability that the candidate answers, by reading alone.
ANSWER = "answer"
# The reader sees the beginning of a long text; what it says about that is worse than the score
# (docs/research/reading-hits.md).
LONGEST = 420
_FEWEST_WORDS = 2
# Of a chunk of a document, the sentences that are read: those with most of the query's words, see the same page.
_SENTENCES = 3

Read = Callable[[str, Sequence[str]], Sequence[float]]


@frozen
class ReadAnswers:
    """Adds the factor `answer` to the best memories and messages, and `weight` times its log-odds to their scores.

    Reads at most `most` candidates, among them `characters` of memories and messages and `chunks` of documents, in
    order, because reading takes time. Candidates after these stay behind them. Of a chunk three sentences are read,
    and the best of them counts for the order; the evidence of a document does not depend on it. Long messages and code
    are not read, nor what a reranker scored. When the model fails, the order stays as it was and the trace says why.
    """

    read: Read | None
    characters: int = 2_000
    most: int = 16
    chunks: int = 10
    weight: float = 0.02
    terms: Callable[[Question], Terms] | None = None
    name: str = "answers"

    def __call__(self, question: Question, candidates: Candidates) -> tuple[Candidates, Notes]:
        why_not = self._why_not(question, candidates)
        if self.read is None or why_not:
            return candidates, {"skipped": why_not}
        depth = self._depth(candidates)
        try:
            judged = self._judged(question, candidates[:depth], self.read)
        except ModelError as error:
            return candidates, {"failed": Reason.of(RecallCode.READER_FAILED, error=f"{error.what}: {error.detail}")}
        ordered = sorted(judged, key=lambda c: -c.score)
        lowest = ordered[-1].score if ordered else math.inf
        behind = (c.with_score(min(c.score, lowest)) for c in candidates[depth:])
        changed = sum(before is not after for before, after in zip(candidates, judged, strict=False))
        return (*ordered, *behind), {"read": changed}

    def _why_not(self, question: Question, candidates: Candidates) -> RecallCode | None:
        """Why nothing is read; the reader does not know when something was said."""
        if self.read is None:
            return RecallCode.NO_READER
        if is_reranked(candidates):
            return RecallCode.RERANKED
        if len(question.text.split()) < _FEWEST_WORDS:
            return RecallCode.TOO_FEW_WORDS
        return RecallCode.NAMES_A_TIME if question.windows else None

    def _depth(self, candidates: Candidates) -> int:
        """How many of the candidates are read or passed over before the limits are reached."""
        left, chunks = self.characters, self.chunks
        for place, candidate in enumerate(candidates[: self.most]):
            left -= len(candidate.row.views) if candidate.row and _is_read(candidate) else 0
            chunks -= _is_document(candidate)
            if left < 0 or chunks < 0:
                return place
        return min(self.most, len(candidates))

    def _judged(self, question: Question, candidates: Candidates, read: Read) -> list[RecallCandidate]:
        judged = list(candidates)
        texts = {place: c.row.views for place, c in enumerate(candidates) if c.row and _is_read(c)}
        for place, odds in zip(texts, read(question.text, list(texts.values())), strict=True):
            judged[place] = self._raised(candidates[place], odds, {ANSWER: 1 / (1 + math.exp(-odds))})
        for place, odds in self._of_documents(question, candidates, read).items():
            judged[place] = self._raised(candidates[place], odds, {})
        return judged

    def _raised(self, candidate: RecallCandidate, odds: float, factors: Mapping[str, float]) -> RecallCandidate:
        return candidate.with_factors(factors, min(1.0, max(0.0, candidate.score + self.weight * odds)))

    def _of_documents(self, question: Question, candidates: Candidates, read: Read) -> dict[int, float]:
        """The log-odds that the best sentence of each chunk answers, by the place of the chunk."""
        chunks = {place: c.row.searched for place, c in enumerate(candidates) if c.row and _is_document(c)}
        if not chunks or self.terms is None:
            return {}
        terms = self.terms(question)
        sentences = [(place, text) for place, chunk in chunks.items() for text in best_sentences(chunk, terms)]
        best: dict[int, float] = {}
        for (place, _), odds in zip(sentences, read(question.text, [text for _, text in sentences]), strict=True):
            best[place] = max(odds, best.get(place, -math.inf))
        return best


def best_sentences(text: str, terms: Terms, most: int = _SENTENCES) -> list[str]:
    """The sentences that contain most of the query's rare words, the best first; of equals, the earliest."""
    found = sentence_windows(text)
    shares = lexical([bag(sentence) for sentence in found], terms).share if found else []
    return [found[place] for place in sorted(range(len(found)), key=lambda place: -shares[place])[:most]]


def _is_read(candidate: RecallCandidate) -> bool:
    row = candidate.row
    return row is not None and row.type not in DOCUMENT_PASSAGE_TYPES and len(row.searched) <= LONGEST


def _is_document(candidate: RecallCandidate) -> bool:
    return candidate.row is not None and candidate.row.type == DOCUMENT_PASSAGE
