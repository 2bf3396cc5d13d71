"""Estimates the probability that a sentence is worth keeping, and as what, with models fitted on real talk.

A linear model judges a sentence by itself. If that leaves a doubt, the reader judges it together with its context.
Both are weighed, and judged once more with the estimates of the neighbours and the kind of talk.
`training/fit/keep.py` fits it.
"""

from __future__ import annotations

import json
import math
import os
from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from holdfast.core.frozen import frozen
from holdfast.learn.keep.keep_features import SentenceView, features, is_binding, is_clear
from holdfast.learn.keep.sentences import content_words
from holdfast.learn.keep.surroundings import surroundings

if TYPE_CHECKING:
    from collections.abc import Callable

    import numpy as np

    Embed = Callable[[Sequence[str]], np.ndarray[tuple[int, int], np.dtype[np.float32]]]
    Read = Callable[[Sequence[tuple[str, str]]], Sequence[float] | None]

_DATA = os.path.join(os.path.dirname(__file__), "data")
# The weights of features are in a file of their own, because a hook reads only these.
WEIGHTS, FEATURES = os.path.join(_DATA, "keep.json"), os.path.join(_DATA, "keep_features.json")
# Answers of an AI assistant are longer than those of a friend.
_LONG_ANSWERS = 600
# A conversation with at most this many sentences says too little to tell its kind.
_BRIEF = 3
# A coding agent writes more messages for each of the person's than an assistant in a chat.
_AGENT = 1.5
_SURE = 0.997
# The probability required in a few sentences to an agent that uses tools, if they bind nobody: most are what it is to
# do now, and nothing around them says so (docs/research/worth-keeping.md).
_ORDER = 0.975
KINDS = (
    *("project, chat", "project, agent", "project, people"),
    *("personal, assistant", "personal, people", "brief"),
)

# The memory type of each label; corrections have that of what they correct.
MEMORY_TYPES = {
    "r": "requirement", "d": "decision", "p": "preference", "f": "fact", "m": "fact", "x": "gotcha", "c": "decision"
}  # fmt: skip


@frozen
class Judgement:
    """The probability that a sentence is worth keeping, and its label; empty if that is not enough to keep it."""

    probability: float
    label: str


@frozen
class KeepModel:
    """The weights: of features, of the sentence's vector, of words of project talk, of the context, and of labels.

    `reading` weighs the log-odds by features and the reader's: `bias`, `words`, `reader`, and from which log-odds by
    features on a sentence is read in talk about a project (`project`) and in other talk (`personal`). `least` are the
    probabilities required in each kind of talk, of sentences that bind nobody and of those that do.
    """

    features: Mapping[str, float]
    vector: Sequence[float]
    project: Mapping[str, float]
    context: Sequence[float]
    labels: Mapping[str, Mapping[str, float]]
    reading: Mapping[str, float]
    least: Sequence[Sequence[float]]

    def judge(
        self, views: Sequence[SentenceView], embed: Embed | None = None, read: Read | None = None
    ) -> list[Judgement]:
        """Judges the sentences of one conversation, which are all needed for the context of each."""
        if not views:
            return []
        names = features(views)
        kind = TalkKind.of(views, self.project_talk(names))
        alone = self.alone(views, names, embed)
        if read is not None:
            alone = self._with_reading(alone, names, views, kind, read)
        least = self._least(kind)
        rows = context_rows([_sigmoid(score) for score in alone], views, kind)
        scores = [_sigmoid(sum(map(float.__mul__, self.context, row))) for row in rows]
        return [
            Judgement(score, self.label(own) if score >= least[is_binding(own)] else "")
            for score, own in zip(scores, names, strict=True)
        ]

    def _least(self, kind: TalkKind) -> Sequence[float]:
        least = self.least[kind.number]
        return (max(_ORDER, least[0]), least[1]) if kind.brief and kind.tools else least

    def alone(self, views: Sequence[SentenceView], names: Sequence[Sequence[str]], embed: Embed | None) -> list[float]:
        """The log-odds of each sentence by itself."""
        scores = odds_by_features(self.features, names)
        if embed is None or not self.vector:
            return scores
        near = embed([view.sentence.text for view in views]) @ self.vector
        return [score + float(more) for score, more in zip(scores, near, strict=True)]

    def _with_reading(
        self,
        alone: Sequence[float],
        names: Sequence[Sequence[str]],
        views: Sequence[SentenceView],
        kind: TalkKind,
        read: Read,
    ) -> list[float]:
        """The log-odds of each sentence by its features and, if these leave a doubt, by reading it.

        A choice of one or two words says nothing to the reader: whether it matters is in the question.
        """
        least = self.reading[kind.talk]
        doubtful = {
            n: (views[n].sentence.text, surroundings(views, n))
            for n, (score, own) in enumerate(zip(alone, names, strict=True))
            if score >= least and not is_clear(own)
        }
        texts = list(dict.fromkeys(doubtful.values()))  # A log may repeat one sentence a thousand times.
        opinions = read(texts)
        if opinions is None:
            return list(alone)
        known = dict(zip(texts, opinions, strict=True))
        return [
            weigh(self.reading, score, known[doubtful[n]]) if n in doubtful else score for n, score in enumerate(alone)
        ]

    def project_talk(self, names: Iterable[Sequence[str]]) -> float:
        """The probability that people talk about a project and not about their lives."""
        words = {name for own in names for name in own if " " not in name}
        known = [self.project[word] for word in words if word in self.project]
        return _sigmoid(self.project.get("", 0.0) + 3 * sum(known) / math.sqrt(max(1, len(known))))

    def label(self, names: Sequence[str]) -> str:
        """The label that fits a kept sentence best."""
        own = tuple(dict.fromkeys(names))  # in one order: a sum of numbers depends on it
        scores = {label: sum(known[name] for name in own if name in known) for label, known in self.labels.items()}
        return max(scores, key=lambda label: (scores[label], label), default="f")


@frozen
class TalkKind:
    """The kind of talk.

    `project` is how likely it is about a project; `with_assistant` whether one takes part, `long_answers` whether it
    answers at length; `agent` whether it is a coding agent at work; `brief` whether there is little text; `tools`
    whether it is known to use tools.
    """

    project: float
    with_assistant: bool = False
    long_answers: bool = False
    agent: bool = False
    brief: bool = False
    tools: bool = False

    @classmethod
    def of(cls, views: Sequence[SentenceView], project: float) -> TalkKind:
        turns = {id(view.turn): view.turn for view in views}.values()
        answers = [len(message.text) for turn in turns for message in turn.before]
        answered = sum(bool(turn.before) for turn in turns)
        long = bool(answers) and sum(answers) >= _LONG_ANSWERS * len(answers)
        tools = any(turn.tools for turn in turns)
        return cls(project, bool(answers), long, len(answers) > _AGENT * answered, len(views) <= _BRIEF, tools)

    @property
    def talk(self) -> str:
        """Is it `project` or `personal` talk?"""
        return "project" if self.project >= 0.5 else "personal"

    @property
    def number(self) -> int:
        """The place in KINDS of the likeliest kind."""
        return max(range(len(KINDS)), key=self.shares.__getitem__)

    @property
    def shares(self) -> tuple[float, ...]:
        """How much the talk is each of KINDS. Their sum is 1."""
        if self.brief:
            return 0.0, 0.0, 0.0, 0.0, 0.0, 1.0
        personal, assisted = 1 - self.project, self.with_assistant
        return (
            self.project * (assisted and not self.agent),
            self.project * (assisted and self.agent),
            self.project * (not assisted),
            personal * self.long_answers,
            personal * (not self.long_answers),
            0.0,
        )


def odds_by_features(weights: Mapping[str, float], names: Sequence[Sequence[str]]) -> list[float]:
    """The log-odds that sentences are worth keeping, from the names of their features alone."""
    return [sum([weights[name] for name in own if name in weights]) for own in names]


def weigh(reading: Mapping[str, float], words: float, opinion: float) -> float:
    """The log-odds by features and those of the reader, weighed."""
    return reading["bias"] + reading["words"] * words + reading["reader"] * opinion


def context_rows(alone: Sequence[float], views: Sequence[SentenceView], kind: TalkKind) -> list[list[float]]:
    """The second reading's numbers for each sentence, from the probabilities of the first."""
    ranked = sorted(alone, reverse=True)
    total, count = sum(alone), len(alone)
    spans = _spans(views)
    highest = {(first, last): sorted(alone[first:last], reverse=True)[:2] for first, last in set(spans)}
    rows = []
    for n, own in enumerate(alone):
        first, last = spans[n]
        best = _without(ranked, own)
        beside = next(iter(_without(highest[first, last], own)), 0.0)
        around = (
            *(best[0] if best else 0.0, (total - own) / max(1, count - 1), sum(best[:3]) / 3),
            *(alone[n - 1] if n > first else 0.0, alone[n + 1] if n + 1 < last else 0.0, beside),
        )
        rows.append(_row(own, around, _in_conversation(views[n]), kind.shares))
    return rows


def _row(own: float, around: Sequence[float], place: Sequence[float], shares: Sequence[float]) -> list[float]:
    odds = _log_odds(own)
    crossed = [share * value for share in shares for value in (odds, around[0], around[1], around[5], *place)]
    return [1.0, odds, *around, *place, *shares, *crossed]


def _in_conversation(view: SentenceView) -> tuple[float, float]:
    """Is it in the first message, and which share of its words does the assistant's answer repeat?

    People begin with what is wrong now. What an assistant will act on, it restates.
    """
    words = content_words(view.sentence.text) if view.turn.answer else ()
    repeated = sum(word in view.turn.answer_words for word in words)
    return float(view.turn.opening), repeated / max(1, len(words))


def _without(ranked: Sequence[float], own: float) -> list[float]:
    """The four highest values except one equal to `own`, which is among the ranked values."""
    best = list(ranked[:4])
    if own >= best[-1]:
        best.remove(own)
    return best


def _spans(views: Sequence[SentenceView]) -> list[tuple[int, int]]:
    """For each sentence, the first and the end of the sentences of its message."""
    return [(n - view.place, n - view.place + len(view.turn.sentences)) for n, view in enumerate(views)]


def _sigmoid(score: float) -> float:
    return 1 / (1 + math.exp(-max(-30.0, min(30.0, score))))


def _log_odds(probability: float) -> float:
    clipped = min(_SURE, max(1 - _SURE, probability))
    return math.log(clipped / (1 - clipped))


@lru_cache(maxsize=1)
def bundled() -> KeepModel:
    """The model of the package."""
    found = _read(WEIGHTS)
    groups = {name: found[name] for name in ("vector", "project", "context", "labels", "reading", "least")}
    return KeepModel(bundled_features(), **groups)


@lru_cache(maxsize=1)
def bundled_features() -> Mapping[str, float]:
    """The weights of features of the model of the package."""
    weights: dict[str, float] = _read(FEATURES)
    return weights


def _read(file: str) -> Any:
    with open(file, encoding="utf-8") as opened:
        return json.load(opened)
