"""The steps of recall. Each takes candidates and returns candidates, with notes for the trace."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import field
from datetime import datetime
from typing import TYPE_CHECKING, Protocol

from holdfast.core.decay import current_confidence
from holdfast.core.frozen import frozen
from holdfast.core.memory import EPISODE
from holdfast.core.memory_types import PhaseTable, TypeRegistry
from holdfast.recall.merging import merge_path
from holdfast.recall.paths import DEFAULT_WEIGHT, MEANING, RRF_WEIGHTS, SUBSTRING, TIME, TITLE, WORDS
from holdfast.recall.question import Embedded, Notes, Question, RecallCandidate
from holdfast.recall.recall_reasons import RecallCode
from holdfast.recall.source_trust import HIGHEST_TRUST, SOURCE_TRUST
from holdfast.text.words import forms

if TYPE_CHECKING:
    from holdfast.recall.query.query_spelling import Wording
    from holdfast.store.reading import Factors, PassageReading, SearchReading

Candidates = tuple[RecallCandidate, ...]
Ranked = Sequence[tuple[int, float]]
RRF_K = 60
_RECENCY_PER_DAY = 1 / 30
# How long a part of a word must be to be looked for: a plain word, anything else, and one that is certainly meant.
_PLAIN_PART, _UNUSUAL_PART, _LONG_PART = 5, 3, 8


class Step(Protocol):
    """One step: candidates in, candidates and notes out."""

    @property
    def name(self) -> str: ...
    def __call__(self, question: Question, candidates: Candidates) -> tuple[Candidates, Notes]: ...


class Search(Step, Protocol):
    """A step that finds candidates independently of those found before. Its name is that of a recall path."""

    def search(self, question: Question) -> tuple[Ranked, Notes]:
        """Returns passages with their raw scores, best first."""
        ...

    def __call__(self, question: Question, candidates: Candidates) -> tuple[Candidates, Notes]:
        ranked, notes = self.search(question)
        return merge_path(candidates, self.name, ranked), notes


@frozen
class Searches:
    """Runs independent searches one after the other.

    Not in threads: they compete for the interpreter lock, and later steps lose the time that the searches gain.
    """

    searches: tuple[Search, ...]
    name: str = "paths"

    def __call__(self, question: Question, candidates: Candidates) -> tuple[Candidates, Notes]:
        by_path: dict[str, Notes] = {}
        for search in self.searches:
            ranked, notes = search.search(question)
            candidates = merge_path(candidates, search.name, ranked)
            by_path[search.name] = {"found": len(ranked), **notes}
        return candidates, by_path


@frozen
class ByWords(Search):
    """Searches text, tags, files and the components of identifiers by BM25.

    Without `bm25` it ranks by the rarity of the words a passage contains: faster, for candidates weighed later.
    """

    reading: SearchReading
    wording: Callable[[Question], Wording]
    top: int = 20
    effort: int = 2000
    bm25: bool = True
    name: str = WORDS.name

    def search(self, question: Question) -> tuple[Ranked, Notes]:
        wording = self.wording(question)
        terms = [*wording.words, *forms(question.text)]
        ranked = self.reading.find_words(
            question.project,
            terms,
            question.filters,
            self.top,
            effort=self.effort,
            bm25=self.bm25,
            variants=wording.variants,
        )
        notes = {"corrected spelling": wording.corrections, "variants": wording.variants}
        return ranked, {"words": wording.words, **{name: note for name, note in notes.items() if note}}


@frozen
class ByMeaning(Search):
    """Finds the nearest vectors. Does nothing without an embedder; the other paths still work.

    The raw score is the cosine in standard deviations above those of unrelated texts.
    """

    reading: SearchReading
    embed: Callable[[str], Embedded | None]
    top: int = 30
    name: str = MEANING.name

    def __call__(self, question: Question, candidates: Candidates) -> tuple[Candidates, Notes]:
        query = self.embed(question.text)
        if query is None:
            return candidates, {"skipped": RecallCode.NO_EMBEDDER}
        ranked, notes = self.search(question)
        lacking = self.reading.lacking_vector(query.embedder, [c.passage for c in candidates])
        if lacking:
            candidates = tuple(c._replace(lacks_vector=True) if c.passage in lacking else c for c in candidates)
        return merge_path(candidates, self.name, ranked), {**notes, "without vector": len(lacking)}

    def search(self, question: Question) -> tuple[Ranked, Notes]:
        query = self.embed(question.text)
        if query is None:
            return (), {"skipped": RecallCode.NO_EMBEDDER}
        near = self.reading.find_near(question.project, query.embedder, query.vector, question.filters, self.top)
        deviations = query.scale.deviations
        return [(passage, deviations(cosine)) for passage, cosine in near], {"embedder": query.embedder}


@frozen
class ByTime(Search):
    """Finds the nearest vectors among passages from the time that the query names ("last Tuesday", "in May")."""

    reading: SearchReading
    embed: Callable[[str], Embedded | None]
    top: int = 40
    most: int = 2000
    name: str = TIME.name

    def search(self, question: Question) -> tuple[Ranked, Notes]:
        windows = question.windows
        query = self.embed(question.text) if windows else None
        if query is None:
            return (), {"skipped": RecallCode.NO_EMBEDDER if windows else RecallCode.NO_TIME_NAMED}
        within: dict[int, None] = {}
        for window in windows:
            since, until = window.wider()
            between = self.reading.within(question.project, since, until, question.filters, self.most)
            within.update(dict.fromkeys(between))
        near = self.reading.similar(query.embedder, query.vector, list(within))
        ranked = sorted(near.items(), key=lambda item: (-item[1], item[0]))[: self.top]
        return ranked, {"times": [w.phrase for w in windows], "within": len(within)}


@frozen
class BySubstring:
    """Finds passages that contain a short query, or else its longest word, literally; when no whole word matches.

    A last resort. With `by_words`, it does not matter whether vectors are near: some always are. The raw score is the
    evidence: a common word may be part of another by chance, a long or unusual one is not.
    """

    reading: SearchReading
    by_words: bool = True
    top: int = 20
    most_words: int = 3
    name: str = SUBSTRING.name

    def __call__(self, question: Question, candidates: Candidates) -> tuple[Candidates, Notes]:
        words = question.text.split()
        by_words = any(WORDS.name in c.ranks or TITLE.name in c.ranks for c in candidates)
        found = by_words if self.by_words else bool(candidates)
        short = 0 < len(words) <= self.most_words
        parts = dict.fromkeys((question.text.strip(), max(words, key=len))) if short and not found else ()
        sought = {part: evidence for part in parts if (evidence := _evidence_of_part(part))}
        if not sought:
            return candidates, {"skipped": RecallCode.NOT_NEEDED}
        for part, evidence in sought.items():
            if ids := self.reading.find_substring(question.project, part, question.filters, self.top):
                return merge_path(candidates, self.name, tuple((id, evidence) for id in ids)), {"part": part}
        return candidates, {}


@frozen
class Fuse:
    """Fuses ranks by weighted reciprocal rank, `weight / (60 + rank)`, normalised so that rank 1 on all paths scores 1.

    A passage that is not embedded yet uses its rank by words as its rank by meaning, so that it has no disadvantage.
    """

    name: str = "fuse"

    def __call__(self, question: Question, candidates: Candidates) -> tuple[Candidates, Notes]:
        query_type = question.query_type
        weights = RRF_WEIGHTS[query_type]
        used = {path for c in candidates for path in c.ranks}
        best = sum(weights.get(path, DEFAULT_WEIGHT) for path in used) / (RRF_K + 1) or 1.0
        fused = (c.ranked_only(_rrf(_ranks(c, used), weights) / best) for c in candidates)
        return _sorted(fused), {"query type": query_type.value}


@frozen
class Filter:
    """Keeps candidates that are current and pass the filters; checks their stored rows, because indexes may lag.

    Drops passages from after the day of a query about the past: they were not known then. Reads all candidates, or
    without `all` only the best `deep` × the limit of the query, at least twenty.
    """

    reading: PassageReading
    all: bool = False
    deep: float = 2.5
    name: str = "filter"

    def __call__(self, question: Question, candidates: Candidates) -> tuple[Candidates, Notes]:
        if not self.all:
            candidates = candidates[: max(int(self.deep * question.limit), 20)]
        factors = self.reading.factors(question.project, [c.passage for c in candidates], question.filters)
        day = question.last_day
        rows = {row.passage: row for row in factors if row.known_on(day)}
        passed = tuple(c.with_row(rows[c.passage]) for c in candidates if c.passage in rows)
        later = len(factors) - len(passed)
        return passed, {"later": later} if later else {}


@frozen
class Score:
    """Scores by (0.6 relevance + 0.25 recency + 0.15 frequency) × phase × source trust × decayed confidence.

    A memory bound to code is also multiplied by its freshness, the share of that code that is unchanged. `temper`
    limits the factors: at 1 they multiply in full, at 0.3 they take away 30 % at most, so that trust alone does not
    lift a passage above a better answer (docs/research/ranking.md). `confidence_later` names types
    whose confidence a later step applies.
    """

    relevance: float = 0.6
    recency: float = 0.25
    frequency: float = 0.15
    temper: float = 1.0
    phase_weights: PhaseTable = field(default_factory=lambda: TypeRegistry().phase_weights)
    confidence_later: tuple[str, ...] = ()
    name: str = "score"

    def __call__(self, question: Question, candidates: Candidates) -> tuple[Candidates, Notes]:
        shares = {"relevance": self.relevance, "recency": self.recency, "frequency": self.frequency}
        weights, highest = self._weights(question.phase)
        scored = (self._scored(question, c, weights, highest) for c in candidates)
        return _sorted(scored), {"shares": shares, "temper": self.temper}

    def _weights(self, phase: str | None) -> tuple[Mapping[str, float], float]:
        """The weight of each type in a phase, and the divisor that keeps scores at 1 or below."""
        if not phase:
            return {}, 1.0
        highest = max((weight for weights in self.phase_weights.values() for weight in weights.values()), default=1.0)
        return self.phase_weights.get(phase, {}), max(1.0, highest)

    def _scored(
        self, question: Question, candidate: RecallCandidate, weights: Mapping[str, float], highest: float
    ) -> RecallCandidate:
        assert candidate.row is not None
        phase = weights.get(candidate.row.type, 1.0) / highest
        own = _factors(candidate.row, question.now, phase, candidate.factors.get("fading", 1.0))
        if (freshness := candidate.row.freshness) is not None:
            own["freshness"] = freshness.unchanged
        base = self.relevance * candidate.score + self.recency * own["recency"] + self.frequency * own["frequency"]
        if candidate.row.type in self.confidence_later:
            del own["confidence"]
        held = own["phase"] * own["trust"] * own.get("confidence", 1.0) * own.get("freshness", 1.0)
        factor = 1 - self.temper + self.temper * held
        return candidate.with_factors({"relevance": candidate.score, **own}, base * factor)


@frozen
class Cap:
    """Limits the number of messages per session, so that one long chat does not fill the answer.

    A message that was said in several sessions counts in each, and stays while one of them has room.
    """

    per_session: int
    name: str = "cap"

    def __call__(self, question: Question, candidates: Candidates) -> tuple[Candidates, Notes]:
        if self.per_session <= 0 or question.filters.session:
            return candidates, {"skipped": RecallCode.NO_CAP}
        seen: dict[str, int] = {}
        kept = [c for c in candidates if self._fits(c, seen)]
        return tuple(kept), {"dropped": len(candidates) - len(kept)}

    def _fits(self, candidate: RecallCandidate, seen: dict[str, int]) -> bool:
        row = candidate.row
        if row is None or row.type != EPISODE or row.session is None:
            return True
        sessions = {said.session for said in (row, *candidate.repeats) if said.session is not None}
        for session in sessions:
            seen[session] = seen.get(session, 0) + 1
        return any(seen[session] <= self.per_session for session in sessions)


def _evidence_of_part(part: str) -> float:
    """How likely a passage that contains these characters is meant; 0 for so few that many texts contain them."""
    plain = part.isascii() and part.isalpha()
    if len(part) < (_PLAIN_PART if plain else _UNUSUAL_PART):
        return 0.0
    return 0.5 if plain and len(part) < _LONG_PART else 1.0


def _factors(row: Factors, now: datetime, phase: float, fading: float) -> dict[str, float]:
    used = row.used_by(now)
    days = max(0.0, (now - used).total_seconds() / 86_400)
    protected = row.pinned or row.verified
    return {
        "recency": math.exp(-days * _RECENCY_PER_DAY * fading),
        "frequency": min(1.0, math.log1p(row.access_count) / math.log1p(100)),
        "phase": phase,
        "trust": SOURCE_TRUST[row.source] / HIGHEST_TRUST,
        "confidence": current_confidence(row.confidence, row.half_life_days, used, now, protected=protected),
    }


def _ranks(candidate: RecallCandidate, used: set[str]) -> Mapping[str, int]:
    """Returns the ranks of a candidate; without a vector, its rank by words is also its rank by meaning."""
    if candidate.lacks_vector and MEANING.name in used and WORDS.name in candidate.ranks:
        return {**candidate.ranks, MEANING.name: candidate.ranks[WORDS.name]}
    return candidate.ranks


def _rrf(ranks: Mapping[str, int], weights: Mapping[str, float]) -> float:
    score = 0.0
    for path, rank in ranks.items():
        score += weights.get(path, DEFAULT_WEIGHT) / (RRF_K + rank)
    return score


def _sorted(candidates: Iterable[RecallCandidate]) -> Candidates:
    return tuple(sorted(candidates, key=lambda c: (-c.score, c.passage)))
