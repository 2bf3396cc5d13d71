"""Measures the speed of storing messages and of building a context in a large store."""

from __future__ import annotations

import gzip
import json
import tempfile
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime, timedelta
from itertools import cycle, islice
from pathlib import Path
from typing import TYPE_CHECKING

from bench import scale_data
from holdfast.bench import corpus
from holdfast.bench.measure import Measurement, milliseconds, rate, seconds_of, seconds_of_each, show_progress
from holdfast.bench.reports import Section

if TYPE_CHECKING:
    from holdfast.intake.message_intake import IncomingMessage
    from holdfast.workspace import Workspace

_CHATS = Path(__file__).resolve().parents[3] / "shared" / "data" / "longmemeval" / "sessions.jsonl.gz"
_SAY_BUDGET, _RATE_BUDGET, _CONTEXT_BUDGET = 1.0, 5_000.0, 60.0
_BATCH, _SESSION = 1_000, 50
_BEGIN = datetime(2025, 1, 1, tzinfo=UTC)


def sections(folder: Path, messages: int, memories: int, samples: int) -> list[Section]:
    """Measures storing messages singly and in batches, then contexts with many memories."""
    rows = [*_saying(folder, messages, samples), *_context(folder / f"context{memories}", memories, samples)]
    return [Section(f"Speed: {messages:,} messages, {memories:,} memories", tuple(rows))]


def _saying(folder: Path, messages: int, samples: int) -> Iterator[Measurement]:
    show_progress(f"storing {messages:,} messages")
    with tempfile.TemporaryDirectory(dir=folder) as home, _open(Path(home)) as ws:
        incoming = list(_messages(messages, user=True))
        yield rate("store messages of people, in batches", messages, _keep(ws, incoming), "messages/s", _RATE_BUDGET)
        alone = seconds_of_each(lambda one: ws.session("alone").say(one.role, one.text, one.when), incoming[:samples])
        yield milliseconds("say one message", alone, _SAY_BUDGET)
    with tempfile.TemporaryDirectory(dir=folder) as home, _open(Path(home)) as ws:
        both = list(_messages(messages // 5, user=False))
        seconds, size = _keep(ws, both), sum(len(one.text) for one in both)
        yield rate("store whole chats, with long answers", len(both), seconds, "messages/s")
        yield rate("the same, by size", size / 1e6, seconds, "MB/s")


def _keep(ws: Workspace, incoming: Sequence[IncomingMessage]) -> float:
    def keep() -> None:
        for at in range(0, len(incoming), _BATCH):
            ws.session(f"chat {at}").say_all(incoming[at : at + _BATCH])

    return seconds_of(keep)


def _context(folder: Path, memories: int, samples: int) -> Iterator[Measurement]:
    """Uses generated texts and shifted copies of real vectors; the bundled model embeds the prompt."""
    from holdfast.models.choice import bundled_embedder

    show_progress(f"a store of {memories:,} memories")
    folder.mkdir(exist_ok=True)
    scale_data.fill(folder, memories, embedder=bundled_embedder().id)
    prompts = [_prompt(number) for number in range(samples + 3)]
    with _open(folder / "db", "memory.db", project=scale_data.LARGE, embedder="bundled") as ws:
        for prompt in prompts[:3]:
            ws.context(prompt)
        yield milliseconds("context for a prompt, with embedding", _packed(ws, prompts[3:]), _CONTEXT_BUDGET)


def _packed(ws: Workspace, prompts: Sequence[str]) -> list[float]:
    return seconds_of_each(lambda prompt: ws.context(prompt, session="now"), prompts)


def _prompt(number: int) -> str:
    known = [scale_data.word(number * 37 % 900 + rank) for rank in (40, 150, 600, 2_400)]
    return f"How do we {known[0]} the {known[1]} when {known[2]} has {known[3]}?"


def _messages(count: int, *, user: bool) -> Iterator[IncomingMessage]:
    """Yields real chat messages if available, else generated ones."""
    from holdfast.intake.message_intake import IncomingMessage

    found = [one for one in _real() if not user or one[0] == "user"] if _CHATS.exists() else list(_made_up())
    for at, (role, text) in enumerate(islice(cycle(found), count)):
        yield IncomingMessage(role, text, _BEGIN + timedelta(minutes=at))


def _real() -> Iterator[tuple[str, str]]:
    with gzip.open(_CHATS, "rt", encoding="utf-8") as lines:
        for line in lines:
            for turn in json.loads(line)["turns"]:
                yield turn["role"], turn["content"]


def _made_up() -> Iterator[tuple[str, str]]:
    for at, text in enumerate(corpus.build(10, more=0, messages=5_000, questions=1).messages):
        yield ("user", "assistant")[at % 2], str(text)


def _open(folder: Path, file: str = "speed.db", project: str | None = None, embedder: str = "none") -> Workspace:
    import holdfast

    db = str(folder / file)
    return holdfast.open(db=db, project=project or str(folder), embedder=embedder, background=False)
