"""Our WordPiece gives the ids of the `tokenizers` library."""

from __future__ import annotations

import time
import unicodedata
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from holdfast.core.errors import ModelMissing
from holdfast.models import wordpiece
from holdfast.models.wordpiece import UNKNOWN, WordPiece

from .own_files import VOCABULARY

REPOSITORY = Path(__file__).parents[2]
# The library knows Unicode 8; a few characters have changed their category since.
CHANGED = "\u166d\u1734\u1885\u1886"


def library() -> Any:
    """The library's tokenizer with our vocabulary."""
    from tokenizers import AddedToken, Tokenizer, models, normalizers, pre_tokenizers

    lines = VOCABULARY.read_text(encoding="utf-8").split("\n")[:-1]
    tokens = {token: int(id) for token, id in (line.split("\t") for line in lines)}
    tokenizer = Tokenizer(models.WordPiece(tokens, unk_token="[UNK]"))
    tokenizer.normalizer = normalizers.BertNormalizer()
    tokenizer.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
    names = ("[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]")
    tokenizer.add_special_tokens([AddedToken(name, normalized=False, special=True) for name in names])
    return tokenizer


LIBRARY, OURS = library(), WordPiece(VOCABULARY)


def assert_equal(text: str) -> None:
    assert OURS.ids(text, len(text) + 1) == LIBRARY.encode(text, add_special_tokens=False).ids


def is_old(character: str) -> bool:
    """Did the character exist in Unicode 3.2?"""
    return unicodedata.ucd_3_2_0.category(character) not in ("Cn", "Cs") and character not in CHANGED


@given(st.text(st.characters(exclude_categories=["Cs"]).filter(is_old)))
def test_any_text_has_the_ids_of_the_library(text: str) -> None:
    assert_equal(text)


WORDS = ["Ünïcode", "don't", "日本語", "🎉", "x" * 101, "[SEP]", "[sep]", "naïve-é\u0301", "\t"]


@given(st.lists(st.sampled_from(WORDS)))
def test_words_next_to_each_other_have_the_ids_of_the_library(words: list[str]) -> None:
    assert_equal("".join(words))
    assert_equal(" ".join(words))


@given(st.text("abcdefghijklmnopqrstuvwxyzABC0189 .,'-_/\n\t\0\x0b\x7f"))
def test_ascii_text_has_the_ids_of_the_library(text: str) -> None:
    assert_equal(text)


def test_single_characters_have_the_ids_of_the_library() -> None:
    # Above 0x3000 there are mostly ideographs and syllables.
    codes = [*range(0x3100), *range(0x3100, 0x110000, 37), *range(0xF900, 0xFFFF)]
    characters = [chr(code) for code in codes if is_old(chr(code))]
    for start in range(0, len(characters), 1000):
        assert_equal(" ".join(f"a{character}b" for character in characters[start : start + 1000]))


@pytest.mark.integration
def test_files_of_the_repository_have_the_ids_of_the_library() -> None:
    files = [*REPOSITORY.glob("docs/*.md"), *REPOSITORY.glob("src/holdfast/models/*.py")]
    files += REPOSITORY.glob("src/holdfast/interfaces/languages/*.json")
    assert len(files) > 20
    for file in files:
        assert_equal(file.read_text(encoding="utf-8"))


def test_the_first_words_are_found_without_reading_all_tokens(monkeypatch: pytest.MonkeyPatch) -> None:
    text = "Rotate the unrotatable certificates: 日本, émigré, zyzzyva!"
    monkeypatch.setattr(wordpiece, "_MAX_SEARCHES", 10**9)
    assert WordPiece(VOCABULARY).ids(text, 100) == OURS.ids(text, 100)


def test_a_full_cache_of_words_is_emptied(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(wordpiece, "_MAX_CACHED_WORDS", 2)
    text = "one two three four five one two"
    assert WordPiece(VOCABULARY).ids(text, 100) == OURS.ids(text, 100)


def test_only_the_first_tokens_are_returned() -> None:
    assert OURS.ids("a b c d e", 3) == OURS.ids("a b c", 3)
    assert OURS.ids("", 3) == []


@pytest.mark.parametrize(
    ("text", "ids"),
    [("\ud800", ["?"]), ("\0\0", []), ("\x00a\x00", ["a"]), ("\ufffd\ufffd", []), ("a\ud83db", ["a", "?", "b"])],
)
def test_text_that_is_hardly_text(text: str, ids: list[str]) -> None:
    assert OURS.ids(text, 10) == [LIBRARY.token_to_id(token) for token in ids]


@pytest.mark.parametrize("text", ["x" * 10**7, "\ud800" * 10**7, " " * 10**7, "日" * 10**7, "ab." * 10**6, "[" * 10**6])
def test_a_text_of_megabytes_takes_no_longer_than_its_beginning(text: str) -> None:
    began = time.process_time()
    assert len(OURS.ids(text, 512)) <= 512
    assert time.process_time() - began < 0.5


def test_words_without_tokens_take_bounded_time() -> None:
    rare = dict(zip(range(48, 58), "qxzjkvwyhg", strict=True))
    words = [f"{number:04d}".translate(rare) * 24 for number in range(200)]
    began = time.process_time()
    assert WordPiece(VOCABULARY).ids(" ".join(words), 20_000)
    assert time.process_time() - began < 2
    assert OURS.ids("x" * 101, 5) == [UNKNOWN]


def test_a_missing_vocabulary_is_named(tmp_path: Path) -> None:
    with pytest.raises(ModelMissing, match=r"vocabulary\.txt cannot be read"):
        WordPiece(tmp_path / "vocabulary.txt")
