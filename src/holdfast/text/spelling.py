"""Finds the known words that a misspelt word may mean."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

_LETTERS = "abcdefghijklmnopqrstuvwxyz"
_ACCENTED = "àâäçéèêëîïôöùûü"
_SHORTEST, _LONGEST = 4, 24
_LONG_ENOUGH_FOR_TWO = 8
# How much likelier a typing error swaps two letters, or leaves the first letter right, than anything else.
_SWAPPED, _FIRST_KEPT = 4.0, 4.0


def may_be_misspelt(word: str) -> bool:
    """Whether it is a plain word, long enough to resemble only few others."""
    return _SHORTEST <= len(word) <= _LONGEST and word.isalpha() and word < "\u0500"


def one_edit_away(word: str) -> list[str]:
    """Every spelling one edit away: two letters swapped, one too many, one wrong, one missing. About 54 per letter."""
    letters = _LETTERS if word.isascii() else _LETTERS + _ACCENTED
    return list(dict.fromkeys(near for near in _edits(word, letters) if near != word))


def allows_two_edits(word: str) -> bool:
    """Whether the word is so long that it stays recognisable after two edits."""
    return len(word) >= _LONG_ENOUGH_FOR_TWO


def edit_distance(a: str, b: str, most: int) -> int:
    """The edit distance of two words, counting a swap as one edit; `most + 1` if it exceeds `most`."""
    if abs(len(a) - len(b)) > most or len(set(a) ^ set(b)) > 2 * most:
        return most + 1
    a, b = _different_parts(a, b)
    before: list[int] = []
    row = list(range(len(b) + 1))
    for i, letter in enumerate(a, 1):
        older, before = before, row
        row = [i]
        for j, other in enumerate(b, 1):
            least = min(before[j] + 1, row[-1] + 1, before[j - 1] + (letter != other))
            if i > 1 and j > 1 and letter == b[j - 2] and other == a[i - 2]:
                least = min(least, older[j - 2] + 1)
            row.append(least)
        if min(row) > most:
            return most + 1
    return min(row[-1], most + 1)


def likeliest(word: str, known: Iterable[tuple[str, int]], limit: int) -> tuple[str, ...]:
    """The likeliest of the known words, by how often each occurs and how common such an error is, best first.

    Leaves out words that do not occur, and words less than half as likely as the best.
    """
    scored = sorted((-_likelihood(word, other, count), other) for other, count in known if count)
    return tuple(other for score, other in scored[:limit] if score <= scored[0][0] / 2)


def _different_parts(a: str, b: str) -> tuple[str, str]:
    """Both words without their common start and end, which need not be compared."""
    start = 0
    while start < min(len(a), len(b)) and a[start] == b[start]:
        start += 1
    a, b = a[start:], b[start:]
    end = 0
    while end < min(len(a), len(b)) and a[-1 - end] == b[-1 - end]:
        end += 1
    return a[: len(a) - end], b[: len(b) - end]


def _edits(word: str, letters: str) -> Iterator[str]:
    for i in range(len(word) - 1):
        yield word[:i] + word[i + 1] + word[i] + word[i + 2 :]
    for i in range(len(word)):
        yield word[:i] + word[i + 1 :]
    for i in range(len(word) + 1):
        for letter in letters:
            yield word[:i] + letter + word[i + 1 :]
            yield word[:i] + letter + word[i:]


def _likelihood(word: str, other: str, count: int) -> float:
    swapped = len(word) == len(other) and sorted(word) == sorted(other)
    return count * (_SWAPPED if swapped else 1.0) * (_FIRST_KEPT if word[0] == other[0] else 1.0)
