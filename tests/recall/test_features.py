"""Word measures, on cases worked out by hand."""

from __future__ import annotations

from math import log

import numpy as np  # noqa: F401 # the measures use it only if it is loaded
import pytest
from hypothesis import given
from hypothesis import strategies as st

from holdfast.recall.weigh import word_measures as features
from holdfast.recall.weigh.word_measures import Lexical, Terms, bm25_scores, lexical, terms_of
from holdfast.text.bags import bag, keys_of

KETTLE, TEA = keys_of("kettle")[0], keys_of("tea")[0]


def test_a_rare_word_weighs_more() -> None:
    terms = terms_of("kettle tea", ["kettle", "tea"], {"kettle": 1, "tea": 500}, 2000)
    rarity = dict(zip(terms.keys, terms.rarity, strict=True))
    assert rarity[KETTLE] == pytest.approx(log(1 + 1999.5 / 1.5))
    assert rarity[TEA] == pytest.approx(log(1 + 1500.5 / 500.5))
    assert terms.total == pytest.approx(sum(terms.rarity))


def test_a_word_in_every_passage_still_weighs_a_little() -> None:
    assert terms_of("tea", ["tea"], {"tea": 2007}, 2007).rarity == (0.1,)
    assert terms_of("tea", ["tea"], {"tea": 2009}, 2007).rarity == (0.1,)


def test_in_a_small_store_a_missing_word_is_hardly_rarer_than_a_known_one() -> None:
    missing, there = terms_of("kettle tea", ["kettle", "tea"], {"tea": 1}, 3).rarity
    assert 1 < missing / there < 1.25


def test_a_name_as_a_whole_is_rarer_than_its_parts() -> None:
    terms = terms_of("where is next_job", ["next", "job"], {"next": 10, "job": 1}, 2000)
    [whole] = set(keys_of("next_job")) - set(keys_of("next")) - set(keys_of("job"))
    rarity = dict(zip(terms.keys, terms.rarity, strict=True))
    assert len(rarity) == 3
    assert rarity[whole] == pytest.approx(2 * log(1 + 1999.5 / 1.5))


def test_a_query_without_terms_matches_nothing() -> None:
    terms = terms_of("", [], {}, 10)
    assert (terms, terms.total) == (Terms((), ()), 1.0)
    measured = lexical([bag("tea")], terms)
    assert measured.bm25 == measured.share == [0]


def test_bm25_by_hand() -> None:
    bags = [bag("kettle kettle"), bag("tea and cake for two"), bag("nothing of the sort here")]
    measured = lexical(bags, Terms((KETTLE, TEA), (3.0, 1.0)))
    # Lengths 2, 5, 5, the mean 4: the length norm is 1.2·(0.25 + 0.75·2/4) and 1.2·(0.25 + 0.75·5/4).
    short, long = 1.2 * 0.625, 1.2 * 1.1875
    assert measured.bm25 == pytest.approx([0.75 * 2 * 2.2 / (2 + short), 0.25 * 2.2 / (1 + long), 0], abs=1e-6)
    assert measured.share == pytest.approx([0.75, 0.25, 0])


def test_a_variant_counts_less_than_the_word_and_a_phrase_needs_all_its_words() -> None:
    variants = {"kettle": ("boiler",), "tea": ("hot water",)}
    terms = terms_of("kettle tea", ["kettle", "tea"], {}, 10, variants)
    bags = [bag("kettle"), bag("boiler"), bag("kettle boiler"), bag("hot water"), bag("hot soup")]
    measured = lexical(bags, terms)
    assert measured.share == pytest.approx([0.5, 0.4, 0.5, 0.4, 0])
    assert measured.bm25[1] < measured.bm25[0]


def test_a_word_in_a_phrase_with_another_sense_counts_less() -> None:
    terms = terms_of("install requests", ["install", "requests"], {}, 10, {}, {"requests": ("pull request",)})
    texts = ("many requests", "pull requests", "pull requests and requests", "install pull requests")
    share = lexical([bag(text) for text in texts], terms).share
    assert share == pytest.approx([0.5, 0.2, 0.5, 0.7])


def test_the_stored_length_of_a_text_is_not_read_as_a_word() -> None:
    underscore = terms_of("_", ["_"], {}, 10)
    assert lexical([bag("tea")], underscore).share == [0]


def test_all_terms_of_a_pasted_page_are_matched() -> None:
    page = [one + other + "k" for one in "bcdfghjklm" for other in "aeiou"]
    terms = terms_of("", page, {}, 10)
    bags = [bag(" ".join(page[at:])) for at in range(50)]
    assert lexical(bags, terms).share == pytest.approx([1 - at / 50 for at in range(50)])


def test_no_candidates_have_no_measures() -> None:
    measured = lexical([], Terms((KETTLE,), (1.0,)))
    assert measured == Lexical([], [], 1.0)


said = st.lists(st.sampled_from("tea kettle cake the next_job 数据库 _".split()), max_size=8).map(" ".join)


@given(st.lists(said, min_size=1, max_size=6), said)
def test_shares_stay_between_zero_and_one(found: list[str], asked: str) -> None:
    terms = terms_of(asked, asked.split(), {}, 10)
    measured = lexical([bag(text) for text in found], terms)
    for bm25, share in zip(measured.bm25, measured.share, strict=True):
        assert 0 <= share <= 1 + 1e-6
        assert bm25 <= 2.2
        assert (bm25 > 0) == (share > 0)


@given(st.lists(said, min_size=1, max_size=6), said)
def test_the_measures_are_the_same_with_and_without_numpy(found: list[str], asked: str) -> None:
    bags, terms = [bag(text) for text in found], terms_of(asked, asked.split(), {"tea": 40}, 2_000)
    measured, others = lexical(bags, terms), bm25_scores(bags, terms, 2.5)
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(features, "occurrences", lambda bags, keys: None)
        expected, expected_others = lexical(bags, terms), bm25_scores(bags, terms, 2.5)
    assert measured.average == expected.average
    # Almost: later versions of Python add floats more precisely than numpy does.
    assert measured.bm25 == pytest.approx(expected.bm25, rel=1e-12)
    assert measured.share == pytest.approx(expected.share, rel=1e-12)
    assert others == pytest.approx(expected_others, rel=1e-12)
