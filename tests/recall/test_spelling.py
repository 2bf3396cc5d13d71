"""Misspelt words: what they are read as, and when they are left alone."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from holdfast.recall.spelling import corrected
from holdfast.store.reading import Reading
from holdfast.text.spelling import likeliest, one_slip_away, slips
from holdfast.workspace import Workspace

WORD = st.text("abcdef", min_size=4, max_size=9)


@pytest.fixture
def reading(ws: Workspace) -> Reading:
    ws.remember("The kitchen kettle whistles; the kitchen is warm", type="fact")
    ws.remember("A kitten sleeps beside the kettle", type="fact")
    ws.remember("Thermometer readings are kept in the greenhouse", type="fact")
    ws.remember("L'équipe préfère les réunions courtes", type="fact")
    return ws.container.reading


@pytest.mark.parametrize(
    ("written", "meant"),
    [
        ("kettel", "kettle"),
        ("ketle", "kettle"),
        ("kettlle", "kettle"),
        ("kettke", "kettle"),
        ("jettle", "kettle"),
        ("ekttle", "kettle"),
        ("ettle", "kettle"),
        ("whistels", "whistles"),
        ("thermomitre", "thermometer"),
        ("greenhuose", "greenhouse"),
        ("réuniosn", "réunions"),
    ],
)
def test_a_slip_is_read_as_the_word_that_was_meant(reading: Reading, written: str, meant: str) -> None:
    assert corrected(["warm", written], reading)[:2] == (["warm", meant], {written: (meant,)})


@pytest.mark.parametrize("word", ["kettle", "kettles", "cat", "zzzzzz", "x86_64", "猫叫", "2024", "", "reunions"])
def test_known_short_and_strange_words_are_left_alone(reading: Reading, word: str) -> None:
    assert corrected([word], reading)[:2] == ([word], {})


def test_a_misspelt_stop_word_is_dropped_unless_it_stands_alone(ws: Workspace) -> None:
    ws.remember("Water the ferns before noon", type="fact")
    assert corrected(["befroe", "noon"], ws.container.reading) == (["noon"], {"befroe": ("before",)}, {"noon": 1})
    assert corrected(["befroe"], ws.container.reading)[:2] == (["before"], {"befroe": ("before",)})


def test_a_word_just_kept_is_known_at_once(ws: Workspace, reading: Reading) -> None:
    assert reading.spelt_like("kettla") == ("kettle",)
    ws.remember("Kettla is the name of the boat", type="fact")
    assert reading.spelt_like("kettla") == ()


def test_what_was_said_is_known_once_it_has_its_vector(ws: Workspace) -> None:
    ws.session("one").say("user", "The marigolds need water")
    assert ws.container.reading.spelt_like("marigodls") == ()
    ws.upkeep("embed")
    assert ws.container.reading.spelt_like("marigodls") == ("marigolds",)


def test_the_commoner_word_is_likelier_and_a_rare_one_keeps_quiet() -> None:
    assert likeliest("hause", [("hause", 0), ("house", 90), ("cause", 40)], 3) == ("house",)
    assert likeliest("paryt", [("part", 20), ("party", 15)], 3) == ("party",)
    assert likeliest("spind", [("spend", 10), ("spine", 8), ("spins", 1)], 3) == ("spend", "spine")
    assert likeliest("spind", [], 3) == ()


@given(WORD)
def test_every_spelling_one_slip_away_is_counted_as_one_slip(word: str) -> None:
    assert {slips(word, near, most=2) for near in one_slip_away(word)} <= {1}


@given(WORD, WORD)
def test_slips_count_the_same_in_both_directions(a: str, b: str) -> None:
    assert slips(a, b, most=2) == slips(b, a, most=2)
    assert (slips(a, b, most=2) == 0) == (a == b)


def test_the_same_question_is_read_anew_each_time(ws: Workspace) -> None:
    ws.remember("The kettle whistles at four", type="fact")
    first = ws.recall("where is kettla")
    assert first.trace.steps[0].notes["words"]["corrected spelling"] == {"kettla": ("kettle",)}
    ws.remember("Kettla is the name of the boat", type="fact")
    again = ws.recall("where is kettla")
    assert "corrected spelling" not in again.trace.steps[0].notes["words"]
    assert again.hits[0].text == "Kettla is the name of the boat"
