"""Glosses: French texts word by word in English."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from holdfast.text.gloss import gloss, in_english


@pytest.mark.parametrize(
    ("french", "english"),
    [
        ("Qui rédige le rapport du mois ?", "who write report month ?"),
        ("Les sauvegardes sont gardées trente jours.", "backup be kept thirty day ."),
        ("le mot de passe du serveur", "password server"),
        ("J’ai l’adresse de l'entrepôt", "i have address warehouse"),
    ],
)
def test_words_and_expressions_are_replaced(french: str, english: str) -> None:
    assert gloss(french) == english


def test_a_form_that_is_a_noun_and_a_verb_is_the_verb_after_a_pronoun() -> None:
    assert (gloss("on livre demain"), gloss("le livre")) == ("we deliver tomorrow", "book")


def test_names_and_unknown_words_stay() -> None:
    assert gloss("Demandez à Pierre pour le kubectl").split()[-2:] == ["for", "kubectl"]
    assert "Pierre" in gloss("Demandez à Pierre pour le kubectl")


@pytest.mark.parametrize(
    "text", ["We deploy on Tuesdays.", "La Jolla is on the coast", "", "comment on the PR", "def la(): pass"]
)
def test_other_texts_stay_as_they_are(text: str) -> None:
    assert in_english(text) == text


@given(st.text(max_size=200))
def test_any_text_has_a_gloss(text: str) -> None:
    assert isinstance(gloss(text), str)


def test_a_long_text_takes_bounded_time() -> None:
    assert len(gloss("le chat dort " * 100_000)) < 5_000
