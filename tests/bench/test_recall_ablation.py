"""The ablation of recall has a row for each step of the default recipe."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from itertools import chain
from typing import Any

import pytest
from bench.recall.ablation import ABLATIONS, MEASURES, NO_ROW, STEPS

from holdfast.models.circuit_breaker import CircuitBreaker
from holdfast.models.fake import FakeChat, FakeEmbedder
from holdfast.models.token_counts import PromptTokens
from holdfast.recall.recipes import DEFAULT, RecallResources, Recipe, build
from holdfast.recall.search.hyde import HydeResources
from holdfast.recall.steps import Searches
from holdfast.recall.weigh.measures import BM25, BY_NAME, MEANING, SHARE
from holdfast.workspace import Workspace


def names(recipe: Recipe, resources: RecallResources) -> set[str]:
    """The names of the steps and of the searches within."""
    steps: Iterable[Any] = build(recipe, resources)
    return {
        name
        for step in steps
        for name in ([each.name for each in step.searches] if isinstance(step, Searches) else [step.name])
    }


@pytest.fixture
def resources(ws: Workspace) -> RecallResources:
    """All that a step could need."""
    hyde = HydeResources(FakeChat([]), FakeEmbedder(), PromptTokens(), CircuitBreaker())
    known: Any = object()
    return replace(ws.container.recall_resources, neighbours=lambda: known, recheck=known, hyde=hyde)


def test_every_step_of_the_default_recipe_has_a_row(resources: RecallResources) -> None:
    assert names(DEFAULT, resources) - NO_ROW == set(chain(*STEPS.values()))


@pytest.mark.parametrize("row", STEPS)
def test_a_row_leaves_out_its_steps_and_no_other(row: str, resources: RecallResources) -> None:
    gone = names(DEFAULT, resources) - names(ABLATIONS[row], resources)
    assert gone - {"conversation"} == set(STEPS[row]) - {"conversation"}  # messages beside need words


def test_every_measure_but_those_of_words_and_meaning_has_a_row() -> None:
    plain = {measure.name for measure in (BM25, SHARE, MEANING)}
    assert set(chain(*MEASURES.values())) == (BY_NAME.keys() - plain) | {"sentences"}
