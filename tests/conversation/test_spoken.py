"""Spoken words as a person would write them."""

from __future__ import annotations

import pytest

from holdfast.conversation.extract.spoken import as_written, breaks_off


@pytest.mark.parametrize(
    ("said", "written"),
    [
        ("Um {vocalsound} the two buttons are , uh , for the volume .", "The two buttons are for the volume."),
        ("We we drop the price by {disfmarker} by one and a half , um .", "We drop the price by one and a half."),
        (
            "It 's gon na be a large dat database , you know , with digits .",
            "It's gonna be a large database, with digits.",
        ),
        ("I g I guess the th the price is , uh , twelve euros .", "I guess the price is twelve euros."),
        ("Euh, on livre le , euh , mardi .", "On livre le mardi."),
        ("That had had an effect , uh , so we went back .", "That had had an effect so we went back."),
    ],
)
def test_what_fills_pauses_is_left_out(said: str, written: str) -> None:
    assert as_written(said)[:1].upper() + as_written(said)[1:] == written


@pytest.mark.parametrize(
    "text",
    [
        "Use {user} as the placeholder and [0-9a-f]{12} as the pattern.",
        "Nous nous voyons lundi.",
        "You know the rule: no merges on Fridays.",
        "Keep the c code in vendor/.",
        "That that is, is.",
    ],
)
def test_written_words_stay(text: str) -> None:
    assert as_written(text) == text


def test_a_sentence_that_begins_anew_breaks_off() -> None:
    assert breaks_off(as_written("So {disfmarker} the keys can be {disfmarker} it looks nice ."))
    assert not breaks_off(as_written("The {disfmarker} the keys look nice ."))
