"""The steps of recall. Each takes candidates and gives candidates, with notes for the trace."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import TYPE_CHECKING, Protocol

from holdfast.core.memory import EPISODE
from holdfast.core.memory_types import PhaseTable, TypeRegistry
from holdfast.recall.merging import merge_path
from holdfast.recall.question import Embedded, Found, Notes, Question
from holdfast.recall.tables import PATH_WEIGHTS, SOURCE_TRUST
from holdfast.text.words import forms
from holdfast.trust.decay import current_confidence

if TYPE_CHECKING:
    from holdfast.recall.spelling import Wording
    from holdfast.store.reading import Factors, PassageReading, SearchReading

Candidates = tuple[Found, ...]
Ranked = Sequence[tuple[int, float]]
RRF_K = 60
_RECENCY_PER_DAY = 1 / 30
# Why divided by: the table's order is kept, and a score stays between 0 and 1.
_HIGHEST_TRUST = max(SOURCE_TRUST.values())


class Step(Protocol):
    """One step: candidates in, candidates and notes out."""

    @property
    def name(self) -> str: ...
    def __call__(self, question: Question, found: Candidates) -> tuple[Candidates, Notes]: ...


class Path(Step, Protocol):
    """A step that looks for candidates by itself, whatever others found."""

    def look(self, question: Question) -> tuple[Ranked, Notes]:
        """Passages, best first, with their raw scores."""
        ...


@dataclass(frozen=True, slots=True)
class Paths:
    """Paths that look one after the other, none knowing what another found.

    Why not each in a thread: they hand the interpreter to and fro, and what one of them wins every later step loses.
    """

    paths: tuple[Path, ...]
    name: str = "paths"

    def __call__(self, question: Question, found: Candidates) -> tuple[Candidates, Notes]:
        told: dict[str, Notes] = {}
        for path in self.paths:
            ranked, notes = path.look(question)
            found = merge_path(found, path.name, ranked)
            told[path.name] = {"found": len(ranked), **notes}
        return found, told


@dataclass(frozen=True, slots=True)
class ByWords:
    """Path: BM25 over text, tags, files and the parts of identifiers.

    Without `bm25`, by how rare the words are that a passage holds: quicker, for candidates that are weighed anew.
    """

    reading: SearchReading
    wording: Callable[[Question], Wording]
    top: int = 20
    effort: int = 2000
    bm25: bool = True
    name: str = "words"

    def __call__(self, question: Question, found: Candidates) -> tuple[Candidates, Notes]:
        ranked, notes = self.look(question)
        return merge_path(found, self.name, ranked), notes

    def look(self, question: Question) -> tuple[Ranked, Notes]:
        words, meant, _ = self.wording(question)
        asked = [*words, *forms(question.text)]
        ranked = self.reading.find_words(
            question.project, asked, question.filters, self.top, effort=self.effort, bm25=self.bm25
        )
        return ranked, {"words": words, **({"read as": meant} if meant else {})}


@dataclass(frozen=True, slots=True)
class ByMeaning:
    """Path: nearest vectors. Passes when there is no embedder: words answer alone."""

    reading: SearchReading
    embed: Callable[[str], Embedded | None]
    top: int = 30
    name: str = "meaning"

    def __call__(self, question: Question, found: Candidates) -> tuple[Candidates, Notes]:
        asked = self.embed(question.text)
        if asked is None:
            return found, {"skipped": "no embedder"}
        ranked, notes = self.look(question)
        waiting = self.reading.lacking_vector(asked.embedder, [f.passage for f in found])
        marked = tuple(f._replace(waits=True) if f.passage in waiting else f for f in found) if waiting else found
        return merge_path(marked, self.name, ranked), {**notes, "waiting": len(waiting)}

    def look(self, question: Question) -> tuple[Ranked, Notes]:
        asked = self.embed(question.text)
        if asked is None:
            return (), {"skipped": "no embedder"}
        near = self.reading.find_near(question.project, asked.embedder, asked.vector, question.filters, self.top)
        return near, {"embedder": asked.embedder}


@dataclass(frozen=True, slots=True)
class ByTime:
    """Path: the nearest of what was said or happened in the time the question names ("last Tuesday", "in May")."""

    reading: SearchReading
    embed: Callable[[str], Embedded | None]
    top: int = 40
    most: int = 2000
    name: str = "time"

    def __call__(self, question: Question, found: Candidates) -> tuple[Candidates, Notes]:
        ranked, notes = self.look(question)
        return merge_path(found, self.name, ranked), notes

    def look(self, question: Question) -> tuple[Ranked, Notes]:
        windows = question.windows
        asked = self.embed(question.text) if windows else None
        if asked is None:
            return (), {"skipped": "no embedder" if windows else "no time named"}
        within: dict[int, None] = {}
        for window in windows:
            since, until = window.wider()
            between = self.reading.within(question.project, since, until, question.filters, self.most)
            within.update(dict.fromkeys(between))
        near = self.reading.similar(asked.embedder, asked.vector, list(within))
        ranked = sorted(near.items(), key=lambda item: (-item[1], item[0]))[: self.top]
        return ranked, {"time": [w.phrase for w in windows], "within": len(within)}


@dataclass(frozen=True, slots=True)
class BySubstring:
    """Path of last resort: the text as it stands, when nothing else found anything (R-C11).

    Of few words only: what stands between the first and the last is a whole word, which would have been found by it.
    """

    reading: SearchReading
    top: int = 20
    most_words: int = 3
    name: str = "substring"

    def __call__(self, question: Question, found: Candidates) -> tuple[Candidates, Notes]:
        if found or not 0 < len(question.text.split()) <= self.most_words:
            return found, {"skipped": "not needed"}
        ids = self.reading.find_substring(question.project, question.text.strip(), question.filters, self.top)
        return merge_path(found, self.name, tuple((id, 1.0) for id in ids)), {}


@dataclass(frozen=True, slots=True)
class Fuse:
    """Weighted reciprocal rank fusion, `weight / (60 + rank)`, normalised so that first on every path is 1.

    A passage whose vector is still to come counts on the path of meaning as it does by words: being new is no fault.
    """

    name: str = "fuse"

    def __call__(self, question: Question, found: Candidates) -> tuple[Candidates, Notes]:
        weights = PATH_WEIGHTS[question.kind]
        taken = {path for f in found for path in f.ranks}
        best = sum(weights.get(path, 0.25) for path in taken) / (RRF_K + 1) or 1.0
        fused = (Found(f.passage, f.ranks, f.raw, _rrf(_ranks(f, taken), weights) / best) for f in found)
        return _sorted(fused), {"query type": question.kind}


@dataclass(frozen=True, slots=True)
class Filter:
    """Lets through what is believed and passes the filters: the rows have the last word, not the indexes.

    What was said or learned after the day of asking was not known then: it cannot answer.

    Reads all candidates, or as many of the best as can still matter.
    """

    reading: PassageReading
    all: bool = False
    deep: float = 2.5
    name: str = "filter"

    def __call__(self, question: Question, found: Candidates) -> tuple[Candidates, Notes]:
        if not self.all:
            found = found[: max(int(self.deep * question.limit), 20)]
        factors = self.reading.factors(question.project, [f.passage for f in found], question.filters)
        day = question.day
        known = {of.passage: of for of in factors if of.known_on(day)}
        passed = tuple(Found._make((*f[:5], known[f.passage], *f[6:])) for f in found if f.passage in known)
        later = len(factors) - len(passed)
        return passed, {"said later": later} if later else {}


@dataclass(frozen=True, slots=True)
class Score:
    """(0.6 relevance + 0.25 recency + 0.15 frequency) × phase × source trust × decayed confidence (R-C4).

    `temper` is how far the three factors reach: at 1 they multiply as they are, at 0.3 they take away 30 % at most, so
    that a passage which answers is not drowned by one that is merely trusted more.
    """

    relevance: float = 0.6
    recency: float = 0.25
    frequency: float = 0.15
    temper: float = 1.0
    phase_weights: PhaseTable = field(default_factory=lambda: TypeRegistry().phase_weights)
    name: str = "score"

    def __call__(self, question: Question, found: Candidates) -> tuple[Candidates, Notes]:
        shares = {"relevance": self.relevance, "recency": self.recency, "frequency": self.frequency}
        weights, highest = self._weights(question.phase)
        scored = (self._scored(question, f, weights, highest) for f in found)
        return _sorted(scored), {"shares": shares, "temper": self.temper}

    def _weights(self, phase: str | None) -> tuple[Mapping[str, float], float]:
        """The weight of each type in a phase, and the number to divide by, so that a score is never above 1."""
        if not phase:
            return {}, 1.0
        highest = max((weight for weights in self.phase_weights.values() for weight in weights.values()), default=1.0)
        return self.phase_weights.get(phase, {}), max(1.0, highest)

    def _scored(self, question: Question, found: Found, weights: Mapping[str, float], highest: float) -> Found:
        assert found.of is not None
        phase = weights.get(found.of.type, 1.0) / highest
        parts = _parts(found.of, question.now, phase, found.parts.get("fading", 1.0))
        base = self.relevance * found.score + self.recency * parts["recency"] + self.frequency * parts["frequency"]
        factor = 1 - self.temper + self.temper * parts["phase"] * parts["trust"] * parts["confidence"]
        told = {**found.parts, "relevance": found.score, **parts}
        return Found(found.passage, found.ranks, found.raw, base * factor, told, *found[5:])


@dataclass(frozen=True, slots=True)
class Cap:
    """At most so many episodes of one session, so that one long chat does not fill the answer."""

    per_session: int
    name: str = "cap"

    def __call__(self, question: Question, found: Candidates) -> tuple[Candidates, Notes]:
        if self.per_session <= 0 or question.filters.session:
            return found, {"skipped": "no cap"}
        seen: dict[str, int] = {}
        kept = [f for f in found if self._fits(f.of, seen)]
        return tuple(kept), {"dropped": len(found) - len(kept)}

    def _fits(self, of: Factors | None, seen: dict[str, int]) -> bool:
        if of is None or of.type != EPISODE or of.session is None:
            return True
        seen[of.session] = seen.get(of.session, 0) + 1
        return seen[of.session] <= self.per_session


def _parts(of: Factors, now: datetime, phase: float, fading: float) -> dict[str, float]:
    used = of.used_at
    days = max(0.0, (now - used).total_seconds() / 86_400)
    protected = of.pinned or of.verified
    return {
        "recency": math.exp(-days * _RECENCY_PER_DAY * fading),
        "frequency": min(1.0, math.log1p(of.access_count) / math.log1p(100)),
        "phase": phase,
        "trust": SOURCE_TRUST[of.source] / _HIGHEST_TRUST,
        "confidence": current_confidence(of.confidence, of.half_life_days, used, now, protected=protected),
    }


def _ranks(found: Found, taken: set[str]) -> Mapping[str, int]:
    stands_in = found.waits and "meaning" in taken and "words" in found.ranks
    return {**found.ranks, "meaning": found.ranks["words"]} if stands_in else found.ranks


def _rrf(ranks: Mapping[str, int], weights: Mapping[str, float]) -> float:
    score = 0.0
    for path, rank in ranks.items():
        score += weights.get(path, 0.25) / (RRF_K + rank)
    return score


def _sorted(found: Iterable[Found]) -> Candidates:
    return tuple(sorted(found, key=lambda f: (-f.score, f.passage)))
