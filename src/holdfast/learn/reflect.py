"""Reflects on the memories of the last week, with a language model or by rules."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Any

from holdfast.core.admission import Admission, Candidate, Outcome
from holdfast.core.answer import Filters
from holdfast.core.errors import ModelError, ModelGarbled
from holdfast.core.frozen import frozen
from holdfast.core.memory import EPISODE, REFLECTION, Memory
from holdfast.core.reason import Reason
from holdfast.learn.learn_reasons import LearnCode, model_failure
from holdfast.llm.limited_chat import fenced, prompt, quoted

if TYPE_CHECKING:
    from holdfast.learn.consolidate import CandidateIntake
    from holdfast.learn.consolidation_lock import ConsolidationLock
    from holdfast.models.protocols import Chat
    from holdfast.store.reading import MemoryReading

PROMPT, FIELDS = "reflect.v1", ("reflection",)
WEEK, PAUSE = timedelta(days=7), timedelta(days=6)
MIN_FACTS, MAX_ITEMS = 3, 200
_TOKENS = 600
_LONGEST, _LONGEST_ITEM = 2_400, 300
# The confidence of a reflection: by a model, and by rules, which only quote memories.
_MODEL_CONFIDENCE, _RULES_CONFIDENCE = 0.6, 0.7


@frozen
class ReflectionReport:
    """The stored reflection, or the reason why there is none. `failure` says why the model was not used."""

    reason: Reason
    memory: Memory | None = None
    how: str = ""
    failure: Reason | None = None


@frozen
class Reflector:
    """Reflects on the last week. `chat` is the language model, if there is one."""

    reading: MemoryReading
    intake: CandidateIntake
    lock: ConsolidationLock
    now: Callable[[], datetime]
    project: str
    extract: Callable[[Sequence[Memory], datetime], str | None]
    chat: Chat | None = None

    def reflect(self, force: bool = False) -> ReflectionReport:
        """Stores a reflection on the last seven days, if they have three facts and the last reflection is six days old.

        `force` ignores the six days. Only one process reflects at a time.
        """
        reason = self._why_not(force)
        if reason is not None:
            return ReflectionReport(reason)
        with self.lock.acquire():
            # Check again: another process may have reflected while this one waited for the lock.
            reason = self._why_not(force)
            return ReflectionReport(reason) if reason is not None else self._store(self._week())

    def reflect_when_due(self) -> ReflectionReport:
        """Reflects as the background does: not in the first days of a project, which would only repeat its memories."""
        first = self.reading.memories(self.project, Filters(include_forgotten=True), order="oldest", limit=1)
        if first and self.now() - first[0].created_at < PAUSE:
            return ReflectionReport(Reason.of(LearnCode.NO_WEEK_YET, days=PAUSE.days))
        return self.reflect()

    def _why_not(self, force: bool) -> Reason | None:
        too_soon = None if force else self._too_soon()
        if too_soon is not None:
            return too_soon
        facts = sum(m.type != EPISODE and not m.superseded for m in self._week())
        return Reason.of(LearnCode.TOO_FEW_FACTS, facts=facts, needed=MIN_FACTS) if facts < MIN_FACTS else None

    def _too_soon(self) -> Reason | None:
        last = next(iter(self.reading.latest(self.project, REFLECTION, 1)), None)
        if last is None or self.now() - last.created_at >= PAUSE:
            return None
        return Reason.of(LearnCode.REFLECTED_RECENTLY, day=f"{last.created_at:%Y-%m-%d}", days=PAUSE.days)

    def _week(self) -> tuple[Memory, ...]:
        """The memories learned in the week, replaced ones included, then the person's messages; the newest first."""
        wanted = Filters(since=self.now() - WEEK, include_forgotten=True)
        found = self.reading.memories(self.project, wanted, order="newest", limit=MAX_ITEMS * 5)
        found = tuple(m for m in found if not m.forgotten)
        learned = [m for m in found if m.type not in (EPISODE, REFLECTION)]
        messages = [m for m in found if m.type == EPISODE and m.source_role == "user"]
        return (*learned, *messages)[:MAX_ITEMS]

    def _store(self, items: Sequence[Memory]) -> ReflectionReport:
        text, how, failure = self._text(items)
        if not text:
            return ReflectionReport(Reason.of(LearnCode.NOTHING_NOTABLE), failure=failure)
        reflection = Candidate(
            text=text,
            type=REFLECTION,
            tags=("weekly",),
            source="observer_inferred",
            when=self.now(),
            confidence=_MODEL_CONFIDENCE if how == "model" else _RULES_CONFIDENCE,
            source_ids=tuple(m.id for m in items),
            attributes={"how": how},
        )
        answer: Admission = self.intake.admit_all([reflection])[0]
        is_new = answer.outcome is not Outcome.DUPLICATE
        return ReflectionReport(answer.reason, answer.memory if is_new else None, how, failure)

    def _text(self, items: Sequence[Memory]) -> tuple[str, str, Reason | None]:
        """The reflection, how it was made, and why the model failed if it did."""
        failure = None
        if self.chat is not None:
            try:
                return _by_model(self.chat, items), "model", None
            except ModelError as error:
                failure = model_failure(error)
        return (self.extract(items, self.now()) or "")[:_LONGEST], "extract", failure


def _by_model(chat: Chat, items: Sequence[Memory]) -> str:
    """The model's reflection on the items. Raises ModelError."""
    lines = [f"{_label(m)}: {quoted(m.content, _LONGEST_ITEM)}" for m in items]
    reply = chat.complete(prompt(PROMPT), fenced("week", lines), schema=_SCHEMA, max_tokens=_TOKENS)
    answer: Any = json.loads(reply.text)
    text = answer.get("reflection") if isinstance(answer, dict) else None
    if not isinstance(text, str) or not text.strip():
        raise ModelGarbled("the answer has no reflection")
    return text.strip()[:_LONGEST]


def _label(memory: Memory) -> str:
    day = (memory.event_time or memory.created_at).date().isoformat()
    return f"{memory.type} {day}" + (" (no longer so)" if memory.superseded else "")


_SCHEMA = {
    "type": "object",
    "properties": {"reflection": {"type": "string"}},
    "required": ["reflection"],
    "additionalProperties": False,
}
