"""Splits texts into searchable terms and queries into words, the same for every engine."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache

from holdfast.text.patterns import compiled
from holdfast.text.stemming import roots
from holdfast.text.stop_words import STOP_WORDS

_WORD = r"\w+(?:['’]\w+)?"
_HUMP = r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|[0-9]+"
_HUMPED = r"(?<![^\W_])[^\W_]*?(?:[a-z][A-Z]|[A-Z]{2}[a-z])[^\W_]*"
_SNAKE = r"(?<![^\W_])[^\W_]++(?:_[^\W_]++)+"
_VERSION = r"[vV](?<!\w.)(\d+(?:\.\d+)+)"
_WHOLE = r"(?<!\w)\w++(?:(?:::|->|[./\\:])\w++){1,15}"
_HAN = r"[㐀-䶿一-鿿豈-﫿]"
_CJK = r"[぀-ヿ㐀-䶿一-鿿豈-﫿가-힯]+"
_BESIDE_CJK = r"(?<=[぀-ヿ㐀-䶿一-鿿豈-﫿가-힯])[A-Za-z0-9]+|(?<![A-Za-z0-9])[A-Za-z0-9]++(?=[぀-ヿ㐀-䶿一-鿿豈-﫿가-힯])"
# Chinese function words: a query is split there before its characters are paired.
_FUNCTION_WORDS = r"为什么|什么|怎么|怎样|如何|多少|我们|你们|他们|可以|时候|哪[个些里儿]|[的吗呢吧啊]"


def terms(text: str) -> str:
    """The terms of a text that a plain tokenizer misses.

    These are the parts of camelCase words, snake_case names joined to one word, versions without their v, and the
    roots of French words. CJK text gives pairs of neighbouring characters, single Han characters and adjacent Latin
    words.
    """
    found = _ascii_terms(text) if text.isascii() else _wide_terms(text)
    found.extend(roots(text))
    return " ".join(found)


def chunk_terms(text: str, heading: Sequence[str], path: str) -> str:
    """The `terms` of a document chunk: of its text, its headings and its path."""
    return terms(f"{text} {' '.join(heading)} {path}")


def pairs(run: str) -> list[str]:
    """The pairs of neighbouring characters; a single character is returned as it is."""
    return [run[i : i + 2] for i in range(len(run) - 1)] or [run]


def words(query: str) -> list[str]:
    """The words of a query, in order, each once: as written, identifiers also in parts, CJK in pairs.

    Drops stop words, unless the query has no other words.
    """
    found: dict[str, None] = {}
    for word in compiled(_WORD).findall(_composed(query)):
        for part in _parts(word) if word.isascii() else _foreign_parts(word):
            found.setdefault(part)
    rare = [word for word in found if word not in STOP_WORDS]
    return rare or list(found)


def forms(query: str) -> list[str]:
    """Further search terms of a query: whole names, which match their parts in order, and French roots."""
    return list(dict.fromkeys((*wholes(query), *roots(query))))


def wholes(query: str) -> list[str]:
    """Paths, versions and dotted names of a query, each once; versions also without their v."""
    found = [whole.lower() for whole in compiled(_WHOLE).findall(query)]
    telling = [whole for whole in found if any(_tells(part) for part in compiled(r"\w+").findall(whole))]
    return list(dict.fromkeys((*telling, *compiled(_VERSION).findall(query))))


def cjk_share(text: str) -> float:
    """The share of Chinese, Japanese and Korean characters in a text, 0 to 1."""
    if text.isascii():
        return 0.0
    return sum(map(len, compiled(_CJK).findall(text))) / max(1, len("".join(text.split())))


def _tells(part: str) -> bool:
    """Whether a part names something, unlike the parts of `and/or` and `e.g.`"""
    return part not in STOP_WORDS and (len(part) > 1 or part.isdigit())


def _cjk_terms(text: str) -> list[str]:
    found = compiled(_BESIDE_CJK).findall(text)
    for run in compiled(_CJK).findall(text):
        found.extend(pairs(run))
    found.extend(dict.fromkeys(compiled(_HAN).findall(text)))
    return [term.lower() for term in found]


def _ascii_terms(text: str) -> list[str]:
    """Finds camelCase, snake_case and versions by the shape of the text, so that most words are never examined."""
    shape = text.encode().translate(_SHAPES) + b" "
    runs = shape.replace(b".", b" ")
    words = runs.replace(b"_", b" ")
    found = [_humps(text[at:end]) for at, end in sorted({*_around(b"aA", words), *_around(b"AAa", words)})]
    for at, end in _around(b"_", runs):
        found.extend(_snakes(text[at:end]))
    if b"0.0" in shape:
        found.extend(compiled(_VERSION).findall(text))
    return found


def _around(sign: bytes, shape: bytes) -> Iterator[tuple[int, int]]:
    """The start and end of each word that contains a sign; words end at blanks."""
    at = shape.find(sign)
    while at >= 0:
        end = shape.find(b" ", at)
        yield shape.rfind(b" ", 0, at) + 1, end
        at = shape.find(sign, end)


def _wide_terms(text: str) -> list[str]:
    found: list[str] = []
    tokens = text.split()
    # Word by word: most have no capital after the first letter, which is cheap to check.
    for token in [token for token in tokens if not token.islower()]:
        if not token[1:].islower() and token[1:] != token[1:].lower():
            found.extend(map(_humps, compiled(_HUMPED).findall(token)))
    for token in [token for token in tokens if "_" in token]:
        found.extend(_snakes(token))
    found.extend(compiled(_VERSION).findall(text))
    if compiled(_CJK).search(text):
        found.extend(_cjk_terms(text))
    return found


@lru_cache(maxsize=1 << 13)
def _humps(word: str) -> str:
    """Turns `getUserName` into `get user name`."""
    return " ".join(compiled(_HUMP).findall(word)).lower()


@lru_cache(maxsize=1 << 13)
def _snakes(run: str) -> tuple[str, ...]:
    """The names with underscores, each joined to one word."""
    return tuple(word.replace("_", "").lower() for word in compiled(_SNAKE).findall(run))


def _foreign_parts(word: str) -> tuple[str, ...]:
    """The parts of a word in any script; for CJK the pairs between function words, then adjacent Latin words."""
    if not compiled(_CJK).search(word):
        return _parts(word)
    runs = [run for part in compiled(_FUNCTION_WORDS).split(word) for run in compiled(_CJK).findall(part)]
    found = [pair for run in runs or compiled(_CJK).findall(word) for pair in pairs(run)]
    latin = compiled(_CJK).sub(" ", word).split()
    return (*found, *(part for word in latin for part in _parts(word)))


def _composed(text: str) -> str:
    """Joins accents to their letters: some systems write them as separate characters."""
    if text.isascii():
        return text
    import unicodedata

    return unicodedata.normalize("NFC", text)


@lru_cache(maxsize=1 << 15)
def _parts(word: str) -> tuple[str, ...]:
    """Turns `getUserName` into `getusername get user name`, and splits `snake_case` as the tokenizer does."""
    if word.isalpha() and (word.islower() or word[1:].islower()):
        return (word.lower(),)
    parts = []
    for part in compiled(r"[_'’]+").split(word):
        if part:
            parts.append(part.lower())
            humps = compiled(_HUMP).findall(part)
            if len(humps) > 1 and not part.isupper():
                parts.extend(hump.lower() for hump in humps)
    return tuple(parts)


def _shape(character: str) -> str:
    """The class of an ASCII character: letter `a`, capital `A`, digit `0`, underscore or dot; any other ends a word."""
    if character.isalpha():
        return "a" if character.islower() else "A"
    return "0" if character.isdigit() else character if character in "_." else " "


_SHAPES = "".join(map(_shape, map(chr, range(128)))).encode().ljust(256)
