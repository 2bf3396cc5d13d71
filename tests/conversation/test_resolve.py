"""How a learned fact relates to known memories: known, replacing one, contradicting one, or new."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime
from typing import Any

import pytest

from holdfast.core.conversation import Learned, Message
from holdfast.core.memory import Memory
from holdfast.core.memory_types import TypeRegistry
from holdfast.learn.page import Page
from holdfast.learn.resolve import ConflictResolver, EvidenceSource, candidate, quote_the_same
from holdfast.statements import change_odds, compare
from holdfast.workspace import Workspace
from tests.conversation.talk import chatter, facts, talk

NOON = datetime(2026, 3, 2, 12, tzinfo=UTC)
RESOLVER = ConflictResolver(compare, 0.75, change_odds)
ADA = EvidenceSource(by_person=True, at=NOON)
PAGE = Page("s", None, (Message("e1", "user", "Ada lives in Brest.", NOON),), ())


def memory(text: str, id: str = "fact_1", **more: Any) -> Memory:
    return Memory(id, "fact", text, "p", NOON.replace(hour=9), 0.7, **more)


def learned(text: str, *evidence: str, quote: str = "", **more: Any) -> Learned:
    return Learned(text, "fact", evidence or ("e1",), quote or text, 0.6, **more)


LYON, BREST = memory("Ada lives in Lyon."), learned("Ada lives in Brest.")


def test_an_update_replaces_what_is_older() -> None:
    resolution = RESOLVER.resolve(BREST, ADA, [LYON], {LYON.id: "update"})
    assert (resolution.replaces, resolution.clashes, resolution.same) == ((LYON,), (), None)


def test_what_is_known_to_be_changed_need_not_share_a_subject() -> None:
    old = memory("Agent instructions: never touch files under vendor/, use tabs, and ask before adding a dependency.")
    new = learned("You needn't ask for that any more, add dependencies freely as long as the licence is MIT.")
    assert RESOLVER.resolve(new, ADA, [old], {old.id: "update"}).replaces == ()
    assert RESOLVER.resolve(replace(new, changes=old.content), ADA, [old], {old.id: "update"}).replaces == (old,)


def test_an_older_statement_is_compared_without_its_question() -> None:
    old = "We deploy the project Robin with Ansible"
    new = learned("We finished moving Robin from Ansible to Nomad last week.")
    assert RESOLVER.verdict(new, f"{old}.") == "update"
    assert RESOLVER.verdict(new, f"{old}, could you write me a playbook for the reverse proxy?") == "update"


def test_the_same_words_under_another_subject_say_the_same() -> None:
    said = "no orphaned sessions, sessions without branches"
    known = memory(f"strategy.Session: {said}", attributes={"quote": said})
    assert quote_the_same(learned(f"entire/sessions: {said}", quote=said), known)
    assert not quote_the_same(learned("Deploys: yes, do that", quote="yes, do that"), known)
    answer = memory("Tests: yes, do that", attributes={"quote": "yes, do that"})
    assert not quote_the_same(learned("Deploys: yes, do that", quote="yes, do that"), answer)


@pytest.mark.parametrize(
    "text", ["They're deliberate: a minus deletes a tag now.", "test_tags: a minus deletes a tag now."]
)
def test_what_says_that_it_is_about_something_else_replaces_nothing(text: str) -> None:
    known = memory("find_tags: a minus is part of a tag.")
    resolution = RESOLVER.resolve(learned(text), ADA, [known], {known.id: "update"}, by_reading={known.id})
    assert resolution.replaces == ()
    same = learned("find_tags: a minus deletes a tag now.")
    assert RESOLVER.resolve(same, ADA, [known], {known.id: "update"}, by_reading={known.id}).replaces == (known,)


@pytest.mark.parametrize(
    ("source", "known"),
    [
        (replace(ADA, by_person=False), LYON),
        (replace(ADA, at=NOON.replace(hour=8)), LYON),
        (ADA, replace(LYON, verified=True)),
        (ADA, replace(LYON, pinned=True)),
    ],
    ids=["not the person's words", "older", "verified", "pinned"],
)
def test_a_forbidden_replacement_is_a_clash(source: EvidenceSource, known: Memory) -> None:
    resolution = RESOLVER.resolve(BREST, source, [known], {known.id: "update"})
    assert (resolution.replaces, resolution.clashes) == ((), (known,))


def test_a_known_fact_keeps_the_wording_of_the_memory() -> None:
    resolution = RESOLVER.resolve(learned("She lives in Lyon"), ADA, [LYON], {LYON.id: "same"})
    proposed = candidate(resolution, ADA, PAGE, TypeRegistry())
    assert (proposed.text, proposed.source_ids, proposed.session) == ("Ada lives in Lyon.", ("e1",), "s")


@pytest.mark.parametrize(
    ("type", "text", "at_work"),
    [
        ("fact", "I don't see the mast light anymore at all.", "project"),
        ("fact", "Option 3 seems best for me now.", "project"),
        ("preference", "I don't think the mast needs a light.", "project"),
        ("preference", "I like the second label.", "project"),
        ("fact", "I live in Lyon.", None),
        ("preference", "I prefer short answers.", None),
        ("preference", "Answer in short sentences.", None),
    ],
)
def test_what_somebody_says_of_the_work_stays_in_the_project(type: str, text: str, at_work: str | None) -> None:
    resolution = RESOLVER.resolve(replace(learned(text), type=type), ADA, [], {})
    assert candidate(resolution, ADA, PAGE, TypeRegistry()).visibility is None
    tools = Message("e0", "assistant", "Done.", NOON, ("Bash",))
    assert candidate(resolution, ADA, replace(PAGE, before=(tools,)), TypeRegistry()).visibility == at_work


def test_a_candidate_says_where_it_comes_from() -> None:
    found = replace(BREST, slot="lives in", subject="user", when=NOON, type="no such type")
    proposed = candidate(RESOLVER.resolve(found, ADA, [], {}), ADA, PAGE, TypeRegistry())
    assert (proposed.type, proposed.source, proposed.when) == ("fact", "observer_inferred", NOON)
    assert proposed.attributes == {
        "quote": "Ada lives in Brest.", "subject": "user", "slot": "lives in", "date": "2026-03-02",
    }  # fmt: skip


def test_a_shared_number_and_unit_are_no_shared_subject() -> None:
    cap = learned("Cap the backoff at 30 seconds instead of 60 seconds.")
    old, other = memory("Cap the backoff at 60 seconds.", "a"), memory("Drop incidents below 60 seconds.", "b")
    assert RESOLVER.resolve(cap, ADA, [old, other], {"a": "update", "b": "update"}).replaces == (old,)


def test_a_repeated_fact_is_kept_once_with_all_its_evidence() -> None:
    twice = RESOLVER.distinct(
        [learned("Ada lives in Lyon.", "a"), learned("Bo keeps bees.", "b"), learned("ada lives in lyon", "c")]
    )
    assert [(fact.text, fact.evidence) for fact in twice] == [
        ("Ada lives in Lyon.", ("a", "c")),
        ("Bo keeps bees.", ("b",)),
    ]


def test_unknown_evidence_is_not_from_the_person() -> None:
    messages = {"a": Message("a", "assistant", "…", NOON.replace(hour=7))}
    assert EvidenceSource.of(("a",), messages, NOON) == EvidenceSource(False, NOON.replace(hour=7), "assistant")
    assert EvidenceSource.of(("gone",), messages, NOON) == EvidenceSource(False, NOON)


def test_a_ruling_changed_on_the_same_page_is_kept_first_and_then_superseded(ws: Workspace) -> None:
    talk(
        ws, "s",
        "user: The upload limit must always be exactly 20 megabytes.",
        "assistant: Understood.",
        *chatter(6),
        "user: From now on the upload limit must be exactly 25 megabytes instead of 20 megabytes.",
        "assistant: Understood.",
    )  # fmt: skip
    report = ws.consolidate("s").sessions[0]
    assert (report.pages, report.messages, report.superseded) == (2, 10, 1)
    (current,) = (text for text in facts(ws) if "upload limit" in text)
    assert "25 megabytes" in current
    (old,) = (m for m in ws.list(include_forgotten=True) if m.superseded)
    assert "20 megabytes" in old.content
    assert [m.content for m in ws.successors(old.id)] == [current]


@pytest.mark.parametrize(("subject", "replaced"), [("plan_waves", 1), ("seq_ledger", 0)])
def test_a_rule_of_a_conversation_about_another_function_replaces_nothing(subject: str, replaced: int) -> None:
    known = memory("Order the canary wave by name.", attributes={"subject": "plan_waves"})
    new = learned("Order the canary wave by size.", subject=subject)
    assert len(RESOLVER.resolve(new, ADA, [known], {known.id: "update"}).replaces) == replaced
