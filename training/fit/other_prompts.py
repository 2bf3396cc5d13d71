"""Measures what is given to prompts that a store knows nothing about.

    python -m training.fit.other_prompts REPOSITORY … [--part test] [--worlds 10]

REPOSITORY is a clone with the branch `entire/checkpoints/v1` (see `bench/observer/checkpoints.py`): its sessions have
the prompts that people gave to coding agents. They are asked in stores of 3, 10 and all memories of written worlds,
which are about other things, so every line that is given is useless.
"""

from __future__ import annotations

import argparse
import random
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path

from bench.observer.checkpoints import write_transcripts
from bench.recall.figures import mean
from bench.tasks import PARTS, SETTINGS, SYSTEMS, world_prompts

from holdfast import Candidate, Workspace
from holdfast import open as open_workspace
from holdfast.agents import event as kinds
from holdfast.agents.transcripts.agent_events import all_sessions
from holdfast.bench.reports import aligned
from holdfast.observer.requests import is_request
from training.worlds import FOLDER, read_world

_SIZES = (3, 10, None)
_LENGTHS = ((1, 12), (13, 25), (26, 60), (61, None))
_PROMPTS, _OF_EACH, _SEED = 30, 60, 7
_CHARACTERS = 4_000


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("repositories", nargs="+", type=Path, help="clones with a branch of checkpoints")
    parser.add_argument("--part", choices=PARTS, default="test", help="which worlds are asked")
    parser.add_argument("--worlds", type=int, default=10, metavar="N", help="how many worlds are asked")
    options = parser.parse_args()
    chance = random.Random(_SEED)
    prompts = [prompt for each in options.repositories for prompt in _sample(chance, _prompts(each), _OF_EACH)]
    worlds = _sample(chance, sorted(world_prompts(options.part)), options.worlds)
    for size in _SIZES:
        found = [each for world in worlds for each in _lines(world, size, _sample(chance, prompts, _PROMPTS))]
        print(f"\n{size or 'all'} memories of each of {len(worlds)} worlds, {len(found)} prompts about something else")
        print(aligned(list(_table(found))))


def _prompts(repository: Path) -> Sequence[str]:
    """What people asked coding agents for, each once."""
    with tempfile.TemporaryDirectory() as folder:
        write_transcripts(repository, Path(folder))
        events = [event for session in all_sessions(folder) for event in session.events]
    said = (event.text[:_CHARACTERS] for event in events if event.kind == kinds.USER and not event.agent)
    return list(dict.fromkeys(text for text in said if is_request(text)))


def _sample(chance: random.Random, texts: Sequence[str], most: int) -> list[str]:
    return chance.sample(texts, min(most, len(texts)))


def _lines(world: str, size: int | None, prompts: Sequence[str]) -> Iterator[tuple[int, Mapping[str, int]]]:
    """The words of each prompt, and how many memories each system gives to it."""
    with _store(world, size) as ws:
        for prompt in prompts:
            yield len(prompt.split()), {name: len(ask(ws, prompt)) for name, ask in SYSTEMS.items()}


@contextmanager
def _store(world: str, size: int | None) -> Iterator[Workspace]:
    texts = list(read_world(FOLDER / f"{world}.tsv").passages.values())
    with (
        tempfile.TemporaryDirectory(prefix="holdfast-bench-") as folder,
        open_workspace(str(Path(folder) / "memories.db"), folder, settings=SETTINGS) as ws,
    ):
        ws.remember_all([Candidate(text, "fact") for text in _sample(random.Random(world), texts, size or len(texts))])
        ws.upkeep("embed")
        yield ws


def _table(found: Sequence[tuple[int, Mapping[str, int]]]) -> Iterator[tuple[str, ...]]:
    yield ("words of the prompt", "prompts", *(f"{name}: {what}" for name in SYSTEMS for what in ("silent", "lines")))
    for first, last in (*_LENGTHS, (1, None)):
        given = [counts for words, counts in found if first <= words and (last is None or words <= last)]
        if given:
            figures = ((mean(not each[name] for each in given), mean(each[name] for each in given)) for name in SYSTEMS)
            cells = (cell for silent, lines in figures for cell in (f"{silent:.2f}", f"{lines:.1f}"))
            label = "all" if (first, last) == (1, None) else f"{first} to {last}" if last else f"from {first}"
            yield (label, str(len(given)), *cells)


if __name__ == "__main__":
    main()
