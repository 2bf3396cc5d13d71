"""BERT's uncased WordPiece tokenizer in Python, so that a short text is tokenized without loading a library.

It gives the ids of the `tokenizers` library, except for words with characters newer than Unicode 8 (2015), which that
library does not classify. The vocabulary is a text file sorted by token: the first words are found by binary search,
because reading all tokens into a dictionary takes 8 ms; after many words the dictionary is built.
"""

from __future__ import annotations

import re
import unicodedata
import zlib
from collections.abc import Iterator
from itertools import chain, islice
from typing import TYPE_CHECKING

from holdfast.core.errors import ModelMissing

if TYPE_CHECKING:
    from pathlib import Path

CLS, SEP, UNKNOWN = 101, 102, 100

# Longer words are unknown. The limits are those of BERT and of its vocabulary.
_MAX_WORD, _MAX_TOKEN = 100, 18
# Texts are clipped before tokenizing. Only a text that is mostly blanks has more characters per token.
_CHARACTERS_PER_TOKEN = 40
_MAX_CACHED_WORDS = 30_000
_MAX_SEARCHES = 1_000

_SPECIAL = re.compile(r"(\[(?:PAD|UNK|CLS|SEP|MASK)\])")
_ASCII_WORDS = re.compile(r"[a-z0-9]+|[^ a-z0-9]")
_ASCII_BLANKS = b"\t\n\r"
_ASCII_CONTROLS = bytes(byte for byte in [*range(32), 127] if byte not in _ASCII_BLANKS)
_ASCII = bytes(32 if byte in _ASCII_BLANKS else byte for byte in range(256)).lower()
_CJK = (
    *(range(0x4E00, 0xA000), range(0x3400, 0x4DC0), range(0x20000, 0x2A6E0), range(0x2A700, 0x2B740)),
    *(range(0x2B740, 0x2B820), range(0x2B920, 0x2CEB0), range(0xF900, 0xFB00), range(0x2F800, 0x2FA20)),
)


class WordPiece:
    """Splits texts into token ids. Thread-safe; the time is bounded for a text of any length.

    `crc` is the checksum of the vocabulary, which a table of token vectors must state too.
    """

    def __init__(self, vocabulary: str | Path) -> None:
        try:
            with open(vocabulary, "rb") as opened:
                lines = opened.read()
        except OSError as error:
            raise ModelMissing(f"{vocabulary} cannot be read ({error.strerror})") from error
        self.crc = zlib.crc32(lines)
        self._words = _Words(_Vocabulary(lines))

    def ids(self, text: str, limit: int) -> list[int]:
        """Returns the first `limit` token ids of a text, without [CLS] and [SEP]."""
        words = _split(text[: limit * _CHARACTERS_PER_TOKEN])
        return list(islice(chain.from_iterable(map(self._words.__getitem__, words)), limit))


def write_vocabulary(file: Path, tokenizer: Path) -> None:
    """Writes the vocabulary of a `tokenizer.json`, one token and its id per line, sorted by token."""
    import json

    tokens = json.loads(tokenizer.read_text(encoding="utf-8"))["model"]["vocab"]
    lines = sorted((token.encode(), id) for token, id in tokens.items())
    file.write_bytes(b"".join(b"%s\t%d\n" % line for line in lines))


def _split(text: str) -> list[str]:
    """Splits a text into words and punctuation marks, in lower case and without accents."""
    if "[" in text and len(parts := _SPECIAL.split(text)) > 1:
        # The library reads the names of special tokens as these tokens.
        split = [[part] if _SPECIAL.fullmatch(part) else _split(part) for part in parts]
        return list(chain.from_iterable(split))
    if text.isascii():
        return _ASCII_WORDS.findall(text.encode().translate(_ASCII, _ASCII_CONTROLS).decode())
    return text.translate(_CHARACTERS).split()


class _Characters(dict[int, str]):
    """Maps each character to its normal form, with blanks around punctuation and Chinese characters."""

    def __missing__(self, code: int) -> str:
        self[code] = normal = _normalize(chr(code))
        return normal


_CHARACTERS = _Characters()


def _normalize(character: str) -> str:
    category = unicodedata.category(character)
    if category == "Cs":
        return " ? "  # half of a surrogate pair
    if character in "\t\n\r" or (category != "Cc" and character.isspace()):
        return " "
    if category in ("Cc", "Cf", "Co") or character == "\ufffd":
        return ""
    base = [part.lower() for part in unicodedata.normalize("NFD", character) if unicodedata.category(part) != "Mn"]
    normal = "".join(f" {part} " if _is_punctuation(part) else part for part in base)
    return f" {normal} " if any(ord(character) in block for block in _CJK) else normal


def _is_punctuation(character: str) -> bool:
    if character.isascii():
        return not character.isalnum() and character != " "
    return unicodedata.category(character[0]).startswith("P")


class _Words(dict[str, tuple[int, ...]]):
    """Caches the token ids of words."""

    def __init__(self, vocabulary: _Vocabulary) -> None:
        super().__init__()
        self._vocabulary = vocabulary

    def __missing__(self, word: str) -> tuple[int, ...]:
        if len(word) > _MAX_WORD:
            return (UNKNOWN,)
        if len(self) >= _MAX_CACHED_WORDS:
            self.clear()
        self[word] = ids = tuple(self._pieces(word))
        return ids

    def _pieces(self, word: str) -> list[int]:
        """Takes the longest token that begins the rest of the word, until nothing is left."""
        ids: list[int] = []
        start = 0
        while start < len(word):
            found = next(self._longest(word, start), None)
            if found is None:
                return [UNKNOWN]
            start, id = found
            ids.append(id)
        return ids

    def _longest(self, word: str, start: int) -> Iterator[tuple[int, int]]:
        prefix = "##" if start else ""
        for end in range(min(len(word), start + _MAX_TOKEN), start, -1):
            id = self._vocabulary.find(prefix + word[start:end])
            if id is not None:
                yield end, id


class _Vocabulary:
    """Finds the ids of tokens: by binary search in the file at first, by a dictionary after many searches."""

    def __init__(self, lines: bytes) -> None:
        self._lines = lines
        self._searches = 0
        self._ids: dict[str, int] = {}

    def find(self, token: str) -> int | None:
        if self._ids:
            return self._ids.get(token)
        self._searches += 1
        if self._searches > _MAX_SEARCHES:
            lines = self._lines.decode().splitlines()
            self._ids = {token: int(id) for token, _, id in (line.partition("\t") for line in lines)}
        return self._search(token.encode())

    def _search(self, token: bytes) -> int | None:
        lines = self._lines
        low, high = 0, len(lines)
        while low < high:
            middle = (low + high) // 2
            start = lines.rfind(b"\n", low, middle) + 1 or low
            end = lines.index(b"\n", middle)
            found, _, id = lines[start:end].partition(b"\t")
            if found == token:
                return int(id)
            low, high = (end + 1, high) if found < token else (low, start)
        return None
