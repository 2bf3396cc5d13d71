"""Excerpts of long texts: the beginning and the part that a query is about, never longer than allowed."""

from __future__ import annotations

from hypothesis import example, given
from hypothesis import strategies as st

from holdfast.text.excerpts import excerpt

PLAN = "\n".join(
    ["# Plan", *(f"Step {n}: change module {n} of the game." for n in range(40)), "Scores are stored in Redis.", "End."]
)


def test_a_short_text_stays_whole():
    assert excerpt("Scores are stored in Redis.", "where?", 100) == "Scores are stored in Redis."


def test_a_long_text_is_shortened_to_its_beginning_and_the_part_with_the_words_of_the_query():
    shown = excerpt(PLAN, "where are the scores stored?", 200)
    assert shown.startswith("# Plan\nStep 0: change module 0 of the game. … Step ")
    assert "Scores are stored in Redis." in shown
    assert len(shown) <= 200


def test_whole_lines_are_shown_and_each_cut_is_marked():
    shown = excerpt(PLAN, "module 20", 150)
    assert "Step 20: change module 20 of the game." in shown
    assert " … Step " in shown
    assert shown.endswith(". …")


def test_without_a_word_of_the_query_the_beginning_goes_on():
    assert excerpt(PLAN, "holidays", 150).startswith("# Plan\nStep 0: change module 0 of the game.\nStep 1")


def test_what_a_few_sentences_say_counts_more_than_what_all_say():
    text = "The game is fun. " * 30 + "The game ends at noon. " + "The game is fun. " * 30
    assert "ends at noon" in excerpt(text, "when does the game end?", 100)


@given(st.text(max_size=400).filter(lambda text: "…" not in text), st.text(max_size=20), st.integers(20, 120))
@example("x" * 300, "x", 50)
@example("a " * 200, "a", 20)
@example("。" * 90, "", 20)
def test_an_excerpt_is_never_too_long_and_is_a_part_of_the_text(text: str, query: str, longest: int) -> None:
    shown = excerpt(text, query, longest)
    assert len(shown) <= longest
    assert all(part.strip() in text for part in shown.split(" …"))
