"""Executes every Python block and quick-start command of the documentation; checks tables and links."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

import holdfast
from holdfast.recall.paths import PATHS
from holdfast.recall.recipes import RECIPES
from holdfast.recall.weigh.measure_weights import learned
from holdfast.recall.weigh.measures import MEASURES

ROOT = Path(__file__).parents[2]
PAGES = sorted(
    [
        ROOT / "README.md",
        ROOT / "CONTRIBUTING.md",
        *(ROOT / "docs").glob("*.md"),
        *(ROOT / "docs" / "benchmarks").glob("*.md"),
        *(ROOT / "docs" / "integrations").glob("*.md"),
    ]
)


def blocks(page: Path, language: str) -> list[str]:
    return re.findall(rf"^```{language}\n(.*?)^```", page.read_text(encoding="utf-8"), re.DOTALL | re.MULTILINE)


# docs/extending.md is executed by test_extending.py: its programs change tables of the package.
EXECUTED = [page for page in PAGES if blocks(page, "python") and page.stem != "extending"]


@pytest.mark.parametrize("page", EXECUTED, ids=lambda p: p.stem)
def test_python_blocks_run(page, tmp_path, monkeypatch):
    monkeypatch.setenv("HOLDFAST_EMBEDDER", "bundled")
    monkeypatch.setenv("HOLDFAST_DB", str(tmp_path / "default.db"))
    monkeypatch.chdir(tmp_path)
    with holdfast.open(db=str(tmp_path / "docs.db"), project=str(tmp_path), background=False) as ws:
        names = {
            "ws": ws,
            "holdfast": holdfast,
            "db": str(tmp_path / "second.db"),
            "other_db": str(tmp_path / "third.db"),
            "project": str(tmp_path),
        }
        for block in blocks(page, "python"):
            exec(compile(block, str(page), "exec"), names)


def test_the_python_of_the_readme_prints_what_it_claims(tmp_path, monkeypatch, capsys):
    monkeypatch.setenv("HOLDFAST_EMBEDDER", "bundled")
    monkeypatch.setenv("HOLDFAST_DB", str(tmp_path / "default.db"))
    monkeypatch.chdir(tmp_path)
    [block] = blocks(ROOT / "README.md", "python")
    exec(compile(block, "README.md", "exec"), {})
    printed = capsys.readouterr().out
    claims = re.findall(r"# prints: (.+)", block)
    assert len(claims) == block.count("print(")
    for claim in claims:
        assert claim in printed


@pytest.mark.parametrize("name", ["README.md", "docs/quickstart.md"])
def test_commands_run(name, tmp_path):
    lines = [
        line[2:] for block in blocks(ROOT / name, "console") for line in block.splitlines() if line.startswith("$ ")
    ]
    ours = [line for line in lines if "holdfast " in line and not line.startswith(("pip", "claude"))]
    assert len(ours) >= 3
    chats = Path.home() / ".claude" / "projects" / "tidepool"
    chats.mkdir(parents=True, exist_ok=True)
    shutil.copy(ROOT / "demo" / "chats.jsonl", chats)
    for line in ours:
        done = run(line.replace("ID", newest(tmp_path)) if "ID" in line else line, tmp_path)
        assert done.returncode == 0, f"{line}\n{done.stdout}{done.stderr}"


def test_the_readme_shows_what_its_first_commands_print(tmp_path):
    page = (ROOT / "README.md").read_text(encoding="utf-8")
    shown = re.search(r"^<!-- output -->\n```console\n(.*?)^```", page, re.DOTALL | re.MULTILINE)
    assert shown is not None
    calls = [call.partition("\n") for call in re.split(r"^\$ ", shown[1], flags=re.MULTILINE)[1:]]
    assert len(calls) >= 3
    for command, _, output in calls:
        printed = on_terminal(command, tmp_path, HOLDFAST_EMBEDDER="bundled")
        assert unchanging(printed) == unchanging(output)


def unchanging(output: str) -> str:
    """An output on one line without what differs from run to run: ids, dates and where its lines break."""
    return re.sub(r"\b[0-9a-hjkmnp-tv-z]{8}\b(?= ·|:)|\d{4}-\d\d-\d\d", "*", " ".join(output.split()))


def test_documented_weights_are_the_shipped_weights():
    page = (ROOT / "docs" / "retrieval.md").read_text(encoding="utf-8")
    table = re.search(r"^\| \| (`bm25`.*)\|\n\|[-|]+\n((?:\|.*\n)+)", page, re.MULTILINE)
    assert table is not None
    head, rows = table.groups()
    names = re.findall(r"`(\w+)`", head)
    cells = [[cell.strip() for cell in row.strip("|").split("|")] for row in rows.splitlines()]
    documented = {kind: {n: float(c) for n, c in zip(names, rest, strict=True) if c} for kind, *rest in cells}
    shipped = {kind: {name: weight for name, weight in of.items() if weight} for kind, of in learned().by_group.items()}
    assert documented == shipped


def test_the_retrieval_page_describes_every_path_measure_and_recipe():
    page = (ROOT / "docs" / "retrieval.md").read_text(encoding="utf-8")
    first_cells = re.findall(r"^\| ([^|]+) \|", page, re.MULTILINE)
    described = {name for cell in first_cells for name in re.findall(r"\w+", cell)}
    names = {*(path.name for path in PATHS), *(measure.name for measure in MEASURES), *RECIPES}
    missing = sorted(names - described)
    assert not missing, f"add a row to docs/retrieval.md for {missing}"


def test_every_page_is_linked_and_every_link_works():
    linked = {
        (page.parent / target).resolve()
        for page in [*PAGES, *(ROOT / "docs" / "decisions").glob("*.md"), *(ROOT / "docs" / "research").glob("*.md")]
        for target in re.findall(r"\]\(([^)#:]+?)(?:#[^)]*)?\)", prose(page))
    }
    missing = [path for path in linked if not path.exists()]
    assert not missing, f"broken links: {missing}"
    pages = {path.resolve() for path in (ROOT / "docs").rglob("*.md")}
    assert not pages - linked, "pages without a link to them"


def test_every_heading_that_a_link_names_exists():
    missing = [
        f"{page.relative_to(ROOT)}: {target}#{heading}"
        for page in [*PAGES, *(ROOT / "docs" / "decisions").glob("*.md"), *(ROOT / "docs" / "research").glob("*.md")]
        for target, heading in re.findall(r"\]\(([^)#:]*)#([^)]+)\)", prose(page))
        if heading not in headings(page.parent / target if target else page)
    ]
    assert not missing


def headings(page: Path) -> set[str]:
    """The anchors of a page's headings, as GitHub makes them."""
    text = re.sub(r"^```.*?^```", "", page.read_text(encoding="utf-8"), flags=re.MULTILINE | re.DOTALL)
    titles = re.findall(r"^#+ (.+)$", text, re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", title.lower()).strip().replace(" ", "-") for title in titles}


def prose(page: Path) -> str:
    """A page without its code, which may contain text that looks like a link."""
    return re.sub(r"^```.*?^```|`[^`\n]*`", "", page.read_text(encoding="utf-8"), flags=re.MULTILINE | re.DOTALL)


def run(command: str, folder: Path, stdout: Any = subprocess.PIPE, **settings: str) -> subprocess.CompletedProcess[str]:
    environment = {
        **os.environ,
        "HOLDFAST_DB": str(folder / "memory.db"),
        "HOLDFAST_EMBEDDER": "none",
        "HOLDFAST_BACKGROUND": "0",
        "EDITOR": "true",
        "PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}",
        **settings,
    }
    assert shutil.which("holdfast", path=environment["PATH"]), (
        "the holdfast command is not installed in this environment"
    )
    streams = {"stdout": stdout, "stderr": subprocess.PIPE}
    return subprocess.run(command, shell=True, cwd=folder, env=environment, text=True, check=False, **streams)


def on_terminal(command: str, folder: Path, **settings: str) -> str:
    """What a command prints for a person; a program gets one line per hit."""
    reading, writing = os.openpty()
    with open(reading, "rb", buffering=0) as printed:
        with open(writing, "wb", buffering=0) as terminal:
            run(command, folder, stdout=terminal, TERM="dumb", COLUMNS="200", **settings)
            terminal.write(b"\0")
        text = b""
        while not text.endswith(b"\0"):
            text += printed.read(4096)
    return text.decode().rstrip("\0")


def newest(folder: Path) -> str:
    """The id a reader would copy: that of the newest memory about the package manager."""
    with holdfast.open(db=str(folder / "memory.db"), project=str(folder), embedder="none", background=False) as ws:
        return next(m for m in ws.list(include_forgotten=True, order="oldest") if "pnpm" in m.content).id[-8:]
