"""When little was found: imagine the note that would answer, and look for notes like it (R-C6).

Asks a language model, so it belongs to questions a person or an agent asks, never to what is put into a prompt unasked.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from holdfast.core.errors import ModelError
from holdfast.core.memory import nothing
from holdfast.recall.merging import merge_path
from holdfast.recall.question import Embedded, Found, Notes, Question

if TYPE_CHECKING:
    from holdfast.models.protocols import Chat, Embedder, TokenCounter, Vectors
    from holdfast.recall.steps import Candidates, Step
    from holdfast.store.reading import SearchReading

VERSION = "hyde.v1"
ENOUGH = 3
SURE = 0.5
LONGEST = 100
_OF_QUESTION, _OF_IMAGINED = 0.4, 0.6


class HydeResources(NamedTuple):
    """What it takes to imagine an answer, and to tell whether one is wanted."""

    chat: Chat
    embedder: Embedder | None
    tokens: TokenCounter
    sure: Callable[[Question, Found], float]


@dataclass(frozen=True, slots=True)
class Hyde:
    """Looks again with a vector of 0.4 question and 0.6 imagined answer when fewer than three hits are sure.

    `sure` says how well a candidate answers, calibrated to 0 to 1. `again` gives the steps from fusion on, with that
    vector in the place of the question's: they run over the old candidates and the new. A model that fails leaves
    everything as it was, and the trace says why; how long it may take is its endpoint's patience, so give it one that
    is short and does not retry.
    """

    reading: SearchReading
    embedder: Embedder | None
    chat: Chat | None
    tokens: TokenCounter
    sure: Callable[[Question, Found], float]
    again: Callable[[Vectors], tuple[Step, ...]]
    top: int = 30
    name: str = "hyde"

    def __call__(self, question: Question, found: Candidates) -> tuple[Candidates, Notes]:
        chat, embedder = self.chat, self.embedder
        if chat is None or embedder is None or not question.text.strip():
            return found, {"skipped": "no language model" if chat is None else "no embedder"}
        if sum(self.sure(question, one) >= SURE for one in found) >= ENOUGH:
            return found, {"skipped": "enough is sure"}
        try:
            imagined = self._imagined(chat, question.text)
            vector = _between(embedder, question.text, imagined)
        except ModelError as error:
            return found, {"failed": f"{error.what}: {error.detail}"}
        near = self.reading.find_near(question.project, embedder.id, vector, question.filters, self.top)
        steps = self.again(vector)
        found = merge_path(_as_found(found, steps), self.name, near)
        for step in steps:
            found, _ = step(question, found)
        return found, {"prompt": VERSION, "model": chat.id, "imagined": imagined, "found": len(near)}

    def _imagined(self, chat: Chat, question: str) -> str:
        reply = chat.complete(prompt(), question, max_tokens=LONGEST)
        return self.tokens.truncate(" ".join(reply.text.split()), LONGEST)


def leaning(embed: Callable[[str], Embedded | None], vector: Vectors) -> Callable[[str], Embedded | None]:
    """The same way to embed a question, but its vector is this one; its tokens stay."""

    def embedded(text: str) -> Embedded | None:
        asked = embed(text)
        tokens = replace(asked.tokens, vector=vector) if asked and asked.tokens else None
        return replace(asked, vector=vector, tokens=tokens) if asked else None

    return embedded


@cache
def prompt() -> str:
    """What the model is told."""
    return (Path(__file__).parent / "prompts" / f"{VERSION}.md").read_text(encoding="utf-8").strip()


def _between(embedder: Embedder, question: str, imagined: str) -> Vectors:
    import numpy as np

    mixed = _OF_QUESTION * embedder.embed_query(question) + _OF_IMAGINED * embedder.embed([imagined])[0]
    unit: Vectors = (mixed / np.linalg.norm(mixed)).astype(np.float32)
    return unit


def _as_found(found: Candidates, again: tuple[Step, ...]) -> Candidates:
    """The candidates as the paths gave them: what a later step added or measured, it adds and measures again."""
    later = {step.name for step in again}
    bare = (one._replace(score=0.0, parts=nothing(), of=None) for one in found)
    return tuple(one for one in bare if not later.issuperset(one.ranks))
