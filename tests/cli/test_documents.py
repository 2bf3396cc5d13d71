"""The commands for documents: text output, JSON output and exit codes."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

import holdfast as product


def put(world: Path, path: str, text: str) -> None:
    file = world / path
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(text, "utf-8")
    os.utime(file, (1_700_000_000, 1_700_000_000))


def test_index_reports_what_it_did(holdfast, world):
    put(world, "README.md", "# Kelp\n\nIt grows [here](docs/tides.md).\n")
    put(world, "docs/tides.md", "---\ntitle: Tides\n\nNever closed.\n")
    ran = holdfast("index")
    assert ran.code == 0
    assert ran.out.startswith("documents: added 2 (")
    assert "1 problem:\n  ! docs/tides.md: the front matter is not closed\n" in ran.out
    assert holdfast("index").out.startswith("documents: unchanged 2\n")
    assert holdfast("index", "--json").json["unchanged"] == 2


def test_index_of_some_paths_from_a_folder_below(holdfast, world, monkeypatch):
    put(world, "README.md", "# Kelp\n")
    put(world, "docs/a.md", "# A\n")
    monkeypatch.chdir(world / "docs")
    monkeypatch.setenv("HOLDFAST_PROJECT", str(world))
    assert holdfast("index", "a.md", "--json").json["added"] == 1


def test_index_where_there_is_nothing(holdfast):
    assert "No documents found." in holdfast("index").out


def test_index_with_a_preset(holdfast, world):
    put(world, "cyberk-flow/specs/auth/spec.md", "# Auth\n")
    put(world, "README.md", "# Kelp\n")
    assert holdfast("index", "--preset", "cyberk-flow", "--json").json["added"] == 1
    ran = holdfast("index", "--preset", "nobody")
    assert (ran.code, ran.out) == (2, "")
    assert "any, cyberk-flow" in ran.err


@pytest.mark.parametrize("lang", ["en", "fr"])
def test_related(holdfast, world, lang):
    put(world, "README.md", "# Kelp\n\nSee [tides](docs/tides.md).\n")
    put(world, "docs/tides.md", "# Tides\n\nHigh at noon.\n")
    holdfast("index")
    assert "docs/tides.md" in holdfast("related", "README.md", "--lang", lang).out
    assert "link" in holdfast("related", "README.md", "--json").json[0]["to"]
    assert holdfast("related", "nothing.md").code == 1


def test_gc_lists_then_removes_then_restores(holdfast, world):
    put(world, "README.md", "# Kelp\n")
    holdfast("index")
    said = holdfast("gc").out
    assert said.startswith("Nothing to remove")
    assert "Not compared: 1 chunk has no embedding yet." in said
    assert {"compared": 0, "chunks": 1}.items() <= holdfast("gc", "--json").json.items()
    assert holdfast("gc", "--json").json["run"] is None
    assert holdfast("gc", "--apply").code == 0
    assert holdfast("gc", "--undo").code == 1
    assert holdfast("gc", "--apply", "--undo").code == 2


def test_search_among_documents(holdfast, world):
    put(world, "docs/adr/0001.md", "# Boiler\n\nThe boiler needs water every month.\n")
    put(world, "docs/guides/boiler.md", "# Boiler\n\nFill the boiler with water every month.\n")
    holdfast("remember", "The boiler was filled with water last month")
    holdfast("index")
    found = holdfast("search", "boiler water month", "--mode", "keyword", "--json").json["hits"]
    assert {hit["document"]["path"] for hit in found} == {"docs/adr/0001.md", "docs/guides/boiler.md"}
    for chosen in (("--label", "decision"), ("--doc-type", "semantic")):
        [hit] = holdfast("search", "boiler water month", *chosen, "--json").json["hits"]
        assert hit["document"]["path"] == "docs/adr/0001.md"


def test_validate_exits_with_one_on_a_contradiction(holdfast, world):
    put(world, "flow/specs/auth/spec.md", "### Requirement: Login\nThe system must allow login without a password.\n")
    delta = "## ADDED Requirements\n\n### Requirement: Strict login\n"
    put(world, "flow/changes/a/specs/auth/spec.md", f"{delta}The system must not allow login without a password.\n")
    put(world, "flow/changes/b/specs/auth/spec.md", f"{delta}The logo must be blue.\n")
    ran = holdfast("validate", "flow/changes/a")
    assert ran.code == 1
    assert ran.out.startswith("contradiction: ")
    assert "spec.md" in ran.out
    assert holdfast("validate", "flow/changes/a", "--json").json[0]["level"] == "reject"
    fine = holdfast("validate", "flow/changes/b")
    assert (fine.code, fine.out) == (0, "No contradictions found.\n")
    assert holdfast("validate").out == "No contradictions found.\n"
    holdfast("flag", holdfast("remember", "The boiler was filled with water last month").id)
    assert holdfast("validate").out.endswith("1 memory waits for your review: holdfast list --review\n")
    assert holdfast("validate", "nowhere").code == 1
    assert holdfast("validate", "--recipe", "nobody").code == 2


@pytest.mark.integration
def test_watch_continues_until_it_is_interrupted(world, tmp_path):
    put(world, "README.md", "# Kelp\n")
    environment = {**os.environ, "HOLDFAST_DB": str(tmp_path / "watch.db"), "PYTHONUNBUFFERED": "1"}
    command = [sys.executable, "-m", "holdfast", "index", "--watch"]
    with subprocess.Popen(
        command, cwd=world, env=environment, stdout=subprocess.PIPE, text=True, preexec_fn=handles_interrupts
    ) as process:
        try:
            assert process.stdout is not None
            assert process.stdout.readline().startswith("documents: added 1")
            time.sleep(0.5)
            (world / "NOTES.md").write_text("# Notes\n")
            assert process.stdout.readline().startswith("documents: added 1, unchanged 1 (")
            process.send_signal(signal.SIGINT)
            assert process.wait(20) == 0
        finally:
            process.kill()


def handles_interrupts() -> None:
    """Restores the signal: a process that a shell starts in the background ignores it, and its children would too."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)


def test_index_says_what_waits_for_an_embedding(holdfast, world, monkeypatch):
    from datetime import UTC, datetime, timedelta

    from holdfast.core.health import JobRun
    from holdfast.interfaces.cli.document_commands import _rate

    monkeypatch.setenv("HOLDFAST_EMBEDDER", "fake")
    (world / "README.md").write_text("# Tides\n\nThey turn twice a day.\n")
    assert "1 passage waits for its embedding; search works meanwhile." in holdfast("index").out
    assert "waits" not in holdfast("index").out
    now = datetime(2026, 11, 1, tzinfo=UTC)
    assert _rate(JobRun("embed", now, now + timedelta(seconds=10), "ok", {"embedded": 300})) == 30.0
    assert _rate(JobRun("embed", now, now + timedelta(seconds=10), "ok", {"embedded": 3})) == 0.0


def test_a_function_found_is_one_line_in_a_pipe(holdfast, world):
    put(world, "kelp.py", "def grow(kelp):\n    if kelp.wet:\n        return kelp.length + 1\n    return 0\n")
    holdfast("index")
    [line] = holdfast("search", "grow kelp", "--type", "code", "--all").out.splitlines()
    columns = re.split(r"  +", line)
    assert (columns[1], columns[2]) == ("code", "kelp.py:1-4")
    assert columns[-1] == "def grow(kelp): if kelp.wet: return kelp.length + 1 return 0"


def test_making_code_searchable_shows_its_progress(world):
    put(world, "kelp.py", "def grow():\n    return 1\n")
    put(world, "reef.py", "def dive():\n    return 2\n")
    seen = []
    with product.open(project=str(world), background=False) as ws:
        ws.index(docs=False, progress=lambda done, total, path: seen.append((done, total, path)))
    # Read, resolved and made searchable.
    assert [path for _, _, path in seen].count("reef.py") == 3
