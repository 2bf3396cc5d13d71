"""Misspelt words: their corrections, and the words that are not changed."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from holdfast.recall.query.query_spelling import corrected
from holdfast.store.reading import Reading
from holdfast.text.spelling import edit_distance, likeliest, one_edit_away
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
def test_a_misspelt_word_is_corrected(reading: Reading, written: str, meant: str) -> None:
    assert corrected(["warm", written], reading)[:2] == (["warm", meant], {written: (meant,)})


@pytest.mark.parametrize("word", ["kettle", "kettles", "cat", "zzzzzz", "x86_64", "猫叫", "2024", "", "reunions"])
def test_known_short_and_unusual_words_are_not_changed(reading: Reading, word: str) -> None:
    assert corrected([word], reading)[:2] == ([word], {})


def test_a_misspelt_stop_word_is_dropped_unless_it_is_the_only_word(ws: Workspace) -> None:
    ws.remember("Water the ferns before noon", type="fact")
    wording = corrected(["befroe", "noon"], ws.container.reading)
    assert wording[:3] == (["noon"], {"befroe": ("before",)}, {"noon": 1})
    assert corrected(["befroe"], ws.container.reading)[:2] == (["before"], {"befroe": ("before",)})


def test_a_word_just_stored_is_known_at_once(ws: Workspace, reading: Reading) -> None:
    assert reading.spelt_like("kettla") == ("kettle",)
    ws.remember("Kettla is the name of the boat", type="fact")
    assert reading.spelt_like("kettla") == ()


def test_words_of_a_message_are_known_once_it_is_embedded(ws: Workspace) -> None:
    ws.session("one").say("user", "The marigolds need water")
    assert ws.container.reading.spelt_like("marigodls") == ()
    ws.upkeep("embed")
    assert ws.container.reading.spelt_like("marigodls") == ("marigolds",)


def test_the_more_frequent_word_is_preferred() -> None:
    assert likeliest("hause", [("hause", 0), ("house", 90), ("cause", 40)], 3) == ("house",)
    assert likeliest("paryt", [("part", 20), ("party", 15)], 3) == ("party",)
    assert likeliest("spind", [("spend", 10), ("spine", 8), ("spins", 1)], 3) == ("spend", "spine")
    assert likeliest("spind", [], 3) == ()


@given(WORD)
def test_every_spelling_one_edit_away_has_distance_one(word: str) -> None:
    assert {edit_distance(word, near, most=2) for near in one_edit_away(word)} <= {1}


@given(WORD, WORD)
def test_the_distance_is_symmetric(a: str, b: str) -> None:
    assert edit_distance(a, b, most=2) == edit_distance(b, a, most=2)
    assert (edit_distance(a, b, most=2) == 0) == (a == b)


def test_the_same_query_is_corrected_again_each_time(ws: Workspace) -> None:
    ws.remember("The kettle whistles at four", type="fact")
    first = ws.recall("where is kettla")
    assert first.trace.steps[0].notes["words"]["corrected spelling"] == {"kettla": ("kettle",)}
    ws.remember("Kettla is the name of the boat", type="fact")
    again = ws.recall("where is kettla")
    assert "corrected spelling" not in again.trace.steps[0].notes["words"]
    assert again.hits[0].text == "Kettla is the name of the boat"
