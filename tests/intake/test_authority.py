"""What programs may not do to a person's decisions."""

from __future__ import annotations

from typing import Any

import pytest

from holdfast import Memory, NotPermitted, Outcome, Workspace
from holdfast.core.memory import Taint
from holdfast.intake.intake_reasons import IntakeCode

RULE = "Releases are signed with the release key"
AGENT: dict[str, Any] = {"source": "agent_explicit"}


def known(ws: Workspace, text: str, **fields: Any) -> Memory:
    memory = ws.remember(text, **fields).memory
    assert memory is not None
    return memory


def taught(ws: Workspace) -> Memory:
    return known(ws, RULE, type="requirement")


def confirmed(ws: Workspace) -> Memory:
    return ws.confirm(known(ws, RULE, **AGENT).id)


def pinned(ws: Workspace) -> Memory:
    return ws.pin(known(ws, RULE, **AGENT).id)


@pytest.mark.parametrize("decide", [taught, confirmed, pinned])
def test_an_agent_only_proposes_to_replace_what_a_person_decided(ws, decide):
    rule = decide(ws)
    answer = ws.correct(rule.id, "Releases are never signed", "the page says so", **AGENT)
    assert (answer.outcome, answer.reason.code) == (Outcome.QUARANTINED, IntakeCode.PROPOSED)
    proposal = answer.memory
    assert ws.get(rule.id) == rule
    assert (proposal.needs_review, proposal.verified, proposal.pinned) == (True, False, False)
    assert [memory.id for memory in ws.list(needs_review=True)] == [proposal.id]
    assert [cited.id for cited in ws.context("releases").citations if cited.standing] == [rule.id] * rule.pinned or (
        rule.type == "requirement"
    )
    with pytest.raises(NotPermitted):
        ws.confirm(proposal.id, **AGENT)
    accepted = ws.confirm(proposal.id)
    assert (accepted.proposal_for, accepted.pinned) == (None, rule.pinned)
    assert ws.get(rule.id).superseded
    assert [memory.id for memory in ws.successors(rule.id)] == [proposal.id]
    ws.restore(rule.id)
    assert ws.get(rule.id).is_current
    assert ws.get(proposal.id).forgotten


def test_a_proposal_is_stored_once_and_a_rejected_one_does_not_come_back(ws):
    rule = taught(ws)
    first = ws.correct(rule.id, "Releases are never signed", **AGENT)
    again = ws.correct(rule.id, "Releases are never signed.", **AGENT)
    assert (again.outcome, again.memory.id) == (Outcome.DUPLICATE, first.memory.id)
    ws.forget(first.memory.id)
    assert ws.correct(rule.id, "Releases are, ok, never signed", **AGENT).outcome is Outcome.REFUSED
    assert ws.correct(rule.id, f"{RULE}.", **AGENT).reason.code is IntakeCode.UNCHANGED


def test_a_proposal_for_a_memory_that_is_gone_is_confirmed_on_its_own(ws):
    rule = taught(ws)
    proposal = ws.correct(rule.id, "Releases are never signed", **AGENT).memory
    ws.forget(rule.id)
    assert ws.confirm(proposal.id).verified
    assert ws.get(rule.id).forgotten


def test_an_agent_does_not_merge_or_forget_what_a_person_decided(ws):
    rule, other = taught(ws), known(ws, "The key is on a stick in the safe", **AGENT)
    refused = ws.correct(rule.id, other.id, how="duplicate_of", **AGENT)
    assert (refused.outcome, refused.reason.code) == (Outcome.REFUSED, IntakeCode.PROTECTED)
    with pytest.raises(NotPermitted, match="a person taught"):
        ws.forget(rule.id, **AGENT)
    assert ws.get(rule.id) == rule
    ws.forget(other.id, "wrong", **AGENT)
    assert ws.history(other.id)[-1].detail == {"source": "agent_explicit"}


@pytest.mark.parametrize("wait", ["tainted", "flagged"])
def test_an_agent_does_not_confirm_what_waits_for_a_person(ws, wait):
    memory = known(ws, RULE, **AGENT, taint=Taint("WebFetch") if wait == "tainted" else None)
    if wait == "flagged":
        ws.flag(memory.id)
    before = ws.get(memory.id)
    with pytest.raises(NotPermitted, match="waits for a person's review"):
        ws.confirm(memory.id, **AGENT)
    assert ws.get(memory.id) == before
    assert ws.confirm(memory.id).verified


def test_an_agents_confirmation_of_an_ordinary_memory_is_recorded_as_such(ws):
    memory = known(ws, RULE, **AGENT)
    assert not ws.confirm(memory.id, **AGENT).is_persons
    assert ws.history(memory.id)[-1].detail["source"] == "agent_explicit"


@pytest.mark.parametrize(
    "again",
    [RULE, f"{RULE},", "Releases are, signed with the release key", f"ok, {RULE}", f"{RULE} always", f"{RULE}, today"],
)
def test_a_taint_does_not_go_by_repeating_the_text(ws, again):
    memory = known(ws, RULE, **AGENT, taint=Taint("WebFetch", 3))
    ws.remember(again, **AGENT)
    assert ws.get(memory.id).confidence == memory.confidence
    assert all(m.needs_review and m.taint == Taint("WebFetch", 3) and not m.verified for m in ws.list())
    ws.remember(f"{RULE} always")
    assert any(m.verified and m.content == f"{RULE} always" for m in ws.list())


def test_a_repeated_text_does_not_undo_a_flag(ws):
    memory = known(ws, RULE, **AGENT)
    doubted = ws.flag(memory.id)
    ws.remember(RULE, **AGENT)
    assert (ws.get(memory.id).confidence, ws.get(memory.id).needs_review) == (doubted.confidence, True)


@pytest.mark.parametrize(
    "again",
    [
        "The staging hint is: the dog of Bob.",
        "The staging hint is the dog of Bob, ok",
        "The staging hint (again) is the dog of Bob.",
    ],
)
def test_a_forgotten_memory_does_not_come_back_with_a_colon(ws, again):
    memory = known(ws, "The staging hint is the dog of Bob", **AGENT)
    ws.forget(memory.id)
    answer = ws.remember(again, **AGENT)
    assert (answer.outcome, answer.reason.code) == (Outcome.REFUSED, IntakeCode.FORGOTTEN)
    assert ws.remember("The staging hint is the cat of Bob", **AGENT).outcome is Outcome.STORED
    assert ws.remember(again).outcome is Outcome.STORED
