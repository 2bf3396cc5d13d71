"""What a text names, by a small model of sequences fitted on programmers' talk: it weighs the words around a name.

A linear-chain conditional random field over hashed features. It needs numpy and a table of under a megabyte that is
read when it is first asked; a line of text takes about a millisecond.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from holdfast.core.entity import Mention
from holdfast.entities.features import SIZE, WordToken, features, tokens

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Floats = NDArray[np.float32]

WEIGHTS = Path(__file__).parent / "data" / "tagger.npz"
# What it finds better than the forms and the lists alone; see `holdfast bench conversation`.
CLAIMED = ("application", "class", "file", "filetype", "function", "language", "library", "os", "version")
OUTSIDE = "O"


class TaggerModel(NamedTuple):
    """The fitted model: a weight for each feature and tag, and for each tag after another."""

    tags: tuple[str, ...]
    of_features: Floats
    between: Floats
    first: Floats


@dataclass(frozen=True)
class StatisticalReader:
    """Reads with a fitted table; the shipped one unless another is given."""

    table: TaggerModel | None = None
    name: str = "statistical"
    decides: frozenset[str] = frozenset(CLAIMED)

    def read(self, text: str) -> list[Mention]:
        """What the text names, line by line, in order."""
        found: list[Mention] = []
        at = 0
        for line in text.splitlines(keepends=True):
            found += self._read_line(line, at)
            at += len(line)
        return found

    def _read_line(self, line: str, at: int) -> Iterator[Mention]:
        words = tokens(line)
        if not words:
            return
        heights = emissions(self._fitted, features(line, words))
        path = best_path(self._fitted, heights)
        sure = certainty(self._fitted, heights)
        tags = [self._fitted.tags[tag] for tag in path]
        for first, last, label in spans(tags):
            start, end = words[first].start, words[last].end
            confidence = float(min(sure[place, path[place]] for place in range(first, last + 1)))
            yield Mention(line[start:end], at + start, at + end, label, round(confidence, 3))

    @cached_property
    def _fitted(self) -> TaggerModel:
        return self.table or load(WEIGHTS)


def load(path: Path) -> TaggerModel:
    """The table of a file: weights are kept as small whole numbers and one scale."""
    import numpy as np

    with np.load(path) as kept:
        rows = np.zeros((SIZE, kept["between"].shape[0]), np.float32)
        rows[kept["places"]] = kept["weights"] * np.float32(kept["scale"])
        return TaggerModel(tuple(kept["tags"].tolist()), rows, kept["between"], kept["first"])


def save(path: Path, table: TaggerModel) -> None:
    """Writes a table for `load`; features that weigh nothing are left out."""
    import numpy as np

    scale = float(np.abs(table.of_features).max()) / 127
    weights = np.rint(table.of_features / scale).astype(np.int8)
    places = np.flatnonzero(weights.any(axis=1)).astype(np.uint32)
    kept = {"places": places, "weights": weights[places], "scale": np.float32(scale), "tags": np.array(table.tags)}
    np.savez_compressed(path, between=table.between, first=table.first, **kept)


def emissions(table: TaggerModel, numbers: Sequence[Sequence[int]]) -> Floats:
    """How well each tag fits each word by itself."""
    import numpy as np

    return np.stack([table.of_features[row].sum(axis=0) for row in numbers])


def best_path(table: TaggerModel, heights: Floats) -> list[int]:
    """The tags that fit the words and each other best (Viterbi)."""
    best = heights[0] + table.first
    came: list[NDArray[np.int64]] = []
    for height in heights[1:]:
        ways = best[:, None] + table.between
        came.append(ways.argmax(axis=0))
        best = ways.max(axis=0) + height
    path = [int(best.argmax())]
    for back in reversed(came):
        path.append(int(back[path[-1]]))
    return path[::-1]


def certainty(table: TaggerModel, heights: Floats) -> Floats:
    """How likely each tag is for each word, given all of them (forward-backward)."""
    import numpy as np

    fits = np.exp(heights - heights.max(axis=1, keepdims=True))
    follows = np.exp(table.between)
    forward, backward = np.empty_like(fits), np.ones_like(fits)
    forward[0] = _shares(fits[0] * np.exp(table.first))
    for place in range(1, len(fits)):
        forward[place] = _shares(forward[place - 1] @ follows * fits[place])
    for place in range(len(fits) - 2, -1, -1):
        backward[place] = _shares(follows @ (backward[place + 1] * fits[place + 1]))
    both: Floats = forward * backward
    likely: Floats = both / both.sum(axis=1, keepdims=True)
    return likely


def spans(tags: Sequence[str]) -> Iterator[tuple[int, int, str]]:
    """First and last word of each name that tags mark, `B-…` at its beginning and `I-…` inside, and its label."""
    place = 0
    while place < len(tags):
        last = place
        if tags[place] != OUTSIDE:
            label = tags[place][2:]
            while last + 1 < len(tags) and tags[last + 1] == f"I-{label}":
                last += 1
            yield place, last, label
        place = last + 1


def _shares(values: Floats) -> Floats:
    shares: Floats = values / values.sum()
    return shares


__all__ = ["CLAIMED", "WEIGHTS", "StatisticalReader", "TaggerModel", "WordToken", "load", "save", "tokens"]
