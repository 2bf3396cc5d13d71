"""Comparison of two statements: same, update, clash or apart."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from holdfast.statements import compare
from holdfast.statements.oppositions import _opposites
from holdfast.statements.statement_tokens import tokens_of
from holdfast.statements.statement_values import values_of

REQUIREMENTS = Path(__file__).parents[2] / "bench" / "sets" / "requirements.json"


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("The backups are kept for thirty days on tape", "The backups are kept for 30 days on tape."),
        ("A man in a blue shirt walks his dog in the park", "A man in a blue shirt walks his dog"),
        ("Tokens expire after 30 minutes", "Tokens expire after 1,800 seconds"),
    ],
)
def test_a_repeated_statement_is_the_same(old: str, new: str) -> None:
    assert compare(new, old).kind == "same"


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("Indent with tabs over spaces", "Indent with spaces over tabs"),
        ("A man with white socks and a blue shirt", "A man with blue socks and a blue shirt"),
        ("The parser reads yaml files", "The parser reads yaml files eagerly"),
        ("Three people get out of a van", "Three people get into a van"),
        ("Passwords must hold a digit", "Passwords may hold a digit"),
    ],
)
def test_one_word_its_order_or_its_force_is_news(old: str, new: str) -> None:
    assert compare(new, old).kind != "same"


@pytest.mark.parametrize(
    ("old", "new", "reason"),
    [
        ("I've added 20 postcards to my collection so far", "I've added 25 postcards to my collection now", "20 → 25"),
        ("I lead a team of 4 engineers", "I now lead a team of five engineers", "4 → five"),
        ("I've had my cat Luna for 6 months", "I've had my cat Luna for 9 months now", "6 months → 9 months"),
        ("I live in Lyon", "I live in Rome", "Lyon → Rome"),
        ("My favourite colour is blue", "My favourite colour is green", "blue → green"),
        ("We deploy on Tuesdays", "We deploy on Thursdays", "Tuesdays → Thursdays"),
        (
            "The limit is 5 requests a minute",
            "The limit is 9 requests a minute",
            "5 requests a minute → 9 requests a minute",
        ),
        ("I drink coffee", "I no longer drink coffee", "drink coffee ↔ no longer"),
    ],
)
def test_a_newer_value_replaces_the_older(old: str, new: str, reason: str) -> None:
    verdict = compare(new, old)
    assert (verdict.kind, verdict.difference) == ("update", reason)
    assert 0 < verdict.score <= 1


@pytest.mark.parametrize(
    ("old", "new", "reason"),
    [
        ("The server MUST log passwords", "The server MUST NOT log passwords", "MUST log ↔ MUST NOT log"),
        ("Two-factor login is enabled", "Two-factor login is disabled", "enabled ↔ disabled"),
        ("Traffic is encrypted", "Traffic is unencrypted", "encrypted ↔ unencrypted"),
        ("Only administrators may export reports", "Every guest may export reports", "Only ↔ Every"),
        ("Le site doit garder les noms", "Le site ne doit pas garder les noms", "doit garder ↔ doit pas garder"),
    ],
)
def test_what_cannot_both_hold_clashes(old: str, new: str, reason: str) -> None:
    verdict = compare(new, old)
    assert (verdict.kind, verdict.difference) == ("clash", reason)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("Session tokens expire after 30 minutes", "Refresh tokens expire after 14 days"),
        ("Passwords have at least 8 characters", "Passwords have at most 64 characters"),
        ("Payments above 10,000 EUR need approval", "Payments below 10,000 EUR are released automatically"),
        ("The worker acknowledges after processing", "The worker must not acknowledge before processing"),
        ("The lamp turns red on failure", "The lamp turns green on success"),
        ("I paid $20 to attend the workshop", "I paid $500 to attend the conference"),
        ("I caught 7 bass on the lake on 7/10", "I caught 9 bass on the lake on 7/22"),
        ("I've finished 15 episodes so far", "I've finished 12 episodes so far"),
        ("We have a cat called Miso at home.", "We have a dog called Rex at home."),
        ("Lunch is at noon.", "Dinner is at 7 pm."),
        ("Le déjeuner est à midi.", "Le dîner est à 19 h."),
        ("My school starts at 9.", "My class starts at 8."),
    ],
)
def test_two_matters_stay_apart(old: str, new: str) -> None:
    assert compare(new, old).kind == "apart"


def test_a_sentence_is_found_in_a_longer_text() -> None:
    old = "Thanks for that! By the way, I've worn my black boots four times already. What should I cook tonight?"
    new = "I need a cobbler. I've worn my black boots six times now."
    assert compare(new, old, reading=False).difference == "four → six"


@pytest.mark.parametrize(
    ("text", "kind", "amount"),
    [
        ("27 minutes and 45 seconds", "duration", 1665),
        ("twice a week", "rate", 2 / 604800),
        ("every 5 minutes", "rate", 1 / 300),
        ("every hour", "rate", 1 / 3600),
        ("25 MB", "size", 25e6),
        ("page 200", "count", 200),
        ("twenty-five cats", "count", 25),
        ("20 dozen eggs", "count", 240),
        ("10,000 rows", "count", 10_000),
        ("at 7:30 pm", "clock", 19.5),
        ("on June 24th", "date", 624),
        ("on Fridays", "weekday", 5),
        ("it cost $20", "money", 20),
        ("18 °C", "temperature", 18),
    ],
)
def test_values_are_read_in_one_unit(text: str, kind: str, amount: float) -> None:
    (value,) = values_of(tokens_of(text))
    assert value.kind == kind
    assert value.high == pytest.approx(amount)


@pytest.mark.parametrize("text", ["my Fitbit Charge 3", "a Canon EOS 80D", "a 3-day trip", "this one", "one of them"])
def test_a_number_in_a_name_is_no_value(text: str) -> None:
    assert values_of(tokens_of(text)) == ()


def test_there_are_enough_opposites() -> None:
    assert sum(map(len, _opposites().values())) // 2 >= 150


@given(st.text(max_size=200), st.text(max_size=200))
def test_any_two_texts_get_a_verdict(one: str, other: str) -> None:
    assert compare(one, other).kind in ("same", "update", "clash", "apart")


@given(st.sampled_from([row["a"] for row in json.loads(REQUIREMENTS.read_text(encoding="utf-8"))]))
def test_a_statement_never_opposes_itself(text: str) -> None:
    assert compare(text, text).kind == "same"


@pytest.mark.parametrize(
    ("new", "old"),
    [
        ("Talk item 1 about tide tables.", "Talk item 0 about tide tables."),
        ("Ticket #9 needs a review by Ada.", "Ticket #8 needs a review by Ada."),
        ("Le ticket 9 est bloqué.", "Le ticket 8 est bloqué."),
        ("Jonas fixed ticket 10.", "Jonas fixed ticket 9."),
        ("The plan depends on issue #12.", "The plan depends on issue #11."),
        ("Use PR 6 as the template.", "Use PR 5 as the template."),
        ("Marta wants item 8 in the release.", "Marta wants item 7 in the release."),
        ("Marta s'occupe du ticket 9.", "Marta s'occupe du ticket 8."),
    ],
)
@pytest.mark.parametrize("reading", [False, True])
def test_a_number_that_names_a_thing_is_no_value(new: str, old: str, reading: bool) -> None:
    assert compare(new, old, reading=reading).kind == "apart"


def test_a_number_that_is_a_value_still_replaces_another() -> None:
    assert compare("The API listens on port 9090.", "The API listens on port 8080.", reading=False).kind == "update"
    assert compare("Ticket 8 takes 5 days.", "Ticket 8 takes 3 days.", reading=False).kind == "update"
    assert compare("The project is in phase 2.", "The project is in phase 1.", reading=False).kind == "update"
    assert compare("Our candidate is build 4013.", "Our candidate is build 4012.", reading=False).kind == "update"


@pytest.mark.parametrize(
    ("new", "old"),
    [
        ("Je ne travaille plus chez Orange.", "Je travaille chez Orange."),
        ("On n'utilise plus Redis.", "On utilise Redis."),
    ],
)
@pytest.mark.parametrize("similarity", [None, 0.95])
def test_what_ended_is_no_repetition(new: str, old: str, similarity: float | None) -> None:
    assert compare(new, old, similarity=similarity).kind == "update"
    assert compare(new, new, similarity=similarity).kind == "same"
