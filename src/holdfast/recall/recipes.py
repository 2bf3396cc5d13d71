"""Named configurations of the pipeline. A recipe is data; `build` binds its steps to a store and models."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import field, replace
from functools import cached_property
from typing import TYPE_CHECKING

from holdfast.core.errors import InvalidInput
from holdfast.core.frozen import frozen
from holdfast.core.memory import DOCUMENT_PASSAGE_TYPES
from holdfast.core.memory_types import TypeRegistry
from holdfast.core.reason import Reason
from holdfast.recall.query.query_spelling import Wording, Wordings
from holdfast.recall.query.shorthand import Shorthand, shorthand
from holdfast.recall.question import Embedded, Question
from holdfast.recall.search.titles import ByTitle, TitleMatch
from holdfast.recall.steps import (
    ByMeaning,
    BySubstring,
    ByTime,
    ByWords,
    Cap,
    Filter,
    Fuse,
    Score,
    Search,
    Searches,
    Step,
)
from holdfast.recall.weigh.word_measures import terms_of

if TYPE_CHECKING:
    from holdfast.models.protocols import Reranker, TextReader, Vectors
    from holdfast.recall.search.entity_search import Mentions
    from holdfast.recall.search.hyde import HydeResources
    from holdfast.recall.search.relation_steps import CodeNeighbours
    from holdfast.recall.store_parts import RecallReading
    from holdfast.recall.weigh.churn_decay import DecayScales
    from holdfast.recall.weigh.code_check import Recheck
    from holdfast.recall.weigh.word_measures import Terms


@frozen
class Recipe:
    """Selects the searches, the number of candidates of each, the ranking, and the weights of the score.

    A number of 0 turns its search off. `without` names searches and steps to leave out, `ignore` measures.
    """

    name: str
    help: str
    words: int = 80
    effort: int = 2000
    meaning: int = 80
    entities: int = 0
    co_access: int = 0
    graph: int = 3
    learned: bool = True
    without: frozenset[str] = frozenset()
    ignore: frozenset[str] = frozenset()
    relevance: float = 0.97
    recency: float = 0.02
    frequency: float = 0.01
    temper: float = 0.3
    authority: float = 0.0
    churn: bool = False

    @property
    def needs_embedder(self) -> bool:
        """Whether any of its steps uses a vector of the query."""
        return bool(self.meaning)

    def has(self, name: str) -> bool:
        """Does it keep the search or step of that name?"""
        return name not in self.without


DEFAULT = Recipe("default", "words, meaning and time, weighed together")
_PLAIN = frozenset({"taught", "time", "newer"})
# For comparing statements, where neither the date nor "newer first" matters. Users cannot select it.
SIMILAR = Recipe(
    "near",
    "words and meaning, to compare statements",
    without=_PLAIN | {"title", "titles", "answers", "graph", "neighbours", "prefer taught"},
    ignore=frozenset({"sentences"}),
)
RECIPES: Mapping[str, Recipe] = {
    recipe.name: recipe
    for recipe in (
        DEFAULT,
        Recipe(
            "rrf",
            "weighted reciprocal rank fusion, then 0.6 relevance, 0.25 recency, 0.15 frequency",
            words=20, effort=600, meaning=30, entities=15, co_access=15, graph=15, learned=False,
            without=_PLAIN | {"title"}, relevance=0.6, recency=0.25, frequency=0.15, temper=1.0, authority=1.0,
            churn=True,
        ),
        Recipe("keyword", "words alone, without a model", meaning=0, without=_PLAIN),
        Recipe("vector", "vectors alone", words=0, learned=False, without=_PLAIN | {"title"}),
    )
}  # fmt: skip


@frozen(slots=False)
class RecallResources:
    """The components that steps use. A step without its component is skipped, and the trace says so."""

    reading: RecallReading
    embed: Callable[[str], Embedded | None]
    per_session: int = 0
    per_document: int = 0
    mentions: Callable[[], Mentions] | None = None
    names: Callable[[str], Sequence[str]] = lambda _: ()
    neighbours: Callable[[], CodeNeighbours | None] = lambda: None
    scales: DecayScales | None = None
    reranker: Reranker | None = None
    reader: Callable[[], TextReader | None] = lambda: None
    hyde: HydeResources | None = None
    types: TypeRegistry = field(default_factory=TypeRegistry)
    shorthand: Shorthand = field(default_factory=shorthand)
    why_not_embedded: Callable[[str], Reason | None] = lambda _: None
    recheck: Recheck | None = None

    @cached_property
    def wording(self) -> Callable[[Question], Wording]:
        """Corrects the words of a query and adds variants, once for all steps of a recipe."""
        return Wordings(self.reading, self.shorthand).of

    def terms(self, question: Question) -> Terms:
        """The terms of a query with their rarity in this store."""
        wording, passages = self.wording(question), self.reading.passages_count()
        return terms_of(question.text, wording.words, wording.known, passages, wording.variants, wording.other_senses)


def named(recipe: str | Recipe) -> Recipe:
    """Returns the recipe of that name; a recipe is returned as it is."""
    if isinstance(recipe, Recipe):
        return recipe
    if recipe not in RECIPES:
        raise InvalidInput(f"recipe {recipe!r}", hint=f"Use one of: {', '.join(RECIPES)}.")
    return RECIPES[recipe]


def build(recipe: Recipe, resources: RecallResources) -> tuple[Step, ...]:
    """Builds the steps of a recipe, in order: searches, ranking, scoring, and HyDE if there is a language model."""
    if not recipe.needs_embedder:
        resources = replace(resources, embed=lambda text: None, reranker=None, reader=lambda: None, hyde=None)
    steps = (*_searches(recipe, resources), *_ranking(recipe, resources), *_hyde(recipe, resources))
    return tuple(step for step in steps if recipe.has(step.name))


def _searches(recipe: Recipe, resources: RecallResources) -> tuple[Step, ...]:
    reading, embed = resources.reading, resources.embed
    from holdfast.recall.search.taught import AmongTaught

    searches: list[Search] = []
    if recipe.meaning:
        searches.append(ByMeaning(reading, embed, recipe.meaning))
    searches.append(AmongTaught(reading, embed))
    if recipe.words:
        searches.append(ByWords(reading, resources.wording, recipe.words, recipe.effort, bm25=not recipe.learned))
    searches.append(ByTime(reading, embed))
    if recipe.entities and resources.mentions is not None:
        from holdfast.recall.search.entity_search import ByEntity

        searches.append(ByEntity(resources.mentions(), resources.names, recipe.entities))
    searches = [search for search in searches if recipe.has(search.name)]
    # In rank fusion, the search by meaning runs last: it marks passages found by words that have no vector yet.
    together = recipe.learned and len(searches) > 1
    steps: list[Step] = [Searches(tuple(searches))] if together else [*reversed(searches)]
    steps.append(ByTitle(reading, resources.wording))
    if recipe.graph and (graph := resources.neighbours()) is not None:
        from holdfast.recall.search.relation_steps import ByGraph

        steps.append(ByGraph(reading, graph, recipe.graph, resources.types.learned))
    if recipe.co_access:
        from holdfast.recall.search.relation_steps import ByCoAccess

        steps.append(ByCoAccess(reading, recipe.co_access))
    if recipe.words and recipe.learned and recipe.has("words"):
        from holdfast.recall.search.adjacent_messages import AdjacentMessages

        steps.append(AdjacentMessages(reading))
    return (*steps, BySubstring(reading, by_words=recipe.words > 0 and recipe.has("words")))


def _ranking(recipe: Recipe, resources: RecallResources) -> tuple[Step, ...]:
    return (*_fusion(recipe, resources), *_scoring(recipe, resources))


def _fusion(recipe: Recipe, resources: RecallResources) -> tuple[Step, ...]:
    from holdfast.recall.evidence.rerank import Rerank
    from holdfast.recall.search.exact_names import ExactNames
    from holdfast.recall.search.relation_steps import CausalChain, CodeBoost, NeighbourBoost
    from holdfast.recall.search.taught import PreferTaught
    from holdfast.recall.weigh.weighing import Weigh

    reading, embed = resources.reading, resources.embed
    boost: tuple[Step, ...] = ()
    if (graph := resources.neighbours()) is not None:
        boost = (CodeBoost(reading, graph) if recipe.learned else NeighbourBoost(reading, graph),)
    last = (CausalChain(reading, resources.types.in_causal_chain), Rerank(resources.reranker))
    if not recipe.learned:
        # The boost raises ranks 11 to 50, so it comes before the filter, which keeps fewer candidates.
        return (Fuse(), Weigh(reading, embed, resources.wording, ranked=True), *boost, Filter(reading), *last)
    weigh = Weigh(reading, embed, resources.wording, without=recipe.ignore)
    titles = TitleMatch(reading, resources.wording)
    # The filter runs late: reading rows is the most expensive part, and by now only the best are left.
    return (weigh, Filter(reading, all=True), ExactNames(), titles, *boost, PreferTaught(reading), *last)


def _scoring(recipe: Recipe, resources: RecallResources) -> tuple[Step, ...]:
    from holdfast.recall.evidence.agreement import MessagesGiveWay
    from holdfast.recall.evidence.answerability import EstimateEvidence
    from holdfast.recall.evidence.read_answers import ReadAnswers
    from holdfast.recall.order.distinct import Distinct
    from holdfast.recall.order.document_ranks import RankDocuments
    from holdfast.recall.order.newer_first import NewerFirst
    from holdfast.recall.weigh.code_check import CodeCheck

    reader = resources.reader()  # It reads what no reranker scored.
    steps: list[Step] = []
    if recipe.churn:
        from holdfast.recall.weigh.churn_decay import ChurnDecay

        steps.append(ChurnDecay(resources.reading, resources.scales))
    if recipe.learned:
        steps.append(ReadAnswers(reader.answers if reader else None, terms=resources.terms))
    passages = resources.reading.passages_count
    steps.append(EstimateEvidence(embed=resources.embed, wording=resources.wording, passages=passages))
    if resources.recheck is not None:
        steps.append(CodeCheck(resources.recheck))
    shares = (recipe.relevance, recipe.recency, recipe.frequency, recipe.temper)
    # RankDocuments applies the confidence of documents if the recipe gives them authority.
    later = DOCUMENT_PASSAGE_TYPES if recipe.authority else ()
    steps.append(Score(*shares, resources.types.phase_weights, confidence_later=later))
    if recipe.learned:
        steps.append(MessagesGiveWay())
    steps.append(RankDocuments(resources.reading, recipe.authority, resources.per_document))
    steps.append(Distinct(resources.reading))
    steps.append(NewerFirst(resources.reading, resources.embed))
    return (*steps, Cap(resources.per_session))


def _hyde(recipe: Recipe, resources: RecallResources) -> tuple[Step, ...]:
    """Returns the HyDE step, if there is a language model. It runs last, when the number of certain hits is known."""
    if resources.hyde is None:
        return ()
    from holdfast.recall.search.hyde import Hyde, with_vector

    def again(vector: Vectors) -> tuple[Step, ...]:
        return _ranking(recipe, replace(resources, embed=with_vector(resources.embed, vector)))

    chat, embedder, tokens, breaker = resources.hyde
    return (Hyde(resources.reading, embedder, chat, tokens, again, breaker),)
