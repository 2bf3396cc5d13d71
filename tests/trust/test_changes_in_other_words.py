"""Statements in other words: a change retires the older one, another thing or an addition does not."""

from __future__ import annotations

import pytest

from holdfast.core.errors import ModelDamaged
from holdfast.statements import compare, comparison, odds


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("We use Mailgun for transactional mail.", "Transactional mail is going through Postmark since last week."),
        ("My boss is Andrea.", "Andrea left, Victor is my boss now."),
        ("The warehouse is in Antwerp.", "The warehouse has been relocated to Ghent."),
        ("Le contrat est chez Orange.", "Le contrat a été repris par Free."),
    ],
)
def test_a_change_in_other_words_retires_the_older_statement(old: str, new: str) -> None:
    assert compare(new, old).kind == "update"


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("My boss is Andrea.", "My neighbour Andrea has a new car."),
        ("The warehouse is in Antwerp.", "The head office has been relocated to Ghent."),
        ("We support MySQL.", "From now on we support MariaDB as well."),
        ("Peak hours are billed at 32 cents.", "Off-peak hours are billed at 19 cents."),
        ("The quota is 100 calls per minute.", "The quota is 20,000 calls per day."),
        ("TAILLE_LOT vaut 500.", "TAILLE_PAGE vaut 200."),
    ],
)
def test_another_thing_and_an_addition_retire_nothing(old: str, new: str) -> None:
    assert compare(new, old).kind != "update"


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("I've been thinking of getting a new cow.", "I've been thinking about getting a new gaming keyboard."),
        (
            "I recently attended the Sunday mass at St. Mary's Church on January 2nd, and the sermon was moving.",
            "I just got back from Sunday mass at St. Mary's Church on March 19th, with a sermon about giving back.",
        ),
        (
            "I think I'll aim to stay around $80, considering the fee.",
            "I'm thinking of staying in Europe for ten days.",
        ),
        (
            "Maintenance reduces downtime only when it was announced at least 24 hours before the window.",
            "Every maintenance row has announced_at since the backfill, so don't invent a fallback for missing ones.",
        ),
    ],
)
def test_near_statements_of_conversations_that_both_hold_retire_nothing(old: str, new: str) -> None:
    assert compare(new, old, overheard=True).kind != "update"


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("We deploy on Tuesdays.", "From now on we deploy on Thursdays instead of Tuesdays."),
        ("I live in Lyon.", "I moved to Paris last month."),
        ("Cap the retry delay at 60 seconds.", "The retry delay is now capped at 30 seconds."),
        ("We are moving to MongoDB this summer.", "We stay on PostgreSQL."),
    ],
)
def test_changes_told_in_conversations_retire_the_older_statement(old: str, new: str) -> None:
    assert compare(new, old, overheard=True).kind == "update"


@pytest.mark.parametrize("overheard", [False, True])
@pytest.mark.parametrize("damaged", ["nearness", "relation_limits"])
def test_words_decide_if_a_model_is_damaged(monkeypatch: pytest.MonkeyPatch, damaged: str, overheard: bool) -> None:
    def fails(*_: object) -> float:
        raise ModelDamaged("a file is missing")

    for module in (comparison, odds):
        monkeypatch.setattr(module, damaged, fails)
    odds.overheard_odds.cache_clear()
    new, old = "From now on we ship the crates on Thursdays instead of Mondays.", "We ship the crates on Mondays."
    assert compare(new, old, overheard=overheard).kind == "update"
