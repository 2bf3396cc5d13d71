"""How text becomes searchable words, the same for every engine."""

from __future__ import annotations

import re
from functools import cache, lru_cache

_WORD = r"\w+(?:['’]\w+)?"
_HUMP = r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|[0-9]+"
_HUMPED = r"(?<![^\W_])[^\W_]*?(?:[a-z][A-Z]|[A-Z]{2}[a-z])[^\W_]*"
_CJK = r"[぀-ヿ㐀-䶿一-鿿豈-﫿가-힯]+"


@cache
def _pattern(text: str) -> re.Pattern[str]:
    return re.compile(text)


def terms(text: str) -> str:
    """What a plain tokenizer would miss: the parts of camelCase words, and pairs of neighbouring CJK characters."""
    found: list[str] = []
    for word in _pattern(_HUMPED).findall(text):
        found.extend(part.lower() for part in _pattern(_HUMP).findall(word))
    for run in () if text.isascii() else _pattern(_CJK).findall(text):
        found.extend(pairs(run))
    return " ".join(found)


def pairs(run: str) -> list[str]:
    """The neighbouring pairs of a run of characters; a lone character stands for itself."""
    return [run[i : i + 2] for i in range(len(run) - 1)] or [run]


def words(query: str) -> list[str]:
    """The words to look for, in order, each once: as written, identifiers also in parts, CJK in pairs.

    Stop words are left out unless nothing else would remain.
    """
    found: dict[str, None] = {}
    for word in _pattern(_WORD).findall(query):
        if not word.isascii() and _pattern(_CJK).search(word):
            for run in _pattern(_CJK).findall(word):
                found.update(dict.fromkeys(pairs(run)))
            word = _pattern(_CJK).sub(" ", word).strip()
        for piece in _pieces(word):
            found.setdefault(piece)
    telling = [word for word in found if word not in STOP_WORDS]
    return telling or list(found)


@lru_cache(maxsize=1 << 15)
def _pieces(word: str) -> tuple[str, ...]:
    """`getUserName` as `getusername get user name`; `snake_case` in its parts, as the tokenizer splits it."""
    if word.isalpha() and (word.islower() or word[1:].islower()):
        return (word.lower(),)
    pieces = []
    for part in _pattern(r"[_'’]+").split(word):
        if part:
            pieces.append(part.lower())
            humps = _pattern(_HUMP).findall(part)
            if len(humps) > 1 and not part.isupper():
                pieces.extend(hump.lower() for hump in humps)
    return tuple(pieces)


@lru_cache(maxsize=1 << 15)
def stem(word: str) -> str:
    """A word without its commonest English endings, so that `cache`, `caches`, `cached` and `caching` are one."""
    for ending in ("ing", "ed", "es", "s", "e"):
        if len(word) > len(ending) + 3 and word.endswith(ending):
            return word[: -len(ending)]
    return word


def normalise(text: str) -> str:
    """The form in which two texts count as the same: case, spacing and closing punctuation do not matter."""
    return " ".join(text.split()).casefold().rstrip(" .!。！")


def fingerprint(text: str) -> str:
    """A short hash of the normalised text."""
    import hashlib

    return hashlib.sha256(normalise(text).encode()).hexdigest()[:32]


STOP_WORDS = frozenset(
    """a about after all also am an and any are as at be because been before being between both but by can could
    d did do does doing down during each few for from further had has have having he her here hers him his how i if in
    into is it its itself just ll m me more most my myself no nor not now of off on once only or other our ours out
    over own re s same she should so some such t than that the their theirs them then there these they this those
    through to too under until up ve very was we were what when where which while who whom why will with would you
    your yours yourself
    au aux avec ce ces cet cette comme dans de des du elle elles en est et il ils je la le les leur leurs lui ma mais
    me mes moi mon même ne nos notre nous on ou où par pas pour qu que quel quelle quels quelles qui sa sans se ses
    si son sont sur ta te tes toi ton tu un une vos votre vous à été être c j l n y""".split()
)
