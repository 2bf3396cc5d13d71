"""Steps that follow relations: neighbouring files in the code graph, memories found together, files used together."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from math import inf
from typing import TYPE_CHECKING, Protocol

from holdfast.core.frozen import frozen
from holdfast.recall.merging import merge_path
from holdfast.recall.paths import CAUSAL, CO_ACCESS, GRAPH
from holdfast.recall.question import Notes, Question, RecallCandidate
from holdfast.recall.recall_reasons import RecallCode
from holdfast.text.patterns import compiled

if TYPE_CHECKING:
    from holdfast.recall.steps import Candidates
    from holdfast.recall.store_parts import PassageSearch
    from holdfast.store.reading import Factors, PassageReading, SearchReading

# `NeighbourBoost` compares the candidates after the top ones, down to this rank, with the top ones.
_TOP = 10
_RANKED_TO = 50
_BOOST = 0.3
# A memory may be about many files; the first ones say enough.
_FILES_EACH = 3
_CODE = "code"
_RELATED_ABOVE = 0.6
# Memories of a related file score at most half of the best candidate, so that they never come first.
_RELATED_SHARE = 0.5
_PATH = r"(?<![\w.-])(?:[\w.-]++(?:[/\\][\w.-]++)+|[\w-]++\.[A-Za-z]\w{0,9}\b)"


class CodeNeighbours(Protocol):
    """The part of the code graph that recall uses."""

    def files_near(self, project: str, files: Sequence[str], hops: int = 1) -> Mapping[str, float]:
        """Returns the other files within that many hops of these, each with its closeness from 0 to 1."""
        ...

    def files_named(self, project: str, text: str) -> Sequence[str]:
        """Returns the files that a text names by their symbols or by the end of their paths."""
        ...


@frozen
class ByGraph:
    """Finds memories about files one hop from the files the query names, by a path or by a symbol.

    Only of the given `types`, or any: passages of code are found by their own words. Does nothing without a code graph.
    """

    reading: SearchReading
    neighbours: CodeNeighbours | None
    top: int = 15
    types: tuple[str, ...] = ()
    name: str = GRAPH.name

    def __call__(self, question: Question, candidates: Candidates) -> tuple[Candidates, Notes]:
        if self.neighbours is None:
            return candidates, {"skipped": RecallCode.NO_CODE_GRAPH}
        symbols = self.neighbours.files_named(question.project, question.text)
        named = tuple(dict.fromkeys((*asked_files(question), *symbols)))
        if not named:
            return candidates, {"skipped": RecallCode.NO_FILE_NAMED}
        near = self.neighbours.files_near(question.project, named)
        closest = sorted(near, key=lambda file: (-near[file], file))
        filters = question.filters if question.filters.types else replace(question.filters, types=self.types)
        about = self.reading.about_files(question.project, closest, filters, 4 * self.top)
        ranked = tuple(_closest(about, near).items())[: self.top]
        return merge_path(candidates, self.name, ranked), {"files": len(near)}


@frozen
class ByCoAccess:
    """Finds memories that earlier answers often contained together with the best three candidates."""

    reading: SearchReading
    top: int = 15
    name: str = CO_ACCESS.name

    def __call__(self, question: Question, candidates: Candidates) -> tuple[Candidates, Notes]:
        best = sorted(candidates, key=lambda c: (-_rank_sum(c), c.passage))[:3]
        if not best:
            return candidates, {"skipped": RecallCode.NOTHING_FOUND}
        passages = [c.passage for c in best]
        together = self.reading.found_with(question.project, passages, question.filters, self.top)
        return merge_path(candidates, self.name, tuple((id, float(count)) for id, count in together)), {
            "found": len(together)
        }


@frozen
class NeighbourBoost:
    """Raises candidates 11 to 50 by 0.3 × the share of the top ten whose files are one hop from their own.

    Needs normalised scores. No candidate rises above the first. Does nothing without a code graph.
    """

    reading: PassageReading
    neighbours: CodeNeighbours | None
    name: str = "neighbours"

    def __call__(self, question: Question, candidates: Candidates) -> tuple[Candidates, Notes]:
        if self.neighbours is None or len(candidates) <= _TOP:
            return candidates, {"skipped": RecallCode.NO_CODE_GRAPH if self.neighbours is None else RecallCode.TOO_FEW}
        files = self.reading.files_of([c.passage for c in candidates[:_RANKED_TO]])
        near = [self._near(question.project, files[c.passage]) for c in candidates[:_TOP] if c.passage in files]
        highest = candidates[0].score
        boosted = tuple(_boosted(c, files, near, highest) for c in candidates[_TOP:_RANKED_TO])
        after = (*candidates[:_TOP], *boosted, *candidates[_RANKED_TO:])
        count = sum(new is not old for new, old in zip(after, candidates, strict=True))
        return tuple(sorted(after, key=lambda c: -c.score)) if count else candidates, {"boosted": count}

    def _near(self, project: str, files: Sequence[str]) -> frozenset[str]:
        assert self.neighbours is not None
        return frozenset(self.neighbours.files_near(project, files))


@frozen
class CodeBoost:
    """Raises candidates whose files are close to those of the best ten: by `weight` × their score × the closeness.

    Only the best candidate of each file rises, because the closeness says nothing about which part of a file is meant.
    Code never rises above a memory, a message or a document that was before it. Does nothing without a code graph.
    """

    reading: PassageReading
    neighbours: CodeNeighbours | None
    weight: float = 0.2
    name: str = "neighbours"

    def __call__(self, question: Question, candidates: Candidates) -> tuple[Candidates, Notes]:
        if self.neighbours is None or not candidates:
            return candidates, {"skipped": RecallCode.NO_CODE_GRAPH if self.neighbours is None else RecallCode.TOO_FEW}
        files = self.reading.files_of([c.passage for c in candidates[:_RANKED_TO]])
        close = self._closeness(question.project, candidates[:_TOP], files)
        after: list[RecallCandidate] = []
        seen: set[str] = set()
        others = inf  # The lowest score so far of a candidate that is no code.
        for candidate in candidates[:_RANKED_TO]:
            new = [file for file in files.get(candidate.passage, ()) if file not in seen]
            gain = self.weight * max((close.get(file, 0.0) for file in new), default=0.0)
            after.append(_raised(candidate, gain, others if candidate.type == _CODE else candidates[0].score))
            others = others if candidate.type == _CODE else candidate.score
            seen.update(new)
        count = sum(new is not old for new, old in zip(after, candidates, strict=False))
        ranked = sorted((*after, *candidates[_RANKED_TO:]), key=lambda c: -c.score)
        return tuple(ranked) if count else candidates, {"boosted": count}

    def _closeness(self, project: str, best: Candidates, files: Mapping[int, Sequence[str]]) -> Mapping[str, float]:
        """Returns how close each file is to those of the best candidates, weighted by their scores."""
        assert self.neighbours is not None
        scores: dict[str, float] = {}
        for candidate in best:
            for file in files.get(candidate.passage, ())[:_FILES_EACH]:
                scores.setdefault(file, candidate.score)
        close: dict[str, float] = {}
        for file, score in scores.items():
            for other, closeness in self.neighbours.files_near(project, [file]).items():
                close[other] = close.get(other, 0.0) + score * closeness / _TOP
        return close


@frozen
class CausalChain:
    """Adds memories about files that belong to a file of the query (strength above 0.6).

    Files belong together whose memories are often found together, and those that a dependency names.

    Ignores a filter by file on purpose; all other filters apply. Runs on scored candidates: an added one scores at
    most half of the best one, and a known one never less than before.
    """

    reading: PassageSearch
    types: tuple[str, ...]
    files: int = 5
    top: int = 5
    name: str = CAUSAL.name

    def __call__(self, question: Question, candidates: Candidates) -> tuple[Candidates, Notes]:
        related = self._related(question.project, asked_files(question))
        types = tuple(type for type in self.types if not question.filters.types or type in question.filters.types)
        if not related or not types:
            return candidates, {"skipped": RecallCode.NO_RELATED_FILE}
        filters = replace(question.filters, files=(), types=types)
        about = self.reading.about_files(question.project, list(related), filters, 4 * self.top)
        weights, known = _closest(about, related), {c.passage for c in candidates}
        new = [passage for passage in weights if passage not in known][: self.top]
        rows = {row.passage: row for row in self.reading.factors(question.project, new, filters)}
        ranked = [(passage, weight) for passage, weight in weights.items() if passage in known or passage in rows]
        half = _RELATED_SHARE * max((c.score for c in candidates), default=1.0)
        after = (
            _with_relation(c, half, rows) if self.name in c.ranks else c
            for c in merge_path(candidates, self.name, ranked)
        )
        return tuple(sorted(after, key=lambda c: -c.score)), {"files": dict(related), "added": len(rows)}

    def _related(self, project: str, named: Sequence[str]) -> Mapping[str, float]:
        """Returns the most closely related files with their strengths, the closest first."""
        weights: dict[str, float] = {}
        for file in named:
            for other, weight in self.reading.files_bound(project, file).items():
                if weight > _RELATED_ABOVE and other not in named:
                    weights[other] = max(weight, weights.get(other, 0.0))
        closest = sorted(weights.items(), key=lambda item: (-item[1], item[0]))
        return dict(closest[: self.files])


def asked_files(question: Question) -> tuple[str, ...]:
    """Returns the files a query is about: its file filters and the paths in its text, relative with forward slashes."""
    named = (path.replace("\\", "/").removeprefix("./").rstrip("./") for path in compiled(_PATH).findall(question.text))
    filtered = (path.rstrip("/") for path in question.filters.files)
    return tuple(dict.fromkeys(path for path in (*filtered, *named) if path))


def _closest(about: Iterable[tuple[int, str]], weights: Mapping[str, float]) -> dict[int, float]:
    """Maps each passage, in order, to the weight of its first file."""
    found: dict[int, float] = {}
    for passage, file in about:
        found.setdefault(passage, weights[file])
    return found


def _with_relation(candidate: RecallCandidate, half: float, rows: Mapping[int, Factors]) -> RecallCandidate:
    weight = candidate.raw[CAUSAL.name]
    scored = candidate.with_factors({"bound": weight}, max(candidate.score, half * weight))
    return scored if scored.row else scored.with_row(rows[candidate.passage])


def _rank_sum(candidate: RecallCandidate) -> float:
    return sum(1 / (60 + rank) for rank in candidate.ranks.values())


def _raised(candidate: RecallCandidate, gain: float, most: float) -> RecallCandidate:
    """Returns the candidate with a higher score, but no higher than `most`."""
    score = max(candidate.score, min(most, candidate.score + gain))
    return candidate.with_factors({"neighbours": gain}, score) if score > candidate.score else candidate


def _boosted(
    candidate: RecallCandidate, files: Mapping[int, Iterable[str]], near: Sequence[frozenset[str]], highest: float
) -> RecallCandidate:
    own = frozenset(files.get(candidate.passage, ()))
    share = sum(bool(own & around) for around in near) / _TOP
    if not share:
        return candidate
    return candidate.with_factors({"neighbours": share}, min(highest, candidate.score + _BOOST * share))
