"""Long messages are split into a bounded number of windows that lose no word."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from holdfast.text.sentence_windows import MOST_WINDOWS, sentence_windows

TEXTS = st.text(st.sampled_from("ab .!?\n。é"), max_size=2_000)


def test_sentences_are_windows_and_short_ones_are_joined() -> None:
    long = "Could you suggest a recipe for a large group of people who do not eat any fish?"
    windows = sentence_windows(f"Hi! I am Ada. {long}\nBy the way, my sister moved to Lyon last week. Fine. Thanks.")
    assert windows == ("Hi! I am Ada.", long, "By the way, my sister moved to Lyon last week. Fine. Thanks.")


def test_a_sentence_without_end_is_cut_between_words() -> None:
    windows = sentence_windows("word " * 60)
    assert len(windows) == 4
    assert {word for window in windows for word in window.split()} == {"word"}
    assert all(map(sentence_windows, ("x" * 500, "。" * 200)))


@pytest.mark.parametrize("blank", ["", "  \n ", "\n" * 500])
def test_a_text_without_words_has_no_windows(blank: str) -> None:
    assert sentence_windows(blank) == ()


@given(TEXTS)
def test_no_character_is_lost_and_the_number_is_bounded(text: str) -> None:
    windows = sentence_windows(text)
    assert len(windows) <= MOST_WINDOWS
    assert "".join("".join(windows).split()) == "".join(text.split())


def test_of_a_very_long_text_the_beginning_is_read() -> None:
    windows = sentence_windows("The pump hums. " * 50_000)
    assert len(windows) <= MOST_WINDOWS
    assert sum(map(len, windows)) <= 6_000
