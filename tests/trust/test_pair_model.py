"""Statements in other words: a change retires the older one, another thing or an addition does not."""

from __future__ import annotations

import pytest
from bench.boosting import BoostingSettings, boosted

from holdfast.core.errors import ModelDamaged
from holdfast.models import overheard as overheard_models
from holdfast.models import reader
from holdfast.statements import compare
from holdfast.statements.pair_model import PairModel, bundled_pair_model
from holdfast.statements.pair_reading import judge
from holdfast.statements.parsing import read
from holdfast.statements.verdict import Verdict


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


@pytest.mark.parametrize("score", [0.0, 1.0])
def test_words_of_any_certainty_are_weighed_with_the_reader(score: float) -> None:
    new, old = read("Since March the deploys of the shop run on Thursdays."), read("The shop has a parking space.")
    told = Verdict("update", "Tuesdays → Thursdays", score, "value", True)
    assert judge(new, old, told, (0.0, 6.0, 0.0, 0.0)).kind == "update"
    assert judge(new, old, told, (9.0, 0.0, 0.0, 0.0)).kind == "apart"


def test_certain_words_decide_if_the_second_reader_agrees() -> None:
    new = read("From now on we deploy the shop on Thursdays instead of Tuesdays.")
    old = read("From now on we always deploy the shop on Tuesdays.")
    told = Verdict("update", "Tuesdays → Thursdays", 0.99, "value", True)
    assert judge(new, old, told, (9.0, 0.0, 0.0, 0.0)).kind == "update"


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


def test_the_model_walks_each_tree_to_a_leaf() -> None:
    tree = ((0, 1, 1, 0, 0, 0, 0), (0.5, 0.5, 9.0, 9.0, 9.0, 9.0, 9.0), (-1.0, 0.0, -2.0, 0.0, 3.0, 0.0, 0.0, 0.0))
    model = PairModel(0.0, ("a", "b"), (tree,), {})
    assert model.likely({"a": 1.0}) > 0.9
    assert model.likely({}) < 0.3
    assert model.likely({"b": 1.0}) < 0.2


def test_boosting_learns_what_two_measures_say_together() -> None:
    import numpy as np

    rows = np.array([[a, b] for a in (0.0, 1.0) for b in (0.0, 1.0)] * 40)
    answers = (rows[:, 0] != rows[:, 1]).astype(float)
    # One row more on a side, so that the first split has something to gain.
    rows, answers = np.vstack((rows, [[1.0, 0.0]] * 9)), np.append(answers, [1.0] * 9)
    model = boosted(rows, answers, np.ones(len(rows)), BoostingSettings(trees=60, measures=1.0, rows=0.8))
    assert ((model.log_odds(rows) > 0) == (answers > 0.5)).all()


def test_the_bundled_model_orders_its_thresholds() -> None:
    least = bundled_pair_model().least
    assert least["stated"] <= least["agreed"] <= least["doubt"] <= least["clash"] <= least["update"]


@pytest.mark.parametrize("overheard", [False, True])
@pytest.mark.parametrize("damaged", ["nearness", "read_relation", "bundled_reader"])
def test_words_decide_if_a_model_is_damaged(monkeypatch: pytest.MonkeyPatch, damaged: str, overheard: bool) -> None:
    def fails(*_: object) -> float:
        raise ModelDamaged("a file is missing")

    for module in (reader, overheard_models):
        monkeypatch.setattr(module, damaged, fails, raising=False)
    new, old = "From now on we ship the crates on Thursdays instead of Mondays.", "We ship the crates on Mondays."
    assert compare(new, old, overheard=overheard).kind == "update"
