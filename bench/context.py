"""`holdfast bench context`: how many of the memories that a colleague would mention are in the context of a prompt.

The set is fixed (bench/sets/context.json): forty memories of one project, and six prompts, each with the memories that
a colleague would mention. Three prompts were used to choose the thresholds, the other three were put aside. Then the
same for 336 prompts about written worlds (`bench/tasks.py`).
"""

from __future__ import annotations

import argparse
import json
import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path

from bench import tasks
from bench.recall.figures import mean
from bench.recall.ours import Calendar
from bench.recall.tables import OURS, Share
from holdfast import Candidate, Hit, Settings, Workspace
from holdfast import open as open_workspace
from holdfast.bench.measure import Measurement
from holdfast.bench.reports import Report, Section
from holdfast.core.answer import Pack, Trace, Why
from holdfast.core.memory import EPISODE
from holdfast.intake.message_intake import IncomingMessage
from holdfast.recall.pack import DEFAULT_BUDGET, PackSources, pack

FILE = Path(__file__).resolve().parent / "sets" / "context.json"
PARTS = {"choose": "Three prompts used to choose the thresholds", "test": "Three prompts put aside"}
USEFUL, FOUND, TOKENS, USELESS, STANDING, UNRELATED = (
    "useful given",
    "without standing",
    "budget used",
    "useless lines",
    "standing, not useful",
    "lines if unrelated",
)
_LINES = (USELESS, STANDING, UNRELATED)
# The prompts put aside must get at least this share of the useful memories.
FLOOR = 0.75
_FORMER_HITS = 24
_FIRST_DAY = datetime(2026, 10, 21, 9, tzinfo=UTC)
_SETTINGS = Settings(background=False, embedder="bundled", identity="folder")

# Builds the pack for a prompt.
Packer = Callable[[Workspace, str], Pack]


@dataclass(frozen=True, slots=True)
class Prompt:
    """A prompt and the memories that a colleague would mention."""

    part: str
    text: str
    useful: frozenset[str]


@dataclass(frozen=True, slots=True)
class ContextSet:
    """A project's memories, prompts, prompts that need no memory (by part), and messages that say nothing useful."""

    memories: Sequence[Candidate]
    keys: Sequence[str]
    prompts: Sequence[Prompt]
    unrelated: Mapping[str, Sequence[str]]
    messages: Mapping[str, Sequence[IncomingMessage]]


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--part", choices=tuple(PARTS), help="measure only these prompts (default: both parts)")


def measure(options: argparse.Namespace) -> Report:
    """Measures both parts of the prompts, in a store with memories only and in one with messages too."""
    given = load()
    wanted = [options.part] if options.part else list(PARTS)
    sections = []
    for messages in (False, True):
        with store(given, messages) as (ws, keys):
            sections += [section(given, ws, keys, part, messages) for part in wanted]
    has_tasks = tasks.is_available()
    sections += [tasks.section(part) for part in wanted if has_tasks]
    command = " ".join(["holdfast bench context", *([f"--part {options.part}"] if options.part else [])])
    return Report("context", command, tuple(sections), (*_NOTES, *(() if has_tasks else (tasks.MISSING,))))


def load() -> ContextSet:
    """Reads the set."""
    data = json.loads(FILE.read_text(encoding="utf-8"))
    memories = [Candidate(row["text"], row["type"], tuple(row["files"])) for row in data["memories"]]
    prompts = [Prompt(row["part"], row["prompt"], frozenset(row["useful"])) for row in data["prompts"]]
    messages: dict[str, list[IncomingMessage]] = {}
    for row in data["messages"]:
        when = datetime.fromisoformat(row["session"]).replace(hour=12, tzinfo=UTC)
        messages.setdefault(row["session"], []).append(IncomingMessage(row["role"], row["text"], when))
    unrelated = {part: [row["prompt"] for row in data["unrelated"] if row["part"] == part] for part in PARTS}
    return ContextSet(memories, [row["id"] for row in data["memories"]], prompts, unrelated, messages)


@contextmanager
def store(given: ContextSet, messages: bool) -> Iterator[tuple[Workspace, Mapping[str, str]]]:
    """Opens a store with the memories, and with the messages if wanted; yields the key of each memory by its id."""
    clock = Calendar()
    with (
        tempfile.TemporaryDirectory(prefix="holdfast-bench-") as folder,
        open_workspace(str(Path(folder) / "context.db"), folder, settings=_SETTINGS, clock=clock) as ws,
    ):
        for session, said in given.messages.items() if messages else ():
            ws.session(session).say_all(said)
        keys: dict[str, str] = {}
        for day, (key, memory) in enumerate(zip(given.keys, given.memories, strict=True)):
            clock.at = _FIRST_DAY + timedelta(days=day)
            answer = ws.remember_all([memory])[0]
            keys |= {answer.memory.id: key} if answer.memory is not None else {}
        ws.upkeep("embed")
        yield ws, keys


def section(given: ContextSet, ws: Workspace, keys: Mapping[str, str], part: str, messages: bool) -> Section:
    """Compares the systems on the prompts of one part."""
    standing = {id for id, key in keys.items() if ws.types.get(ws.get(id).type).standing}
    rows = {name: _figures(given, part, _Asked(ws, keys, standing, packer)) for name, packer in PACKERS.items()}
    floor = FLOOR if part == "test" else None
    figures: list[Measurement] = [Share(f"{OURS}, {USEFUL}", rows[OURS][USEFUL], budget=floor)]
    figures += [
        Measurement(f"{name}, {figure}", value, None, "lines" if figure in _LINES else "share")
        for name, row in rows.items()
        for figure, value in row.items()
        if (name, figure) != (OURS, USEFUL)
    ]
    cells = [(name, *(_cell(figure, value) for figure, value in row.items())) for name, row in rows.items()]
    beside = f"{sum(map(len, given.messages.values()))} messages" if messages else "nothing else"
    title = f"{PARTS[part]}; {len(given.memories)} memories and {beside} in the store"
    return Section(title, tuple(figures), cells=(("", *rows[OURS]), *cells))


@dataclass(frozen=True, slots=True)
class _Asked:
    """A system, the key of each memory by its id, and the ids of standing memories."""

    ws: Workspace
    keys: Mapping[str, str]
    standing: set[str]
    packer: Packer

    def lines(self, prompt: str) -> tuple[set[str], set[str], float]:
        """The keys of the standing memories in the pack, those of all other lines, and the share of the budget."""
        packed = self.packer(self.ws, prompt)
        ids = {citation.id for citation in packed.citations}
        named = [{self.keys.get(id, id) for id in some} for some in (ids & self.standing, ids - self.standing)]
        return named[0], named[1], packed.tokens / packed.budget


def _figures(given: ContextSet, part: str, system: _Asked) -> dict[str, float]:
    prompts = [prompt for prompt in given.prompts if prompt.part == part]
    packs = [(prompt.useful, *system.lines(prompt.text)) for prompt in prompts]
    always = {system.keys[id] for id in system.standing}
    return {
        USEFUL: mean(key in standing | found for useful, standing, found, _ in packs for key in sorted(useful)),
        FOUND: mean(key in found for useful, _, found, _ in packs for key in sorted(useful - always)),
        TOKENS: mean(used for *_, used in packs),
        USELESS: mean(len(found - useful) for useful, _, found, _ in packs),
        STANDING: mean(len(standing - useful) for useful, standing, _, _ in packs),
        UNRELATED: mean(len(system.lines(prompt)[1]) for prompt in given.unrelated[part]),
    }


def _context(ws: Workspace, prompt: str) -> Pack:
    return ws.context(prompt)


def _former(ws: Workspace, prompt: str) -> Pack:
    """The rule before: the best hits of a search; messages only if nothing else answers."""
    types = [name for name in ws.types.names() if name != EPISODE]
    hits = ws.recall(prompt, _FORMER_HITS, types=types, count=False).hits
    return _packed(ws, hits or ws.recall(prompt, _FORMER_HITS, types=[EPISODE], count=False).hits)


def _newest(ws: Workspace, prompt: str) -> Pack:
    memories = ws.list(limit=1_000, types=[name for name in ws.types.names() if name != EPISODE])
    return _packed(ws, [Hit(memory, memory.content, 0.0, Why({}, {})) for memory in memories])


def _packed(ws: Workspace, hits: Sequence[Hit]) -> Pack:
    tokens, most_alike = ws.container.models.tokens, ws.settings.near_duplicate
    return pack(PackSources(hits), DEFAULT_BUDGET, {}, tokens, Trace("bench"), near_duplicate=most_alike)


PACKERS: Mapping[str, Packer] = {
    OURS: _context,
    "best hits of a search": _former,
    "newest first until full": _newest,
}


def _cell(figure: str, value: float) -> str:
    return f"{value:.1f}" if figure in _LINES else f"{value:.2f}"


_NOTES = (
    "Useful: what a colleague would mention, written down before the thresholds were chosen.",
    "Lines are per prompt, without standing memories, which have a column of their own. The last column is for prompts"
    ' that need no memory, such as "thanks". Messages say nothing useful, so each is a useless line.',
    "Best hits of a search: up to 24 hits above abstain_below, which is what `context` did before.",
    f"The budget is {DEFAULT_BUDGET:,} tokens.",
)
