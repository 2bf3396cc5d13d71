"""Stems and families: which words belong together, and which do not."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from holdfast.text.english import english_stem
from holdfast.text.families import family_start, in_family
from holdfast.text.stemming import french_stem


@pytest.mark.parametrize(
    ("word", "stem"),
    [
        ("deploy", "deploy"),
        ("deployments", "deploy"),
        ("deployed", "deploy"),
        ("dependency", "depend"),
        ("dependencies", "depend"),
        ("denied", "deni"),
        ("deny", "deni"),
        ("hoping", "hope"),
        ("hopping", "hop"),
        ("caresses", "caress"),
        ("gas", "gas"),
        ("this", "this"),
        ("kiwis", "kiwi"),
        ("ties", "tie"),
        ("agreed", "agre"),
        ("feed", "feed"),
        ("national", "nation"),
        ("conditionally", "condit"),
        ("hopefulness", "hope"),
        ("analogies", "analog"),
        ("generate", "generat"),
        ("general", "general"),
        ("communism", "communism"),
        ("saying", "say"),
        ("youth", "youth"),
        ("controlling", "control"),
        ("skies", "sky"),
        ("news", "news"),
        ("innings", "inning"),
        ("be", "be"),
        ("bed", "bed"),
        ("luxuriating", "luxuri"),
        ("exceedingly", "exceed"),
    ],
)
def test_english_stems_are_those_of_porter2(word: str, stem: str) -> None:
    assert english_stem(word) == stem


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("déployer", "déploiements"),
        ("facturer", "facturation"),
        ("utilisateur", "utilisation"),
        ("paiement", "paiements"),
    ],
)
def test_french_words_of_a_family_share_a_stem(one: str, other: str) -> None:
    assert french_stem(one) == french_stem(other)


KNOWN = "deploy deploys deployment deployments deployer depot important importer imported authors authorized".split()


def test_a_family_has_other_derivations_and_one_of_each_inflection() -> None:
    assert in_family("deploy", KNOWN, french=False) == ("deployer", "deployment")
    assert in_family("deployments", KNOWN, french=False) == ("deploy", "deployer")


@pytest.mark.parametrize("word", ["import", "author", "custom", "position"])
def test_a_stem_of_several_meanings_has_no_family(word: str) -> None:
    known = [*KNOWN, "customer", "customize", "positive", "authority"]
    assert in_family(word, known, french=False) == ()


def test_french_families_need_a_french_query() -> None:
    known = ["déployer", "déploie", "dépôt"]
    assert in_family("déploiement", known, french=True) == ("déployer",)
    assert in_family("déploiement", known, french=False) == ()


@pytest.mark.parametrize("word", ["api", "x86_64", "2024", "猫叫叫叫", "", "a" * 40])
def test_short_long_and_unusual_words_have_no_family(word: str) -> None:
    assert family_start(word) == ""


@given(st.text(max_size=30))
def test_any_text_has_a_stem(text: str) -> None:
    assert len(english_stem(text)) <= len(text) + 1
    assert len(french_stem(text)) <= max(4, len(text))
