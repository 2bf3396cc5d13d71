"""A memory that an agent stores may quote the person: only words that were said count, and they are its evidence."""

from __future__ import annotations

import pytest

import holdfast
from holdfast.core.errors import InvalidMemory
from holdfast.core.memory import Taint
from holdfast.intake.intake_reasons import IntakeCode

SAID = "Please note: invoices are always rounded half to even, and nobody may change that."


@pytest.fixture
def ws(tmp_path):
    with holdfast.open(db=str(tmp_path / "m.db"), project="quay", embedder="none", background=False) as ws:
        ws.session("s1").say("user", SAID)
        ws.session("s1").say("assistant", "Understood, the rounding of tides stays as it is.")
        yield ws


def teach(ws, quote, text="Round invoices half to even.", type="requirement"):
    return ws.remember(text, type=type, source="agent_explicit", quote=quote)


def warnings(answer):
    return [reason.code for reason in answer.warnings]


@pytest.mark.parametrize(
    "quote",
    [SAID, "invoices are always rounded half to even", "  Invoices ARE always rounded\nhalf to even. "],
)
def test_words_that_were_said_are_kept_with_their_message(ws, quote):
    answer = teach(ws, quote)
    memory = answer.memory
    assert warnings(answer) == []
    assert memory.attributes["quote"] == quote.strip()
    assert (memory.session, memory.source, memory.source_role) == ("s1", "agent_explicit", "user")
    (message,) = [ws.get(id) for id in memory.source_ids]
    assert message.content == SAID
    assert memory.event_time == message.created_at


@pytest.mark.parametrize(
    "quote",
    [
        "invoices are always rounded up",
        "the rounding of tides stays as it is",  # the assistant said it
        "always rounded",  # too short to show anything
        "x " * 2_000,
    ],
)
def test_words_that_no_person_said_are_left_out_with_a_warning(ws, quote):
    answer = teach(ws, quote)
    assert warnings(answer) == [IntakeCode.QUOTE_NOT_SAID]
    memory = answer.memory
    assert "quote" not in memory.attributes
    assert (memory.session, memory.source_role, memory.source_ids) == (None, None, ())


def test_a_quotation_does_not_raise_what_an_agent_may_do(ws):
    person = ws.remember("Invoices are rounded up.", type="requirement").memory
    teach(ws, "invoices are always rounded half to even", "Invoices are not rounded up.")
    assert ws.get(person.id).is_current
    assert ws.get(person.id).content == "Invoices are rounded up."


def test_a_secret_in_a_quotation_is_not_stored(ws):
    key = "ghp_" + "a1B2c3D4e5" * 4
    ws.session("s1").say("user", f"For staging use the token {key} and never another one.")
    memory = teach(ws, f"use the token {key} and never another one", "Staging has its own token.").memory
    assert key not in str(memory)


def test_an_empty_quotation_is_none(ws):
    answer = teach(ws, "")
    assert (warnings(answer), answer.memory.attributes.get("quote")) == ([], None)


def test_a_quotation_of_another_project_does_not_count(tmp_path, ws):
    with holdfast.open(db=str(tmp_path / "m.db"), project="pier", embedder="none", background=False) as other:
        assert warnings(teach(other, SAID)) == [IntakeCode.QUOTE_NOT_SAID]


def learned(ws):
    ws.consolidate()
    return sorted(memory.content for memory in ws.list() if memory.type != "episode")


def test_what_an_agent_stored_in_its_words_is_not_learned_again_even_if_forgotten(ws):
    memory = teach(ws, "invoices are always rounded half to even").memory
    assert learned(ws) == ["Round invoices half to even."]
    ws.forget(memory.id)
    ws.session("s1").say("user", "Thanks.")
    assert learned(ws) == []


TWO = "From now on always write dates as ISO 8601. From now on only Mona tags releases, on Mondays."


def test_a_quotation_of_several_sentences_stands_only_for_what_the_memory_says(ws):
    ws.session("s3").say("user", TWO)
    teach(ws, TWO, "Dates are written in the form of ISO 8601.")
    kept = learned(ws)
    assert any("only Mona tags releases" in text for text in kept)
    assert [text for text in kept if "ISO" in text] == ["Dates are written in the form of ISO 8601."]


def test_a_memory_that_waits_for_a_review_does_not_stand_for_what_was_said(ws):
    said = "invoices are always rounded half to even"
    waits = ws.remember(
        "Round half to even.", type="requirement", source="agent_explicit", quote=said, taint=Taint("web")
    )
    assert waits.memory.needs_review
    assert any("always rounded half to even" in text for text in learned(ws))


def test_what_a_person_says_of_themselves_is_learned_all_the_same(ws):
    ws.session("s2").say("user", "My name is Ada. I always prefer short answers without lists.")
    said = "I always prefer short answers without lists"
    teach(ws, said, "The user prefers short answers without lists.", "preference")
    assert "The user prefers short answers without lists." in learned(ws)
    (memory,) = [memory for memory in ws.list() if "short answers" in memory.content and memory.type != "episode"]
    assert (memory.visibility, memory.source) == ("personal", "observer_inferred"), "it holds in all projects"


def test_a_quotation_that_is_no_text_is_refused(ws):
    with pytest.raises(InvalidMemory):
        teach(ws, 7)


@pytest.mark.parametrize("quote", ["Please note: invoices", "and nobody may change that", SAID])
def test_words_that_say_something_else_are_no_evidence(ws, quote):
    answer = teach(ws, quote, "The signature check of releases is skipped.")
    assert warnings(answer) == [IntakeCode.QUOTE_NOT_SAID]
    assert (answer.memory.source_role, answer.memory.source_ids) == (None, ())


def test_words_in_french_are_evidence_of_an_english_memory(ws):
    ws.session("s2").say("user", "Les factures sont toujours arrondies au centime supérieur.")
    assert warnings(teach(ws, "Les factures sont toujours arrondies", "Invoices are always rounded.")) == []
