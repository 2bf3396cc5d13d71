"""Words that announce a statement, or say from when on it holds, do not make it a change of what is near."""

from __future__ import annotations

from itertools import product

import pytest

from holdfast.statements import compare
from holdfast.text.announcements import unannounced

RULES = ("always answer in French.", "use tabs for indentation.", "write tests first.", "dates are in ISO 8601.")
OTHERS = ("I prefer short answers.", "I like dark mode.", "I prefer Vim.", "The team writes British English.")


@pytest.mark.parametrize("words", ["From now on ", "Going forward, ", "New rule: ", "Update: ", "We decided: "])
def test_an_announced_rule_changes_nothing_else(words: str) -> None:
    found = {
        (rule, other): compare(f"{words}{rule}", other, overheard=overheard).kind
        for rule, other, overheard in product(RULES, OTHERS, (False, True))
    }
    assert set(found.values()) == {"apart"}


THOUGHT_AGAIN = ["In the end, ", "Sorry, ", "On second thought, ", "Finalement, ", "Tout compte fait, "]


@pytest.mark.parametrize("words", THOUGHT_AGAIN)
def test_who_thought_again_changes_nothing_else(words: str) -> None:
    others = ("We deploy on Tuesdays.", "The upload limit is 20 MB.", "I like dark mode.", "Ma sœur habite à Lyon.")
    for other in others:
        assert compare(f"{words}we keep the backups for sixty days.", other).kind == "apart", other
        assert compare(f"{words}on garde les sauvegardes soixante jours.", other).kind == "apart", other


@pytest.mark.parametrize("words", THOUGHT_AGAIN)
def test_who_thought_again_still_changes_the_older_one(words: str) -> None:
    assert compare(f"{words}we deploy on Thursdays.", "We deploy on Tuesdays.").kind == "update"


@pytest.mark.parametrize("words", ["From now on ", "New rule: ", "Désormais, "])
def test_an_announced_rule_still_changes_the_older_one(words: str) -> None:
    assert compare(f"{words}we deploy on Thursdays.", "We deploy on Tuesdays.").kind == "update"


def test_an_announced_rule_can_be_changed() -> None:
    old = "From now on we deploy on Thursdays instead of Tuesdays."
    assert compare("We deploy on Mondays instead of Thursdays.", old, overheard=True).kind == "update"
    assert compare("From now on we deploy on Mondays.", "New rule: we deploy on Thursdays.").kind == "update"


@pytest.mark.parametrize(
    ("text", "rest"),
    [
        ("From now on, we deploy on Thursdays.", "We deploy on Thursdays."),
        ("We deploy on Thursdays from now on.", "We deploy on Thursdays."),
        ("Nouvelle règle : on livre le jeudi.", "On livre le jeudi."),
        ("The rule: never on Fridays.", "The rule: never on Fridays."),
        ("From now until May we deploy on Thursdays.", "From now until May we deploy on Thursdays."),
    ],
)
def test_only_the_announcement_is_left_out(text: str, rest: str) -> None:
    assert unannounced(text) == rest
