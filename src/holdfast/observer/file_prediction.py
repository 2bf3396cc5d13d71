"""Predicts the files that a session will need first, from its prompt, its branch and the sessions before it."""

from __future__ import annotations

import math
import os
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cached_property
from itertools import islice
from typing import TYPE_CHECKING, Any

from holdfast.core.frozen import frozen
from holdfast.observer.cold_start import MAIN_BRANCHES, REMEMBERED, counted
from holdfast.system.project import relative
from holdfast.text.patterns import compiled
from holdfast.text.stemming import stem
from holdfast.text.stop_words import STOP_WORDS

if TYPE_CHECKING:
    from holdfast.store.writing.observations import ObservationWriting, ObservedSession

Scores = Mapping[str, float]

# Chosen on the older 70 % of two real projects (docs/research/file-dependencies.md), and on five others
# (docs/research/file-dependencies.md).
_WEIGHTS = {
    "needed early by similar requests": 1.4,
    "used by similar requests": 0.5,
    "used lately": 0.25,
    "edited lately": 1.5,
    "words of its path": 1.0,
    "words of its name": 0.3,
    "same branch": 2.0,
    "named in the prompt": 1.5,
    "used with a named file": 0.8,
    "needed early by most requests": 1.2,
}
# From this score on, naming a file to an agent saves more tokens than it costs; chosen on the same sessions. After few
# sessions all scores are low: the best files are named anyway. Nothing is named that only use speaks for.
_LIKELY, _ANYWAY = 0.65, 3
EARLY_STEPS = 30
_MOST_SIMILAR = 15
_PROMPT = 8_000
_OF_THE_TASK = (
    "words of its path",
    "words of its name",
    "same branch",
    "named in the prompt",
    "used with a named file",
)
_WORD = r"[^\W_]+"
_PATH = r"(?<![\w./@-])(?:[\w./@-]+\.\w{1,5}\b|[\w@-]+(?:/[\w.@-]+)+)"
# Half-lives in sessions.
_LATELY, _LATELY_EDITED = 2.5, 10.0
_COMMON_WORDS = frozenset(
    "the and for with that this you can are was not but have has from into when what how should would could let lets"
    " please make use using need want all any our your its will just like also new add fix plan implement following"
    " context file files code test tests".split()
)


@frozen
class PredictedFile:
    """A file that the session will probably need, and the reasons, the strongest first.

    `is_asked_for` says whether the prompt or the branch speaks for it, not just its use in other sessions.
    """

    path: str
    score: float
    reasons: tuple[str, ...]
    is_asked_for: bool = True


def predict_files(
    store: ObservationWriting, project: str, root: str, prompt: str, branch: str = "", limit: int = 12
) -> tuple[PredictedFile, ...]:
    """Predicts from the sessions observed in a project, without the rest of the observer: hooks wait for it.

    Names only files below the root that can be read now: deleted ones take no place. Sessions without a project's
    folder, such as recorded ones, have no root: there, every file is named.
    """
    sessions = counted(store.sessions(project, REMEMBERED))
    return predict(sessions, prompt, branch, limit, lambda path: not root or _is_readable(root, path))


def likely_files(store: ObservationWriting, project: str, root: str, prompt: str, branch: str) -> list[str]:
    """The paths that are worth naming to an agent, the most probable first."""
    found = [file for file in predict_files(store, project, root, prompt, branch) if file.is_asked_for]
    return [file.path for rank, file in enumerate(found) if file.score >= _LIKELY or rank < _ANYWAY]


def predict(
    sessions: Sequence[ObservedSession],
    prompt: str,
    branch: str = "",
    limit: int = 12,
    can_be_named: Callable[[str], bool] = lambda path: True,
) -> tuple[PredictedFile, ...]:
    """The files that a session with this prompt will need first, the most probable first.

    `sessions` are the earlier ones, oldest first.
    """
    past = _Past(sessions, prompt[:_PROMPT], branch)
    parts: dict[str, Scores] = {
        "needed early by similar requests": past.of_similar(early=True),
        "used by similar requests": past.of_similar(early=False),
        "used lately": past.lately(_LATELY, edited=False),
        "edited lately": past.lately(_LATELY_EDITED, edited=True),
        "words of its path": past.path_words(whole=True),
        "words of its name": past.path_words(whole=False),
        "same branch": past.of_branch(),
        "named in the prompt": past.named,
        "used with a named file": past.with_named(),
        "needed early by most requests": past.usual(),
    }
    totals: defaultdict[str, float] = defaultdict(float)
    for name, scores in parts.items():
        for path, score in scores.items():
            totals[path] += _WEIGHTS[name] * score
    ranked = sorted(totals, key=lambda path: (-totals[path], path))
    best = list(islice(filter(can_be_named, ranked), limit))
    asked = past.of_same_words().union(*(parts[name] for name in _OF_THE_TASK))
    return tuple(PredictedFile(path, round(totals[path], 3), _reasons(path, parts), path in asked) for path in best)


def _is_readable(root: str, path: str) -> bool:
    """Is it a file of the project? Links that lead out of it are none."""
    top = os.path.realpath(root)
    full = os.path.realpath(os.path.join(top, path))
    return relative(full, top) is not None and os.path.isfile(full) and os.access(full, os.R_OK)


class _Past:
    """The earlier sessions, seen from a prompt."""

    def __init__(self, sessions: Sequence[ObservedSession], prompt: str, branch: str) -> None:
        self._sessions, self._prompt, self._branch = sessions, prompt, branch
        self._words = Counter(words(prompt))
        self._known = Counter(file.path for session in sessions for file in session.files)

    def of_similar(self, early: bool) -> Scores:
        """The files of sessions whose prompt shares rare words with this one."""
        order = sorted(range(len(self._lexical)), key=lambda at: -self._lexical[at])[:_MOST_SIMILAR]
        total = sum(self._lexical[at] ** 2 for at in order) or 1.0
        scores: defaultdict[str, float] = defaultdict(float)
        for at in order:
            for file in self._sessions[at].files:
                if file.first <= EARLY_STEPS or not early:
                    scores[file.path] += self._lexical[at] ** 2 / total
        return scores

    def of_same_words(self) -> set[str]:
        """The files whose path, or a session's request that needed them, shares a word of meaning with the prompt."""
        own = _stems(self._prompt)
        alike = (one for one in self._sessions if not own.isdisjoint(_stems(f"{one.prompt} {one.later}")))
        named = (path for path in self._known if not own.isdisjoint(_stems(path)))
        return {file.path for session in alike for file in session.files}.union(named)

    def usual(self) -> Scores:
        """The share of the sessions that needed a file early, whatever was asked for."""
        own = [session for session in self._sessions if session.files]
        counts = Counter(file.path for session in own for file in session.files if file.first <= EARLY_STEPS)
        return {path: count / len(own) for path, count in counts.items()}

    def lately(self, half_life: float, edited: bool) -> Scores:
        """Recent use, which halves with so many sessions; a file used in every session has about 1."""
        scores: defaultdict[str, float] = defaultdict(float)
        unit = 1 - 0.5 ** (1 / half_life)
        for age, session in enumerate(reversed(self._sessions)):
            for file in session.files:
                if file.edits or not edited:
                    scores[file.path] += unit * 0.5 ** (age / half_life)
        return scores

    def path_words(self, whole: bool) -> Scores:
        """The share of the words of a file's path, or of its name only, that the prompt has; rare words count more."""
        found = {}
        for path in self._known:
            own = set(words(path if whole else os.path.basename(path)))
            total = sum(self._rarity(word) for word in own)
            shared = sum(self._rarity(word) for word in own if word in self._words)
            if shared:
                found[path] = shared / total
        return found

    def of_branch(self) -> Scores:
        """The files of earlier sessions on the same branch, unless it is the main one."""
        if self._branch in MAIN_BRANCHES:
            return {}
        own = [session for session in self._sessions if self._branch in session.branches]
        counts = Counter(file.path for session in own for file in session.files)
        return {path: min(count, 3) / 3 for path, count in counts.items()}

    @cached_property
    def named(self) -> Scores:
        """The files that the prompt names, by their path or the end of it."""
        found: dict[str, float] = {}
        for name in {match.strip("./`") for match in compiled(_PATH).findall(self._prompt)}:
            known = [path for path in self._known if path == name or path.endswith("/" + name)]
            found |= dict.fromkeys(known, 1 / math.sqrt(len(known)) if known else 0.0)
            if not known and "/" in name and "." in os.path.basename(name):
                found[name] = 2.0  # Not seen before: nothing else speaks for it.
        return found

    def with_named(self) -> Scores:
        """The files that sessions used together with a named one."""
        named = set(self.named) & set(self._known)
        together: Counter[tuple[str, str]] = Counter()
        for session in self._sessions:
            paths = {file.path for file in session.files}
            together.update((name, path) for name in named & paths for path in paths if path != name)
        found: dict[str, float] = {}
        for (name, path), count in together.items():
            found[path] = max(found.get(path, 0.0), count / (self._known[name] + 2))
        return found

    @cached_property
    def _lexical(self) -> list[float]:
        # The first request counts twice: later ones are often about details.
        vectors = [Counter(words(session.prompt) * 2 + words(session.later)) for session in self._sessions]
        frequency = Counter(word for vector in vectors for word in vector)
        weight = {word: math.log(1 + len(vectors) / (1 + frequency[word])) for word in frequency | self._words}
        own = self._norm(self._words, weight)
        return [self._dot(vector, weight) / (own * self._norm(vector, weight)) for vector in vectors]

    def _dot(self, other: Mapping[str, int], weight: Mapping[str, float]) -> float:
        shared = self._words.keys() & other.keys()
        return sum(_damped(self._words[word]) * _damped(other[word]) * weight[word] ** 2 for word in shared)

    def _norm(self, vector: Mapping[str, int], weight: Mapping[str, float]) -> float:
        return math.sqrt(sum((_damped(count) * weight[word]) ** 2 for word, count in vector.items())) or 1.0

    @cached_property
    def _path_frequency(self) -> Counter[str]:
        return Counter(word for path in self._known for word in set(words(path)))

    def _rarity(self, word: str) -> float:
        return math.log(1 + len(self._known) / (1 + self._path_frequency[word]))


def words(text: str) -> list[str]:
    """The words of a text or path, split at changes of case, without the most common ones."""
    split = compiled(r"([a-z])([A-Z])").sub(r"\1 \2", text)
    return [word for word in compiled(_WORD).findall(split.lower()) if len(word) > 2 and word not in _COMMON_WORDS]


def _stems(text: str) -> frozenset[str]:
    return frozenset(stem(word) for word in words(text) if word not in STOP_WORDS)


def _damped(count: int) -> float:
    return 1 + math.log(count)


def _reasons(path: str, parts: Mapping[str, Scores]) -> tuple[str, ...]:
    strengths: Iterable[tuple[Any, ...]] = (
        (_WEIGHTS[name] * scores[path], name) for name, scores in parts.items() if scores.get(path)
    )
    return tuple(name for strength, name in sorted(strengths, reverse=True)[:3] if strength >= 0.05)
