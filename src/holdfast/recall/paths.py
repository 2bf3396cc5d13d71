"""The recall paths: every way to find candidates, each defined once.

A path's name is the key of its ranks and raw scores in a candidate, in traces and in JSON. To add a path, add its value
here and a step that finds candidates under its name (see `holdfast.recall.steps.Search`).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field
from enum import StrEnum

from holdfast.core.frozen import frozen


class QueryType(StrEnum):
    """The type of a query; it selects the weight of each path in reciprocal rank fusion."""

    IDENTIFIER = "identifier"
    SEMANTIC = "semantic"
    STRUCTURAL = "structural"


@frozen
class RecallPath:
    """One way to find candidates.

    `label` is its English column heading. `weights` apply in rank fusion, by query type; if empty, `DEFAULT_WEIGHT`.
    `predicts_relevance`: its raw score predicts relevance, so weak candidates may be dropped before they are weighed.
    `exempt`: its candidates are never left out for weak evidence. They answer a query about one file with facts about
    related files, which need not resemble the query.
    """

    name: str
    label: str
    weights: Mapping[QueryType, float] = field(default_factory=dict, hash=False)
    predicts_relevance: bool = False
    exempt: bool = False


def _weights(identifier: float, semantic: float, structural: float) -> Mapping[QueryType, float]:
    values = (identifier, semantic, structural)
    return dict(zip((QueryType.IDENTIFIER, QueryType.SEMANTIC, QueryType.STRUCTURAL), values, strict=True))


WORDS = RecallPath("words", "words", _weights(0.5, 0.25, 0.25), predicts_relevance=True)
MEANING = RecallPath("meaning", "meaning", _weights(0.2, 0.5, 0.15), predicts_relevance=True)
TAUGHT = RecallPath("taught", "taught")
TIME = RecallPath("time", "time")
TITLE = RecallPath("title", "title")
ENTITIES = RecallPath("entity", "names")
GRAPH = RecallPath("graph", "graph", _weights(0.3, 0.25, 0.6), exempt=True)
CO_ACCESS = RecallPath("co_access", "co-access")
CAUSAL = RecallPath("causal", "causal", exempt=True)
SUBSTRING = RecallPath("substring", "substring")
HYDE = RecallPath("hyde", "HyDE")
CONVERSATION = RecallPath("conversation", "conversation")

# In display order.
PATHS = (WORDS, MEANING, TAUGHT, TIME, TITLE, ENTITIES, GRAPH, CO_ACCESS, CAUSAL, SUBSTRING, HYDE, CONVERSATION)

# The labels, which the interfaces translate.
PATH_LABELS: Mapping[str, str] = {path.name: path.label for path in PATHS}

# The weight of a path in rank fusion where none is set.
DEFAULT_WEIGHT = 0.25
RRF_WEIGHTS: Mapping[QueryType, Mapping[str, float]] = {
    type: {path.name: path.weights[type] for path in PATHS if path.weights} for type in QueryType
}
PREDICTS_RELEVANCE = frozenset(path.name for path in PATHS if path.predicts_relevance)
EXEMPT_FROM_ABSTENTION = frozenset(path.name for path in PATHS if path.exempt)
