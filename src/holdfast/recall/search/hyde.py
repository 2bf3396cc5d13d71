"""HyDE: when few hits are certain, a language model writes a hypothetical answer, and recall searches with it.

Used only when a person or an agent searches, never for automatic prompt context: the model call takes seconds.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import field, replace
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from holdfast.core.errors import ModelError
from holdfast.core.frozen import frozen
from holdfast.core.reason import Reason
from holdfast.models.circuit_breaker import CircuitBreaker
from holdfast.recall.merging import merge_path
from holdfast.recall.paths import HYDE
from holdfast.recall.question import Embedded, Notes, Question
from holdfast.recall.recall_reasons import RecallCode

if TYPE_CHECKING:
    from holdfast.models.protocols import Chat, ChatReply, Embedder, TokenCounter, Vectors
    from holdfast.recall.steps import Candidates, Step
    from holdfast.store.reading import SearchReading

VERSION = "hyde.v1"
ENOUGH = 3
SURE = 0.5
LONGEST = 100
_OF_QUESTION, _OF_ANSWER = 0.4, 0.6


class HydeResources(NamedTuple):
    """The models that HyDE uses."""

    chat: Chat
    embedder: Embedder | None
    tokens: TokenCounter
    breaker: CircuitBreaker

    def asked_once(self) -> HydeResources:
        """Returns a copy for one recall, whose language model is asked once for all its searches."""
        return self._replace(chat=FirstReply(self.chat))


class FirstReply:
    """A language model that repeats its first reply, or its first failure, to every prompt."""

    def __init__(self, chat: Chat) -> None:
        self._chat = chat
        self._first: ChatReply | ModelError | None = None

    @property
    def id(self) -> str:
        return self._chat.id

    def complete(
        self, system: str, prompt: str, *, schema: Mapping[str, Any] | None = None, max_tokens: int = 1024
    ) -> ChatReply:
        """Answers the first prompt; later calls get the same reply."""
        if self._first is None:
            try:
                self._first = self._chat.complete(system, prompt, schema=schema, max_tokens=max_tokens)
            except ModelError as error:
                self._first = error
        if isinstance(self._first, ModelError):
            raise self._first.with_traceback(None)
        return self._first


@frozen
class Hyde:
    """Searches again with a vector of 0.4 query and 0.6 hypothetical answer when fewer than three hits are certain.

    Needs candidates with evidence. `again` builds the steps after the searches, with the mixed
    vector instead of the query's; they rank old and new candidates together. If the model fails, the candidates stay
    as they were and the trace gives the reason; `breaker` then keeps it from being called again for a while. The
    timeout is that of the chat endpoint: use a short one, no retries.
    """

    reading: SearchReading
    embedder: Embedder | None
    chat: Chat | None
    tokens: TokenCounter
    again: Callable[[Vectors], tuple[Step, ...]]
    breaker: CircuitBreaker = field(default_factory=CircuitBreaker)
    top: int = 30
    name: str = HYDE.name

    def __call__(self, question: Question, candidates: Candidates) -> tuple[Candidates, Notes]:
        chat, embedder = self.chat, self.embedder
        if chat is None or embedder is None or not question.text.strip():
            return candidates, {"skipped": RecallCode.NO_CHAT_MODEL if chat is None else RecallCode.NO_EMBEDDER}
        if sum(c.evidence >= SURE for c in candidates) >= ENOUGH:
            return candidates, {"skipped": RecallCode.ENOUGH_FOUND}
        try:
            query = embedder.embed_query(question.text)
        except ModelError:  # The answer says why its query was not embedded.
            return candidates, {"skipped": RecallCode.NO_EMBEDDER}
        try:
            answer = self.breaker.call(lambda: self._answer(chat, question.text))
            vector = _mixed(query, embedder.embed([answer])[0])
        except ModelError as error:
            return candidates, {"failed": Reason.of(RecallCode.CHAT_FAILED, error=f"{error.what}: {error.detail}")}
        near = self.reading.find_near(question.project, embedder.id, vector, question.filters, self.top)
        steps = self.again(vector)
        candidates = merge_path(_ranked_only(candidates, steps), self.name, near)
        for step in steps:
            candidates, _ = step(question, candidates)
        return candidates, {"prompt": VERSION, "model": chat.id, "hypothetical answer": answer, "found": len(near)}

    def _answer(self, chat: Chat, question: str) -> str:
        reply = chat.complete(prompt(), question, max_tokens=LONGEST)
        return self.tokens.truncate(" ".join(reply.text.split()), LONGEST)


def with_vector(embed: Callable[[str], Embedded | None], vector: Vectors) -> Callable[[str], Embedded | None]:
    """Wraps `embed` so that it returns this vector."""

    def embedded(text: str) -> Embedded | None:
        query = embed(text)
        return replace(query, vector=vector) if query else None

    return embedded


@cache
def prompt() -> str:
    """The system prompt."""
    return (Path(__file__).parent / "prompts" / f"{VERSION}.md").read_text(encoding="utf-8").strip()


def _mixed(question: Vectors, answer: Vectors) -> Vectors:
    import numpy as np

    mixed = _OF_QUESTION * np.asarray(question) + _OF_ANSWER * answer
    unit: Vectors = (mixed / np.linalg.norm(mixed)).astype(np.float32)
    return unit


def _ranked_only(candidates: Candidates, again: tuple[Step, ...]) -> Candidates:
    """Returns the candidates as the searches found them, without those that only the repeated steps added."""
    later = {step.name for step in again}
    return tuple(c.ranked_only() for c in candidates if not later.issuperset(c.ranks))
