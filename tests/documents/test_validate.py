"""Contradictions between specs, and between memories."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from holdfast.core.errors import InvalidInput, NotFound
from holdfast.core.reason import Reason
from holdfast.documents.document_reasons import DocumentCode
from holdfast.documents.specs import parse_spec
from holdfast.documents.validate import energy, validate_change, validate_memories
from holdfast.workspace import Workspace
from tests.documents.memories import memory

CANONICAL = """# Auth

## Purpose
Who may come in.

### Requirement: Session expiry
Session tokens SHALL expire after 30 minutes of inactivity.

#### Scenario: left alone
- **WHEN** nothing happens for 30 minutes
- **THEN** the token is worthless

### Requirement: Passwords
Passwords MUST be at least 8 characters long.

### Requirement: Guests
Guests MUST NOT see drafts.
"""
DELTA = """## ADDED Requirements

### Requirement: Idle sessions
Session tokens SHALL expire after 2 hours of inactivity.

### Requirement: Mail
Mails MUST be sent in plain text.

## MODIFIED Requirements

### Requirement: Passwords
Passwords MUST be at least 14 characters long.

## REMOVED Requirements

### Requirement: Guests
"""


def difference(text: str) -> Reason:
    return Reason.of(DocumentCode.DIFFERENCE, difference=text)


def change(folder: Path, delta: str, canonical: str = CANONICAL) -> Path:
    for path, text in (("specs/auth/spec.md", canonical), ("changes/next/specs/auth/spec.md", delta)):
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_text(text, encoding="utf-8")
    return folder / "changes" / "next"


def test_requirements_are_parsed_with_their_location() -> None:
    found = parse_spec(CANONICAL, "specs/auth/spec.md")
    assert [(r.name, r.line) for r in found] == [("Session expiry", 6), ("Passwords", 13), ("Guests", 16)]
    assert found[0].text == "Session tokens SHALL expire after 30 minutes of inactivity."
    assert [r.section for r in parse_spec(DELTA, "x.md")] == ["ADDED", "ADDED", "MODIFIED", "REMOVED"]


def test_a_heading_in_a_code_fence_is_ignored() -> None:
    text = "### Requirement: One\nIt holds.\n```md\n### Requirement: Two\n```\nStill one.\n"
    (only,) = parse_spec(text, "x.md")
    assert only.text == "It holds.\nStill one."


def test_the_text_of_a_renamed_requirement_is_its_old_name() -> None:
    text = "## RENAMED Requirements\n- FROM: `### Requirement: Old`\n- TO: `### Requirement: New`\n"
    (renamed,) = parse_spec(text, "x.md")
    assert (renamed.name, renamed.text, renamed.section) == ("New", "Old", "RENAMED")


def test_a_change_that_contradicts_is_rejected(tmp_path: Path) -> None:
    (finding,) = validate_change(change(tmp_path, DELTA))
    assert (finding.level, finding.reason) == ("reject", difference("30 minutes → 2 hours"))
    assert finding.where == "changes/next/specs/auth/spec.md:3"
    assert finding.against == "specs/auth/spec.md:6"
    assert "2 hours" in finding.a
    assert "30 minutes" in finding.b


def test_a_modified_requirement_is_not_compared_with_its_old_text(tmp_path: Path) -> None:
    delta = "## MODIFIED Requirements\n### Requirement: Passwords\nPasswords MUST be at least 14 characters long.\n"
    assert validate_change(change(tmp_path, delta)) == ()


def test_a_modified_and_renamed_requirement_is_not_compared_with_its_old_text(tmp_path: Path) -> None:
    delta = (
        "## RENAMED Requirements\n- FROM: `### Requirement: Passwords`\n- TO: `### Requirement: Secrets`\n\n"
        "## MODIFIED Requirements\n### Requirement: Secrets\nPasswords MUST be at least 14 characters long.\n"
    )
    assert validate_change(change(tmp_path, delta)) == ()


def test_a_removed_requirement_contradicts_nothing(tmp_path: Path) -> None:
    added = "## ADDED Requirements\n### Requirement: Open\nGuests MUST see drafts.\n"
    removed = f"## REMOVED Requirements\n### Requirement: Guests\n\n{added}"
    assert validate_change(change(tmp_path, removed)) == ()
    assert [f.reason for f in validate_change(change(tmp_path, added))] == [difference("MUST NOT see ↔ MUST see")]


def test_the_requirements_of_a_change_are_compared_with_each_other(tmp_path: Path) -> None:
    first, second = (f"### Requirement: {days}\nLogs are kept for {days} days.\n" for days in (7, 9))
    delta = f"## ADDED Requirements\n{first}\n{second}"
    assert [f.reason for f in validate_change(change(tmp_path, delta))] == [difference("7 days → 9 days")]


def test_the_energy_of_two_texts() -> None:
    assert energy("The flag must be set", "The flag must be set") == pytest.approx(0.4)
    assert energy("allow guests", "deny guests") == pytest.approx(0.6 + 0.4 / 3)
    assert energy("allow guests", "deny visitors") == pytest.approx(0.6)


def test_the_energy_recipe_rejects_and_warns(tmp_path: Path) -> None:
    delta = "## ADDED Requirements\n### Requirement: A\nGuests must never see drafts or reports.\n"
    canonical = "### Requirement: B\nGuests must see drafts or reports.\n"
    (finding,) = validate_change(change(tmp_path, delta, canonical), recipe="energy")
    assert finding.reason == Reason.of(DocumentCode.ENERGY, energy="0.94")
    assert (finding.level, finding.recipe) == ("reject", "energy")
    assert finding.energy == pytest.approx(0.943)


def test_a_missing_change_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(NotFound, match="next"):
        validate_change(tmp_path / "changes" / "next")
    (tmp_path / "changes" / "next").mkdir(parents=True)
    with pytest.raises(InvalidInput, match="no delta specs"):
        validate_change(tmp_path / "changes" / "next")
    with pytest.raises(InvalidInput, match="default, energy"):
        validate_change(tmp_path / "changes" / "next", recipe="magic")


def test_invalid_bytes_are_replaced(tmp_path: Path) -> None:
    folder = change(tmp_path, DELTA)
    (folder / "specs" / "auth" / "torn.md").write_bytes(b"### Requirement: Torn \xff\nIt holds \xfe.\n")
    assert [f.level for f in validate_change(folder)] == ["reject"]


def test_memories_that_contradict_are_found() -> None:
    texts = ("The build takes 30 minutes on main", "Tea is at four", "The build takes 45 minutes on main")
    (finding,) = validate_memories([memory(text, day) for day, text in enumerate(texts, 1)])
    assert (finding.reason, finding.where, finding.against) == (difference("30 minutes → 45 minutes"), "mem_3", "mem_1")


def test_short_memories_that_share_one_word_are_compared() -> None:
    texts = ("Marta owns billing", "Jonas owns billing", "We use tabs for indentation", "We use spaces for indentation")
    found = validate_memories([memory(text, day) for day, text in enumerate(texts, 1)])
    assert {finding.reason for finding in found} == {difference("Marta → Jonas"), difference("tabs ↔ spaces")}


@pytest.mark.integration
def test_ten_thousand_memories_are_compared_by_shared_words() -> None:
    many = [memory(f"Part{n} of module{n} lies in folder{n} and opens {n % 7} doors", 1, str(n)) for n in range(10_000)]
    extra = [memory("Part7 of module7 lies in folder7 and opens 99 doors", 2, "late")]
    assert [f.where for f in validate_memories([*many, *extra])] == ["mem_late"]


def test_the_workspace_validates_both(ws: Workspace) -> None:
    ws.remember("The backup runs at 2 am")
    ws.remember("The backup runs at 3 am")
    assert [f.reason for f in ws.validate()] == [difference("2 am → 3 am")]
    change(Path(ws.root), DELTA)
    assert [f.reason for f in ws.validate("changes/next")] == [difference("30 minutes → 2 hours")]


def test_reports_of_what_happened_and_statements_that_are_merely_near_contradict_nothing() -> None:
    near = ("Storage of the harbour: tide tables in one file", "The harbour keeps tide tables and lamps for visitors")
    assert validate_memories([memory(text, day) for day, text in enumerate(near, 1)]) == ()
    items = ("The clean script ensures: No mix of dev files", "The clean script ensures: Assets reflect the build")
    assert validate_memories([memory(text, day) for day, text in enumerate(items, 1)]) == ()
    texts = ("The build takes 30 minutes on main", "The build takes 45 minutes on main")
    one, other = (memory(text, day) for day, text in enumerate(texts, 1))
    assert validate_memories([one, replace(other, type="error_pattern")]) == ()
