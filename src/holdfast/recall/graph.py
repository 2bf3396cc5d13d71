"""What stands near: files one hop apart in the code graph, memories found together, files bound by use."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Protocol

from holdfast.recall.merging import merge_path
from holdfast.recall.question import Found, Notes, Question

if TYPE_CHECKING:
    from holdfast.recall.reading import PassageSearch
    from holdfast.recall.steps import Candidates
    from holdfast.store.reading import Factors, PassageReading, SearchReading

_TOP = 10
_RANKED_TO = 50
_BOOST = 0.3
_BOUND_ABOVE = 0.6
# A bound file's memories count at most half as much as the best that was asked for: they accompany, they do not lead.
_ACCOMPANIES = 0.5
_PATH = re.compile(r"[\w.-]+(?:[/\\][\w.-]+)+|[\w-]+\.[A-Za-z]\w{0,9}\b")


class CodeNeighbours(Protocol):
    """The code graph, as recall needs it."""

    def files_near(self, project: str, files: Sequence[str], hops: int = 1) -> Mapping[str, float]:
        """The files within so many hops of these, without these, each with how close it is: 0 to 1."""
        ...


@dataclass(frozen=True, slots=True)
class ByGraph:
    """Path: memories of files one hop from the files the question names. Passes without a code graph."""

    reading: SearchReading
    neighbours: CodeNeighbours | None
    top: int = 15
    name: str = "graph"

    def __call__(self, question: Question, found: Candidates) -> tuple[Candidates, Notes]:
        asked = asked_files(question)
        if self.neighbours is None or not asked:
            return found, {"skipped": "no code graph" if self.neighbours is None else "no file named"}
        near = self.neighbours.files_near(question.project, asked)
        closest = sorted(near, key=lambda file: (-near[file], file))
        about = self.reading.about_files(question.project, closest, question.filters, 4 * self.top)
        ranked = tuple(_closest(about, near).items())[: self.top]
        return merge_path(found, self.name, ranked), {"files": len(near)}


@dataclass(frozen=True, slots=True)
class ByCoAccess:
    """Path: memories that were often found together with the best three so far."""

    reading: SearchReading
    top: int = 15
    name: str = "co_access"

    def __call__(self, question: Question, found: Candidates) -> tuple[Candidates, Notes]:
        best = sorted(found, key=lambda one: (-_standing(one), one.passage))[:3]
        if not best:
            return found, {"skipped": "nothing found yet"}
        passages = [one.passage for one in best]
        together = self.reading.found_with(question.project, passages, question.filters, self.top)
        return merge_path(found, self.name, tuple((id, float(count)) for id, count in together)), {
            "found": len(together)
        }


@dataclass(frozen=True, slots=True)
class NeighbourBoost:
    """Candidates at ranks 11 to 50 rise by 0.3 × the share of the top ten whose files are one hop from theirs.

    Wants normalised scores. None rises above the first. Off when there is no code graph.
    """

    reading: PassageReading
    neighbours: CodeNeighbours | None
    name: str = "neighbours"

    def __call__(self, question: Question, found: Candidates) -> tuple[Candidates, Notes]:
        if self.neighbours is None or len(found) <= _TOP:
            return found, {"skipped": "no code graph" if self.neighbours is None else "too few candidates"}
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
    """Adds memories of files that are bound to an asked file by use, more closely than 0.6 (R-C8).

    Its finds lie outside a filter by file on purpose; every other filter holds. They score half of what the best
    candidate does at most, or what they scored anyway, so it comes after the step that scores.
    """

    reading: PassageSearch
    types: tuple[str, ...]
    files: int = 5
    top: int = 5
    name: str = "causal"

    def __call__(self, question: Question, found: Candidates) -> tuple[Candidates, Notes]:
        bound = self._bound(question.project, asked_files(question))
        types = tuple(type for type in self.types if not question.filters.types or type in question.filters.types)
        if not bound or not types:
            return found, {"skipped": "no bound file"}
        elsewhere = replace(question.filters, files=(), types=types)
        about = self.reading.about_files(question.project, list(bound), elsewhere, 4 * self.top)
        weights, known = _closest(about, bound), {one.passage for one in found}
        new = [passage for passage in weights if passage not in known][: self.top]
        of = {one.passage: one for one in self.reading.factors(question.project, new, elsewhere)}
        ranked = [(passage, weight) for passage, weight in weights.items() if passage in known or passage in of]
        half = _ACCOMPANIES * max((one.score for one in found), default=1.0)
        after = (
            _accompanying(one, half, of) if self.name in one.ranks else one
            for one in merge_path(found, self.name, ranked)
        )
        return tuple(sorted(after, key=lambda one: -one.score)), {"files": dict(bound), "added": len(of)}

    def _bound(self, project: str, asked: Sequence[str]) -> Mapping[str, float]:
        """The files bound closely enough, closest first."""
        weights: dict[str, float] = {}
        for file in asked:
            for other, weight in self.reading.files_bound(project, file).items():
                if weight > _BOUND_ABOVE and other not in asked:
                    weights[other] = max(weight, weights.get(other, 0.0))
        closest = sorted(weights.items(), key=lambda item: (-item[1], item[0]))
        return dict(closest[: self.files])


def asked_files(question: Question) -> tuple[str, ...]:
    """The files a question is about: those it filters by and the paths it names, as the project writes them."""
    named = (path.replace("\\", "/").removeprefix("./").rstrip("./") for path in _PATH.findall(question.text))
    filtered = (path.rstrip("/") for path in question.filters.files)
    return tuple(dict.fromkeys(path for path in (*filtered, *named) if path))


def _closest(about: Iterable[tuple[int, str]], weights: Mapping[str, float]) -> dict[int, float]:
    """Each passage once, in order, with the weight of the first of its files."""
    found: dict[int, float] = {}
    for passage, file in about:
        found.setdefault(passage, weights[file])
    return found


def _accompanying(found: Found, half: float, of: Mapping[int, Factors]) -> Found:
    weight = found.raw["causal"]
    score = max(found.score, half * weight)
    return found._replace(score=score, parts={**found.parts, "bound": weight}, of=found.of or of[found.passage])


def _standing(found: Found) -> float:
    return sum(1 / (60 + rank) for rank in found.ranks.values())


def _boosted(found: Found, files: Mapping[int, Iterable[str]], near: Sequence[frozenset[str]], highest: float) -> Found:
    own = frozenset(files.get(found.passage, ()))
    share = sum(bool(own & around) for around in near) / _TOP
    if not share:
        return found
    score = min(highest, found.score + _BOOST * share)
    return found._replace(score=score, parts={**found.parts, "neighbours": share})
