"""The registry in a workspace: links, profiles, and changes by a person."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

import holdfast
from holdfast.core.answer import Filters
from holdfast.core.clock import SystemClock
from holdfast.core.errors import InvalidInput, ModelUnreachable, NotFound
from holdfast.core.reason import Reason
from holdfast.entities.enrich import enrich
from holdfast.entities.entity_reasons import EntityCode
from holdfast.entities.llm import LlmReader
from holdfast.entities.strategies import NameExtractor
from holdfast.recall.question import Question
from holdfast.recall.search.entity_search import ByEntity
from tests.entities.test_accurate import Says, Scripted

NOW = datetime(2026, 7, 1, 12, tzinfo=UTC)


class Noon(SystemClock):
    def now(self) -> datetime:
        return NOW


@pytest.fixture
def ws(tmp_path: Path):
    opened = holdfast.open(
        db=str(tmp_path / "m.db"), project=str(tmp_path), clock=Noon(), embedder="none", background=False
    )
    with opened as made:
        yield made


def remember(ws: Any, *texts: str) -> None:
    for text in texts:
        ws.remember(text)
    ws.upkeep("enrich")


def test_the_profile_of_an_entity(ws):
    remember(ws, "My colleague Priya owns billing.py", "We asked Priya about Kubernetes", "The sea is calm today")
    profile = ws.entity("priya")
    assert (profile.entity.name, profile.entity.type, profile.entity.mentions) == ("Priya", "person", 2)
    assert [memory.content[:8] for memory in profile.memories] == ["We asked", "My colle"]
    assert [(period.month, period.memories) for period in profile.timeline] == [("2026-07", 2)]
    assert {near.entity.name for near in profile.neighbours} == {"billing.py", "Kubernetes"}
    assert [entity.name for entity in ws.entities(1)] == ["Priya"]
    assert [entity.name for entity in ws.entities(type="person")] == ["Priya"]


def test_a_second_reading_happens_once(ws):
    ws.remember("My colleague Priya owns billing.py")
    assert ws.upkeep("enrich")["enrich"]["enriched"] == 1
    assert ws.upkeep("enrich")["enrich"]["enriched"] == 0


def test_the_setting_fast_skips_the_second_reading(tmp_path):
    with holdfast.open(
        db=str(tmp_path / "m.db"), project=str(tmp_path), embedder="none", background=False, entities="fast"
    ) as ws:
        ws.remember("My colleague Priya owns billing.py")
        assert "skipped" in ws.upkeep("enrich")["enrich"]


def test_merge_rename_protect_and_describe(ws):
    remember(ws, "My boss Bob sails", "My boss Robert swims")
    assert ws.merge_entities("Robert", "Bob").mentions == 2
    assert ws.entity("bob").entity.name == "Robert"
    assert ws.rename_entity("Robert", "Rob").aliases == ("Bob", "Robert")
    assert ws.describe_entity("rob", "  Runs the  port. ").summary == "Runs the port."
    assert ws.protect_entity("rob").protected
    remember(ws, "My friend Carla sails too")
    with pytest.raises(InvalidInput, match="protected"):
        ws.merge_entities("Carla", "Rob")
    assert ws.entity("Rob").entity.summary == "Runs the port."


def test_a_merge_is_undone_by_the_merged_name(ws):
    remember(ws, "My boss Bob sails", "My boss Robert swims", "My boss Roberta rows")
    with pytest.raises(NotFound, match="Nothing was merged"):
        ws.split_entity("Bob")
    before = [ws.entity(name).entity for name in ("Bob", "Robert", "Roberta")]
    ws.merge_entities("Robert", "Bob")
    ws.merge_entities("Roberta", "Robert")
    with pytest.raises(NotFound, match="Merged entities: 'Robert', 'Bob'"):
        ws.split_entity("Roberta")
    with pytest.raises(InvalidInput, match="entity split 'Robert'"):
        ws.split_entity("Bob")
    assert ws.split_entity("robert").aliases == ("Bob",)
    assert ws.split_entity("bob").name == "Bob"
    assert [ws.entity(name).entity for name in ("Bob", "Robert", "Roberta")] == before


def test_memories_since_a_merge_stay_with_the_kept_entity(ws):
    remember(ws, "My boss Bob sails", "My boss Robert swims")
    ws.merge_entities("Robert", "Bob")
    remember(ws, "My boss Bob rows too")
    assert ws.split_entity("Bob").mentions == 1
    assert ws.entity("Robert").entity.mentions == 2


def test_a_merge_is_not_undone_where_the_name_is_taken(ws):
    remember(ws, "My boss Bob sails", "My boss Robert swims", "My boss Carl dives")
    ws.merge_entities("Robert", "Bob")
    ws.rename_entity("Carl", "Bob")
    with pytest.raises(InvalidInput, match="Rename that one first"):
        ws.split_entity("Bob")


def test_an_unknown_name_is_not_found_and_similar_names_are_suggested(ws):
    remember(ws, "We asked Priyanka Kapoor about it")
    with pytest.raises(NotFound, match="Priyanka Kapoor"):
        ws.entity("priyan")
    with pytest.raises(NotFound, match="entity list"):
        ws.entity("zzz")


def test_when_the_model_fails_the_next_extractor_takes_over(ws):
    ws.remember("My colleague Priya owns billing.py")
    failing = Scripted(ModelUnreachable("gone"))
    extractors = [NameExtractor((LlmReader(failing),)), NameExtractor((Says(()),))]
    assert enrich(ws.container.store.entities, extractors, lambda: NOW, lambda _: True)["enriched"] == 1
    assert len(failing.asked) == 1
    assert ws.entity("Priya").entity.mentions == 1


def test_nothing_is_read_again_without_an_accurate_reader(ws):
    ws.remember("My colleague Priya owns billing.py")
    assert enrich(ws.container.store.entities, [NameExtractor()], lambda: NOW, lambda _: True) == {
        "enriched": 0,
        "skipped": Reason.of(EntityCode.NO_ACCURATE_READER),
    }


def test_memories_are_found_by_what_a_question_names(ws):
    remember(ws, "My colleague Priya owns billing.py", "We asked Priya about Kubernetes", "The sea is calm today")
    path = ByEntity(ws.container.store.entities, lambda text: [])
    ranked, notes = path.search(Question("who is priya?", ws.project, Filters(), 5, NOW))
    assert len(ranked) == 2
    assert "priya" in notes["names"]
    assert ByEntity(None, lambda text: []).search(Question("priya", ws.project, Filters(), 5, NOW))[0] == ()


def test_mentions_count_the_memories_that_hold(ws):
    remember(ws, "My colleague Brigid owns billing.py", "We asked Brigid about Kubernetes", "Brigid likes tea")
    first, second, _ = (memory.id for memory in ws.list(order="oldest"))
    ws.forget(first)
    ws.correct(second, "We asked Priya about Kubernetes")
    profile = ws.entity("Brigid")
    assert (profile.entity.mentions, len(profile.memories)) == (1, 1)
    assert [month.memories for month in profile.timeline] == [1]
    assert profile.neighbours == ()
    assert "Brigid" in [entity.name for entity in ws.entities()]
    ws.restore(first)
    ws.restore(second)
    assert (ws.entity("Brigid").entity.mentions, len(ws.entity("Brigid").memories)) == (3, 3)


def test_an_entity_of_forgotten_memories_alone_is_not_listed(ws):
    remember(ws, "My colleague Brigid owns billing.py")
    ws.forget(ws.list()[0].id)
    assert ws.entities() == ()


def test_erased_memories_are_not_counted(ws):
    remember(ws, "My colleague Brigid owns billing.py", "We asked Brigid about Kubernetes")
    ws.erase(ws.list()[0].id)
    assert ws.entity("Brigid").entity.mentions == 1


def test_a_rename_onto_another_entity_asks_for_a_merge(ws):
    ws.add_entity("Priya Kapoor", "person")
    ws.add_entity("PostgreSQL", "project")
    with pytest.raises(InvalidInput, match="there is a project of the name 'postgresql' already") as raised:
        ws.rename_entity("Priya Kapoor", "postgresql")
    assert "holdfast entity merge 'postgresql' 'Priya Kapoor'" in raised.value.hint
    ws.merge_entities("postgresql", "Priya Kapoor")
    assert ws.entity("Priya Kapoor").entity.name == "PostgreSQL"


def test_a_name_changes_its_case_beside_another_entity_of_that_name(ws):
    ws.add_entity("Postgresql", "project")
    ws.add_entity("Postgresql", "person")
    assert ws.rename_entity("postgresql", "PostgreSQL").name == "PostgreSQL"


def test_two_entities_of_one_name_are_merged_by_that_name(ws):
    ws.add_entity("PostgreSQL", "project")
    ws.add_entity("PostgreSQL", "person")
    kept = ws.merge_entities("PostgreSQL", "PostgreSQL")
    with pytest.raises(InvalidInput, match="are one already"):
        ws.merge_entities("PostgreSQL", "PostgreSQL")
    assert ws.entity("PostgreSQL").entity.id == kept.id


def test_a_name_of_unknown_kind_is_found_everywhere_once_two_memories_have_it(ws):
    remember(
        ws, "Bluefin uses a queue for its mails", "The budget of Bluefin is small", "Project Bluefin starts in May"
    )
    ws.upkeep("link")
    assert ws.entity("Bluefin").entity.mentions == 3
    remember(ws, "Bluefin has a new lead", "A bluefin is a fish")
    assert ws.entity("Bluefin").entity.mentions == 4


def test_a_name_that_one_memory_has_is_not_looked_for(ws):
    remember(ws, "Bluefin uses a queue for its mails", "The budget of Bluefin is small")
    assert ws.upkeep("link")["link"]["names"] == 0
    assert ws.entity("Bluefin").entity.mentions == 1


def test_a_registered_name_of_unknown_kind_is_found(ws):
    remember(ws, "Bluefin uses a queue for its mails")
    ws.add_entity("Bluefin", "project")
    ws.upkeep("link")
    assert ws.entity("Bluefin").entity.mentions == 1
