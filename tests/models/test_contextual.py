from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime

from holdfast.core.memory import Memory
from holdfast.models.contextual import memory_text

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


def test_a_memory_is_led_by_files_module_and_type() -> None:
    memory = replace(GOTCHA, files=("a.py", "b.py"), modules=("auth", "web"))
    assert memory_text(memory) == "Files: a.py, b.py | Module: auth | Type: gotcha\n\nTokens expire early."


def test_what_is_not_known_is_left_out() -> None:
    assert memory_text(GOTCHA) == "Type: gotcha\n\nTokens expire early."


def test_an_episode_is_led_by_speaker_and_day() -> None:
    assert memory_text(EPISODE) == "user, 2023-05-20: I moved to Lisbon."


def test_an_episode_of_nobody_has_the_day_it_was_stored() -> None:
    assert memory_text(replace(EPISODE, source_role=None, event_time=None)) == "2024-01-02: I moved to Lisbon."


def test_an_episode_may_follow_the_one_before() -> None:
    asked = replace(EPISODE, id="ep_0", content="Where do you live?", source_role="assistant")
    assert memory_text(EPISODE, asked) == (
        "assistant, 2023-05-20: Where do you live?\nuser, 2023-05-20: I moved to Lisbon."
    )
