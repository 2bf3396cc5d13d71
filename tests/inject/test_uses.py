"""What became of the memories that a session was given."""

from __future__ import annotations

from datetime import UTC, datetime

from holdfast.agents import event as kinds
from holdfast.agents.event import Event
from holdfast.core.memory import Memory
from holdfast.core.memory_description import MemoryEvent
from holdfast.inject.uses import judge

AT = datetime(2026, 11, 1, tzinfo=UTC)
TEXT = "Invalidate the session cache after every token refresh."
MEMORY = Memory("mem_01m7jepxv96nvdsr5aq25vteqq", "gotcha", TEXT, "p", AT, files=("src/auth.py",))


def judged(*events, point="after-tool", history=()):
    start = AT.timestamp()
    given = Event(kinds.GIVEN, start + 10, tool=point, args={"ids": [MEMORY.id]})
    before = [Event(kinds.USER, start, text="Fix the token refresh.")]
    later = [Event(kind, start + 20 + n, text=text, args=args) for n, (kind, text, args) in enumerate(events)]
    end = Event(kinds.STOP, start + 100)
    return [
        (use.outcome, use.evidence)
        for use in judge([*before, given, *later, end], {MEMORY.id: MEMORY}, lambda id: history)
    ]


def test_a_cited_memory_was_used():
    assert judged((kinds.ASSISTANT, "As [Memory #q25vteqq] says, done.", {})) == [("used", "cited")]


def test_words_that_nobody_else_said_show_the_use():
    edit = {"new_string": "session_cache.invalidate()  # invalidate the cache of the session"}
    assert judged((kinds.TOOL_CALL, "", edit)) == [("used", "3/4")]


def test_words_of_the_prompt_do_not():
    assert judged((kinds.ASSISTANT, "I fixed the token refresh.", {})) == [("ignored", "")]


def test_words_that_a_tool_returned_later_do_not():
    assert judged((kinds.TOOL_RESULT, TEXT, {})) == [("ignored", "")]


def test_a_correction_after_it_was_given_contradicts_it():
    flagged = MemoryEvent(datetime.fromtimestamp(AT.timestamp() + 30, UTC), "flag", "wrong", {})
    assert judged(history=[flagged]) == [("contradicted", "flag")]
    earlier = MemoryEvent(AT, "flag", "wrong", {})
    assert judged(history=[earlier]) == [("ignored", "")]


def test_rules_that_every_session_starts_with_are_never_ignored():
    assert judged(point="start") == []
    assert judged((kinds.ASSISTANT, "By [Memory #q25vteqq].", {}), point="start") == [("used", "cited")]
