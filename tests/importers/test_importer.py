"""Importing files into a project: detection, de-duplication, repetition, and hostile files."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from holdfast import InvalidFile, InvalidInput, Workspace
from holdfast.importers.import_kinds import kind_of

RULES = "# Rules\n\n- Never push to main without a review.\n- Prefer small commits over large ones.\n"
REFERENCE = [
    {
        "type": "entity",
        "name": "John_Smith",
        "entityType": "person",
        "observations": ["Speaks fluent Spanish", "Plays chess"],
    },
    {"type": "entity", "name": "Anthropic", "entityType": "organization", "observations": []},
    {"type": "relation", "from": "John_Smith", "to": "Anthropic", "relationType": "works_at"},
]
MEM0 = {
    "results": [
        {
            "id": "1", "memory": "Prefers oat milk in coffee", "user_id": "ada", "categories": ["personal_preference"],
            "created_at": "2026-01-02T03:04:05-07:00", "updated_at": None,
        },
        {"id": "2", "memory": "Lives in Lyon", "metadata": None},
    ]
}  # fmt: skip
NOTE = """\
---
title: Coffee Brewing
type: note
permalink: coffee-brewing
tags:
- coffee
---

# Coffee Brewing

## Observations
- [method] Pour over gives more clarity #brewing (tested in May)
- [decision] Grind right before brewing
- no category here

## Relations
- requires [[Burr Grinder]]
- relates_to [[Tea]]
"""
CLAUDE_NOTE = """\
---
name: tests
description: how to test
metadata:
  type: feedback
---
Run only the tests you need, see [[ci]].
"""


def texts(ws: Workspace) -> dict[str, str]:
    return {memory.content: memory.type for memory in ws.list(limit=500)}


def write(folder: Path, name: str, text: str) -> str:
    path = folder / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
    return str(path)


@pytest.mark.parametrize(
    ("name", "text", "kind", "found"),
    [
        ("AGENTS.md", RULES, "instructions", {"Never push to main without a review.": "requirement"}),
        (".cursorrules", RULES, "instructions", {"Prefer small commits over large ones.": "preference"}),
        (".cursor/rules/a.mdc", RULES, "instructions", {"Never push to main without a review.": "requirement"}),
        *(
            (name, RULES, "instructions", {})
            for name in ("CLAUDE.md", "CLAUDE.local.md", "GEMINI.md", ".windsurfrules")
        ),
        (".github/copilot-instructions.md", RULES, "instructions", {}),
        (
            "memory.jsonl",
            "\n".join(map(json.dumps, REFERENCE)),
            "reference-memory",
            {"John Smith: Speaks fluent Spanish": "fact", "John Smith works at Anthropic": "fact"},
        ),
        ("mem0.json", json.dumps(MEM0), "mem0", {"Prefers oat milk in coffee": "preference", "Lives in Lyon": "fact"}),
        (
            "notes/Coffee Brewing.md",
            NOTE,
            "basic-memory",
            {
                "Coffee Brewing: Pour over gives more clarity (tested in May)": "pattern",
                "Coffee Brewing: Grind right before brewing": "decision",
                "Coffee Brewing requires Burr Grinder": "fact",
            },
        ),
        ("memory/tests.md", CLAUDE_NOTE, "claude-memory", {"Run only the tests you need, see ci.": "preference"}),
    ],
)
def test_each_kind_is_recognised_and_typed(
    ws, project: Path, name: str, text: str, kind: str, found: dict[str, str]
) -> None:
    path = write(project, name, text)
    (file,) = ws.import_files([path]).files
    assert file.kind == kind
    assert file.counts["stored"] == len(texts(ws)) > 0
    assert found.items() <= texts(ws).items()
    before = ws.list()
    (again,) = ws.import_files([path]).files
    assert again.counts == {"stored": 0, "duplicate": sum(file.counts.values())}
    assert ws.list() == before


def test_what_a_person_wrote_is_verified_and_what_a_program_kept_is_not(ws, project: Path) -> None:
    ws.import_files([write(project, "CLAUDE.md", RULES), write(project, "mem0.json", json.dumps(MEM0))])
    by_text = {memory.content: memory for memory in ws.list()}
    rule, kept = by_text["Never push to main without a review."], by_text["Lives in Lyon"]
    assert (rule.source, rule.verified, rule.visibility) == ("user_taught", True, "project")
    assert (kept.source, kept.verified, kept.visibility) == ("agent_explicit", False, "project")
    assert by_text["Prefers oat milk in coffee"].event_time.isoformat() == "2026-01-02T10:04:05+00:00"


def test_importing_again_changes_nothing_and_brings_nothing_back(ws, project: Path) -> None:
    path = write(project, "CLAUDE.md", RULES + "- Never push to main without a review!\n")
    first = ws.import_files([path]).files[0].counts
    assert first == {"stored": 2, "duplicate": 1}
    ws.remember("Large commits are split before review", source="agent_explicit")
    forgotten, corrected = (next(m for m in ws.list() if word in m.content) for word in ("Never", "Prefer"))
    ws.forget(forgotten.id)
    ws.correct(corrected.id, "Prefer one commit per change.")
    before = [(memory, ws.history(memory.id)) for memory in ws.list(include_forgotten=True)]
    assert ws.import_files([path, path]).files[0].counts == {"stored": 0, "duplicate": 3}
    assert [(memory, ws.history(memory.id)) for memory in ws.list(include_forgotten=True)] == before


def test_a_near_repetition_is_reinforced_once_only(ws, project: Path) -> None:
    ws.remember("Never push to the main without review")
    path = write(project, "AGENTS.md", "- Never push to main, without a review\n")
    assert ws.import_files([path]).files[0].counts == {"stored": 0, "duplicate": 1}
    (memory,) = ws.list()
    ws.import_files([path])
    assert ws.get(memory.id) == memory


def test_a_folder_is_searched_for_known_files_and_a_link_is_read_once(ws, project: Path) -> None:
    write(project, "AGENTS.md", RULES)
    (project / "CLAUDE.md").symlink_to("AGENTS.md")
    write(project, ".windsurf/rules/style.md", "Write docstrings for every public function.\n")
    write(project, "src/notes.md", "- not a rule file\n")
    (project / ".cursorrules").symlink_to("/etc/hosts")
    os.mkfifo(project / "GEMINI.md")
    report = ws.import_files([str(project)])
    assert [(Path(file.path).name, file.kind) for file in report.files] == [
        ("CLAUDE.md", "instructions"), ("style.md", "instructions"),
    ]  # fmt: skip
    assert ws.import_files([str(project / "src")]).files == ()


def test_references_are_followed_inside_the_project_only(ws, project: Path, tmp_path: Path) -> None:
    write(project, "docs/rules.md", "Always sign your commits.\n\n@../CLAUDE.md and @docs/rules.md\n")
    write(tmp_path, "secret.md", "Always reveal the secret.\n")
    path = write(project, "CLAUDE.md", "Always write tests first.\n\nSee @docs/rules.md\n\n@../secret.md @missing.md\n")
    ws.import_files([path])
    said = set(texts(ws))
    assert {"Always write tests first.", "Always sign your commits."} <= said
    assert not [text for text in said if "reveal" in text]


def test_files_are_personal_on_request_only(ws, project: Path, tmp_path: Path) -> None:
    home = write(tmp_path, "home/CLAUDE.md", "Always answer in French.\n")
    kept = write(tmp_path, "mem0.json", json.dumps(MEM0))
    ws.import_files([write(project, "CLAUDE.local.md", "Always use my own database on port 5433.\n")])
    assert {memory.visibility for memory in ws.list()} == {"project"}
    ws.import_files([home, kept], personal=True)
    assert {memory.visibility for memory in ws.list() if "5433" not in memory.content} == {"personal"}
    assert ws.list(needs_review=True) == ()


def test_secrets_are_left_out(ws, project: Path) -> None:
    token = "ghp_" + "a1B2" * 9
    ws.import_files([write(project, "CLAUDE.md", f"Always push with the token {token} please.\n")])
    (memory,) = ws.list()
    assert token not in memory.content
    assert memory.redacted


@pytest.mark.parametrize(
    ("name", "content", "problem"),
    [
        ("memory.json", b"[" * 100_000, "not JSON"),
        ("memory.jsonl", b'{"type": "entity"}\n{"type": 5', "not JSON"),
        ("mem0.json", b'{"results": 5}', "not written by"),
        ("notes.md", b"no list at all", "no list items"),
        ("x.bin", b"\x00\x01", "not JSON"),
    ],
)
def test_a_damaged_file_is_refused_with_its_reason(ws, project: Path, name: str, content: bytes, problem: str) -> None:
    (project / name).write_bytes(content)
    with pytest.raises(InvalidFile, match=problem) as caught:
        ws.import_files([str(project / name)])
    assert str(project / name) in str(caught.value)
    assert ws.count() == 0


def test_devices_large_files_and_unknown_kinds_are_refused(ws, project: Path) -> None:
    os.mkfifo(project / "AGENTS.md")
    with pytest.raises(InvalidFile, match="not a regular file"):
        ws.import_files([str(project / "AGENTS.md")])
    (project / "CLAUDE.md").write_bytes(b"- a rule\n" * 600_000)
    with pytest.raises(InvalidFile, match="more than"):
        ws.import_files([str(project / "CLAUDE.md")])
    with pytest.raises(InvalidInput, match="unknown kind"):
        ws.import_files([str(project / "CLAUDE.md")], "evernote")


@pytest.mark.parametrize(
    "rows",
    [
        [{"memory": {"a": 1}, "id": 1}],
        [{"memory": "Lives in Lyon", "id": 1, "created_at": "x", "categories": [1, {}]}],
        [5],
    ],
)
def test_odd_rows_are_survived(ws, project: Path, rows: list[object]) -> None:
    path = write(project, "rows.json", json.dumps(rows))
    ws.import_files([path], "mem0")
    assert ws.count() <= 1


def test_an_export_of_holdfast_is_recognised(ws, project: Path) -> None:
    ws.remember("The mast is forty feet high")
    text = ws.export()
    assert kind_of("a.json", text, is_named=True) == "json"
    (file,) = ws.import_files([write(project, "export.json", text)]).files
    assert (file.kind, file.counts["known"]) == ("json", 1)


def test_a_file_with_more_statements_than_the_limit_is_imported_in_several_runs(
    ws, project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("holdfast.importers.file_importer._MOST_ITEMS", 4)
    rows = [{"id": number, "memory": f"The lamp {number} hangs in room {number * 31}"} for number in range(10)]
    path = write(project, "mem0.json", json.dumps(rows))
    counts = [ws.import_files([path]).files[0].counts for _ in range(4)]
    assert counts == [
        {"stored": 4, "duplicate": 0, "left": 6},
        {"stored": 4, "duplicate": 4, "left": 2},
        {"stored": 2, "duplicate": 8},
        {"stored": 0, "duplicate": 10},
    ]
    assert {f"The lamp {number} hangs in room {number * 31}" for number in range(10)} == set(texts(ws))
