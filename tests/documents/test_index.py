"""Indexing: which files are read, what is stored, and what is reported."""

from __future__ import annotations

import os
import subprocess
import sys
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import holdfast
from holdfast import Workspace
from holdfast.core.errors import InvalidInput, InvalidSettings
from holdfast.core.reason import Reason
from holdfast.documents import parse_workers
from holdfast.documents.document_files import DiscoveredFile, IndexProblem
from holdfast.documents.document_graph import DocumentGraph
from holdfast.documents.document_reasons import DocumentCode
from holdfast.documents.file_reader import FileReader
from holdfast.documents.index_rules import DocumentRule
from holdfast.intake.intake_reasons import IntakeCode
from holdfast.interfaces.messages import text_of

LONG_AGO = 1_700_000_000


def put(project: Path, path: str, text: str | bytes, when: float = LONG_AGO) -> Path:
    file = project / path
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_bytes(text.encode() if isinstance(text, str) else text)
    os.utime(file, (when, when))
    return file


def counts(report: Any) -> dict[str, int]:
    names = ("added", "updated", "removed", "unchanged", "renamed", "relabelled")
    return {name: getattr(report, name) for name in names if getattr(report, name)}


def chunks(ws: Workspace) -> list[tuple[Any, ...]]:
    found = [(document.path, chunk) for _, chunk, document in ws.container.store.cleaning.chunks(ws.project)]
    return sorted((path, c.ordinal, c.heading, c.text, c.start, c.end, c.line, c.end_line) for path, c in found)


def test_new_changed_gone_and_unchanged(ws: Workspace, project: Path) -> None:
    put(project, "README.md", "# Kelp\n\nIt grows.\n")
    put(project, "docs/a.md", "# A\n\nOne.\n")
    put(project, "docs/b.md", "# B\n\nTwo.\n")
    first = ws.index()
    assert counts(first) == {"added": 3}
    assert (first.problems, first.bytes) == ((), 38)
    put(project, "docs/a.md", "# A\n\nChanged.\n", LONG_AGO + 1)
    (project / "docs/b.md").unlink()
    assert counts(ws.index()) == {"updated": 1, "removed": 1, "unchanged": 1}
    assert counts(ws.index()) == {"unchanged": 2}
    assert [(d.path, d.label, d.doc_type) for d in ws.documents()] == [
        ("README.md", "readme", "semantic"),
        ("docs/a.md", "doc", "semantic"),
    ]
    assert ws.recall("Changed", abstain=False).hits[0].cited == "docs/a.md:1-3"


def test_a_hit_names_file_and_lines_in_every_markup(ws: Workspace, project: Path) -> None:
    put(project, "docs/a.rst", "Kelp\n====\n\nOne.\n\nBoiler\n------\n\nIt needs water every month.\n")
    put(project, "docs/b.txt", "Plain words.\n\nThe kettle whistles after four minutes.\n")
    ws.index()
    assert ws.recall("boiler water month", abstain=False).hits[0].cited == "docs/a.rst:1-9"
    assert ws.recall("kettle whistles", abstain=False).hits[0].cited == "docs/b.txt:1-3"


def test_a_file_of_the_same_size_and_time_is_not_read_unless_asked(ws: Workspace, project: Path) -> None:
    put(project, "a.md", "one")
    ws.index()
    put(project, "a.md", "two")
    assert counts(ws.index()) == {"unchanged": 1}
    assert counts(ws.index(rehash=True)) == {"updated": 1}


def test_a_file_that_was_only_touched_is_unchanged(ws: Workspace, project: Path) -> None:
    put(project, "a.md", "one")
    ws.index()
    put(project, "a.md", "one", LONG_AGO + 9)
    assert counts(ws.index()) == {"unchanged": 1}
    assert ws.container.store.documents.stats(ws.project)["a.md"].mtime_ns == (LONG_AGO + 9) * 10**9


def test_a_file_that_changed_just_now_is_read_again(ws: Workspace, project: Path) -> None:
    """It may change again without a new time."""
    now = datetime.now(UTC).timestamp()
    put(project, "a.md", "one", now)
    ws.index()
    put(project, "a.md", "two", now)
    assert counts(ws.index()) == {"updated": 1}


def test_a_renamed_file_keeps_its_id_its_usage_and_its_chunks(ws: Workspace, project: Path) -> None:
    old = put(project, "docs/a.md", "# Kettle\n\nThe kettle whistles after four minutes.\n")
    ws.index()
    ws.recall("kettle whistles", abstain=False)
    [before] = ws.documents()
    (project / "notes").mkdir()
    old.rename(project / "notes/b.md")
    assert counts(ws.index()) == {"renamed": 1, "relabelled": 1}
    [after] = ws.documents()
    assert (after.path, after.label) == ("notes/b.md", "note")
    assert (after.id, after.access_count) == (before.id, 1)
    assert ws.recall("kettle whistles", abstain=False).hits[0].cited == "notes/b.md:1-3"


def test_of_two_copies_one_is_renamed_and_one_is_new(ws: Workspace, project: Path) -> None:
    old = put(project, "a.md", "# Kettle\n\nIt whistles.\n")
    ws.index()
    put(project, "b.md", old.read_text())
    old.rename(project / "c.md")
    assert counts(ws.index()) == {"renamed": 1, "added": 1}
    assert len(chunks(ws)) == 2


def test_another_format_is_another_document(ws: Workspace, project: Path) -> None:
    old = put(project, "a.md", "Kettle\n======\n\nIt whistles.\n")
    ws.index()
    old.rename(project / "a.rst")
    assert counts(ws.index()) == {"added": 1, "removed": 1}


def test_a_changed_rule_changes_label_and_type_and_reads_nothing(ws: Workspace, project: Path) -> None:
    put(project, "docs/runbook.md", "# Restart\n")
    ws.index()
    with holdfast.open(db=ws.db, project=str(project), index_roots="docs=guide:procedural") as other:
        report = other.index()
    assert counts(report) == {"unchanged": 1, "relabelled": 1}
    assert report.bytes == 0
    assert [(d.label, d.doc_type) for d in ws.documents()] == [("guide", "procedural")]


def test_a_run_limited_to_some_paths(ws: Workspace, project: Path) -> None:
    put(project, "a.md", "one")
    put(project, "docs/b.md", "two")
    assert counts(ws.index(["docs"])) == {"added": 1}
    (project / "docs/b.md").unlink()
    assert counts(ws.index([str(project / "a.md")])) == {"added": 1}
    assert counts(ws.index([str(project / "docs/b.md")])) == {"removed": 1}
    assert ws.index(["nowhere"]).problems == (IndexProblem("nowhere", Reason.of(DocumentCode.MISSING)),)
    with pytest.raises(InvalidInput):
        ws.index(["../elsewhere"])


def test_a_document_added_as_text_is_not_removed(ws: Workspace, project: Path) -> None:
    ws.add_document("given.md", "# Given\n")
    put(project, "a.md", "one")
    ws.index()
    assert [d.path for d in ws.documents()] == ["a.md", "given.md"]


def test_another_preset(ws: Workspace, project: Path) -> None:
    put(project, "cyberk-flow/specs/auth/spec.md", "# Auth\n")
    put(project, "README.md", "# Kelp\n")
    ws.index(preset="cyberk-flow")
    assert [(d.path, d.label) for d in ws.documents()] == [("cyberk-flow/specs/auth/spec.md", "spec")]
    with pytest.raises(InvalidSettings):
        ws.index(preset="nobody")


def test_progress_is_reported(ws: Workspace, project: Path) -> None:
    put(project, "a.md", "one")
    put(project, "b.md", "two")
    steps: list[tuple[int, int, str]] = []
    ws.index(progress=lambda done, total, path: steps.append((done, total, path)))
    assert steps == [(0, 2, "a.md"), (1, 2, "b.md")]


def test_the_metadata_of_a_document_is_stored(ws: Workspace, project: Path) -> None:
    put(
        project, "peps/pep-0001.rst", "PEP: 1\nTitle: Purpose\nStatus: Active\n\nAbstract\n========\n\nWhat a PEP is.\n"
    )
    ws.index()
    [document] = ws.documents()
    assert (document.title, document.status, document.label) == ("Purpose", "Active", "decision")
    assert document.front["pep"] == "1"
    assert [row[2] for row in chunks(ws)] == [("Purpose", "Abstract")]


# --- Bad files are reported, and the others are indexed.


@pytest.mark.parametrize(
    ("content", "says", "kept"),
    [
        (b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR", "binary", False),
        (b"caf\xe9, and a good deal of other text", "byte 4 is not UTF-8", True),
        (b"\xff\xfeh\0e\0l\0l\0o\0", "NUL", False),
        (b"---\ntitle: Tides\n\nNever closed.\n", "front matter is not closed", True),
        (b"---\ntitle: [a\n---\n# Text\n", "front matter", True),
    ],
)
def test_a_bad_file_is_reported_and_the_others_are_indexed(
    ws: Workspace, project: Path, content: bytes, says: str, kept: bool
) -> None:
    put(project, "bad.md", content)
    put(project, "good.md", "# Good\n")
    report = ws.index()
    [problem] = report.problems
    assert problem.path == "bad.md"
    assert says in text_of(problem.reason)
    assert [d.path for d in ws.documents()] == (["bad.md", "good.md"] if kept else ["good.md"])


def test_a_file_of_50_megabytes(ws: Workspace, project: Path) -> None:
    put(project, "good.md", "# Good\n")
    with (project / "big.md").open("wb") as file:
        file.truncate(50_000_000)
    report = ws.index()
    assert counts(report) == {"added": 1}
    assert [problem.path for problem in report.problems] == ["big.md"]


def test_a_document_that_became_unreadable_is_removed(ws: Workspace, project: Path) -> None:
    put(project, "a.md", "# Kettle\n")
    ws.index()
    put(project, "a.md", b"\0\1\2", LONG_AGO + 1)
    assert counts(ws.index()) == {"removed": 1}


def test_cyclic_and_broken_links(ws: Workspace, project: Path) -> None:
    put(project, "a.md", "[b](b.md) [self](a.md) [gone](gone.md)\n")
    put(project, "b.md", "[a](a.md)\n" * 10_000)
    assert counts(ws.index()) == {"added": 2}


def test_a_deleted_and_an_unreadable_file(project: Path) -> None:
    reader = FileReader(str(project), "p", datetime.now(UTC))
    rule = DocumentRule("**", "doc")
    gone = reader.read(DiscoveredFile("gone.md", rule, 3, 0))
    assert (gone.hash, gone.unseen, gone.problem) == ("", False, Reason.of(DocumentCode.VANISHED))
    (project / "folder.md").mkdir()
    closed = reader.read(DiscoveredFile("folder.md", rule, 3, 0))
    assert (closed.hash, closed.unseen) == ("", True)
    assert closed.problem is not None
    assert closed.problem.code is DocumentCode.UNREADABLE


@pytest.mark.skipif(not hasattr(os, "O_NOFOLLOW"), reason="no O_NOFOLLOW on this system")
def test_a_file_that_becomes_a_link_before_it_is_read_is_not_followed(project: Path, tmp_path: Path) -> None:
    put(tmp_path, "secret.md", "secret")
    (project / "a.md").symlink_to(tmp_path / "secret.md")
    assert (
        not FileReader(str(project), "p", datetime.now(UTC))
        .read(DiscoveredFile("a.md", DocumentRule("**", "doc"), 3, 0))
        .hash
    )


def test_a_file_that_grows_while_it_is_read(project: Path) -> None:
    put(project, "a.md", "x" * 100)
    reading = FileReader(str(project), "p", datetime.now(UTC), largest=50).read(
        DiscoveredFile("a.md", DocumentRule("**", "doc"), 3, 0)
    )
    assert reading.problem == Reason.of(DocumentCode.GREW, limit=50)


# --- Properties.

_NAMES = st.sampled_from(["a.md", "b.md", "docs/a.md", "docs/adr/1.md", "c.rst", "docs/d.txt"])
_TEXTS = st.sampled_from(
    ["", "# A\n\nOne.\n", "# B\n\nTwo.\n\n## C\n\nThree.\n", "Title\n=====\n\nText.\n", "---\na: b\n---\n"]
)
_EDITS = st.one_of(
    st.tuples(st.just("write"), _NAMES, _TEXTS),
    st.tuples(st.just("delete"), _NAMES, st.just("")),
    st.tuples(st.just("rename"), _NAMES, _NAMES),
    st.tuples(st.just("index"), st.just(""), st.just("")),
)


def edit(project: Path, kind: str, path: str, other: str, when: float) -> None:
    file = project / path
    if kind == "write":
        put(project, path, other, when)
    elif kind == "delete":
        file.unlink(missing_ok=True)
    elif kind == "rename" and file.exists():
        (project / other).parent.mkdir(parents=True, exist_ok=True)
        file.replace(project / other)


@settings(max_examples=20)
@given(edits=st.lists(_EDITS, max_size=14))
def test_step_by_step_is_the_same_as_all_at_once(
    tmp_path_factory: pytest.TempPathFactory, edits: list[tuple[str, str, str]]
) -> None:
    home = tmp_path_factory.mktemp("law")
    project = home / "project"
    project.mkdir()
    with holdfast.open(db=str(home / "steps.db"), project=str(project), embedder="none") as steps:
        for when, (kind, path, other) in enumerate(edits, start=LONG_AGO):
            if kind == "index":
                steps.index()
            else:
                edit(project, kind, path, other, when)
        steps.index()
        with holdfast.open(db=str(home / "once.db"), project=str(project), embedder="none") as once:
            once.index()
            assert known(steps) == known(once)
            assert chunks(steps) == chunks(once)
        assert steps.doctor().sound


def known(ws: Workspace) -> list[tuple[Any, ...]]:
    return [
        (d.path, d.kind, d.hash, d.title, d.label, d.doc_type, d.size, d.status, dict(d.front), d.superseded_by)
        for d in ws.documents()
    ]


# --- Many files: parsed by worker processes.


def many(project: Path, count: int = 30) -> None:
    """Writes enough text for worker processes."""
    for n in range(count):
        put(project, f"docs/{n:03}.md", f"# Number {n}\n\n" + f"The word of file {n} is w{n}ord. " * (40_000 // count))


@pytest.mark.integration
@pytest.mark.parametrize("cores", [2, 4])
def test_workers_give_the_same_result(
    ws: Workspace, project: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, cores: int
) -> None:
    many(project)
    put(project, "docs/bad.md", b"\0")
    monkeypatch.setattr(parse_workers, "_cores", lambda: cores)
    monkeypatch.setattr(parse_workers, "_BYTES_PER_WORKER", 300_000)
    report = ws.index()
    assert counts(report) == {"added": 30}
    assert report.problems == (IndexProblem("docs/bad.md", Reason.of(IntakeCode.NUL_BYTES)),)
    monkeypatch.setattr(parse_workers, "_cores", lambda: 1)
    with holdfast.open(db=str(tmp_path / "alone.db"), project=str(project)) as alone:
        alone.index()
        assert chunks(alone) == chunks(ws)


@pytest.mark.integration
def test_workers_never_import_files_of_the_working_directory(
    ws: Workspace, project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    many(project)
    marker = project / "imported"
    for module in ("holdfast/__init__.py", "numpy.py", "pickle.py"):
        put(project, module, f"open({str(marker)!r}, 'w').close()\nraise SystemExit")
    monkeypatch.chdir(project)
    monkeypatch.setattr(parse_workers, "_cores", lambda: 2)
    monkeypatch.setattr(parse_workers, "_BYTES_PER_WORKER", 300_000)
    assert counts(ws.index()) == {"added": 30}
    assert not marker.exists()


def test_without_workers_files_are_parsed_here(ws: Workspace, project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    many(project)
    monkeypatch.setattr(sys, "executable", str(project / "no-python"))
    assert counts(ws.index()) == {"added": 30}


@pytest.mark.integration
def test_a_worker_ends_with_the_generator(project: Path) -> None:
    many(project)
    stats = {path: path.stat() for path in sorted((project / "docs").iterdir())}
    rule = DocumentRule("**", "doc")
    files = [DiscoveredFile(f"docs/{p.name}", rule, stat.st_size, stat.st_mtime_ns) for p, stat in stats.items()]
    reading = parse_workers.read_all(FileReader(str(project), "p", datetime.now(UTC)), files, ())
    assert next(reading).file == files[0]
    reading.close()  # type: ignore[attr-defined] # it is a generator


_INDEX = "import holdfast, sys; ws = holdfast.open(db=sys.argv[1], project=sys.argv[2]); ws.index()"


@pytest.fixture
def killed(project: Path, tmp_path: Path) -> str:
    """The database of a process that was killed while indexing."""
    many(project, 300)
    db = str(tmp_path / "killed.db")
    process = subprocess.Popen([sys.executable, "-c", _INDEX, db, str(project)])
    with holdfast.open(db=db, project=str(project)) as ws:
        while process.poll() is None and not ws.documents():
            pass
    process.kill()
    process.wait()
    return db


def test_the_next_run_completes_a_run_killed_before_its_refresh(
    ws: Workspace, project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    put(project, "a.md", "See [b](b.md).\n")
    put(project, "b.md", "# B\n")
    with monkeypatch.context() as patched:
        patched.setattr(DocumentGraph, "refresh", lambda self, project: None)
        ws.index()
    assert {document.pagerank for document in ws.documents()} == {0.0}
    assert counts(ws.index()) == {"unchanged": 2}
    assert sum(document.pagerank for document in ws.documents()) == pytest.approx(1.0)


@pytest.mark.integration
def test_after_a_kill_the_next_run_continues(killed: str, project: Path, tmp_path: Path) -> None:
    with holdfast.open(db=killed, project=str(project)) as ws:
        begun = len(ws.documents())
        report = ws.index()
        assert report.unchanged == begun > 0
        assert report.added == 300 - begun
        with holdfast.open(db=str(tmp_path / "fresh.db"), project=str(project)) as fresh:
            fresh.index()
            assert chunks(ws) == chunks(fresh)


@pytest.mark.parametrize("error", [RecursionError("too deep"), ValueError("strange"), OverflowError("too large")])
def test_one_file_that_cannot_be_parsed_does_not_end_the_run(
    ws: Workspace, project: Path, monkeypatch: pytest.MonkeyPatch, error: Exception
) -> None:
    put(project, "docs/good.md", "# Good\n\nGulls nest here.")
    put(project, "docs/evil.md", "# Evil\n\nSomething strange.")
    real = FileReader._parse

    def parse(self: FileReader, file: DiscoveredFile, *rest: Any) -> Any:
        if file.path == "docs/evil.md":
            raise error
        return real(self, file, *rest)

    monkeypatch.setattr(FileReader, "_parse", parse)
    report = ws.index()
    assert counts(report) == {"added": 1}
    assert [(problem.path, problem.reason.code) for problem in report.problems] == [
        ("docs/evil.md", DocumentCode.UNREADABLE)
    ]


def test_nested_front_matter_is_reported_and_the_rest_is_indexed(ws: Workspace, project: Path) -> None:
    put(project, "docs/evil.md", "+++\na = " + "[" * 3000 + "]" * 3000 + "\n+++\n\nThe text of it.")
    put(project, "docs/slow.md", "---\ntitle: a" + " " * 100_000 + "b\n---\n\nThe text of it too.")
    put(project, "docs/good.md", "# Good\n\nGulls nest here.")
    assert counts(ws.index()) == {"added": 3}
