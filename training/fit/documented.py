"""Functions of repositories that the embedding model was not trained on, each to be found by its own documentation.

The question is the first sentence of a documentation comment, and the comment is removed from the function. One store
per repository, as a user has it.
"""

from __future__ import annotations

import json
import re
import subprocess
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

from bench.recall import functions
from bench.recall.pool import Pool, Question, Unit, spread

from training.functions import LONGEST_FUNCTION
from training.functions import functions as python_functions

NAME = "documented-functions"
TITLE = "Documented functions"
_LIST = Path(__file__).with_name("documented.json")
_MOST_FUNCTIONS, _MOST_QUESTIONS = 1500, 120
_SHORTEST = 60
_TESTS = re.compile(
    r"(?i)(?:^|/)(?:tests?|testdata|__tests__|benchmarks?|examples?|docs?|vendor|profiling)/|_test\.|\.test\."
)
# A block of comment lines, then the first line of a function. The closing line has the same indentation.
_GO = re.compile(r"(?m)^(?P<doc>(?://[^\n]*\n)+)(?P<code>func [^\n]*\{\n(?:(?!\})[^\n]*\n)*\})")
_TYPESCRIPT = re.compile(
    r"(?m)^(?P<indent> *)/\*\*(?P<doc>(?:(?!\*/)[\s\S])*)\*/\n"
    r"(?P<code>(?P=indent)[^\n]*(?:\bfunction\b|=>|\w\()[^\n]*\{\n(?:(?!(?P=indent)\})[^\n]*\n)*(?P=indent)\})"
)


@dataclass(frozen=True, slots=True)
class Documented:
    """A function without its documentation, and the first sentence of that."""

    name: str
    summary: str
    code: str


def load(mirrors: Path, questions: int = 0) -> Pool:
    """Loads the repositories of the list from a folder of mirrors (`owner+name/repo`); missing ones are left out."""
    listed = json.loads(_LIST.read_text(encoding="utf-8"))
    parts = [
        _pool(one["name"], list(_functions(mirrors / one["name"].replace("/", "+") / "repo", one)), questions)
        for one in listed
        if (mirrors / one["name"].replace("/", "+")).is_dir()
    ]
    units, asked = (tuple(x for part in parts for x in getattr(part, field)) for field in ("units", "questions"))
    return Pool(NAME, TITLE, "code", units, asked, functions.score, parts=tuple(parts))


def go_functions(text: str) -> Iterator[Documented]:
    """The documented functions of a Go file. The name that begins each comment is removed."""
    for found in _GO.finditer(text):
        lines = [line.removeprefix("//").strip() for line in found["doc"].splitlines()]
        code = found["code"]
        name = re.sub(r"^func (?:\([^)]*\) )?", "", code).partition("(")[0]
        yield Documented(name, _sentence(" ".join(lines)).removeprefix(f"{name} "), code)


def typescript_functions(text: str) -> Iterator[Documented]:
    """The documented functions and methods of a TypeScript file."""
    for found in _TYPESCRIPT.finditer(text):
        lines = [line.strip().lstrip("*").strip() for line in found["doc"].splitlines()]
        about = " ".join(lines).partition("@")[0]
        yield Documented(found["code"].strip().partition("(")[0], _sentence(about), found["code"])


def _python(text: str) -> Iterator[Documented]:
    return (Documented(one.name, one.summary, one.without_docstring) for one in python_functions(text))


_READERS: dict[str, tuple[str, Callable[[str], Iterator[Documented]]]] = {
    "python": (".py", _python),
    "go": (".go", go_functions),
    "typescript": (".ts", typescript_functions),
}


def _functions(repo: Path, listed: dict[str, str]) -> Iterator[Documented]:
    ending, read = _READERS[listed["language"]]
    for path in _git(repo, "ls-tree", "-r", "--name-only", listed["commit"]).splitlines():
        if path.endswith(ending) and not _TESTS.search(path):
            for one in read(_git(repo, "show", f"{listed['commit']}:{path}")):
                if 3 <= len(one.summary.split()) <= 25 and len(one.code) >= _SHORTEST:
                    yield Documented(one.name, one.summary, one.code[:LONGEST_FUNCTION].strip())


def _pool(repository: str, found: list[Documented], questions: int) -> Pool:
    """A store with the functions of one repository. A sentence that documents several functions is not asked."""
    kept = spread(found, _MOST_FUNCTIONS)
    summaries = [one.summary for one in kept]
    units = tuple(
        Unit(f"{repository}#{place}", one.code, f"{repository}#{place}", end=len(one.code))
        for place, one in enumerate(kept)
    )
    asked = [
        Question(unit.key, one.summary, groups=(unit.group,))
        for unit, one in zip(units, kept, strict=True)
        if summaries.count(one.summary) == 1
    ]
    return Pool(NAME, repository, "code", units, tuple(spread(asked, questions or _MOST_QUESTIONS)), functions.score)


def _sentence(text: str) -> str:
    first = re.split(r"(?<=[.!?])\s+(?=[A-Z])", " ".join(text.split()))[0]
    return first.replace("`", "")


def _git(repo: Path, *arguments: str) -> str:
    command = ("git", f"--git-dir={repo}", *arguments)
    return subprocess.run(command, capture_output=True, text=True, check=True, errors="replace").stdout
