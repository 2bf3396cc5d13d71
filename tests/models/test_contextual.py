from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime

from holdfast.core.document import Chunk
from holdfast.core.memory import Memory
from holdfast.models.contextual import memory_text, passage_text

GOTCHA = Memory("mem_1", "gotcha", "Tokens expire early.", "p", datetime(2024, 1, 2, tzinfo=UTC))
EPISODE = Memory(
    "ep_1",
    "episode",
    "I moved to Lisbon.",
    "p",
    datetime(2024, 1, 2, tzinfo=UTC),
    event_time=datetime(2023, 5, 20, tzinfo=UTC),
    source_role="user",
)
CHUNK = Chunk("chk_1", "docs/tea.md", 0, ("Guide", "Tea"), "Pour at four.", 0, 13, 1, 1)
TWO = "I moved to Lisbon in May. My sister came too!"


def test_the_text_of_a_memory_begins_with_files_module_and_type() -> None:
    memory = replace(GOTCHA, files=("a.py", "b.py"), modules=("auth", "web"))
    assert memory_text(memory) == "Files: a.py, b.py | Module: auth | Type: gotcha\n\nTokens expire early."


def test_unknown_context_is_left_out() -> None:
    assert memory_text(GOTCHA) == "Type: gotcha\n\nTokens expire early."


def test_the_text_of_an_episode_begins_with_speaker_and_day() -> None:
    assert memory_text(EPISODE) == "user, 2023-05-20: I moved to Lisbon."


def test_an_episode_without_speaker_has_the_day_it_was_stored() -> None:
    assert memory_text(replace(EPISODE, source_role=None, event_time=None)) == "2024-01-02: I moved to Lisbon."


def test_an_episode_may_follow_the_one_before() -> None:
    before = replace(EPISODE, id="ep_0", content="Where do you live?", source_role="assistant")
    assert memory_text(EPISODE, before) == (
        "assistant, 2023-05-20: Where do you live?\nuser, 2023-05-20: I moved to Lisbon."
    )


def test_either_kind_of_passage_has_its_text() -> None:
    assert passage_text(GOTCHA) == memory_text(GOTCHA)
    assert passage_text(CHUNK) == "Guide > Tea\n\nPour at four."
    assert passage_text(replace(CHUNK, heading=())) == "Pour at four."
