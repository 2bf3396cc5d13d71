"""Measures what is given to tasks: prompts about written worlds, with the memories that a colleague would mention.

Part of `holdfast bench context`. `bench/sets/tasks_*.jsonl` has seven prompts for each of 48 worlds that no model was
trained on: tasks, short tasks, and prompts that need no memory. The prompts of one half chose the thresholds.
"""

from __future__ import annotations

import json
import tempfile
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path

from bench.recall.figures import mean
from holdfast import Candidate, Settings, Workspace
from holdfast import open as open_workspace
from holdfast.bench.measure import Measurement
from holdfast.bench.reports import Section
from holdfast.core.answer import Pack

SETS = Path(__file__).resolve().parent / "sets"
PARTS = {"choose": "used to choose the thresholds", "test": "put aside"}
SETTINGS = Settings(background=False, embedder="bundled", identity="folder", memory_files=False)
MISSING = "The prompts about written worlds are part of the repository only, so they were not measured."
_HITS = 10
SYSTEMS: Mapping[str, Callable[[Workspace, str], set[str]]] = {
    "context": lambda ws, prompt: _cited(ws.context(prompt)),
    "hook of a first prompt": lambda ws, prompt: _cited(ws.first_prompt(prompt)),
    "ten hits of a search": lambda ws, prompt: {hit.id for hit in ws.recall(prompt, _HITS, count=False).hits},
}
HEADS = ("", "useful given", "tasks helped", "useless lines", "silent without need", "lines without need")


@dataclass(frozen=True, slots=True)
class Given:
    """The memories given for a prompt, and those that are useful for it; none for a prompt that needs none."""

    ids: frozenset[str]
    useful: frozenset[str]


def is_available() -> bool:
    """Are the worlds here? They are part of the repository, and not of an installation."""
    return find_spec("training") is not None


def section(part: str, most_worlds: int | None = None) -> Section:
    """The table of one half of the prompts."""
    worlds = dict(list(world_prompts(part).items())[:most_worlds])
    found: dict[str, list[Given]] = {name: [] for name in SYSTEMS}
    for world, prompts in worlds.items():
        with _store(world) as (ws, keys):
            for prompt, useful in prompts:
                for name, ask in SYSTEMS.items():
                    ids = frozenset(keys[id] for id in ask(ws, prompt) if id in keys)
                    found[name].append(Given(ids, useful))
    rows = {name: _figures(given) for name, given in found.items()}
    title = f"{sum(map(len, worlds.values()))} tasks and other prompts about {len(worlds)} worlds, {PARTS[part]}"
    figures = [Measurement(f"{name}, {head}", value, None, "") for name, row in rows.items() for head, value in row]
    cells = ((name, *(f"{value:.2f}" for _, value in row)) for name, row in rows.items())
    return Section(title, tuple(figures), cells=(HEADS, *cells))


def world_prompts(part: str) -> dict[str, list[tuple[str, frozenset[str]]]]:
    found: dict[str, list[tuple[str, frozenset[str]]]] = {}
    for line in (SETS / f"tasks_{part}.jsonl").read_text(encoding="utf-8").splitlines():
        row = json.loads(line)
        found.setdefault(row["world"], []).append((row["prompt"], frozenset(row["useful"])))
    return found


@contextmanager
def _store(world: str) -> Iterator[tuple[Workspace, Mapping[str, str]]]:
    """A store with the passages of a world, and the name of each passage by the id of its memory."""
    worlds = import_module("training.worlds")  # Not in an installation: `is_available`.
    passages: Mapping[str, str] = worlds.read_world(worlds.FOLDER / f"{world}.tsv").passages
    with (
        tempfile.TemporaryDirectory(prefix="holdfast-bench-") as folder,
        open_workspace(str(Path(folder) / "tasks.db"), folder, settings=SETTINGS) as ws,
    ):
        answers = [(name, ws.remember_all([Candidate(text, "fact")])[0]) for name, text in passages.items()]
        ws.upkeep("embed")
        yield ws, {answer.memory.id: name for name, answer in answers if answer.memory is not None}


def _figures(given: list[Given]) -> list[tuple[str, float]]:
    tasks, others = [one for one in given if one.useful], [one for one in given if not one.useful]
    values = (
        mean(key in one.ids for one in tasks for key in sorted(one.useful)),
        mean(not one.ids.isdisjoint(one.useful) for one in tasks),
        mean(len(one.ids - one.useful) for one in tasks),
        mean(not one.ids for one in others),
        mean(len(one.ids) for one in others),
    )
    return list(zip(HEADS[1:], values, strict=True))


def _cited(pack: Pack) -> set[str]:
    return {citation.id for citation in pack.citations}
