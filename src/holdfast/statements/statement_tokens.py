"""The tokens of a short statement: as written, and folded so that forms of one word match."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from functools import cache, lru_cache
from pathlib import Path

from holdfast.core.frozen import frozen
from holdfast.text.stemming import stem
from holdfast.text.stop_words import STOP_WORDS

_FOLDER = Path(__file__).parent / "data"
_NUMBER = r"(?:\d{1,3}(?:[ \u00a0\u202f]\d{3})+(?![\d.,]?\d)|\d+(?:[.,]\d+)*)"
_GROUPED = re.compile(r"(?<=\d)[ \u00a0\u202f](?=\d{3})")
_TOKEN = (
    rf"\d{{4}}-\d\d-\d\d(?!\d)|[$€£]?{_NUMBER}(?:\s?[-–]\s?{_NUMBER})?(?::\d\d)?(?:/\d+)*[a-zA-Z°%µ]*"
    r"|(?<!\S)\.[a-z]\w+|\w+(?:['’]\w+)?(?:-\w+(?:['’]\w+)?)*|[.!?;:,()]|[€$£](?!\w)|\s[-–—]\s|°"
)
_TOKENS = re.compile(_TOKEN)
# A French word that lost its vowel is a word of its own: `l'appli`, `n'est`, `jusqu'à`.
_ELISION = re.compile(r"(?:[ldjnmtsc]|qu|jusqu|lorsqu|puisqu)'(?=\w\w)", re.IGNORECASE)
_ROOT_LENGTH = 6
# A compound with one of these names another thing than its other part: `off-peak`, `check-in`, `pre-release`.
_PARTICLES = frozenset("in out off on up down over under non pre post sub co re anti semi multi inter intra".split())
_CACHE_SIZE = 1 << 14  # statements repeat the same words


@frozen
class StatementToken:
    """A word, number or punctuation mark: `word` is lower case, `root` folded, `name` set if written like a name.

    `joined` is set if a hyphen joins it to the previous token: `day` in `3-day`. `mark` is set for punctuation.
    """

    text: str
    word: str
    root: str
    name: bool
    joined: bool
    mark: bool


def tokens_of(text: str) -> tuple[StatementToken, ...]:
    """The tokens of a text, in order."""
    found: list[StatementToken] = []
    opening = True
    text = text.replace("’", "'")
    for match in _TOKENS.finditer(text):
        joined = text.endswith("-", 0, match.start())
        for written in _split_compound(match.group()):
            found.append(_token(written, opening, joined))
            titled = written == "." and len(found) > 1 and found[-2].word in marks("title")
            opening = (written in ".!?:" and not titled) or (opening and not written[0].isalnum())
    return tuple(found)


@lru_cache(maxsize=_CACHE_SIZE)
def _token(written: str, opening: bool, joined: bool) -> StatementToken:
    word = _GROUPED.sub("", written.lower())
    mark = not written[0].isalnum() and written[0] not in "$€£°" and len(written.strip()) == 1
    return StatementToken(written, word, root(word), _like_a_name(written, opening), joined, mark)


@lru_cache(maxsize=_CACHE_SIZE)
def _split_compound(written: str) -> tuple[str, ...]:
    """Splits a compound (`offset-based`), unless it is a known word (`e-mail`, `read-only`), and a French elision."""
    written = written.strip()
    if elided := _ELISION.match(written):
        return (elided.group(), *_split_compound(written[elided.end() :]))
    parts = tuple(written.split("-"))
    known = written.lower() in _compounds() or not _PARTICLES.isdisjoint(map(str.lower, parts))
    if len(parts) == 1 or written[0].isdigit() or known or not all(parts):
        return (written,)
    return parts


@lru_cache(maxsize=1 << 15)
def root(word: str) -> str:
    """Folds a word: `try`, `tried` and `trying` become one, as do `collect`, `collecting` and `collection`."""
    if "_" in word or "-" in word:  # identifiers and compounds often differ at their ends only
        return word
    word = _irregular().get(word, word).removesuffix("'s")
    if word.endswith(("ied", "ies")) and len(word) > 4:
        word = word[:-3] + "y"
    return stem(word)[:_ROOT_LENGTH]


def weight(root: str) -> float:
    """The weight of a word, 0 to 1: words that occur in most conversations have little weight."""
    return 0.0 if root in _silent() else common().get(root, 1.0)


def concept(root: str) -> str:
    """What a word is about: one name for words that mean nearly the same, otherwise the word itself."""
    return _concepts().get(root, root)


@cache
def _concepts() -> Mapping[str, str]:
    """The folded words of `data/concepts.txt`, each with the first word of its first group."""
    found: dict[str, str] = {}
    for words in words_of("concepts.txt"):
        name = f"~{words[0]}"
        for word in words:
            found.setdefault(root(word), name)
    return found


@cache
def common() -> Mapping[str, float]:
    """The weights of words that occur in many of 940 conversations: the rarer, the more they say."""
    weights: Mapping[str, float] = json.loads((_FOLDER / "common.json").read_text(encoding="utf-8"))["weights"]
    return weights


@cache
def words_of(name: str) -> tuple[tuple[str, ...], ...]:
    """Reads a list from the data folder: each line has the words of one entry, separated by `|`."""
    lines = (_FOLDER / name).read_text(encoding="utf-8").splitlines()
    return tuple(tuple(line.split("|")) for line in lines if line and not line.startswith("#"))


@cache
def marks(name: str) -> frozenset[str]:
    """The function words that mark something: a negation, a permission, a state."""
    return frozenset(word for list_name, *words in words_of("marks.txt") if list_name == name for word in words)


@cache
def _irregular() -> Mapping[str, str]:
    return {form: forms[0] for forms in words_of("irregular.txt") for form in forms[1:]}


@cache
def _compounds() -> frozenset[str]:
    """Words with a hyphen that the lists contain as one word."""
    known = (word for name in ("antonyms.txt", "irregular.txt") for line in words_of(name) for word in line)
    return frozenset(part for words in known for part in words.lstrip("~").split(",") if "-" in part)


@cache
def _silent() -> frozenset[str]:
    """The roots without weight: stop words, and words that say nothing about a topic."""
    return frozenset(root(word) for word in STOP_WORDS) | {root(line[0]) for line in words_of("silent.txt")}


def _like_a_name(written: str, opening: bool) -> bool:
    """Is it written like a name, with a capital within a sentence or a word (`Lyon`, `GitHub`, `TLS`; not `MUST`)?"""
    letters = [letter for letter in written if letter.isalpha()]
    if not letters or written.lower() in marks("personal") or written.lower() in marks("force"):
        return False
    return any(letter.isupper() for letter in letters[1:]) or (letters[0].isupper() and not opening)
