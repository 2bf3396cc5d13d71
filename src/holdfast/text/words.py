"""How text becomes searchable words, the same for every engine."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import cache, lru_cache

_WORD = r"\w+(?:['’]\w+)?"
_HUMP = r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|[0-9]+"
_HUMPED = r"(?<![^\W_])[^\W_]*?(?:[a-z][A-Z]|[A-Z]{2}[a-z])[^\W_]*"
_SNAKE = r"(?<![^\W_])[^\W_]++(?:_[^\W_]++)+"
_VERSION = r"[vV](?<!\w.)(\d+(?:\.\d+)+)"
_WHOLE = r"\w+(?:(?:::|->|[./\\:])\w+){1,15}"
_LONG_WORD = r"[^\W\d_]{6,}"
_ACCENT = r"[àâçéèêëîïôùûœ]"
_HAN = r"[㐀-䶿一-鿿豈-﫿]"
_CJK = r"[぀-ヿ㐀-䶿一-鿿豈-﫿가-힯]+"
_BESIDE_CJK = r"(?<=[぀-ヿ㐀-䶿一-鿿豈-﫿가-힯])[A-Za-z0-9]+|[A-Za-z0-9]+(?=[぀-ヿ㐀-䶿一-鿿豈-﫿가-힯])"
# What only holds a Chinese sentence together: a question is cut there before it is paired.
_JOINTS = r"为什么|什么|怎么|怎样|如何|多少|我们|你们|他们|可以|时候|哪[个些里儿]|[的吗呢吧啊]"


@cache
def _pattern(text: str) -> re.Pattern[str]:
    return re.compile(text)


def terms(text: str) -> str:
    """What a plain tokenizer would miss.

    The parts of camelCase words, snake_case in one piece, versions without their v, the roots of French words, and
    of CJK text the pairs of neighbouring characters, each Han character, and the Latin words that touch them.
    """
    found = _ascii_terms(text) if text.isascii() else _wide_terms(text)
    found.extend(roots(text))
    return " ".join(found)


def piece_terms(text: str, heading: Sequence[str], path: str) -> str:
    """The `terms` of a piece of a document: of what it says, of its headings and of its path."""
    return terms(f"{text} {' '.join(heading)} {path}")


def pairs(run: str) -> list[str]:
    """The neighbouring pairs of a run of characters; a lone character stands for itself."""
    return [run[i : i + 2] for i in range(len(run) - 1)] or [run]


def words(query: str) -> list[str]:
    """The words to look for, in order, each once: as written, identifiers also in parts, CJK in pairs.

    Stop words are left out unless nothing else would remain.
    """
    found: dict[str, None] = {}
    for word in _pattern(_WORD).findall(_composed(query)):
        for piece in _pieces(word) if word.isascii() else _foreign_pieces(word):
            found.setdefault(piece)
    telling = [word for word in found if word not in STOP_WORDS]
    return telling or list(found)


def forms(query: str) -> list[str]:
    """What else to look for, beside `words`: names as a whole, found where their parts stand in order, and roots."""
    return list(dict.fromkeys((*wholes(query), *roots(query))))


def wholes(query: str) -> list[str]:
    """Paths, versions and dotted names as a whole, each once; a version also without its v."""
    found = [whole.lower() for whole in _pattern(_WHOLE).findall(query)]
    telling = [whole for whole in found if any(_tells(part) for part in _pattern(r"\w+").findall(whole))]
    return list(dict.fromkeys((*telling, *_pattern(_VERSION).findall(query))))


def roots(text: str) -> list[str]:
    """The words of a French text without their commonest endings; none for a text in another language.

    Why: the index folds English endings and accents only.
    """
    if not _looks_french(text):
        return []
    found = map(_root, _pattern(_LONG_WORD).findall(text.lower()))
    return list(dict.fromkeys(root for root in found if root))


def cjk_share(text: str) -> float:
    """How much of a text is Chinese, Japanese or Korean, 0 to 1: a model of another language knows nothing of it."""
    if text.isascii():
        return 0.0
    return sum(map(len, _pattern(_CJK).findall(text))) / max(1, len("".join(text.split())))


def _tells(part: str) -> bool:
    """Does it name anything? Not in `and/or`, nor in `e.g.`"""
    return part not in STOP_WORDS and (len(part) > 1 or part.isdigit())


def _looks_french(text: str) -> bool:
    """By its small words, at its beginning: three of them, of a short text two, or one and an accent."""
    seen = text[:400].lower()
    small = len(_FRENCH.intersection(seen.split()))
    if len(text) > 100 or small == 0:
        return small >= 3
    return small >= 2 or (not seen.isascii() and _pattern(_ACCENT).search(seen) is not None)


@lru_cache(maxsize=1 << 14)
def _root(word: str) -> str:
    """The root of a French word, at least five letters; empty for a stop word and a word that is its own root."""
    if word in STOP_WORDS:
        return ""
    for ending in _FRENCH_ENDINGS:
        if word.endswith(ending) and len(word) - len(ending) >= 5:
            return word[: -len(ending)]
    return ""


def _cjk_terms(text: str) -> list[str]:
    found = _pattern(_BESIDE_CJK).findall(text)
    for run in _pattern(_CJK).findall(text):
        found.extend(pairs(run))
    found.extend(dict.fromkeys(_pattern(_HAN).findall(text)))
    return [term.lower() for term in found]


def _ascii_terms(text: str) -> list[str]:
    """Found by the shape of the text: so most words are never looked at."""
    shape = text.encode().translate(_SHAPES) + b" "
    runs = shape.replace(b".", b" ")
    words = runs.replace(b"_", b" ")
    found = [_humps(text[at:end]) for at, end in sorted({*_around(b"aA", words), *_around(b"AAa", words)})]
    for at, end in _around(b"_", runs):
        found.extend(_snakes(text[at:end]))
    if b"0.0" in shape:
        found.extend(_pattern(_VERSION).findall(text))
    return found


def _around(sign: bytes, shape: bytes) -> Iterator[tuple[int, int]]:
    """Where the words begin and end in which a sign stands; a blank ends every word."""
    at = shape.find(sign)
    while at >= 0:
        end = shape.find(b" ", at)
        yield shape.rfind(b" ", 0, at) + 1, end
        at = shape.find(sign, end)


def _wide_terms(text: str) -> list[str]:
    found: list[str] = []
    tokens = text.split()
    # Why word by word: most hold no capital but the first, and seeing that is cheap.
    for token in [token for token in tokens if not token.islower()]:
        if not token[1:].islower() and token[1:] != token[1:].lower():
            found.extend(map(_humps, _pattern(_HUMPED).findall(token)))
    for token in [token for token in tokens if "_" in token]:
        found.extend(_snakes(token))
    found.extend(_pattern(_VERSION).findall(text))
    if _pattern(_CJK).search(text):
        found.extend(_cjk_terms(text))
    return found


@lru_cache(maxsize=1 << 13)
def _humps(word: str) -> str:
    """`getUserName` as `get user name`."""
    return " ".join(_pattern(_HUMP).findall(word)).lower()


@lru_cache(maxsize=1 << 13)
def _snakes(run: str) -> tuple[str, ...]:
    """The names with underscores, each in one piece."""
    return tuple(word.replace("_", "").lower() for word in _pattern(_SNAKE).findall(run))


def _foreign_pieces(word: str) -> tuple[str, ...]:
    """The pieces of a word in any script; of CJK the pairs between joints, then the Latin words that touch them."""
    if not _pattern(_CJK).search(word):
        return _pieces(word)
    runs = [run for part in _pattern(_JOINTS).split(word) for run in _pattern(_CJK).findall(part)]
    found = [pair for run in runs or _pattern(_CJK).findall(word) for pair in pairs(run)]
    latin = _pattern(_CJK).sub(" ", word).split()
    return (*found, *(piece for part in latin for piece in _pieces(part)))


def _composed(text: str) -> str:
    """The text with each accent joined to its letter: some systems write them apart."""
    if text.isascii():
        return text
    import unicodedata

    return unicodedata.normalize("NFC", text)


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
    """A word without its commonest English endings, so that `cache`, `caches`, `cached` and `caching` are one.

    Always a beginning of the word, and its own stem.
    """
    while (shorter := _without_ending(word)) != word:
        word = shorter
    return word


def _without_ending(word: str) -> str:
    for ending, least in _ENDINGS:
        if len(word) >= least and word.endswith(ending) and not word.endswith("ss"):
            return word[: -len(ending)]
    if len(word) > 3 and word[-1] == word[-2] and word[-1] in "bdfgklmnprtv":
        return word[:-1]
    return word


def normalise(text: str) -> str:
    """The form in which two texts count as the same: case, spacing and closing punctuation do not matter."""
    return " ".join(text.split()).casefold().rstrip(" .!。！")


def fingerprint(text: str) -> str:
    """A short hash of the normalised text."""
    import hashlib

    return hashlib.sha256(normalise(text).encode()).hexdigest()[:32]


def _shape(one: str) -> str:
    """What an ASCII character is to a name: a letter, a capital, a digit, an underscore or a dot; all others end it."""
    return "a" if one.islower() else "A" if one.isupper() else "0" if one.isdigit() else one if one in "_." else " "


_SHAPES = "".join(map(_shape, map(chr, range(128)))).encode().ljust(256)

# Each with the shortest word that loses it.
_ENDINGS = (("ing", 7), ("ed", 6), ("es", 6), ("ée", 6), ("s", 4), ("e", 5), ("é", 5))

_FRENCH = frozenset(
    "le la les de des du une un est et dans pour qui que quel quelle sur au aux avec pas sont à".split()
)
_FRENCH_ENDINGS = sorted(
    """s e es é ée és ées er ez ent ons ait aient era eront ant ante ants antes ation ations ateur ateurs ement ements
    ment ments ique iques ie ies euse euses eux if ifs ive ives al ale ales aux el elle elles ais aise aises oire oires
    age ages aire aires eur eurs té tés ité ités eau eaux""".split(),
    key=len,
    reverse=True,
)

STOP_WORDS = frozenset(
    """a about after all also am an and any are as at be because been before being between both but by can could
    d did do does doing down during each few for from further had has have having he her here hers him his how i if in
    into is it its itself just ll m me more most my myself no nor not now of off on once only or other our ours out
    over own re s same she should so some such t than that the their theirs them then there these they this those
    through to too under until up ve very was we were what when where which while who whom why will with would you
    your yours yourself
    au aux avec ce ces cet cette comme dans de des du elle elles en est et il ils je la le les leur leurs lui ma mais
    me mes moi mon même ne nos notre nous on ou où par pas pour qu que quel quelle quels quelles qui sa sans se ses
    si son sont sur ta te tes toi ton tu un une vos votre vous à été être c j l n y
    那 这 我 你 他 她 它 们 是 有 在 了 和 就 都 也 很 谁 哪 几 一个 是否 因为 所以 还是 已经 应该 不能""".split()
)
