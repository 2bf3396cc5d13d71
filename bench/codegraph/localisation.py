"""How well the files of a fix are found by the text of its commit, with and without the code graph.

A commit whose message names an issue says what was wrong, and the files it changed are what should have been found. The
project is indexed as it was at four fifths of its main line; the commits after that are the questions.
"""

from __future__ import annotations

import re
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import NamedTuple

import holdfast
from bench.codegraph.companions import extract, git, split_of
from bench.codegraph.errors import CloneFailed
from bench.codegraph.repositories import Repository, clone_of, repositories
from bench.recall.ablation import ABLATIONS
from holdfast.bench.measure import Measurement, show_progress
from holdfast.bench.reports import Section
from holdfast.codegraph.history.co_changes import count_co_changes
from holdfast.codegraph.history.commits import read_commits
from holdfast.recall.recipes import DEFAULT, Recipe

# The weight of the boost was chosen on the first three; the last was only measured.
REPOSITORIES = ("httpie/cli", "psf/black", "honojs/hono", "vuejs/core")
_RECIPES = {"without the code graph": ABLATIONS["without the code graph"], "default": DEFAULT}
_MOST_FILES, _LONGEST, _SHORTEST = 10, 600, 15
_ASKED = 40
_MOST_FIXES = 320
_ISSUE = re.compile(r"#\d+")
_NOISE = re.compile(r"(?im)^(?:co-authored-by|signed-off-by|reviewed-by):.*$|\(?#\d+\)?|https?://\S+")


class _Fix(NamedTuple):
    """The text of a commit that names an issue, and the code files that it changed."""

    text: str
    files: frozenset[str]


@dataclass(frozen=True, slots=True)
class _Found:
    """How early and how completely the files of fixes were found."""

    first: float
    ten: float
    recall: float
    reciprocal_rank: float


def localisation_sections(clones: Path, only: Sequence[str] = ()) -> Iterator[Section | str]:
    """Measures each repository; a text says why one was left out."""
    for repository in repositories():
        if repository.name in (only or REPOSITORIES):
            show_progress(repository.name)
            try:
                yield _section(repository, clone_of(repository, clones))
            except CloneFailed as error:
                yield f"{repository.name} was not measured: {error}."


def _section(repository: Repository, clone: Path) -> Section:
    split = split_of(clone)
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder) / "files"
        tree = extract(clone, split, root)
        db = str(Path(folder) / "bench.db")
        with holdfast.open(db=db, project=str(root), background=False, identity="folder", index_code=True) as ws:
            ws.index(docs=False)
            table = count_co_changes(read_commits(str(clone), (split,)), tree)
            ws.container.store.graph.put_co_changes(ws.project, split, table.files, table.pairs)
            known = frozenset(file.path for file in ws.container.reading.code_files(ws.project))
            fixes = list(islice(_fixes(clone, split, known), _MOST_FIXES))
            found = {name: _measure(ws, fixes, recipe) for name, recipe in _RECIPES.items()}
    without, default = found.values()
    rows = (
        Measurement("a file of the fix among the first ten", default.ten, None, "share", without.ten),
        Measurement("files of the fix among the first ten", default.recall, None, "share", without.recall),
        Measurement("reciprocal rank", default.reciprocal_rank, None, "share", without.reciprocal_rank),
    )
    cells: list[tuple[str, ...]] = [("", "first", "hit@10", "recall@10", "reciprocal rank")]
    cells += [
        (name, *(f"{value:.3f}" for value in (of.first, of.ten, of.recall, of.reciprocal_rank)))
        for name, of in found.items()
    ]
    return Section(f"Files of fixes in {repository.name}, {len(fixes)} commits", rows, cells=tuple(cells))


def _fixes(clone: Path, split: str, known: frozenset[str]) -> Iterator[_Fix]:
    for commit in read_commits(str(clone), ("HEAD", f"^{split}"), follow=False):
        files = known.intersection(commit.files)
        message = git(clone, "log", "-1", "--format=%B", commit.commit).decode("utf-8", "replace")
        text = " ".join(_NOISE.sub(" ", message).split())[:_LONGEST]
        if 1 <= len(files) <= _MOST_FILES and _ISSUE.search(message) and len(text) > _SHORTEST:
            yield _Fix(text, files)


def _measure(ws: holdfast.Workspace, fixes: Sequence[_Fix], recipe: Recipe) -> _Found:
    places: list[int] = []
    recalls: list[float] = []
    for text, files in fixes:
        answer = ws.recall(text, limit=_ASKED, types=["code"], abstain=False, count=False, recipe=recipe)
        ranked = list(dict.fromkeys(hit.files[0] for hit in answer.hits))
        places.append(next((place for place, path in enumerate(ranked, start=1) if path in files), 0))
        recalls.append(len(files.intersection(ranked[:10])) / len(files))
    count = max(1, len(fixes))
    return _Found(
        sum(place == 1 for place in places) / count,
        sum(0 < place <= 10 for place in places) / count,
        sum(recalls) / count,
        sum(1 / place for place in places if place) / count,
    )
