"""Steps that follow relations: neighbours in the code graph, memories found together, files used together."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Protocol

from holdfast.recall.merging import merge_path
from holdfast.recall.paths import CAUSAL, CO_ACCESS, GRAPH
from holdfast.recall.question import Found, Notes, Question
from holdfast.recall.reasons import RecallCode

if TYPE_CHECKING:
    from holdfast.recall.reading import PassageSearch
    from holdfast.recall.steps import Candidates
    from holdfast.store.reading import Factors, PassageReading, SearchReading

_TOP = 10
_RANKED_TO = 50
_BOOST = 0.3
_RELATED_ABOVE = 0.6
# Memories of a related file score at most half of the best candidate, so that they never come first.
_RELATED_SHARE = 0.5
_PATH = re.compile(r"[\w.-]+(?:[/\\][\w.-]+)+|[\w-]+\.[A-Za-z]\w{0,9}\b")


class CodeNeighbours(Protocol):
    """The part of the code graph that recall uses."""

    def files_near(self, project: str, files: Sequence[str], hops: int = 1) -> Mapping[str, float]:
        """Returns the other files within that many hops of these, each with its closeness from 0 to 1."""
        ...


@dataclass(frozen=True, slots=True)
class ByGraph:
    """Finds memories about files one hop from the files the query names. Does nothing without a code graph."""

    reading: SearchReading
    neighbours: CodeNeighbours | None
    top: int = 15
    name: str = GRAPH.name

    def __call__(self, question: Question, found: Candidates) -> tuple[Candidates, Notes]:
        named = asked_files(question)
        if self.neighbours is None or not named:
            return found, {"skipped": RecallCode.NO_CODE_GRAPH if self.neighbours is None else RecallCode.NO_FILE_NAMED}
        near = self.neighbours.files_near(question.project, named)
        closest = sorted(near, key=lambda file: (-near[file], file))
        about = self.reading.about_files(question.project, closest, question.filters, 4 * self.top)
        ranked = tuple(_closest(about, near).items())[: self.top]
        return merge_path(found, self.name, ranked), {"files": len(near)}


@dataclass(frozen=True, slots=True)
class ByCoAccess:
    """Finds memories that earlier answers often contained together with the best three candidates."""

    reading: SearchReading
    top: int = 15
    name: str = CO_ACCESS.name

    def __call__(self, question: Question, found: Candidates) -> tuple[Candidates, Notes]:
        best = sorted(found, key=lambda one: (-_rank_sum(one), one.passage))[:3]
        if not best:
            return found, {"skipped": RecallCode.NOTHING_FOUND}
        passages = [one.passage for one in best]
        together = self.reading.found_with(question.project, passages, question.filters, self.top)
        return merge_path(found, self.name, tuple((id, float(count)) for id, count in together)), {
            "found": len(together)
        }


@dataclass(frozen=True, slots=True)
class NeighbourBoost:
    """Raises ranks 11 to 50 by 0.3 × the share of the top ten whose files are one hop from the candidate's.

    Needs normalised scores. No candidate rises above the first. Does nothing without a code graph.
    """

    reading: PassageReading
    neighbours: CodeNeighbours | None
    name: str = "neighbours"

    def __call__(self, question: Question, found: Candidates) -> tuple[Candidates, Notes]:
        if self.neighbours is None or len(found) <= _TOP:
            return found, {"skipped": RecallCode.NO_CODE_GRAPH if self.neighbours is None else RecallCode.TOO_FEW}
        files = self.reading.files_of([one.passage for one in found[:_RANKED_TO]])
        near = [self._near(question.project, files[one.passage]) for one in found[:_TOP] if one.passage in files]
        highest = found[0].score
        boosted = tuple(_boosted(one, files, near, highest) for one in found[_TOP:_RANKED_TO])
        after = (*found[:_TOP], *boosted, *found[_RANKED_TO:])
        count = sum(new is not old for new, old in zip(after, found, strict=True))
        return tuple(sorted(after, key=lambda one: -one.score)) if count else found, {"boosted": count}

    def _near(self, project: str, files: Sequence[str]) -> frozenset[str]:
        assert self.neighbours is not None
        return frozenset(self.neighbours.files_near(project, files))


@dataclass(frozen=True, slots=True)
class CausalChain:
    """Adds memories about files that are used together with a file of the query, at a strength above 0.6.

    Ignores a filter by file on purpose; all other filters apply. Added candidates score at most half of the best one,
    known ones never less than before; so this runs after the step that scores.
    """

    reading: PassageSearch
    types: tuple[str, ...]
    files: int = 5
    top: int = 5
    name: str = CAUSAL.name

    def __call__(self, question: Question, found: Candidates) -> tuple[Candidates, Notes]:
        related = self._related(question.project, asked_files(question))
        types = tuple(type for type in self.types if not question.filters.types or type in question.filters.types)
        if not related or not types:
            return found, {"skipped": RecallCode.NO_RELATED_FILE}
        filters = replace(question.filters, files=(), types=types)
        about = self.reading.about_files(question.project, list(related), filters, 4 * self.top)
        weights, known = _closest(about, related), {one.passage for one in found}
        new = [passage for passage in weights if passage not in known][: self.top]
        rows = {row.passage: row for row in self.reading.factors(question.project, new, filters)}
        ranked = [(passage, weight) for passage, weight in weights.items() if passage in known or passage in rows]
        half = _RELATED_SHARE * max((one.score for one in found), default=1.0)
        after = (
            _with_relation(one, half, rows) if self.name in one.ranks else one
            for one in merge_path(found, self.name, ranked)
        )
        return tuple(sorted(after, key=lambda one: -one.score)), {"files": dict(related), "added": len(rows)}

    def _related(self, project: str, named: Sequence[str]) -> Mapping[str, float]:
        """The files related closely enough, the closest first."""
        weights: dict[str, float] = {}
        for file in named:
            for other, weight in self.reading.files_bound(project, file).items():
                if weight > _RELATED_ABOVE and other not in named:
                    weights[other] = max(weight, weights.get(other, 0.0))
        closest = sorted(weights.items(), key=lambda item: (-item[1], item[0]))
        return dict(closest[: self.files])


def asked_files(question: Question) -> tuple[str, ...]:
    """The files a query is about: its file filters and the paths in its text, written as in the project."""
    named = (path.replace("\\", "/").removeprefix("./").rstrip("./") for path in _PATH.findall(question.text))
    filtered = (path.rstrip("/") for path in question.filters.files)
    return tuple(dict.fromkeys(path for path in (*filtered, *named) if path))


def _closest(about: Iterable[tuple[int, str]], weights: Mapping[str, float]) -> dict[int, float]:
    """Maps each passage, in order, to the weight of the first of its files."""
    found: dict[int, float] = {}
    for passage, file in about:
        found.setdefault(passage, weights[file])
    return found


def _with_relation(found: Found, half: float, rows: Mapping[int, Factors]) -> Found:
    weight = found.raw[CAUSAL.name]
    scored = found.with_factors({"bound": weight}, max(found.score, half * weight))
    return scored if scored.row else scored.with_row(rows[found.passage])


def _rank_sum(found: Found) -> float:
    return sum(1 / (60 + rank) for rank in found.ranks.values())


def _boosted(found: Found, files: Mapping[int, Iterable[str]], near: Sequence[frozenset[str]], highest: float) -> Found:
    own = frozenset(files.get(found.passage, ()))
    share = sum(bool(own & around) for around in near) / _TOP
    if not share:
        return found
    return found.with_factors({"neighbours": share}, min(highest, found.score + _BOOST * share))
