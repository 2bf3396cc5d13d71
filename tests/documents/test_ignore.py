"""Ignored files, compared with git itself."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from holdfast.documents.document_files import discover
from holdfast.documents.index_rules import DocumentRule, DocumentRules

EVERYTHING = DocumentRules((".",), (DocumentRule("**", "doc"),))
FILES = (
    "a.md",
    "b.md",
    "docs/a.md",
    "docs/b.md",
    "docs/deep/a.md",
    "docs/deep/c d.md",
    "build/a.md",
    "build/docs/b.md",
)
PATTERNS = (
    *("a.md", "/a.md", "*.md", "!a.md", "docs", "docs/", "/docs/", "docs/*", "!docs/deep/", "**/deep", "docs/**"),
    *(
        "docs/**/a.md",
        "**/a.md",
        "build/",
        "!build/docs/",
        "[ab].md",
        "[!a].md",
        "?.md",
        "deep/a.md",
        "#a.md",
        "\\!a.md",
    ),
    *("c d.md", "c d.md  ", "*", "!*.md", "!*/", "", "docs/deep/../a.md", "a.m[c-e]", "{a,b}.md", "**", "x**"),
    *("!docs/**/", "!docs/**/*.md", "/*", "!/docs"),
)


def found(project: Path) -> set[str]:
    return set(discover(str(project), EVERYTHING).files)


def not_ignored(project: Path) -> set[str]:
    command = ["git", "-C", str(project), "ls-files", "-co", "--exclude-standard", "-z", "*.md"]
    listed = subprocess.run(command, capture_output=True, check=True).stdout.decode()
    return set(filter(None, listed.split("\0")))


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    if shutil.which("git") is None:
        pytest.skip("git is not installed")
    for file in FILES:
        (tmp_path / file).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / file).write_text("text")
    subprocess.run(["git", "init", "-q", str(tmp_path)], check=True)
    return tmp_path


@pytest.mark.integration
@settings(max_examples=80)
@given(
    top=st.lists(st.sampled_from(PATTERNS), max_size=4),
    inner=st.lists(st.sampled_from(PATTERNS), max_size=3),
    own=st.lists(st.sampled_from(PATTERNS), max_size=1),
)
def test_the_same_files_are_ignored_as_by_git(
    repository: Path, top: list[str], inner: list[str], own: list[str]
) -> None:
    (repository / ".gitignore").write_text("\n".join(top))
    (repository / "docs" / ".gitignore").write_text("\n".join(inner))
    (repository / ".git" / "info" / "exclude").write_text("\n".join(own))
    assert found(repository) == not_ignored(repository)


def test_ignore_files_work_without_git(project: Path) -> None:
    (project / "docs").mkdir()
    for file in ("a.md", "docs/a.md", "docs/b.md"):
        (project / file).write_text("text")
    (project / ".gitignore").write_text("docs/*\n!docs/b.md\n")
    assert found(project) == {"a.md", "docs/b.md"}
