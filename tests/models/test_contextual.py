from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from holdfast.core.document import Chunk
from holdfast.core.memory import Memory
from holdfast.models.contextual import memory_text, passage_text, views_of

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


def test_the_views_of_a_users_message_are_its_sentences() -> None:
    text = (
        "I moved to Lisbon in May. My sister came too! Is it?\nThe flat is small。它在三楼，没有电梯，很安静，也便宜。"
    )
    assert views_of(replace(EPISODE, content=text), "episode") == (
        "I moved to Lisbon in May.",
        "My sister came too!",
        "The flat is small。",
        "它在三楼，没有电梯，很安静，也便宜。",
    )


def test_a_number_or_a_name_with_a_dot_ends_no_sentence() -> None:
    text = "The file config.toml holds 3.5 entries. e.g. the port and the host. Both are needed."
    assert views_of(replace(EPISODE, content=text), "episode") == (
        "The file config.toml holds 3.5 entries. e.g. the port and the host.",
        "Both are needed.",
    )


@pytest.mark.parametrize(
    ("changed", "kind"),
    [
        ({"content": "I moved to Lisbon in May."}, "episode"),
        ({"content": ""}, "episode"),
        ({"content": "Yes. No. Ok. Fine."}, "episode"),
        ({"content": TWO, "source_role": "assistant"}, "episode"),
    ],
    ids=["one sentence", "nothing", "too short", "the assistant"],
)
def test_messages_without_views(changed: dict[str, str], kind: str) -> None:
    assert views_of(replace(EPISODE, **changed), kind) == ()  # type: ignore[arg-type] # all are texts


def test_the_views_of_a_memory_are_its_sentences_without_context() -> None:
    memory = replace(EPISODE, type="gotcha", source_role=None, content="The lever sticks when cold.")
    assert views_of(memory, "gotcha") == ("The lever sticks when cold.",)
    assert len(views_of(replace(memory, content=TWO), "gotcha")) == 2


def test_a_long_message_has_a_dozen_views_of_bounded_length() -> None:
    text = "This is yet another sentence. " * 50 + "Word " * 500
    views = views_of(replace(EPISODE, content=text), "episode")
    assert len(views) == 12
    [first, second] = views_of(replace(EPISODE, content="Word " * 300 + ".\nAnd this is the end."), "episode")
    assert (len(first), second) == (600, "And this is the end.")


@pytest.mark.parametrize(
    ("code", "named"),
    [
        ("def parse_http_date(text):\n    ...", "function: parse http date."),
        ("  async def parseHTTPDate(text): ...", "function: parse http date."),
        ("func ServeTLS2() {}", "function: serve tls 2."),
        ("export class NextJob extends Job {}", "function: next job."),
    ],
)
def test_the_view_of_code_begins_with_the_name_it_defines(code: str, named: str) -> None:
    chunk = replace(CHUNK, text=code)
    assert views_of(chunk, "code") == (f"{named}\n{code}",)
    assert views_of(chunk, "document") == ()


def test_code_that_defines_nothing_has_no_view() -> None:
    assert views_of(replace(CHUNK, text="x = 1"), "code") == ()
    assert views_of(replace(CHUNK, text="def _(): ..."), "code") == ()


@given(st.text(max_size=3000), st.sampled_from(("episode", "code", "document")))
def test_any_text_has_at_most_a_dozen_views(text: str, kind: str) -> None:
    for owner in (replace(EPISODE, content=text), replace(CHUNK, text=text)):
        assert len(views_of(owner, kind)) <= 12
