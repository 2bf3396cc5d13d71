"""Finds names with a linear-chain conditional random field over hashed features, fitted on programmers' texts.

It uses the words around a name. Needs numpy and a table of less than a megabyte, which is read at first use; a line
of text takes about a millisecond.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from holdfast.core.entity import Mention
from holdfast.core.frozen import frozen
from holdfast.entities.tag_features import SIZE, features, tokens

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Floats = NDArray[np.float32]

WEIGHTS = Path(__file__).parent / "data" / "tagger.npz"
# The labels it finds better than forms and lists alone; see `holdfast bench conversation`.
CLAIMED = ("application", "class", "file", "filetype", "function", "language", "library", "os", "version")
OUTSIDE = "O"


class TaggerModel(NamedTuple):
    """The fitted weights: of each feature for each tag, of each tag after another, and of each tag at the start."""

    tags: tuple[str, ...]
    of_features: Floats
    between: Floats
    first: Floats


@frozen(slots=False)
class StatisticalReader:
    """Reads with a fitted table, by default the one shipped with the package."""

    table: TaggerModel | None = None
    name: str = "statistical"
    overrides: frozenset[str] = frozenset(CLAIMED)

    def read(self, text: str) -> list[Mention]:
        """Reads a text line by line and returns its mentions in order."""
        mentions: list[Mention] = []
        at = 0
        for line in text.splitlines(keepends=True):
            mentions += self._read_line(line, at)
            at += len(line)
        return mentions

    def _read_line(self, line: str, at: int) -> Iterator[Mention]:
        words = tokens(line)
        if not words:
            return
        scores = emissions(self._fitted, features(line, words))
        path = best_path(self._fitted, scores)
        probabilities = tag_probabilities(self._fitted, scores)
        tags = [self._fitted.tags[tag] for tag in path]
        for first, last, label in spans(tags):
            start, end = words[first].start, words[last].end
            confidence = float(min(probabilities[place, path[place]] for place in range(first, last + 1)))
            yield Mention(line[start:end], at + start, at + end, label, round(confidence, 3))

    @cached_property
    def _fitted(self) -> TaggerModel:
        return self.table or load(WEIGHTS)


def load(path: Path) -> TaggerModel:
    """Loads a table from a file, which stores the weights as 8-bit integers with one scale."""
    import numpy as np

    with np.load(path) as stored:
        rows = np.zeros((SIZE, stored["between"].shape[0]), np.float32)
        rows[stored["places"]] = stored["weights"] * np.float32(stored["scale"])
        return TaggerModel(tuple(stored["tags"].tolist()), rows, stored["between"], stored["first"])


def save(path: Path, table: TaggerModel) -> None:
    """Writes a table for `load`, without features whose weights are all zero."""
    import numpy as np

    scale = float(np.abs(table.of_features).max()) / 127
    weights = np.rint(table.of_features / scale).astype(np.int8)
    places = np.flatnonzero(weights.any(axis=1)).astype(np.uint32)
    stored = {"places": places, "weights": weights[places], "scale": np.float32(scale), "tags": np.array(table.tags)}
    np.savez_compressed(path, between=table.between, first=table.first, **stored)


def emissions(table: TaggerModel, numbers: Sequence[Sequence[int]]) -> Floats:
    """Scores how well each tag fits each word by itself."""
    import numpy as np

    return np.stack([table.of_features[row].sum(axis=0) for row in numbers])


def best_path(table: TaggerModel, scores: Floats) -> list[int]:
    """Returns the most likely sequence of tags (Viterbi)."""
    best = scores[0] + table.first
    came_from: list[NDArray[np.int64]] = []
    for score in scores[1:]:
        totals = best[:, None] + table.between
        came_from.append(totals.argmax(axis=0))
        best = totals.max(axis=0) + score
    path = [int(best.argmax())]
    for back in reversed(came_from):
        path.append(int(back[path[-1]]))
    return path[::-1]


def tag_probabilities(table: TaggerModel, scores: Floats) -> Floats:
    """Returns the probability of each tag for each word, given the whole line (forward-backward)."""
    import numpy as np

    fits = np.exp(scores - scores.max(axis=1, keepdims=True))
    follows = np.exp(table.between)
    forward, backward = np.empty_like(fits), np.ones_like(fits)
    forward[0] = _normalised(fits[0] * np.exp(table.first))
    for place in range(1, len(fits)):
        forward[place] = _normalised(forward[place - 1] @ follows * fits[place])
    for place in range(len(fits) - 2, -1, -1):
        backward[place] = _normalised(follows @ (backward[place + 1] * fits[place + 1]))
    both: Floats = forward * backward
    probabilities: Floats = both / both.sum(axis=1, keepdims=True)
    return probabilities


def spans(tags: Sequence[str]) -> Iterator[tuple[int, int, str]]:
    """Yields first word, last word and label of each name; `B-label` tags its first word, `I-label` the others."""
    place = 0
    while place < len(tags):
        last = place
        if tags[place] != OUTSIDE:
            label = tags[place][2:]
            while last + 1 < len(tags) and tags[last + 1] == f"I-{label}":
                last += 1
            yield place, last, label
        place = last + 1


def _normalised(values: Floats) -> Floats:
    shares: Floats = values / values.sum()
    return shares
