"""Older statements that are quoted behind those that replace them."""

from __future__ import annotations

import pytest

from holdfast.learn.earlier import with_earlier, without_earlier
from holdfast.workspace import Workspace
from tests.conversation.test_follow_ups import believed

MOVED, LUNA = "I've moved to Rotterdam.", "I live in Utrecht with my cat Luna."


def test_a_replaced_statement_that_says_more_is_quoted(ws: Workspace) -> None:
    ws.session("a").say("user", LUNA)
    ws.consolidate("a")
    ws.session("b").say("user", MOVED)
    ws.consolidate("b")
    assert believed(ws) == [f"{MOVED} (Before: {LUNA})"]


@pytest.mark.parametrize(
    ("new", "old", "line"),
    [
        (MOVED, LUNA, f"{MOVED} (Before: {LUNA})"),
        (MOVED, "I live in Utrecht.", MOVED),
        ("We ship on Mondays.", "We ship on Thursdays.", "We ship on Mondays."),
        ("We ship on Mondays.", "We ship on Thursdays. (due 2026-11-26)", "We ship on Mondays."),
        ("Finalement on abandonne Python 3.8.", "On garde la compatibilité avec Python 3.8 pour Léa.", None),
        ("J'habite à Lyon maintenant.", "J'habite à Nantes avec mon chat Félix.", None),
    ],
)
def test_only_what_says_more_is_quoted(ws: Workspace, new: str, old: str, line: str | None) -> None:
    memory = ws.remember(old).memory
    assert memory is not None
    text = with_earlier(new, [memory])
    assert text == (line or f"{new} (Avant : {old})")
    assert without_earlier(text) == new


def test_a_quotation_is_not_quoted_again(ws: Workspace) -> None:
    memory = ws.remember(f"{MOVED} (Before: {LUNA})").memory
    assert memory is not None
    assert with_earlier("I live in Delft now.", [memory]) == "I live in Delft now."
