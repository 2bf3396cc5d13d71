"""Measures how many of the texts that mention a registered person are linked to that person, and how many others are.

Each person has a project of their own. Half of the texts are stored before the person is registered, so that the
background job must link them. Standalone: `python -m bench.conversation.names [FILE]`.
"""

from __future__ import annotations

import json
import sys
import tempfile
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

import holdfast
from bench import ROOT
from holdfast.bench.reports import Figure, aligned
from holdfast.core.memory import Memory

SET = ROOT / "bench" / "sets" / "updates" / "names_sealed_third.jsonl"
_LINKED, _FALSE = 0.95, 0.05
Row = Mapping[str, Any]


def figures(path: Path = SET) -> tuple[Figure, ...]:
    """The share of mentions that are linked, and of the other texts that are linked wrongly; none without the file."""
    if not path.is_file():
        return ()
    rows = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines() if line.strip()]
    linked = judged(rows)
    true = [link for row, link in zip(rows, linked, strict=True) if row["mentions"]]
    false = [link for row, link in zip(rows, linked, strict=True) if not row["mentions"]]
    return (
        Figure("Texts that mention a registered person, linked", *_share(true), f"≥ {_LINKED}", _at_least(true)),
        Figure("Texts that use the name otherwise, linked", *_share(false), f"≤ {_FALSE}", _at_most(false)),
    )


def judged(rows: Iterable[Row]) -> list[bool]:
    """Whether each text is linked to its person."""
    rows = list(rows)
    people: dict[tuple[str, ...], list[int]] = {}
    for place, row in enumerate(rows):
        people.setdefault((row["person"], *row["aliases"]), []).append(place)
    linked = [False] * len(rows)
    with tempfile.TemporaryDirectory() as folder:
        for number, (names, places) in enumerate(people.items()):
            project = Path(folder, f"p{number}")
            project.mkdir()
            for place in _linked(folder, project, names, {place: str(rows[place]["text"]) for place in places}):
                linked[place] = True
    return linked


def _linked(folder: str, project: Path, names: tuple[str, ...], texts: Mapping[int, str]) -> Iterable[int]:
    with holdfast.open(db=f"{folder}/m.db", project=str(project), background=False, embedder="none") as ws:
        session, stored = ws.session("talk"), dict[int, Memory | None]()
        for place, text in list(texts.items())[::2]:
            stored[place] = session.say("user", text).memory
        person = ws.add_entity(names[0], "person", names[1:])
        for place, text in list(texts.items())[1::2]:
            stored[place] = session.say("user", text).memory
        ws.upkeep("link")
        entities = ws.container.store.entities
        return [
            place
            for place, memory in stored.items()
            if memory and any(entity.id == person.id for entity in entities.of(memory.id))
        ]


def _share(links: list[bool]) -> tuple[str]:
    return (f"{sum(links) / max(1, len(links)):.3f} ({sum(links)} of {len(links)})",)


def _at_least(links: list[bool]) -> bool:
    return sum(links) >= _LINKED * len(links)


def _at_most(links: list[bool]) -> bool:
    return sum(links) <= _FALSE * len(links)


if __name__ == "__main__":
    measured = figures(Path(sys.argv[1]) if len(sys.argv) > 1 else SET)
    print(aligned([(figure.name, figure.value, figure.target) for figure in measured]))
