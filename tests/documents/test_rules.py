"""Which files are documents, and their labels."""

from __future__ import annotations

import pytest

from holdfast.core.errors import InvalidSettings
from holdfast.documents.index_rules import DocumentRule, chosen, preset, presets


@pytest.mark.parametrize(
    ("path", "label", "doc_type"),
    [
        ("README.md", "readme", "semantic"),
        ("packages/kelp/readme.rst", "readme", "semantic"),
        ("CHANGELOG.md", "changelog", "semantic"),
        ("docs/adr/0001-sqlite.md", "decision", "semantic"),
        ("doc/decisions/0002.rst", "decision", "semantic"),
        ("rfcs/0003-hooks.md", "decision", "semantic"),
        ("peps/pep-0484.rst", "decision", "semantic"),
        ("pep-0008.txt", "decision", "semantic"),
        ("specs/auth/spec.md", "spec", "semantic"),
        ("docs/runbooks/restart.md", "guide", "procedural"),
        ("CONTRIBUTING.md", "guide", "procedural"),
        ("wiki/Home.md", "wiki", "semantic"),
        ("docs/guide.md", "doc", "semantic"),
        ("docs/notes.txt", "doc", "semantic"),
        ("src/notes.md", "note", "semantic"),
    ],
)
def test_any_project(path: str, label: str, doc_type: str) -> None:
    rule = preset("any").of(path)
    assert rule is not None
    assert (rule.label, rule.doc_type) == (label, doc_type)


@pytest.mark.parametrize("path", ["src/main.py", "src/words.txt", "docs/plan.pdf", "md", "docs/Makefile"])
def test_other_files_are_no_documents(path: str) -> None:
    assert preset("any").of(path) is None


@pytest.mark.parametrize(
    ("path", "label", "doc_type"),
    [
        ("cyberk-flow/specs/auth/spec.md", "spec", "semantic"),
        ("cyberk-flow/changes/archive/a/specs/auth.md", "delta-spec", "semantic"),
        ("cyberk-flow/changes/archive/a/discovery.md", "discovery", "semantic"),
        ("cyberk-flow/changes/archive/a/proposal.md", "proposal", "procedural"),
        ("cyberk-flow/changes/archive/a/tasks.md", "tasks", "procedural"),
        ("cyberk-flow/changes/archive/a/workflow.md", "workflow", "procedural"),
        ("cyberk-flow/changes/archive/a/design.md", "design", "semantic"),
        ("cyberk-flow/changes/archive/a/notes/x.md", "archive", "semantic"),
        ("cyberk-flow/knowledge/x.md", "knowledge", "semantic"),
        ("docs/x.md", "doc", "semantic"),
        ("docs/workflow.md", "doc", "procedural"),
    ],
)
def test_the_layout_of_cyberk_flow(path: str, label: str, doc_type: str) -> None:
    rules = preset("cyberk-flow")
    rule = rules.of(path)
    assert rule is not None
    assert (rule.label, rule.doc_type) == (label, doc_type)
    assert any(path.startswith(f"{root}/") for root in rules.roots)


def test_changes_in_progress_are_not_indexed() -> None:
    assert not any("cyberk-flow/changes/a/proposal.md".startswith(root) for root in preset("cyberk-flow").roots)


def test_settings_name_folders_labels_and_ignored_files() -> None:
    rules = chosen("any", "docs, ./notes/=note, runbooks=guide:procedural", "*.draft.md, old/")
    assert rules.roots == ("docs", "notes", "runbooks")
    assert rules.of("notes/a.txt") == DocumentRule("notes/**", "note")
    assert rules.of("runbooks/a.md") == DocumentRule("runbooks/**", "guide", "procedural")
    assert rules.of("docs/adr/1.md") == DocumentRule(
        "**/{adr,adrs,decisions,decision-records,decision_records}/**", "decision"
    )
    assert rules.ignore[-2:] == ("*.draft.md", "old/")


@pytest.mark.parametrize(("name", "roots"), [("nobody", ""), ("any", "../elsewhere"), ("any", "docs=doc:poetic")])
def test_invalid_settings_are_refused(name: str, roots: str) -> None:
    with pytest.raises(InvalidSettings):
        chosen(name, roots)


def test_the_presets_by_name() -> None:
    assert presets() == ("any", "cyberk-flow")
