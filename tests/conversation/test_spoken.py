"""Spoken words as a person would write them."""

from __future__ import annotations

import pytest

from holdfast.learn.keep.spoken import as_written, breaks_off, is_halting


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
        ("The guy has wrote {disfmarker} has written a {disfmarker} a plan .", "The guy has written a plan."),
        ("A lengthy {disfmarker} proposal is ready .", "A lengthy proposal is ready."),
        ("And so {disfmarker} the code doesn't know the rate .", "The code doesn't know the rate."),
        ("The L_C_D_ is too expensive for most T_V_s .", "The LCD is too expensive for most TVs."),
        ("There are two target audi audiences .", "There are two target audiences."),
        (
            'From three o \' clock on " Enter " is a form - meaning pair .',
            'From three o\'clock on "Enter" is a form-meaning pair.',
        ),
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
        "Deploy on Friday - not on Monday - from `A_B_` on.",
    ],
)
def test_written_words_stay(text: str) -> None:
    assert as_written(text) == text


def test_a_sentence_that_begins_anew_breaks_off() -> None:
    assert breaks_off(as_written("So {disfmarker} the keys can be {disfmarker} it looks nice ."))
    assert not breaks_off(as_written("The {disfmarker} the keys look nice ."))


@pytest.mark.parametrize(
    "said",
    [
        "We decided to use kinetic energy as a power sour",
        "The board has to be in the slides , so that you can easily {disfmarker}",
        "The {disfmarker} the code is {disfmarker} is at {disfmarker} at eight kilohertz .",
    ],
)
def test_spoken_words_without_an_end_or_with_many_breaks_are_halting(said: str) -> None:
    assert is_halting(f"Well , {said}")


def test_written_words_and_whole_sentences_are_not_halting() -> None:
    assert not is_halting("use tabs, not spaces")
    assert not is_halting("The keys {disfmarker} the keys look nice .")
