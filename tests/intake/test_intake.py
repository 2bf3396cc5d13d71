"""Intake: every outcome with its reason, all or nothing, and no stored secrets."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

import holdfast
from holdfast import Field, MemoryType, Outcome, TypeRegistry
from holdfast.core.admission import Candidate
from holdfast.core.errors import HoldfastError, InvalidMemory, NotFound, UnknownType
from holdfast.core.memory import Memory, Relation, Taint
from holdfast.core.reason import Code, Reason
from holdfast.intake.intake_reasons import IntakeCode
from holdfast.statements.differences import TrustCode
from holdfast.workspace import Workspace
from tests.torture.children import Child, Report, forks

KEY = "AKIA" + "IOSFODNN7" + "QXVBTRE"  # In parts, so that secret scanners of repositories do not report it.


def known(ws: Workspace, text: str, **fields: Any) -> Memory:
    memory = ws.remember(text, **fields).memory
    assert memory is not None
    return memory


# -- outcomes -------------------------------------------------------------------------------------------------------


def test_what_is_new_is_stored_with_all_it_came_with(ws: Workspace) -> None:
    when = datetime(2025, 5, 1, tzinfo=UTC)
    answer = ws.remember(
        "  Deploys go out on Tuesdays  ", type="decision", files=["ci/deploy.yml"], tags=["ops", " ops ", ""],
        session="s1", when=when, scope="module", phase="define", attributes={"ticket": 7},
    )  # fmt: skip
    memory = answer.memory
    assert (answer.outcome, answer.reason, answer.admitted) == (Outcome.STORED, Reason.of(IntakeCode.NEW), True)
    assert memory is not None
    assert memory == ws.get(memory.id)
    assert (memory.content, memory.type, memory.files) == ("Deploys go out on Tuesdays", "decision", ("ci/deploy.yml",))
    assert (memory.tags, memory.session, memory.event_time) == (("ops",), "s1", when)
    assert (memory.scope, memory.phase, dict(memory.attributes)) == ("module", "define", {"ticket": 7})
    assert (memory.verified, memory.confidence, memory.provenance_sessions) == (True, 0.95, ("s1",))
    assert [event.verb for event in ws.history(memory.id)] == ["remember"]


def test_what_an_agent_says_is_less_sure_and_not_verified(ws: Workspace) -> None:
    memory = known(ws, "The cache is warm", source="agent_explicit")
    assert (memory.confidence, memory.verified) == (0.8, False)


@pytest.mark.parametrize("again", ["Tea is at four", "tea  is at FOUR.", " Tea is\nat four! "])
def test_the_same_text_is_a_duplicate_that_reinforces(ws: Workspace, again: str) -> None:
    first = known(ws, "Tea is at four", tags=["a"], source="agent_explicit", session="s1")
    answer = ws.remember(again, tags=["b"], files=["tea.md"], session="s2", pinned=True)
    assert (answer.outcome, answer.reason) == (Outcome.DUPLICATE, Reason.of(IntakeCode.SAME_TEXT))
    memory = ws.get(first.id)
    assert answer.memory == memory
    assert (memory.tags, memory.files, memory.provenance_sessions) == (("a", "b"), ("tea.md",), ("s1", "s2"))
    assert (memory.verified, memory.pinned, memory.access_count, memory.confidence) == (True, True, 1, 0.95)
    assert memory.content == "Tea is at four"
    assert ws.history(first.id)[-1].reason == "the same text is known already"
    assert ws.history(first.id)[-1].detail["heard"] == " ".join(again.split(" ")).strip()
    assert ws.count() == 1


def test_other_words_for_the_same_are_a_duplicate(ws: Workspace) -> None:
    known(ws, "The backups are kept for thirty days on tape")
    answer = ws.remember("Backups kept thirty days on the tape")
    assert (answer.outcome, answer.reason) == (Outcome.DUPLICATE, Reason.of(IntakeCode.SAME_MEANING))


@pytest.mark.parametrize(
    ("old", "new", "why"),
    [
        ("The build takes 30 minutes on main", "The build takes 45 minutes on main", TrustCode.NUMBER),
        ("Always squash commits before the merge", "Never squash commits before the merge", TrustCode.NEGATION),
        ("Indent with tabs over spaces in make files", "Indent with spaces over tabs in make files", None),
        ("The parser reads yaml files", "The parser reads yaml files eagerly", None),
    ],
)
def test_another_number_polarity_order_or_word_is_news(ws: Workspace, old: str, new: str, why: Code | None) -> None:
    first = known(ws, old)
    answer = ws.remember(new)
    assert answer.outcome is Outcome.STORED
    assert answer.memory is not None
    assert ws.count() == 2
    against = [r.memory for r in answer.memory.relations if r.kind == "conflicts_with"]
    assert against == ([first.id] if why else [])
    assert answer.reason == Reason.of(IntakeCode.NEW)
    assert [(w.code, w.values["id"], w.values["why"].code) for w in answer.warnings] == (
        [(IntakeCode.CONTRADICTS, first.id, why)] if why else []
    )


def test_what_came_after_an_untrusted_tool_waits_for_review(ws: Workspace) -> None:
    answer = ws.remember("The admin page needs no login", source="agent_explicit", taint=Taint("web_fetch", 3))
    assert answer.outcome is Outcome.QUARANTINED
    assert answer.reason.code is IntakeCode.UNTRUSTED
    memory = answer.memory
    assert memory is not None
    assert (memory.needs_review, memory.verified, memory.taint) == (True, False, Taint("web_fetch", 3))
    assert memory.confidence == pytest.approx(0.8 * 0.7)
    assert not ws.remember("Taught beside a tool", taint=Taint("web_fetch")).memory.verified  # type: ignore[union-attr]


def test_a_tainted_memory_repeated_by_an_agent_stays_in_quarantine_a_persons_word_frees_it(ws: Workspace) -> None:
    memory = known(ws, "The admin page needs no login", source="agent_explicit", taint=Taint("web_fetch"))
    ws.remember("The admin page needs no login", source="agent_explicit")
    assert ws.get(memory.id).needs_review
    ws.remember("The admin page needs no login")
    assert (ws.get(memory.id).needs_review, ws.get(memory.id).taint) == (False, Taint("web_fetch"))


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("", IntakeCode.EMPTY),
        ("   ", IntakeCode.EMPTY),
        ("???", IntakeCode.NO_WORDS),
        ("a\0b", IntakeCode.NUL_BYTES),
        ("x" * 30_000, IntakeCode.TOO_LONG),
        ("\ud800 a", IntakeCode.LONE_SURROGATES),
    ],
)
def test_junk_is_refused_with_the_reason(ws: Workspace, text: str, code: IntakeCode) -> None:
    answer = ws.remember(text)
    assert (answer.outcome, answer.memory, answer.admitted) == (Outcome.REFUSED, None, False)
    assert answer.reason.code is code
    assert ws.count() == 0


def test_what_was_forgotten_on_purpose_comes_back_by_a_person_only(ws: Workspace) -> None:
    memory = known(ws, "The old server is called Bertha")
    ws.forget(memory.id)
    answer = ws.remember("the old server is called bertha", source="agent_explicit")
    assert answer.outcome is Outcome.REFUSED
    assert answer.reason == Reason.of(IntakeCode.FORGOTTEN, id=memory.id)
    assert ws.count() == 0
    assert ws.remember("The old server is called Bertha").outcome is Outcome.STORED
    assert ws.count() == 1


# -- what cannot be a memory ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("fields", "error", "said"),
    [
        ({"type": "rumour"}, UnknownType, "rumour"),
        ({"files": ["../secret.txt"]}, InvalidMemory, "outside the project"),
        ({"files": ["/etc/passwd"]}, InvalidMemory, "outside the project"),
        ({"confidence": 1.5}, InvalidMemory, "between 0 and 1"),
        ({"confidence": float("nan")}, InvalidMemory, "between 0 and 1"),
        ({"source": "gossip"}, InvalidMemory, "source"),
        ({"scope": "galaxy"}, InvalidMemory, "scope"),
        ({"visibility": "world"}, InvalidMemory, "visibility"),
        ({"phase": "lunch"}, InvalidMemory, "phase"),
        ({"half_life_days": 0}, InvalidMemory, "greater than 0"),
        ({"mood": "calm"}, InvalidMemory, "no structured fields"),
        ({"type": "dead_end", "approach_tried": "threads"}, InvalidMemory, "lacks why_it_failed"),
        ({"type": "context_cost", "module": "a", "average_tokens": -1}, InvalidMemory, "a count, 0 or more"),
        ({"type": "workflow_recipe", "task_pattern": "x", "steps": [{"order": 1}]}, InvalidMemory, "steps"),
        ({"attributes": {"at": datetime(2025, 1, 1)}}, InvalidMemory, "is not text, a number"),
        ({"attributes": {"ratio": float("inf")}}, InvalidMemory, "is not text, a number"),
    ],
)
def test_what_cannot_be_a_memory_is_an_error(
    ws: Workspace, fields: dict[str, Any], error: type[HoldfastError], said: str
) -> None:
    with pytest.raises(error, match=said):
        ws.remember("Tea is at four", **fields)
    assert ws.count() == 0


def test_structured_fields_are_kept(ws: Workspace) -> None:
    memory = known(ws, "Threads were no good", type="dead_end", approach_tried="threads", why_it_failed="locks")
    assert dict(ws.get(memory.id).fields) == {"approach_tried": "threads", "why_it_failed": "locks"}
    assert memory.half_life_days == 90


def test_a_plug_in_brings_its_own_type(tmp_path: Path, project: Path) -> None:
    types = TypeRegistry()
    types.register(
        MemoryType("tide", "how high", 3, (Field("metres", "a number", lambda v: isinstance(v, float), True),))
    )
    with holdfast.open(db=str(tmp_path / "m.db"), project=str(project), types=types) as ws:
        memory = known(ws, "High water at the quay", type="tide", metres=4.5)
        assert (memory.half_life_days, dict(memory.fields), memory.id[:4]) == (3, {"metres": 4.5}, "mem_")
        with pytest.raises(InvalidMemory, match="metres must be a number"):
            ws.remember("Low water", type="tide", metres="low")
        assert ws.recall("quay water", types=["tide"]).hits
    for wrong in (MemoryType("tide", ""), MemoryType("fact", ""), MemoryType("Two Words", "")):
        with pytest.raises(InvalidMemory):
            types.register(wrong)


def test_a_batch_is_all_or_nothing(ws: Workspace) -> None:
    batch = [Candidate("Tea is at four"), Candidate("Cake is at five", files=("../x",))]
    with pytest.raises(InvalidMemory):
        ws.remember_all(batch)
    assert ws.count() == 0
    answers = ws.remember_all([Candidate("Tea is at four"), Candidate(""), Candidate("tea is at four")])
    assert [a.outcome for a in answers] == [Outcome.STORED, Outcome.REFUSED, Outcome.DUPLICATE]
    assert ws.count() == 1


def test_a_similar_memory_forgotten_during_intake_loses_nothing(ws: Workspace) -> None:
    old = known(ws, "The backups are kept for thirty days on tape")
    intake = ws.container.intake

    def neighbours(project: str, text: str, forgotten: bool = False) -> tuple[Memory, ...]:
        found = ws.container.similar_by_words(project, text)
        ws.forget(old.id)
        return found

    answer = replace(intake, find_similar=neighbours).admit_all([Candidate("Backups kept thirty days on the tape")])[0]
    assert answer.outcome is Outcome.STORED


# -- secrets --------------------------------------------------------------------------------------------------------


def all_bytes(db: str) -> bytes:
    return b"".join(path.read_bytes() for path in Path(db).parent.glob(Path(db).name + "*"))


SECRETIVE: dict[str, Callable[[Workspace, str], object]] = {
    "text": lambda ws, other: ws.remember(f"The key of the bucket is {KEY} for now"),
    "tags": lambda ws, other: ws.remember("Tea is at four", tags=[KEY]),
    "citation": lambda ws, other: ws.remember("Tea is at four", citation=f"see {KEY}"),
    "attributes": lambda ws, other: ws.remember("Tea is at four", attributes={"a": [{"b": f"key {KEY}"}]}),
    "fields": lambda ws, other: ws.remember("No", type="dead_end", approach_tried=f"with {KEY}", why_it_failed="x"),
    "a duplicate": lambda ws, other: ws.remember(f"Known from before, not {KEY}"),
    "a correction": lambda ws, other: ws.correct(other, f"Known now with {KEY} inside"),
    "a correction's reason": lambda ws, other: ws.correct(other, "Known better", f"because of {KEY}"),
    "a flag": lambda ws, other: ws.flag(other, f"it shows {KEY}"),
    "a forgetting": lambda ws, other: ws.forget(other, f"it shows {KEY}"),
    "a message": lambda ws, other: ws.session("s").say("user", f"use {KEY} please"),
    "markdown": lambda ws, other: ws.import_(f"- The key is {KEY} for the bucket\n", "markdown"),
    "a question": lambda ws, other: ws.recall(f"what opens {KEY}"),
}  # fmt: skip


@pytest.mark.parametrize("place", SECRETIVE)
def test_a_secret_reaches_no_table_and_no_byte_of_the_file(ws: Workspace, place: str) -> None:
    other = known(ws, "Known from before")
    SECRETIVE[place](ws, other.id)
    ws.upkeep()
    assert b"Known from before" in all_bytes(ws.db)
    assert KEY.encode() not in all_bytes(ws.db)
    assert KEY not in ws.export()


def test_an_import_removes_secrets_from_every_field(ws: Workspace) -> None:
    memory = known(ws, "PLACE in text", tags=["PLACE"], citation="PLACE", attributes={"a": ["PLACE"]})
    ws.flag(memory.id, "PLACE in a reason")
    hostile = ws.export().replace("PLACE", KEY)
    with holdfast.open(db=ws.db + ".other", project=ws.root) as other:
        assert other.import_(hostile)["added"] == 1
        assert other.list()[0].redacted
        assert KEY.encode() not in all_bytes(other.db)


def test_redactions_are_reported_without_the_secret(ws: Workspace) -> None:
    answer = ws.remember(f"The key of the bucket is {KEY} for now")
    assert answer.memory is not None
    assert answer.memory.redacted
    assert "[secret:" in answer.memory.content
    assert len(answer.redactions) == 1
    assert KEY not in repr(answer)


# -- corrections ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("how", ["inaccurate", "outdated", "generalise"])
def test_a_correction_takes_the_place_and_keeps_the_old(ws: Workspace, how: str) -> None:
    old = known(ws, "Tea is at four", type="decision", tags=["tea"], files=["tea.md"], pinned=True)
    answer = ws.correct(old.id, "Tea is at five", "the clock moved", how)
    new = answer.memory
    assert (answer.outcome, answer.superseded) == (Outcome.SUPERSEDED, (old.id,))
    assert new is not None
    assert (new.type, new.tags, new.files, new.pinned) == ("decision", ("tea",), ("tea.md",), True)
    ended = ws.get(old.id)
    assert ended.valid_until == new.created_at
    assert (ended.confidence, ended.superseded) == (0.3, True)
    assert [m.id for m in ws.successors(old.id)] == [new.id]
    assert [h.id for h in ws.recall("when is tea").hits] == [new.id]
    assert ws.history(new.id)[-1].detail == {"how": how, "of": old.id}
    assert ws.history(old.id)[-1].reason == "the clock moved"


def test_the_kept_memory_of_a_merge_has_the_tags_of_both(ws: Workspace) -> None:
    old, kept = known(ws, "Tea is at four", tags=["a"]), known(ws, "We drink tea in the afternoon", tags=["b"])
    answer = ws.correct(old.id, kept.id[-8:], how="duplicate_of")
    assert answer.outcome is Outcome.SUPERSEDED
    assert ws.get(kept.id).tags == ("b", "a")
    assert [m.id for m in ws.list()] == [kept.id]


def test_corrections_that_cannot_be(ws: Workspace) -> None:
    old = known(ws, "Tea is at four")
    assert ws.correct(old.id, "tea is at four.").outcome is Outcome.DUPLICATE
    assert ws.correct(old.id, "???").outcome is Outcome.REFUSED
    with pytest.raises(InvalidMemory, match="how must be"):
        ws.correct(old.id, "Tea is at five", how="better")
    with pytest.raises(InvalidMemory, match="duplicate of itself"):
        ws.correct(old.id, old.id, how="duplicate_of")
    with pytest.raises(NotFound):
        ws.correct(old.id, "nothing-like-it", how="duplicate_of")
    ws.forget(old.id)
    with pytest.raises(InvalidMemory, match="is forgotten or superseded"):
        ws.correct(old.id, "Tea is at five")
    assert ws.count(include_forgotten=True) == 1


def test_only_a_person_clears_the_taint_by_correcting(ws: Workspace) -> None:
    first = known(ws, "The page needs no login", source="agent_explicit", taint=Taint("web_fetch"))
    second = ws.correct(first.id, "The page needs a login", source="agent_explicit").memory
    assert second is not None
    assert (second.taint, second.needs_review) == (Taint("web_fetch"), True)
    third = ws.correct(second.id, "The page needs two logins").memory
    assert third is not None
    assert (third.taint, third.verified) == (None, True)


# -- at once --------------------------------------------------------------------------------------------------------


@pytest.mark.integration
@forks
def test_two_processes_with_the_same_text_store_it_once(ws: Workspace) -> None:
    texts = [f"Rule number{n} of the house is r{n}" for n in range(20)]

    def teach(report: Report) -> None:
        with holdfast.open(db=ws.db, project=ws.root) as own:
            for text in texts:
                report(str(own.remember(text).outcome))

    children = [Child(teach), Child(teach)]
    outcomes = sorted(outcome for child in children for outcome in child.end()[1])
    assert outcomes == ["duplicate"] * 20 + ["stored"] * 20
    assert ws.count() == 20


@pytest.mark.parametrize(
    ("type", "fields"),
    [
        ("prefetch_pattern", {"module_trigger": "a", "always_read_files": ["/etc/shadow"]}),
        ("prefetch_pattern", {"module_trigger": "a", "always_read_files": ["a"], "frequently_read_files": ["../b"]}),
        ("workflow_recipe", {"steps": [{"order": 1, "description": "x", "canonical_file": "../../etc/shadow"}]}),
        ("workflow_recipe", {"steps": [{"order": 1, "description": "x", "canonical_line": "seven"}]}),
        ("workflow_recipe", {"steps": [{"order": 1, "description": "x", "canonical_file": 7}]}),
        ("work_state", {"in_progress": {"description": "b", "next_step": 7}}),
    ],
)
def test_nested_fields_are_checked_and_name_files_of_the_project_only(
    ws: Workspace, type: str, fields: dict[str, Any]
) -> None:
    given: dict[str, Any] = {"task_pattern": "release"} if type == "workflow_recipe" else {}
    with pytest.raises(InvalidMemory):
        ws.remember("How a release is made", type=type, **given, **fields)
    assert ws.list() == ()


def test_a_relation_names_a_file_of_the_project(ws: Workspace) -> None:
    memory = known(ws, "Both are changed together", relations=(Relation("required_with", file="./src/a.py"),))
    assert memory.relations[0].file == "src/a.py"
    with pytest.raises(InvalidMemory, match="outside the project"):
        ws.remember("Changed with another", relations=(Relation("required_with", file="../../etc/passwd"),))
