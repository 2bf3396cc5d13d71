"""How fast questions about code are answered, and how fast the index follows edits: on copies of large repositories."""

from __future__ import annotations

import random
import shutil
import subprocess
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from pathlib import Path

import holdfast
from bench.codegraph.made_edits import MADE_EDITS
from bench.codegraph.repositories import Repository, clone_of
from holdfast.bench.measure import Measurement, milliseconds, quantile, show_progress
from holdfast.bench.reports import Section
from holdfast.codegraph.analysis.graph_questions import CodeAnalysis
from holdfast.workspace import Workspace

# Larger than the repositories whose graph is scored.
LARGE = (
    Repository("nestjs/nest", "55425779a1e2a1523b062a7dff872826641834d8", "typescript"),
    Repository("typeorm/typeorm", "281bfba42a5813b106bcf5ba79bc7f7251bd1e73", "typescript"),
    Repository("angular/angular", "51cb07e98081ab7e4e84a9e0949266a8e19cca84", "typescript"),
)
_TARGETS = 100
_COMMITS = 300
_EDITS = 60
_MADE = 25
_COLD, _WARM, _EDIT, _SLOW_EDIT = 100.0, 5.0, 100.0, 1000.0


def answer_section(repository: Repository, clones: Path) -> Section:
    """The speed of answers and updates in one repository, as processor time of this process."""
    show_progress(repository.name)
    clone = clone_of(repository, clones)
    with tempfile.TemporaryDirectory() as folder:
        copy = shutil.copytree(clone, Path(folder, "copy"), symlinks=True)
        db = str(Path(folder, "code.db"))
        with holdfast.open(db=db, project=str(copy), embedder="none", background=False) as ws:
            ws.index(docs=False)
            rows = (*_answers(ws), *_updates(ws, copy))
            files = ws.code_state().files
    return Section(f"{repository.name} at {repository.commit[:10]}, {files} files", rows)


def _answers(ws: Workspace) -> Iterator[Measurement]:
    """The impact of random files and symbols: with nothing in memory, then again."""
    graph = ws.container.code_analysis.graph()
    chosen = random.Random(1).sample(sorted(graph.by_path), _TARGETS)
    defined = [(path, graph.symbols(graph.by_path[path].id)) for path in chosen]
    symbols = [f"{path}:{found[0].name}" for path, found in defined if found]
    for name, targets in (("file", chosen), ("symbol", symbols)):
        cold, warm = [], []
        for target in targets:
            fresh = _analysis(ws)
            cold.append(_processor_seconds(partial(fresh.impact, target)))
            warm.append(_processor_seconds(partial(fresh.impact, target)))
        yield milliseconds(f"impact of a {name}, nothing in memory", cold, _COLD)
        yield milliseconds(f"impact of a {name}, asked again", warm, _WARM)
    flows = [_processor_seconds(partial(_analysis(ws).flow, target)) for target in symbols]
    yield milliseconds("data flow of a symbol, nothing in memory", flows, _COLD)
    yield milliseconds("module map", [_processor_seconds(_analysis(ws).modules) for _ in range(5)])


def _updates(ws: Workspace, copy: Path) -> Iterator[Measurement]:
    """Updates after real edits, in which a file is as before a commit, then as it is; then after edits of each kind."""
    real = [seconds for path, before in _edits(ws, copy) for seconds in _updated(ws, copy, path, before)]
    yield milliseconds("update after an edit of one file", real, _EDIT)
    yield Measurement("the same, at the 95th percentile", 1000 * quantile(real, 0.95), None, "ms", _SLOW_EDIT)
    paths = sorted(path for path in ws.container.code_analysis.graph().by_path if path.endswith(".ts"))
    for kind, edit in MADE_EDITS.items():
        made = [seconds for path, after in _made(copy, paths, edit) for seconds in _updated(ws, copy, path, after)]
        if made:
            yield milliseconds(f"update after {kind}", made, _EDIT)


def _updated(ws: Workspace, copy: Path, path: str, contents: bytes) -> Iterator[float]:
    """Yields the times of two updates: after a file got other contents, and after it got its own back."""
    file = copy / path
    own = file.read_bytes()
    for now in (contents, own):
        file.write_bytes(now)
        yield _processor_seconds(partial(ws.container.code_indexer.run, [path]))


def _made(copy: Path, paths: Sequence[str], edit: Callable[[str, random.Random], str]) -> Iterator[tuple[str, bytes]]:
    """Yields some files with their contents after an edit of one kind."""
    dice, count = random.Random(7), 0
    for path in dice.sample(paths, len(paths)):
        text = (copy / path).read_text("utf-8")
        edited = edit(text, dice)
        if edited != text:
            count += 1
            yield path, edited.encode()
        if count == _MADE:
            return


def _edits(ws: Workspace, copy: Path) -> Iterator[tuple[str, bytes]]:
    """Yields files that recent commits edited, with their contents before."""
    known = ws.container.code_analysis.graph().by_path
    options = ("--no-merges", f"-n{_COMMITS}", "--diff-filter=M", "--format=%x00%H", "--name-only")
    edits = []
    for block in _git(copy, "log", *options).decode().split("\0")[1:]:
        commit, *paths = block.split()
        edits += [(commit, path) for path in paths if path in known]
    for commit, path in random.Random(1).sample(edits, min(_EDITS, len(edits))):
        yield path, _git(copy, "show", f"{commit}^:{path}")


def _analysis(ws: Workspace) -> CodeAnalysis:
    container = ws.container
    return CodeAnalysis(container.reading, lambda: container.code_indexer, ws.project, ws.root)


def _processor_seconds(act: Callable[[], object]) -> float:
    started = time.process_time()
    act()
    return time.process_time() - started


def _git(folder: Path, *arguments: str) -> bytes:
    return subprocess.run(["git", "-C", str(folder), *arguments], capture_output=True, check=True).stdout
