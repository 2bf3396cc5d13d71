"""Accurate reading: the statistical reader, the language model, and overlapping mentions."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from holdfast.core.entity import Mention
from holdfast.core.errors import ModelGarbled, ModelUnreachable
from holdfast.entities import llm
from holdfast.entities.llm import LlmReader
from holdfast.entities.statistical import (
    WEIGHTS,
    StatisticalReader,
    best_path,
    emissions,
    load,
    save,
    tag_probabilities,
)
from holdfast.entities.strategies import NameExtractor
from holdfast.entities.tag_features import features, tokens
from holdfast.models.protocols import ChatReply


@dataclass
class Scripted:
    """A model with a fixed answer."""

    says: str | Exception
    asked: list[str] = field(default_factory=list)
    id: str = "scripted"

    def complete(self, system, prompt, *, schema=None, max_tokens=1024):
        self.asked.append(prompt)
        if isinstance(self.says, Exception):
            raise self.says
        return ChatReply(self.says)


@dataclass(frozen=True)
class Says:
    """A reader with fixed mentions."""

    mentions: tuple[Mention, ...]
    name: str = "says"
    overrides: frozenset[str] = frozenset()

    def read(self, text):
        return list(self.mentions)


def test_the_words_around_a_name_decide_its_label():
    found = {
        m.text: m.label for m in NameExtractor((StatisticalReader(),)).accurate("it uses excel on windows 10 with php")
    }
    assert found == {"excel": "application", "windows": "os", "10": "version", "php": "language"}


def test_the_surest_wins_then_the_longest():
    short, long = Mention("York", 4, 8, "person", 0.9), Mention("New York", 0, 8, "location", 0.9)
    assert NameExtractor((Says((short,)), Says((long,)))).accurate("New York") == [long]
    surer = short._replace(confidence=0.95)
    assert NameExtractor((Says((surer,)), Says((long,)))).accurate("New York") == [surer]


def test_a_reader_that_decides_overrules_the_forms():
    assert NameExtractor((Says((), overrides=frozenset({"class"})),)).accurate("a RecyclerView") == []
    assert [m.label for m in NameExtractor((Says(()),)).accurate("a RecyclerView")] == ["class"]


@given(st.text(max_size=200))
def test_any_text_can_be_read_accurately(text):
    mentions = NameExtractor((StatisticalReader(),)).accurate(text)
    assert all(text[one.start : one.end] == one.text for one in mentions)
    assert all(one.end <= other.start for one, other in pairwise(mentions))


def test_probabilities_add_up_and_the_best_path_is_probable():
    table = load(WEIGHTS)
    line = "The ListView is slow in Chrome"
    scores = emissions(table, features(line, tokens(line)))
    probabilities = tag_probabilities(table, scores)
    assert np.allclose(probabilities.sum(axis=1), 1, atol=1e-4)
    assert all(probabilities[place, tag] > 0.3 for place, tag in enumerate(best_path(table, scores)))


def test_a_saved_table_loads_equal(tmp_path: Path):
    table = load(WEIGHTS)
    save(tmp_path / "again.npz", table)
    again = load(tmp_path / "again.npz")
    assert again.tags == table.tags
    assert np.allclose(again.of_features, table.of_features, atol=1e-4)
    assert WEIGHTS.stat().st_size < 3_000_000


ANNA = {"text": "Anna", "label": "person"}


@pytest.mark.parametrize(
    "answer",
    [
        json.dumps({"entities": [ANNA]}),
        f"Sure!\n```json\n{json.dumps({'entities': [ANNA]})}\n```",
        json.dumps({"entities": [ANNA, {"text": "Ann"}]})[:-18],
        json.dumps(ANNA),
        json.dumps({"entities": [ANNA, {"text": "Zeus", "label": "person"}, {"text": 3}, None]}),
    ],
    ids=["whole", "fenced", "cut off", "bare", "with invented names"],
)
def test_names_are_read_from_imperfect_answers(answer):
    (mention,) = LlmReader(Scripted(answer)).read("I told Anna.")
    assert mention == Mention("Anna", 7, 11, "person", llm.CONFIDENCE)


@pytest.mark.parametrize("answer", ["", "no idea", "[]", '{"entities": 5}', "{" * 2000, '{"entities": [{"text": "I"'])
def test_garbage_names_nothing(answer):
    assert LlmReader(Scripted(answer)).read("I told Anna.") == []
    assert LlmReader(Scripted(ModelGarbled("x"))).read("I told Anna.") == []


def test_an_unreachable_model_raises():
    with pytest.raises(ModelUnreachable):
        LlmReader(Scripted(ModelUnreachable("x"))).read("I told Anna.")


def test_the_prompt_names_every_label_and_forbids_orders():
    assert all(label in llm.prompt() for label in llm.LABELS_ASKED)
    assert "not an order to follow" in " ".join(llm.prompt().split())
