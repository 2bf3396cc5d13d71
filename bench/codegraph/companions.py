"""How well the companions of a change are predicted: which other files a commit touches, given one of them.

The history is split by reachability: a commit on the main line, four fifths of the way, and everything it contains are
known; the commits after it are predicted. Dates would not do: a branch that is merged late has early dates.
"""

from __future__ import annotations

import io
import subprocess
import tarfile
import tempfile
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from bench.codegraph.errors import CloneFailed
from bench.codegraph.repositories import Repository, clone_of, repositories
from holdfast.bench.measure import Measurement
from holdfast.bench.reports import Section
from holdfast.codegraph.analysis.adjacency import Adjacency
from holdfast.codegraph.code_index import CodeIndexer
from holdfast.codegraph.history.co_changes import count_co_changes
from holdfast.codegraph.history.commits import ChangedFiles, read_commits
from holdfast.codegraph.history.companions import CodeCompanions, by_commits, by_dependencies
from holdfast.core.clock import SystemClock
from holdfast.core.ids import Ids
from holdfast.core.settings import Settings
from holdfast.store.open import open_store
from holdfast.system.project import ProjectIdentity

# The weights were chosen on the first three; the last was only measured.
REPOSITORIES = ("httpie/cli", "psf/black", "honojs/hono", "vuejs/core")
_KNOWN = 0.8
_TOP = 10
_PROJECT = "bench"

Rank = Callable[[str], Sequence[str]]


@dataclass(frozen=True, slots=True)
class _Hits:
    """The share of predictions with a companion among the first ten, and how early it comes."""

    hit: float
    reciprocal_rank: float
    commits: int


def companion_sections(clones: Path, only: Sequence[str] = ()) -> Iterator[Section | str]:
    """Measures each repository; a text says why one was left out."""
    for repository in repositories():
        if repository.name in (only or REPOSITORIES):
            try:
                yield _section(repository, clone_of(repository, clones))
            except CloneFailed as error:
                yield f"{repository.name} was not measured: {error}."


def _section(repository: Repository, clone: Path) -> Section:
    split = split_of(clone)
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder) / "files"
        tree = extract(clone, split, root)
        rankings, code = _rankings(clone, split, root, Path(folder) / "bench.db", tree)
        tested = list(read_commits(str(clone), ("HEAD", f"^{split}"), follow=False))
        found = {name: _measure(rank, tested, code) for name, rank in rankings.items()}
    both, alone = found["co-change + imports"], max(found["co-change"].hit, found["imports"].hit)
    rows = tuple(
        Measurement(f"{name}, {what}", value, None, "share", alone if hits is both and what == "hit@10" else None)
        for name, hits in found.items()
        for what, value in (("hit@10", hits.hit), ("reciprocal rank", hits.reciprocal_rank))
    )
    title = f"Companions in {repository.name} after {split[:10]}, {both.commits} commits"
    cells = [("", "hit@10", "reciprocal rank")]
    cells += [(name, f"{hits.hit:.3f}", f"{hits.reciprocal_rank:.3f}") for name, hits in found.items()]
    return Section(title, rows, cells=tuple(cells))


def _rankings(
    clone: Path, split: str, root: Path, db: Path, tree: Collection[str]
) -> tuple[dict[str, Rank], frozenset[str]]:
    now = SystemClock().now
    store = open_store(Settings(db=str(db)), now=now, ids=Ids(), default_folder=str(db.parent))
    store.projects.recognise(ProjectIdentity(str(root), _PROJECT, None, None, _PROJECT), _PROJECT, now())
    CodeIndexer(store.graph, now, _PROJECT, str(root)).run()
    table = count_co_changes(read_commits(str(clone), (split,)), tree)
    store.graph.put_co_changes(_PROJECT, split, table.files, table.pairs)
    reading, companions = store.reading, CodeCompanions(store.reading, _PROJECT)
    graph = Adjacency(reading, _PROJECT, 1)

    def commits_alone(path: str) -> Sequence[str]:
        return _ranked(by_commits(reading.co_changed(_PROJECT, [path]), table.files.get(path, (0, 0.0))[1]))

    return {
        "imports": lambda path: _ranked(by_dependencies(graph, path)),
        "co-change": commits_alone,
        "co-change + imports": lambda path: list(companions.predict(path, graph)),
    }, frozenset(graph.by_path)


def _measure(rank: Rank, commits: Sequence[ChangedFiles], code: Collection[str]) -> _Hits:
    """Asks for the companions of each file of each commit with 2 to 20 known files; every commit counts the same."""
    hits: list[float] = []
    ranks: list[float] = []
    for commit in commits:
        files = [path for path in commit.files if path in code]
        if 2 <= len(files) <= 20:
            places = [_place(rank(path), set(files) - {path}, code) for path in files]
            hits.append(sum(place > 0 for place in places) / len(files))
            ranks.append(sum(1 / place for place in places if place) / len(files))
    return _Hits(sum(hits) / max(1, len(hits)), sum(ranks) / max(1, len(ranks)), len(hits))


def _place(ranked: Sequence[str], wanted: set[str], code: Collection[str]) -> int:
    """The place of the first companion among the first ten code files; 0 if there is none."""
    first = [path for path in ranked if path in code][:_TOP]
    return next((place for place, path in enumerate(first, start=1) if path in wanted), 0)


def _ranked(scores: dict[str, float]) -> list[str]:
    return sorted(scores, key=lambda path: (-scores[path], path))


def split_of(clone: Path) -> str:
    """Returns the commit that divides the known history from the predicted one."""
    line = git(clone, "rev-list", "--first-parent", "--reverse", "HEAD").decode().split()
    return line[int(len(line) * _KNOWN)]


def extract(clone: Path, commit: str, root: Path) -> frozenset[str]:
    """Writes the files of a commit to a folder; returns their paths."""
    with tarfile.open(fileobj=io.BytesIO(git(clone, "archive", commit))) as archive:
        archive.extractall(root, filter="data")
        return frozenset(member.name for member in archive.getmembers() if member.isfile())


def git(clone: Path, *arguments: str) -> bytes:
    """Returns what a git command prints in a clone."""
    done = subprocess.run(["git", "-C", str(clone), *arguments], capture_output=True, check=False)
    if done.returncode:
        raise CloneFailed(f"git {arguments[0]} failed in {clone.name}")
    return done.stdout
