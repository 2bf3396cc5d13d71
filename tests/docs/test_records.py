"""Every decision and research page that is cited exists, is listed, and is short."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
DECISIONS, RESEARCH = ROOT / "docs" / "decisions", ROOT / "docs" / "research"
CITED = re.compile(r"\b(?:docs/)?((?:decisions|research)/[\w-]+\.md)")
NUMBERED = re.compile(r"\b[Dd]ecisions? (0\d{3})\b")
RECORDS = sorted(DECISIONS.glob("0*.md"))
PAGES = sorted(path for path in RESEARCH.glob("*.md") if path.name != "README.md")
MOST_WORDS = {"decisions": 400, "research": 1_600}


def _texts() -> dict[str, str]:
    tracked = subprocess.run(["git", "ls-files"], cwd=ROOT, capture_output=True, text=True, check=True).stdout
    # Tests of documents cite made-up records; written worlds are about other projects.
    left_out = (
        "training/written/",
        "tests/documents/",
        "tests/docs/test_records.py",
        "src/holdfast/observer/signals",
        "bench/frozen/",
    )
    files = [ROOT / line for line in tracked.splitlines() if not line.startswith(left_out)]
    return {
        str(file.relative_to(ROOT)): file.read_text(encoding="utf-8")
        for file in files
        if file.suffix in (".py", ".md", ".toml", ".sql") and file.is_file()
    }


@pytest.mark.skipif(not (ROOT / ".git").exists(), reason="the list of files comes from git")
def test_every_cited_record_exists() -> None:
    numbers = {path.name[:4] for path in RECORDS}
    cited = [
        (file, path) for file, text in _texts().items() if not file.startswith("demo/") for path in CITED.findall(text)
    ]
    missing = [(file, path) for file, path in cited if not (ROOT / "docs" / path).is_file()]
    unknown = [
        (file, number) for file, text in _texts().items() for number in NUMBERED.findall(text) if number not in numbers
    ]
    assert len(cited) > 100
    assert not missing
    assert not unknown, "cite the page in docs/research that has the notes of this number"


@pytest.mark.parametrize("folder", [DECISIONS, RESEARCH], ids=["decisions", "research"])
def test_every_record_is_listed_by_its_title(folder: Path) -> None:
    listed = re.findall(r"^- \[(.+)\]\(([\w-]+\.md)\)", (folder / "README.md").read_text(encoding="utf-8"), re.M)
    titles = {
        path.name: path.read_text(encoding="utf-8").splitlines()[0].removeprefix("# ") for path in folder.glob("*.md")
    }
    del titles["README.md"]
    assert {name: title for title, name in listed} == titles


@pytest.mark.parametrize("path", [*RECORDS, *PAGES], ids=lambda path: path.stem)
def test_a_record_is_dated_and_short(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    assert re.search(r"\b20\d\d-\d\d-\d\d\b", text[:400]), "say when"
    assert len(text.split()) <= MOST_WORDS[path.parent.name], "one page for a decision, two for a question"
