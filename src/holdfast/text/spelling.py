"""Which words a misspelt one may have meant."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

_LETTERS = "abcdefghijklmnopqrstuvwxyz"
_ACCENTED = "àâäçéèêëîïôöùûü"
_SHORTEST, _LONGEST = 4, 24
_LONG_ENOUGH_FOR_TWO = 8
# How much likelier a slip is to swap two letters, or to spare the first one, than to do anything else.
_SWAPPED, _FIRST_KEPT = 4.0, 4.0


def may_be_misspelt(word: str) -> bool:
    """Is it a plain word, long enough that the words near it are few?"""
    return _SHORTEST <= len(word) <= _LONGEST and word.isalpha() and word < "\u0500"


def one_slip_away(word: str) -> list[str]:
    """Every spelling one slip away: two letters swapped, one too many, one wrong, one missing. About 54 a letter."""
    letters = _LETTERS if word.isascii() else _LETTERS + _ACCENTED
    return list(dict.fromkeys(near for near in _slips(word, letters) if near != word))


def two_slips_allowed(word: str) -> bool:
    """Is the word so long that even two slips leave no doubt what was meant?"""
    return len(word) >= _LONG_ENOUGH_FOR_TWO


def slips(a: str, b: str, most: int) -> int:
    """How many slips lead from one word to the other; `most + 1` when there are more than `most`."""
    if abs(len(a) - len(b)) > most or len(set(a) ^ set(b)) > 2 * most:
        return most + 1
    a, b = _where_they_differ(a, b)
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
    """The best of the known words by how often each is used and how common the slip is. Unused ones are left out.

    Only what is nearly as likely as the best comes with it.
    """
    scored = sorted((-_likelihood(word, other, count), other) for other, count in known if count)
    return tuple(other for score, other in scored[:limit] if score <= scored[0][0] / 2)


def _where_they_differ(a: str, b: str) -> tuple[str, str]:
    """Both without the beginning and the ending they share. Why: most of two words alike need not be compared."""
    start = 0
    while start < min(len(a), len(b)) and a[start] == b[start]:
        start += 1
    a, b = a[start:], b[start:]
    end = 0
    while end < min(len(a), len(b)) and a[-1 - end] == b[-1 - end]:
        end += 1
    return a[: len(a) - end], b[: len(b) - end]


def _slips(word: str, letters: str) -> Iterator[str]:
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
