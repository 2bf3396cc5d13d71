"""Prompts that are errands, such as "thanks" and "back to main and pull"."""

from __future__ import annotations

import pytest

from holdfast import Workspace
from holdfast.inject.errands import is_errand

_ERRANDS = (
    "lets get back to main and pull", "continue", "Thanks!", "yes", "ok, go ahead", "commit and push", "create a PR",
    "rebase on main please", "merci, continue", "oui vas-y", "switch to a new branch",
)  # fmt: skip
_WORK = (
    "push the invoices to the archive", "why does the merge of two customers fail?", "yes, use PostgreSQL", "deploy",
    "run the tests", "corrige le bug de connexion", "continue with phase 12", "",
)  # fmt: skip


@pytest.mark.parametrize("prompt", _ERRANDS)
def test_an_errand_names_no_subject(prompt: str) -> None:
    assert is_errand(prompt)


@pytest.mark.parametrize("prompt", _WORK)
def test_a_prompt_with_a_subject_is_no_errand(prompt: str) -> None:
    assert not is_errand(prompt)


def test_an_errand_brings_taught_rules_and_what_names_it(ws: Workspace) -> None:
    rule = ws.remember("Answer in short sentences", type="preference").memory
    branch = ws.remember("Never push to main; open a pull request", type="gotcha").memory
    ws.remember("The share dialog must close after a copy", type="requirement", source="observer_inferred")
    ws.remember("The footer of the login page came back")
    with ws.session("monday") as session:
        session.say("user", "ok lets get back to main and push that")
    assert rule
    assert branch
    assert {cited.id for cited in ws.context("push to main").citations} == {rule.id, branch.id}
    assert {cited.id for cited in ws.context("thanks, continue").citations} == {rule.id}


def test_a_rule_that_was_heard_still_joins_the_context_of_work(ws: Workspace) -> None:
    heard = ws.remember("Dialogs must close after a copy", type="requirement", source="observer_inferred").memory
    assert heard
    assert [cited.id for cited in ws.context("add a share dialog").citations] == [heard.id]
