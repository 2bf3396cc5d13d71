"""Names recognised by the form of words."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from holdfast.core.entity import LABELS
from holdfast.entities.regex import find_by_form, without_overlaps
from holdfast.entities.strategies import entity_mentions


def found(text: str) -> dict[str, str]:
    return {mention.text: mention.label for mention in find_by_form(text)}


@pytest.mark.parametrize(
    ("text", "name", "label"),
    [
        ("ask @bob about it", "@bob", "username"),
        ("see #release for more", "#release", "hashtag"),
        ("write to anna.b@example.org, please", "anna.b@example.org", "email"),
        ("it is on https://example.org/a?b=1).", "https://example.org/a?b=1", "url"),
        ("due on 2026-03-01.", "2026-03-01", "date"),
        ("we met on 3 March 2024 there", "3 March 2024", "date"),
        ("we met on March 3rd, 2024, there", "March 3rd, 2024", "date"),
        ("since v2.1.0-rc1 it works", "v2.1.0-rc1", "version"),
        ("with Python 3.12 it works", "3.12", "version"),
        ("look into src/app/main.py first", "src/app/main.py", "file"),
        ("check @src/main.rs and @README.md.", "src/main.rs", "file"),
        ("check @src/main.rs and @README.md.", "README.md", "file"),
        ("npm install @vue/test-utils now", "@vue/test-utils", "library"),
        ("look into ./scripts/run first", "./scripts/run", "file"),
        ("call load_settings() early", "load_settings()", "function"),
        ("set max_retry_count to 3", "max_retry_count", "symbol"),
        ("the userName field", "userName", "symbol"),
        ("call os.path.join there", "os.path.join", "symbol"),
        ("a RecyclerView is slow", "RecyclerView", "class"),
        ("it raised KeyError.", "KeyError", "error"),
        ("java.lang.NullPointerException came up", "java.lang.NullPointerException", "error"),
        ("it failed with ECONNREFUSED", "ECONNREFUSED", "error"),
        ("rewritten in pandas last week", "pandas", "library"),
        ("import frobnicate as f", "frobnicate", "library"),
        ("run pip install frob-nicate now", "frob-nicate", "library"),
        ("open Visual Studio Code and wait", "Visual Studio Code", "application"),
        ("we moved to new york in May", "new york", "location"),
        ("my sister Anna sails", "Anna", "person"),
        ("we asked Dr. Patel about it", "Patel", "person"),
        ("a talk at Aurora University today", "Aurora University", "organization"),
        ("we met Zephyr there", "Zephyr", "name"),
    ],
)
def test_a_name_is_known_by_its_form(text, name, label):
    assert found(text).get(name) == label


@pytest.mark.parametrize(
    "text",
    [
        "Make sure to go home and rest; less is more, and so on.",
        "and/or maybe 24/7, 4.5/5 stars, towel(s), e.g. this or that",
        "I'm sure I'll be there on Monday, don't worry.",
        "Here Are The Best Tips For You",
        "",
    ],
)
def test_plain_talk_names_nothing(text):
    assert entity_mentions(find_by_form(text)) == []


def test_marks_of_code_are_no_people():
    assert "@impl" not in found("remove the `@impl true` annotation")
    assert "@doc" not in found("Like this:\n```elixir\n@doc false\ndef run do\n```\nDone.")
    assert found("Like this:\n```elixir\n@doc false\n```\nAsk @bob.") == {"@bob": "username"}


def test_a_common_word_names_a_program_only_among_programs():
    assert found("we use Go and Python here")["Go"] == "language"
    assert found("we play Go on Sundays")["Go"] == "name"


def test_common_nouns_and_marks_do_not_become_entities():
    mentions = find_by_form("the API of Postgres since v2.1 at 2026-01-01")
    assert [mention.text for mention in entity_mentions(mentions)] == ["Postgres"]


@given(st.text(max_size=300))
def test_mentions_have_exact_positions_and_never_overlap(text):
    mentions = find_by_form(text)
    assert all(text[mention.start : mention.end] == mention.text for mention in mentions)
    assert all(one.end <= other.start for one, other in pairwise(mentions))
    assert all(mention.label in LABELS and 0 < mention.confidence <= 1 for mention in mentions)
    assert without_overlaps(mentions) == mentions


@pytest.mark.parametrize(
    "part", ["a_", "a.", "a/", "1.2.3a", "A", "Aa", "@a", "a(", "->a", "#a", "Anna ", "a:", "$a", "1.", "-a", "\\"]
)
def test_strange_words_do_not_take_long(part):
    for text in (part * 5_000, part * 100 + "~", "v1.2.3" + part * 100 + "!~", "Mar " + part * 3_000):
        assert all(text[mention.start : mention.end] == mention.text for mention in find_by_form(text))


@given(st.lists(st.sampled_from(["java", "javanese", "Go", "Google", "x_y", "foo()", "3.5", "  ", "\n"]), max_size=20))
def test_a_word_is_not_taken_for_a_part_of_another(parts):
    text = " ".join(parts)
    for one in find_by_form(text):
        assert one.start == 0 or not text[one.start - 1].isalnum()
        assert not text[one.end : one.end + 1].isalnum()


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("Zbigniew Nowak signed the contract", "Zbigniew Nowak"),
        ("Project Bluefin starts in May", "Bluefin"),
        ("Deploy Bluefin on Fridays only", "Bluefin"),
        ("The Bluefin project is late", "Bluefin"),
        ("The build is red. Yesterday Bluefin was fine", "Bluefin"),
    ],
)
def test_an_unknown_name_is_found_at_the_start_of_a_sentence(text: str, name: str) -> None:
    assert name in [mention.text for mention in find_by_form(text)]


@pytest.mark.parametrize(
    "text",
    [
        "Release Notes are in the wiki",
        "Getting Started",
        "Machine Learning is fun",
        "Bluefin uses a queue",
        "Zbigniew Nowak",
    ],
)
def test_ordinary_words_with_capitals_are_no_names(text: str) -> None:
    assert [mention.text for mention in find_by_form(text) if mention.label == "name"] == []
