"""Quality figures of rankings, as pure functions."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from random import Random
from typing import TYPE_CHECKING, TypeVar

from bench.recall.pool import Found, Span

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

T = TypeVar("T")
Signs = Sequence[tuple[float, bool]]


def share_found(wanted: Iterable[T], ranked: Sequence[T], at: int) -> float:
    """The share of the wanted items among the first `at`."""
    targets = set(wanted)
    return len(targets & set(ranked[:at])) / len(targets)


def share_placed(wanted: Iterable[T], places: Sequence[Sequence[T]], at: int) -> float:
    """The share of the wanted items at the first `at` places, some of which several items share."""
    ranked = [item for place in places[:at] for item in place]
    return share_found(wanted, ranked, len(ranked))


def share_cited(wanted: Iterable[str], ranked: Sequence[Found], at: int) -> float:
    """The share of the wanted units among the first `at` hits, each with the messages that it cites or repeats.

    A question with more than `at` answers can still reach 1.
    """
    targets = set(wanted)
    found = targets & {key for one in ranked[:at] for key in one.keys}
    return min(1.0, len(found) / min(len(targets), at))


def reciprocal_rank(wanted: Iterable[T], ranked: Sequence[T], at: int) -> float:
    """One divided by the rank of the first wanted item; 0 if it is not among the first `at`."""
    targets = set(wanted)
    return next((1 / place for place, item in enumerate(ranked[:at], 1) if item in targets), 0.0)


def share_covered(wanted: Sequence[Span], found: Sequence[Found]) -> float:
    """The share of the wanted characters that the found spans contain; a character counts once."""
    targets = {(span.group, at) for span in wanted for at in range(span.start, span.end)}
    covered = {(span.group, at) for span in found for at in range(span.start, span.end)}
    return len(targets & covered) / len(targets)


def mean(values: Iterable[float]) -> float:
    """The mean; NaN for no values."""
    all = list(values)
    return sum(all) / len(all) if all else float("nan")


def auroc(signs: Signs) -> float:
    """How often the value of a true case is higher than that of a false case; ties count half (AUROC)."""
    import numpy as np

    values = np.array([value for value, _ in signs])
    true = np.array([is_true for _, is_true in signs], bool)
    if true.all() or not true.any():
        return float("nan")
    places = _mean_places(values)
    count = int(true.sum())
    return float((places[true].sum() - count * (count + 1) / 2) / (count * int((~true).sum())))


def auroc_between(by_case: Mapping[str, Signs], seed: int = 0, rounds: int = 1000) -> tuple[float, float, float]:
    """The figure and its 95 % interval by bootstrap over cases; values of one case stay together."""
    chance = Random(seed)
    cases = list(by_case.values())
    drawn = sorted(
        figure
        for _ in range(rounds)
        if (figure := auroc([sign for case in chance.choices(cases, k=len(cases)) for sign in case])) == figure
    )
    low, high = (drawn[int(share * (len(drawn) - 1))] for share in (0.025, 0.975))
    return auroc([sign for case in cases for sign in case]), low, high


def with_typo(question: str, chance: Random) -> str:
    """The question with one typo in a word of at least five letters; unchanged if there is none."""
    words = question.split(" ")
    long = [place for place, word in enumerate(words) if sum(letter.isalpha() for letter in word) >= 5]
    if not long:
        return question
    place = chance.choice(long)
    words[place] = _slip(words[place], chance)
    return " ".join(words)


def _slip(word: str, chance: Random) -> str:
    """Swaps two letters, or drops, doubles or replaces one; never returns the same word."""
    letters = [at for at, letter in enumerate(word) if letter.isalpha()]
    at = chance.choice(letters[1:-1])
    slips = [
        word[:at] + word[at + 1] + word[at] + word[at + 2 :],
        word[:at] + word[at + 1 :],
        word[:at] + word[at] + word[at:],
        word[:at] + chance.choice([c for c in "abcdefghijklmnopqrstuvwxyz" if c != word[at].lower()]) + word[at + 1 :],
    ]
    return chance.choice([slip for slip in slips if slip != word])


def _mean_places(values: NDArray[np.float64]) -> NDArray[np.float64]:
    """The rank of each value from 1; equal values share their mean rank."""
    import numpy as np

    _, which, counts = np.unique(values, return_inverse=True, return_counts=True)
    last = np.cumsum(counts)
    means: NDArray[np.float64] = (last - (counts - 1) / 2)[which]
    return means
