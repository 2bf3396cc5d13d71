"""Word bags contain the words of any text, except stop words."""

from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from holdfast.text.bags import bag, counts_of, counts_of_all, keys_of
from holdfast.text.stop_words import STOP_WORDS
from holdfast.text.words import words


def counts(text: str) -> dict[int, int]:
    return counts_of(bag(text), range(1 << 24))[1]


def length(text: str) -> int:
    return counts_of(bag(text), ())[0]


def often(text: str, word: str) -> list[int]:
    """How often the bag of a text has each key of a word."""
    found = counts(text)
    return [found.get(key, 0) for key in keys_of(word)]


def test_words_are_counted_by_their_stem_whatever_their_case() -> None:
    text = "Caches are cached by the cache, CACHING included."
    assert often(text, "cache") == [4]
    assert often(text, "include") == [1]
    assert often(text, "kettle") == [0]


def test_stop_words_are_not_in_it_but_count_for_its_length() -> None:
    assert counts("The the THE is where it was; c'est où") == {}
    assert length("The the THE is where it was; c'est où") == 10
    assert all(keys_of(word) == keys_of(word.upper()) == () for word in STOP_WORDS)


@pytest.mark.parametrize("name", ["next_job", "nextJob", "NextJob", "NEXT_JOB", "_next_job"])
def test_a_name_counts_as_its_parts_and_as_one(name: str) -> None:
    [whole] = set(keys_of("next_job")) - set(keys_of("next")) - set(keys_of("job"))
    found = counts(f"call {name}() now")
    assert found[whole] == 1
    assert often(f"call {name}() now", "next") == often(f"call {name}() now", "job") == [1]


def test_letters_and_digits_count_apart_and_together() -> None:
    for text in ("sha256", "SHA256", "Sha256"):
        assert all(often(text, "sha256"))
        assert all(often(text, word) == [1] for word in ("sha", "256"))


def test_accents_do_not_matter_nor_how_they_are_written() -> None:
    for text in ("Le café déjà fermé", unicodedata.normalize("NFD", "Le café déjà fermé"), "le cafe deja ferme"):
        assert [often(text, word) for word in ("café", "cafe", "déjà")] == [[1], [1], [1]]


def test_a_chinese_text_holds_its_pairs() -> None:
    assert all(often("我们的数据库很慢", pair) for pair in ("数据", "据库"))
    assert set(keys_of("数据")) <= set(counts("我们的数据库很慢"))


def test_counts_end_at_255() -> None:
    assert often("kettle " * 255, "kettle") == [255]
    assert often("kettle " * 1000, "kettle") == [255]
    assert length("kettle " * 1000) == 1000


def test_only_the_keys_asked_for_are_counted() -> None:
    kettle, tea, cake = (keys_of(word)[0] for word in ("kettle", "tea", "cake"))
    assert counts_of(bag("The kettle; a cake, a kettle."), {kettle, tea}) == (6, {kettle: 2})
    assert counts_of(bag(""), {kettle, tea, cake}) == (0, {})


@pytest.mark.parametrize("text", ["", "_", "___", "\0", "\ud800", "🫖🫖", "¿?", "_ _"])
def test_an_unusual_text_has_no_key_zero(text: str) -> None:
    assert 0 not in counts(text)
    assert len(bag(text)) >= 4


@pytest.mark.integration
@pytest.mark.parametrize("letters", ["e", "es", "ing", "tt", "aB", "é", "数据", "a_", "\ud800", "word "])
def test_a_megabyte_of_anything_is_taken(letters: str) -> None:
    text = letters * (1_000_000 // len(letters.encode("utf-8", "surrogatepass")))
    assert 4 <= len(bag(text)) < 1000


@given(st.text(st.characters()))
def test_any_text_has_a_bag_of_its_words(text: str) -> None:
    found = counts(text)
    assert 0 not in found
    assert all(1 <= often <= 255 for often in found.values())
    assert list(found) == sorted(found)


@given(st.lists(st.from_regex(r"[a-zA-Zéèà]{1,12}", fullmatch=True), min_size=1, max_size=20))
def test_a_word_of_the_text_is_in_its_bag(told: list[str]) -> None:
    found = counts(" ".join(told))
    assert all(key in found for word in told for key in keys_of(word))


@given(st.text(st.sampled_from("abcT _数据的库éx1が")))
def test_the_words_of_a_query_are_in_the_bag_of_the_same_text(text: str) -> None:
    found = counts(text)
    assert all(key in found for word in words(text) for key in keys_of(word))


@given(st.lists(st.text("ab cd_", max_size=30), max_size=6), st.sets(st.sampled_from("a b ab cd dc a_b".split())))
def test_many_bags_are_counted_at_once(texts: list[str], asked: set[str]) -> None:
    import numpy  # noqa: F401  # loaded, it counts

    bags, keys = [bag(text) for text in texts], {key for word in asked for key in keys_of(word)}
    assert counts_of_all(bags, keys) == [counts_of(each, keys) for each in bags]
