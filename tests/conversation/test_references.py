"""Lines that point to something they do not name."""

from __future__ import annotations

import pytest

from holdfast.learn.keep.references import is_half, refers_back


@pytest.mark.parametrize(
    "line",
    [
        "I bought it for 90 euros.",
        "They must never appear in the output.",
        "I'm hoping she can give me a better sense of the market.",
        "Since I started working with her, the search is easier.",
        "I've been meaning to do that too, because fuel is expensive in Lyon.",
        "I'm wondering if this watch comes in a smaller size.",
        "If that's the case we need to rename the handler.",
        "Does that match your thinking? — General purpose for future sessions.",
        "I'll put together a small change for both.",
        "I've been there recently to see the exhibition.",
        "Je l'ai acheté en mai.",
        "Il faut faire ça partout.",
        "Elle préfère les réponses courtes.",
    ],
)
def test_a_pointer_without_its_noun_refers_back(line: str) -> None:
    assert refers_back(line)


@pytest.mark.parametrize(
    "line",
    [
        "I bought a new rug for my living room, and it brought the room together.",
        "My sister prefers tea, so I buy it for her.",
        "It's important to write tests before the code.",
        "It turned out that the outage was caused by DNS.",
        "I hate it when imports are not sorted.",
        "The invited users start with three credits, and they expire after a week.",
        "If `include_max=True`, it should be counted in the last bin.",
        "I'm planning to play tennis this Sunday at the local park.",
        "Use tabs in this repository.",
        "Il faut lancer les tests avant chaque commit.",
        "Mon frère habite à Lyon et il travaille chez Orange.",
    ],
)
def test_a_line_that_names_everything_does_not(line: str) -> None:
    assert not refers_back(line)


@pytest.mark.parametrize(
    "line", ["We need the", "It depends on the price and.", "So the keys can be,", "On livre le mardi et"]
)
def test_a_line_that_breaks_off_is_half(line: str) -> None:
    assert is_half(line)


@pytest.mark.parametrize(
    "line", ["I keep track of what I wore when.", "That is what the limit is for.", "Deploy on Tuesdays."]
)
def test_a_whole_line_is_not_half(line: str) -> None:
    assert not is_half(line)


def test_the_number_of_a_point_in_a_list_names_nothing() -> None:
    assert refers_back("Let's address 1 first, and reset the branch.")
    assert not refers_back("We open offices in 3 regions, and in 2027 in more.")


def test_the_first_word_is_a_name_only_before_a_verb() -> None:
    assert refers_back("Want to scope this out as an issue?")
    assert not refers_back("Redis caches it for an hour.")
