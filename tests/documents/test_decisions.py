"""Decision records as memories: learned once, kept up to date, never over a person's change."""

from __future__ import annotations

from pathlib import Path

import pytest

from holdfast.core.memory import Memory
from holdfast.workspace import Workspace

QUEUE = """# 3. Poll the table

Date: 2024-05-01

## Status

{status}

## Context

Jobs must start within a second.

## Decision

We poll the jobs table every second, because nothing else has to be run for it.
"""
NOTIFY = """# 9. Listen for notifications

Status: Accepted

Supersedes [ADR-0003](0003-poll.md)

## Decision

We listen for notifications of the database, because polling kept it awake all night.
"""
PEP = """PEP: 484
Title: Type Hints
Status: Final
Created: 29-Sep-2014
Replaces: 3107


Abstract
========

:pep:`3107` introduced syntax for function annotations, but the semantics were deliberately left undefined.
"""


def write(root: Path, path: str, text: str) -> None:
    (root / path).parent.mkdir(parents=True, exist_ok=True)
    (root / path).write_text(text)


def decisions(ws: Workspace) -> list[Memory]:
    return sorted(ws.list(types="decision"), key=lambda one: one.files)


def test_a_record_becomes_a_decision_tied_to_its_document(ws: Workspace, project: Path) -> None:
    write(project, "docs/adr/0003-poll.md", QUEUE.format(status="Accepted"))
    ws.index()
    [one] = decisions(ws)
    [document] = ws.documents()
    assert one.content.startswith("ADR 3: Poll the table (Accepted, 2024-05-01). We poll the jobs table every second")
    assert one.files == ("docs/adr/0003-poll.md",)
    assert one.event_time is not None
    assert one.event_time.date().isoformat() == "2024-05-01"
    assert dict(one.attributes) == {
        "document": document.id, "title": "Poll the table", "status": "Accepted", "date": "2024-05-01",
        "supersedes": [],
    }  # fmt: skip


def test_a_record_that_begins_with_its_date_names_it_once(ws: Workspace, project: Path) -> None:
    write(project, "docs/adr/0004-push.md", "# Push jobs\n\n2024-06-02. A worker is told of each new job at once.\n")
    ws.index()
    assert decisions(ws)[0].content == "ADR 4: Push jobs (2024-06-02). A worker is told of each new job at once."


def test_of_a_long_status_the_first_sentence_counts(ws: Workspace, project: Path) -> None:
    text = QUEUE.format(status="Accepted (2024-05-01). Part of the new queue, see\n`docs/plans/queue.md`.")
    write(project, "docs/adr/0003-poll.md", text)
    ws.index()
    (memory,) = decisions(ws)
    assert memory.content.startswith("ADR 3: Poll the table (Accepted, 2024-05-01). We poll")


def test_a_decision_that_introduces_a_list_has_its_items(ws: Workspace, project: Path) -> None:
    items = "as often as each time of day needs:\n\n- every second by day\n- never at night"
    text = QUEUE.format(status="Accepted").replace("every second, because nothing else has to be run for it.", items)
    write(project, "docs/adr/0003-poll.md", text)
    ws.index()
    (memory,) = decisions(ws)
    assert "every second by day" in memory.content


def test_a_pep_is_a_record(ws: Workspace, project: Path) -> None:
    write(project, "peps/pep-0484.rst", PEP)
    ws.index()
    [one] = decisions(ws)
    assert one.content.startswith("PEP 484: Type Hints (Final, 2014-09-29). PEP 3107 introduced syntax")


@pytest.mark.parametrize(
    ("path", "text"),
    [
        ("docs/guide.md", "# Guide\n\nStatus: Accepted\n"),
        ("docs/adr/README.md", "# Decisions\n\nThey are listed here.\n"),
        ("docs/adr/0000-template.md", "# Title\n\nStatus: Accepted\n"),
    ],
)
def test_other_documents_are_no_records(ws: Workspace, project: Path, path: str, text: str) -> None:
    write(project, path, text)
    ws.index()
    assert decisions(ws) == []


def test_indexing_again_learns_nothing_twice(ws: Workspace, project: Path) -> None:
    write(project, "docs/adr/0003-poll.md", QUEUE.format(status="Accepted"))
    ws.index()
    [before] = decisions(ws)
    ws.index(rehash=True)
    write(project, "docs/adr/0003-poll.md", QUEUE.format(status="Accepted") + "\n## Notes\n\nNothing more.\n")
    ws.index()
    [after] = decisions(ws)
    assert (after.id, after.content) == (before.id, before.content)
    (project / "docs/adr/0003-poll.md").rename(project / "docs/adr/0003-ask.md")
    ws.index()
    [moved] = decisions(ws)
    assert moved.id == before.id
    assert moved.files == ("docs/adr/0003-ask.md",)
    assert [anchor.path for anchor in moved.anchors] == ["docs/adr/0003-ask.md"]
    assert moved.freshness is not None
    assert moved.freshness.state == "fresh"


def test_a_changed_record_changes_its_memory(ws: Workspace, project: Path) -> None:
    write(project, "docs/adr/0003-poll.md", QUEUE.format(status="Proposed"))
    ws.index()
    [before] = decisions(ws)
    write(project, "docs/adr/0003-poll.md", QUEUE.format(status="Accepted"))
    ws.index()
    [after] = decisions(ws)
    assert after.attributes["status"] == "Accepted"
    assert ws.get(before.id).superseded
    assert [one.id for one in ws.successors(before.id)] == [after.id]


def test_a_superseded_record_is_a_superseded_decision(ws: Workspace, project: Path) -> None:
    write(project, "docs/adr/0003-poll.md", QUEUE.format(status="Accepted"))
    ws.index()
    [old] = decisions(ws)
    write(project, "docs/adr/0009-listen.md", NOTIFY)
    ws.index()
    [new] = decisions(ws)
    assert new.content.startswith("ADR 9: Listen for notifications (Accepted); it supersedes ADR 3. We listen")
    assert [one.memory for one in new.relations if one.kind == "supersedes"] == [old.id]
    assert ws.get(old.id).superseded
    # Both at once, and again: the same.
    write(project, "docs/adr/0003-poll.md", QUEUE.format(status="Superseded by [ADR-0009](0009-listen.md)"))
    ws.index()
    assert [one.id for one in decisions(ws)] == [new.id]


def test_a_superseded_record_stays_superseded_when_its_file_comes_back(ws: Workspace, project: Path) -> None:
    old, new = "docs/adr/0003-poll.md", "docs/adr/0009-listen.md"
    texts = {old: QUEUE.format(status="Accepted"), new: NOTIFY}
    for path, text in texts.items():
        write(project, path, text)
    ws.index()
    [believed] = decisions(ws)
    for leaving in ((old,), (new,), (old, new)):
        for path in leaving:
            (project / path).unlink()
        ws.index()
        for path in leaving:
            write(project, path, texts[path])
        ws.index()
        assert [one.content for one in decisions(ws)] == [believed.content], leaving


@pytest.mark.parametrize("front", ["", "---\nsuperseded_by: ADR-0009\n---\n"])
def test_a_record_that_says_it_is_superseded_stays_so_without_its_successor(
    ws: Workspace, project: Path, front: str
) -> None:
    status = "Accepted" if front else "Superseded by ADR-0009"
    write(project, "docs/adr/0003-poll.md", front + QUEUE.format(status=status))
    write(project, "docs/adr/0009-listen.md", NOTIFY)
    ws.index()
    [believed] = decisions(ws)
    (project / "docs/adr/0009-listen.md").unlink()
    ws.index()
    assert [one.id for one in decisions(ws)] == [believed.id]
    write(project, "docs/adr/0009-listen.md", NOTIFY)
    ws.index()
    assert [one.content for one in decisions(ws)] == [believed.content]


def test_of_a_chain_of_records_the_last_is_believed(ws: Workspace, project: Path) -> None:
    for number in (1, 2, 3, 4):
        before = f"Supersedes [it](000{number - 1}-x.md)\n" if number > 1 else ""
        write(project, f"docs/adr/000{number}-x.md", f"# {number}. Way {number}\n\nStatus: Accepted\n\n{before}")
    ws.index()
    assert [one.attributes["title"] for one in decisions(ws)] == ["Way 4"]
    assert ws.count(types="decision", include_forgotten=True) == 4


def test_a_persons_change_is_not_overwritten(ws: Workspace, project: Path) -> None:
    for number in (1, 2, 3):
        write(project, f"docs/adr/000{number}-x.md", f"# {number}. Way {number}\n\nStatus: Proposed\n")
    ws.index()
    corrected, confirmed, forgotten = decisions(ws)
    better = ws.correct(corrected.id, "Way 1 was only ever a thought experiment").memory
    assert better is not None
    ws.confirm(confirmed.id)
    ws.forget(forgotten.id)
    for number in (1, 2, 3):
        write(project, f"docs/adr/000{number}-x.md", f"# {number}. Way {number}\n\nStatus: Accepted\n")
    ws.index()
    assert {one.id for one in decisions(ws)} == {better.id, confirmed.id}


def test_a_record_superseded_by_an_unknown_one_has_low_confidence(ws: Workspace, project: Path) -> None:
    write(project, "docs/adr/0003-poll.md", QUEUE.format(status="Superseded by a talk in the kitchen"))
    ws.index()
    [one] = decisions(ws)
    assert one.confidence < 0.5
