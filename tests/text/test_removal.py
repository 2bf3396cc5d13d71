"""Sentences that repeat a text are removed; other sentences stay."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from holdfast.text.removal import SentenceRemoval

GONE = "The harbour master keeps the spare key under the third stone."


@pytest.mark.parametrize(
    ("text", "left"),
    [
        (GONE, ""),
        (f"Gulls nest here. {GONE} Tides turn.", "Gulls nest here. [x] Tides turn."),
        ("Note: the HARBOUR master keeps the spare key under the third stone", ""),
        ("From now on, the harbour master keeps the spare key under that third stone.", ""),
        (
            "first line\nThe harbour master keeps the spare key under the third stone\nlast line",
            "first line\n[x]\nlast line",
        ),
        ("The harbour master keeps the door open.", "The harbour master keeps the door open."),
        ("The harbour is deep.", "The harbour is deep."),
        ("", ""),
    ],
)
def test_the_sentences_that_say_the_same_are_removed(text: str, left: str) -> None:
    clean = SentenceRemoval([GONE], "[x]").clean(text)
    assert clean == (left or ("[x]" if text else ""))


def test_another_number_is_another_statement() -> None:
    removal = SentenceRemoval(["Crane 3 lifts twenty tonnes on the quay."])
    assert removal.clean("Crane 4 lifts twenty tonnes on the quay.") == "Crane 4 lifts twenty tonnes on the quay."
    assert removal.clean("Crane 3 lifts twenty tonnes on the quay today.") == ""


def test_short_texts_are_removed_word_for_word_only() -> None:
    removal = SentenceRemoval(["Tea time."], "[x]")
    assert removal.clean("It is tea time now. Time for tea.") == "[x] Time for tea."


def test_json_is_cleaned_inside() -> None:
    removal = SentenceRemoval([GONE], "[x]")
    text = json.dumps({"a": [GONE, 3, {"b": f"Gulls. {GONE}"}], "c": "other"})
    assert json.loads(removal.clean_json(text)) == {"a": ["[x]", 3, {"b": "Gulls. [x]"}], "c": "other"}
    assert removal.clean_json('{"c": "other"}') == '{"c": "other"}'
    assert removal.clean_json(f"no json. {GONE}") == "no json. [x]"


texts = st.text(st.sampled_from("ab c.\n!xé"), max_size=30)


@given(st.lists(texts, max_size=3), texts)
def test_nothing_word_for_word_is_left(gone: list[str], text: str) -> None:
    removal = SentenceRemoval(gone)
    clean = removal.clean(text)
    assert not removal.repeats(clean)
    assert removal.clean(clean) == clean
    assert removal.clean("zzz yyy") == "zzz yyy"
