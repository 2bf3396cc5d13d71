"""Builds the context of a prompt: hits with their adjacent turns and the weekly reflection, within a token budget."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from holdfast.conversation.insight import latest, with_insight
from holdfast.core.answer import Filters
from holdfast.core.frozen import frozen
from holdfast.recall.adjacent_turns import with_adjacent_turns
from holdfast.recall.pack import budget_of, pack

if TYPE_CHECKING:
    from holdfast.core.answer import Pack
    from holdfast.core.memory_types import TypeRegistry
    from holdfast.models.protocols import TokenCounter
    from holdfast.recall.recaller import Recaller

_HITS = 24


@frozen
class ContextBuilder:
    """Packs the memories relevant to a prompt."""

    recaller: Recaller
    tokens: TokenCounter
    types: TypeRegistry
    near_duplicate: float

    def build(self, prompt: str, phase: str | None, session: str | None, budget: int | None) -> Pack:
        """The pack for a prompt, without messages of `session`; empty without relevant memories and reflection."""
        reading, project = self.recaller.memories, self.recaller.project
        phase = self.recaller.map_phase(phase) if phase else None
        filters = Filters(not_session=session)
        answer = self.recaller.recall(prompt, filters, _HITS, phase=phase, hyde=False)
        hits = with_adjacent_turns(answer.hits, reading, project)
        insight = latest(reading, project)
        recalled = [hit for hit in hits if insight is None or hit.id != insight.id]
        shares = self.types.shares.get(phase or "", {})
        limit, most_alike = budget_of(phase, budget), self.near_duplicate
        packed = pack(recalled, limit, shares, self.tokens, answer.trace, near_duplicate=most_alike)
        return replace(with_insight(packed, insight, self.tokens), warnings=answer.warnings)
