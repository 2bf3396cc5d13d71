"""The fused score: every measure of a candidate, each at its weight (R-C1, R-C5)."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from holdfast.recall.question import Embedded, Found, Notes, Question
from holdfast.recall.weights import Weights, kind_of, learned

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from holdfast.recall.steps import Candidates
    from holdfast.store.reading import Reading

    Floats = NDArray[np.float32]

# Measures that mean the same for every question; the others are brought to 0…1 over its candidates.
_PLAIN = frozenset({"speaker", "reply", "time"})


@dataclass(frozen=True, slots=True)
class Weigh:
    """Scores the candidates by words, meaning, session, speaker and time. Wants their factors.

    The score is the weighted mean of the measures that can be taken, 0 to 1: a passage whose vector is still to come is
    judged by the rest.
    """

    reading: Reading
    embed: Callable[[str], Embedded | None]
    weights: Weights = field(default_factory=learned)
    without: frozenset[str] = frozenset()
    keep: int = 120
    name: str = "weigh"

    def __call__(self, question: Question, found: Candidates) -> tuple[Candidates, Notes]:
        if not found:
            return found, {}
        measures = self._by_words(question, found) | self._by_meaning(question, found)
        measures |= _by_speaker(question, found) | _by_time(question, found)
        kept = {name: values for name, values in measures.items() if name not in self.without}
        keep = max(self.keep, 3 * question.limit)
        return weighed(found, kept, self.weights, keep), {"weights": _told(found, kept, self.weights)}

    def _by_words(self, question: Question, found: Candidates) -> dict[str, Floats]:
        from holdfast.recall.features import lexical, terms_of
        from holdfast.recall.spelling import corrected

        words, _ = corrected(question.words, self.reading)
        said = list(map(_bag, found))
        terms = terms_of(question.text, words, self.reading.frequencies(words), self.reading.passages_count())
        measured = lexical(said, terms, _sessions(found))
        return {"bm25": measured.bm25, "share": measured.share, "session": measured.session}

    def _by_meaning(self, question: Question, found: Candidates) -> dict[str, Floats]:
        import numpy as np

        asked = self.embed(question.text)
        if asked is None:
            return {}
        near = {one.passage: one.raw["meaning"] for one in found if "meaning" in one.raw}
        others = [one.passage for one in found if one.passage not in near]
        near |= self.reading.similar(asked.embedder, asked.vector, others)
        return {"meaning": np.array([near.get(one.passage, np.nan) for one in found], np.float32)} if near else {}


@dataclass(frozen=True, slots=True)
class LookCloser:
    """Late interaction with the best candidates: their sentences and their tokens against the question's (R-C5).

    Wants what `Weigh` measured. Passes when the model offers no closer look.
    """

    reading: Reading
    embed: Callable[[str], Embedded | None]
    weights: Weights = field(default_factory=learned)
    without: frozenset[str] = frozenset()
    deep: int = 120
    name: str = "closer"

    def __call__(self, question: Question, found: Candidates) -> tuple[Candidates, Notes]:
        asked = self.embed(question.text)
        if asked is None or asked.closer is None or not found:
            return found, {"skipped": "no closer look with this embedder"}
        top, rest = found[: self.deep], found[self.deep :]
        measures = {**_measured(top), **self._closely(asked, top)}
        kept = {name: values for name, values in measures.items() if name not in self.without}
        ordered = weighed(top, kept, self.weights)
        lowest = ordered[-1].score
        # Why: what was not looked at stays behind what was.
        behind = tuple(one._replace(score=min(one.score, lowest)) for one in rest)
        return (*ordered, *behind), {"looked at": len(top), "weights": _told(top, kept, self.weights)}

    def _closely(self, asked: Embedded, found: Candidates) -> dict[str, Floats]:
        import numpy as np

        from holdfast.models.late import compare_tokens, compare_views

        assert asked.closer is not None
        codes = self.reading.codes(asked.embedder, [one.passage for one in found])
        views = compare_views(asked.closer, [codes.get(one.passage, (b"", b""))[0] for one in found])
        tokens = compare_tokens(asked.closer, [codes.get(one.passage, (b"", b""))[1] for one in found])
        whole = np.array([one.raw.get("meaning", np.nan) for one in found], np.float32)
        there = np.array([one.passage in codes for one in found])
        return {
            "views": np.where(there, np.fmax(views, whole), np.nan),
            "tokens": np.where(there, tokens, np.nan),
        }


def weighed(found: Candidates, measures: Mapping[str, Floats], weights: Weights, keep: int | None = None) -> Candidates:
    """The best candidates by the weighted mean of their measures, best first, each with what was measured."""
    import numpy as np

    names = list(measures)
    raw = np.stack([measures[name] for name in names], axis=1)
    values = np.stack([_scaled(name, measures[name]) for name in names], axis=1)
    worth = _worth(found, names, weights)
    worth[np.isnan(values)] = 0.0
    scores = (worth * np.nan_to_num(values)).sum(1) / np.maximum(worth.sum(1), 1e-9)
    order = np.lexsort(([one.passage for one in found], -scores))[:keep]
    told = zip(order.tolist(), scores[order].tolist(), values[order].tolist(), raw[order].tolist(), strict=True)
    return tuple(_with(found[row], score, names, *measured) for row, score, *measured in told)


def _with(found: Found, score: float, names: Sequence[str], scaled: list[float], raw: list[float]) -> Found:
    parts = {**found.parts, **dict(zip(names, scaled, strict=True))}
    told = {**found.raw, **dict(zip(names, raw, strict=True))}
    return Found(found.passage, found.ranks, told, score, parts, found.of)


def _measured(found: Candidates) -> dict[str, Floats]:
    """What an earlier weighing measured of all of them."""
    import numpy as np

    return {name: np.array([one.raw[name] for one in found], np.float32) for name in found[0].parts}


def _scaled(name: str, values: Floats) -> Floats:
    import numpy as np

    if name in _PLAIN:
        return values
    # Why not `nanmin`: this is several times faster, and says NaN without a warning where nothing was measured.
    low, high = float(np.fmin.reduce(values)), float(np.fmax.reduce(values))
    # Why: when all are the same, each is the best there is, unless there is nothing.
    scaled: Floats = (values - low) / (high - low) if high > low else values * 0.0 + np.float32(high > 0)
    return scaled


def _worth(found: Candidates, names: Sequence[str], weights: Weights) -> Floats:
    import numpy as np

    types = list(map(_type, found))
    rows = {type: row for row, type in enumerate(dict.fromkeys(types))}
    kinds = np.array([[weights.of(type).get(name, 0.0) for name in names] for type in rows], np.float32)
    worth: Floats = kinds[[rows[type] for type in types]]
    return worth


def _told(found: Candidates, measures: Iterable[str], weights: Weights) -> Mapping[str, Mapping[str, float]]:
    """For the trace: the weight of each measure for each kind of passage among the candidates."""
    kinds = sorted({kind_of(_type(one)) for one in found})
    return {kind: {name: weights.of(kind).get(name, 0.0) for name in measures} for kind in kinds}


def _by_speaker(question: Question, found: Candidates) -> dict[str, Floats]:
    """Who spoke: the user, unless the question asks what the assistant said. Nothing when only one of them did."""
    import numpy as np

    roles = [one.of.role if one.of else None for one in found]
    if not {"user", "assistant"} <= set(roles):
        return {}
    wanted, measure = ("assistant", "reply") if question.asks_assistant else ("user", "speaker")
    return {measure: np.array([float(role == wanted) for role in roles], np.float32)}


def _by_time(question: Question, found: Candidates) -> dict[str, Floats]:
    """How near to the time the question names; nothing when it names none."""
    import numpy as np

    from holdfast.recall.when import nearest

    windows = question.windows
    if not windows:
        return {}
    days = [one.of.when.date() if one.of else None for one in found]
    return {"time": np.array([nearest(windows, day) if day else 0.0 for day in days], np.float32)}


def _sessions(found: Candidates) -> NDArray[np.int64]:
    import numpy as np

    numbers: dict[str, int] = {}
    sessions = [one.of.session if one.of else None for one in found]
    told = [numbers.setdefault(session, len(numbers)) if session else -1 for session in sessions]
    return np.array(told, np.int64)


def _type(found: Found) -> str:
    return found.of.type if found.of else "memory"


def _bag(found: Found) -> bytes:
    """Its words, counted now where nobody has yet."""
    from holdfast.store.bags import bag

    return (found.of.bag or bag(found.of.searched)) if found.of else bag("")
