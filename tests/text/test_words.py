"""Tokenising, stemming and normalising: properties of any text, and examples."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from holdfast.text.fingerprints import fingerprint, normalise
from holdfast.text.stemming import roots, stem
from holdfast.text.stop_words import STOP_WORDS
from holdfast.text.words import cjk_share, forms, terms, words

TEXT = st.text(max_size=80) | st.text("aZé_9.:/-'’ 的猫カ가", max_size=40)


@given(TEXT)
def test_any_text_has_words_terms_and_forms(text: str) -> None:
    for found in (words(text), terms(text).split(), forms(text), roots(text)):
        assert all(found)


@given(st.text("aBcD_09.v -\n", max_size=40))
def test_the_quick_way_finds_what_the_long_way_finds(text: str) -> None:
    assert terms(text) == terms(f"{text} ¬")


@given(TEXT)
def test_words_come_once_and_stop_words_only_alone(text: str) -> None:
    found = words(text)
    assert len(found) == len(set(found))
    assert not STOP_WORDS.intersection(found) or STOP_WORDS.issuperset(found)


@given(TEXT)
def test_a_stem_is_its_own_stem_and_the_beginning_of_its_word(text: str) -> None:
    assert stem(stem(text)) == stem(text)
    assert text.startswith(stem(text))


@given(TEXT)
def test_a_normal_form_is_its_own_normal_form(text: str) -> None:
    assert normalise(normalise(text)) == normalise(text)
    assert fingerprint(normalise(text)) == fingerprint(text)


@given(TEXT)
def test_a_share_lies_between_none_and_all(text: str) -> None:
    assert 0.0 <= cjk_share(text) <= 1.0


@pytest.mark.parametrize(
    "inflections",
    [
        ("cache", "caches", "cached", "caching"),
        ("log", "logs", "logged", "logging"),
        ("stop", "stops", "stopped", "stopping"),
        ("class", "classes"),
        ("process", "processes", "processing", "processed"),
        ("install", "installs", "installed", "installing"),
        ("connecté", "connectée", "connectés", "connectées", "connecte"),
    ],
)
def test_inflections_share_a_stem(inflections: tuple[str, ...]) -> None:
    assert len({stem(word) for word in inflections}) == 1


@pytest.mark.parametrize(
    ("one", "two"), [("party", "part"), ("story", "store"), ("apple", "apply"), ("string", "strong"), ("car", "care")]
)
def test_different_words_keep_different_stems(one: str, two: str) -> None:
    assert stem(one) != stem(two)


@pytest.mark.parametrize(
    ("query", "found"),
    [
        ("getUserName", ["getusername", "get", "user", "name"]),
        ("get_user_name", ["get", "user", "name"]),
        ("l'été de l'équipe", ["équipe"]),
        ("你的猫叫什么", ["猫叫"]),
        ("Redis怎么用", ["用", "redis"]),
        ("the", ["the"]),
        ("", []),
    ],
)
def test_words_of_a_query(query: str, found: list[str]) -> None:
    assert words(query) == found


@pytest.mark.parametrize(
    ("query", "found"),
    [
        ("see src/auth/login.py", ["src/auth/login.py"]),
        ("std::vector", ["std::vector"]),
        ("v1.2.3", ["v1.2.3", "1.2.3"]),
        ("plain words", []),
        ("les remises appliquées", ["remis", "appliqu"]),
    ],
)
def test_forms_of_a_query(query: str, found: list[str]) -> None:
    assert forms(query) == found


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("plain English text, nothing to add", ""),
        ("getUserName", "get user name"),
        ("get_user_name", "getusername"),
        ("release v1.2.3", "1.2.3"),
        ("用Redis吗", "redis 用 吗 用 吗"),
        ("猫叫", "猫叫 猫 叫"),
        ("les longues adresses du client", "longu adress"),
    ],
)
def test_terms_of_a_text(text: str, found: str) -> None:
    assert terms(text) == found
