"""What an agent thinks and says between its calls: hooks do not see it, but the transcript of its program has it."""

from __future__ import annotations

import json
import os
import time
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from holdfast.agents import event as kinds
from holdfast.agents.event import Event
from holdfast.agents.transcripts import agent_events
from holdfast.agents.transcripts.agent_events import said_in
from holdfast.observer.journals import with_texts
from tests.hooks.conftest import Agent, agent

__all__ = ["agent"]  # The fixture.

_FINDING = "The real issue is that `Cart.total` counts cents."


def _record(text: str, at: float, session: str = "s1", type: str = "thinking", **more: Any) -> dict[str, Any]:
    block = {"type": type, type if type == "thinking" else "text": text}
    stamp = datetime.fromtimestamp(at, UTC).isoformat()
    message = {"role": "assistant", "content": [block]}
    return {"type": "assistant", "sessionId": session, "timestamp": stamp, "message": message, **more}


def _transcript(folder: Path, *records: dict[str, Any]) -> str:
    path = folder / "transcript.jsonl"
    path.write_text("".join(json.dumps(record) + "\n" for record in records))
    return str(path)


def _work(agent: Agent, transcript: str) -> None:
    """A session in which the last message says nothing."""
    agent.send("SessionStart", transcript_path=transcript)
    agent.send("UserPromptSubmit", prompt="please fix the cart", transcript_path=transcript)
    edit = {"file_path": str(agent.folder / "src/cart.py"), "old_string": "a", "new_string": "b"}
    agent.send("PostToolUse", tool_name="Edit", tool_input=edit, tool_use_id="t1", tool_response="ok")
    agent.send("Stop", last_assistant_message="Done.")
    agent.send("SessionEnd")


def _gotchas(agent: Agent) -> list[str]:
    with agent.open() as ws:
        ws.upkeep("observe")
        return [memory.content for memory in ws.list(types=["gotcha"])]


@pytest.mark.parametrize("type", ["thinking", "text"])
def test_what_an_agent_finds_out_between_its_calls_is_learned(agent: Agent, tmp_path: Path, type: str) -> None:
    transcript = tmp_path / "transcript.jsonl"
    _work(agent, str(transcript))
    _transcript(tmp_path, _record(_FINDING, time.time(), type=type))
    assert _gotchas(agent) == ["`Cart.total` counts cents."]


@pytest.mark.parametrize(
    "record",
    [
        _record(_FINDING, time.time() + 60, session="s2"),  # Another session.
        _record(_FINDING, time.time() - 3_600),  # From before the session, as a resumed one repeats it.
        _record(_FINDING, time.time() + 60, isSidechain=True),  # A sub-agent.
        {"text": _FINDING},  # No known format.
    ],
)
def test_texts_of_others_are_not_learned(agent: Agent, tmp_path: Path, record: dict[str, Any]) -> None:
    _work(agent, _transcript(tmp_path, record))
    assert _gotchas(agent) == []
    assert not agent.failures()


def test_a_transcript_that_cannot_be_read_is_no_error(
    agent: Agent, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "noise").write_bytes(os.urandom(2_000) + b"\n[[[[" * 500)
    for number, path in enumerate(("none", "pipe", "noise", ".", "\0")):
        assert said_in(str(tmp_path / path), "s1") == [], number
    whole = _transcript(tmp_path, _record(_FINDING, time.time()))
    assert len(said_in(whole, "s1")) == 1
    monkeypatch.setattr(agent_events, "_LARGEST", 10)
    assert said_in(whole, "s1") == []
    _work(agent, str(tmp_path / "none"))
    assert _gotchas(agent) == []


def test_texts_come_between_the_calls_by_their_time() -> None:
    journal = [
        Event(kinds.SESSION, 10.0),
        Event(kinds.TOOL_CALL, 12.0, step=1),
        Event(kinds.TOOL_RESULT, 12.0, step=1),
        Event(kinds.TOOL_CALL, 14.0, step=2),
        Event(kinds.ASSISTANT, 16.0, text="Done."),
    ]
    said = [
        Event(kinds.REASONING, 9.0, text="before"),
        Event(kinds.REASONING, 11.0, text="first"),
        Event(kinds.ASSISTANT, 13.0, text="second"),
        Event(kinds.ASSISTANT, 15.9, text="Done."),
        Event(kinds.REASONING, 20.0, text="last"),
    ]
    joined = [event.text or event.step for event in with_texts(journal, said)]
    assert joined == [0, "first", 1, 1, "second", 2, "Done.", "last"]
    assert with_texts([], said) == []
