"""Answers queries for one project: narrows the time, runs a recipe, counts the hits."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from datetime import datetime
from typing import TYPE_CHECKING

from holdfast.core.filters import check_limit, check_wordings
from holdfast.core.frozen import frozen
from holdfast.core.reason import Reason
from holdfast.recall import pipeline
from holdfast.recall.order.outdated import up_to_date
from holdfast.recall.question import Question, readable
from holdfast.recall.recipes import build, named

if TYPE_CHECKING:
    from holdfast.core.answer import Filters, Recall
    from holdfast.recall.recipes import RecallResources, Recipe
    from holdfast.recall.search.time_modes import Temporal
    from holdfast.recall.steps import Step
    from holdfast.recall.usage_counter import UsageCounter
    from holdfast.store.reading import MemoryChangeReading


@frozen
class Recaller:
    """Recall for one project. `map_phase` turns a methodology's name of a phase into one of the six standard phases.

    `recent_tools` names the tools that the agent at work used last.
    """

    resources: RecallResources
    memories: MemoryChangeReading
    usage: UsageCounter
    now: Callable[[], datetime]
    project: str
    map_phase: Callable[[str], str]
    abstain_below: float
    per_document: int
    recent_tools: Callable[[], tuple[str, ...]] = tuple

    def recall(
        self,
        query: str,
        filters: Filters,
        limit: int,
        *,
        also: Iterable[str] = (),
        phase: str | None = None,
        temporal: str | Temporal | None = None,
        recent: Iterable[str] = (),
        recipe: str | Recipe = "default",
        abstain: bool = True,
        count: bool = True,
        hyde: bool = True,
    ) -> Recall:
        """Returns the hits for a query, best first: messages, memories, documents and code in one ranking.

        `also` are other wordings of the query.
        """
        phase = self.map_phase(phase) if phase else None
        moment = filters.as_of or self.now()
        order: tuple[Step, ...] = ()
        if temporal is not None:
            filters, order = self._in_time(temporal, filters, moment)
        chosen = named(recipe)
        # Only rank fusion weighs by the type of a query.
        tools = tuple(recent) or (() if chosen.learned else self.recent_tools())
        question = Question(readable(query), self.project, filters, check_limit(limit), moment, phase, tools)
        wordings = tuple(replace(question, text=readable(text)) for text in check_wordings(also, query))
        resources = self._with_hyde(hyde and not wordings)
        answer = self._ask(question, wordings, chosen, resources, order, abstain)
        return self._counted(answer if filters.as_of else self._up_to_date(answer, question), count)

    def search_documents(
        self,
        query: str,
        filters: Filters,
        limit: int,
        *,
        mode: str | None,
        recipe: str,
        per_document: int | None,
        count: bool,
    ) -> Recall:
        """Returns the best document chunks; never abstains."""
        from holdfast.recall import document_search

        recipes = document_search.recipes_of(mode, recipe)
        moment = filters.as_of or self.now()
        question = Question(readable(query), self.project, filters, check_limit(limit), moment)
        most = self.per_document if per_document is None else per_document
        answer = document_search.search(question, recipes, self._with_hyde(True), most)
        return self._counted(self._warned(answer, question.text) if recipes[0].needs_embedder else answer, count)

    def _with_hyde(self, hyde: bool) -> RecallResources:
        """Returns the resources for one recall: without HyDE, or with a language model that is asked only once."""
        if self.resources.hyde is None:
            return self.resources
        return replace(self.resources, hyde=self.resources.hyde.asked_once() if hyde else None)

    def _ask(
        self,
        question: Question,
        also: Sequence[Question],
        recipe: Recipe,
        resources: RecallResources,
        order: tuple[Step, ...],
        abstain: bool,
    ) -> Recall:
        steps = build(recipe, resources)
        threshold = self.abstain_below if abstain else None
        answer = pipeline.ask(question, recipe.name, steps, resources.reading, threshold, also=also, order=order)
        return self._warned(answer, question.text) if recipe.needs_embedder else answer

    def _warned(self, answer: Recall, query: str) -> Recall:
        """Adds why the query was not embedded and which steps failed, if any."""
        reasons = (self.resources.why_not_embedded(query), *(step.notes.get("failed") for step in answer.trace.steps))
        warnings = tuple(reason for reason in reasons if isinstance(reason, Reason))
        return replace(answer, warnings=warnings) if warnings else answer

    def _in_time(
        self, temporal: str | Temporal, filters: Filters, moment: datetime
    ) -> tuple[Filters, tuple[Step, ...]]:
        """Returns the filters narrowed to the time of a mode, and the steps that it appends."""
        from holdfast.recall.search import time_modes as modes

        mode = modes.read(temporal) if isinstance(temporal, str) else temporal
        return modes.narrowed(mode, filters, self.project, self.memories, moment), modes.ordering(mode)

    def _up_to_date(self, answer: Recall, question: Question) -> Recall:
        """Names the newer memory for each message among the hits that says something outdated, and puts it first."""
        hits = up_to_date(answer.hits, self.memories, question)
        return answer if hits == answer.hits else replace(answer, hits=hits)

    def _counted(self, answer: Recall, count: bool) -> Recall:
        if answer.hits and count:
            self.usage.found(list(dict.fromkeys(hit.source_id for hit in answer.hits)))
        return answer
