"""What a session leaves behind for the next one: its messages are stored and learned from."""

from __future__ import annotations

import json

from holdfast.core import event as kinds

RULE = "From now on always use tabs in Makefiles, never spaces."


def talk(agent, session="s1", end=True, **values):
    agent.send("SessionStart", session=session, **values)
    agent.send("UserPromptSubmit", session=session, prompt=RULE)
    agent.send("Stop", session=session, last_assistant_message="Understood: tabs in Makefiles.")
    if end:
        agent.send("SessionEnd", session=session, reason="other")


def run_jobs(agent):
    with agent.open() as ws:
        return {job: ws.upkeep(job) for job in ("messages", "consolidate")}


def test_the_next_session_starts_with_what_the_last_one_learned(agent):
    talk(agent)
    done = run_jobs(agent)
    assert done["messages"]["messages"] == {"sessions": 1, "messages": 2}
    assert "tabs" in agent.context("SessionStart", session="s2", source="startup")


def test_messages_are_stored_once(agent):
    talk(agent)
    run_jobs(agent)
    agent.send("UserPromptSubmit", prompt="One more thing.", session="s1")
    agent.send("SessionEnd", session="s1")
    assert run_jobs(agent)["messages"]["messages"] == {"sessions": 1, "messages": 1}
    assert run_jobs(agent)["messages"]["messages"] == {"sessions": 0, "messages": 0}
    with agent.open() as ws:
        assert [message.role for message in ws.session("s1").messages()] == ["user", "assistant", "user"]
        assert ws.find_session("s1").archived_at is not None


def test_the_transcript_of_the_agent_is_preferred(agent, tmp_path):
    transcript = tmp_path / "t.jsonl"
    shared = {"sessionId": "s1", "cwd": str(agent.folder), "isSidechain": False, "parentUuid": None}
    lines = [
        {**shared, "type": "user", "uuid": "1", "timestamp": "2026-11-01T10:00:00Z",
         "message": {"role": "user", "content": RULE}},
        {**shared, "type": "assistant", "uuid": "2", "timestamp": "2026-11-01T10:00:05Z",
         "message": {"role": "assistant", "content": [{"type": "text", "text": "Between two tools."}]}},
    ]  # fmt: skip
    transcript.write_text("".join(json.dumps(line) + "\n" for line in lines))
    talk(agent, transcript_path=str(transcript))
    run_jobs(agent)
    with agent.open() as ws:
        assert [message.text for message in ws.session("s1").messages()] == [RULE, "Between two tools."]


def test_a_transcript_that_cannot_be_read_is_no_loss(agent, tmp_path):
    (tmp_path / "t.jsonl").write_text("nonsense")
    talk(agent, transcript_path=str(tmp_path / "t.jsonl"))
    assert run_jobs(agent)["messages"]["messages"]["messages"] == 2


def test_an_abandoned_session_is_stored_when_a_newer_one_begins(agent):
    talk(agent, end=False)
    assert run_jobs(agent)["messages"]["messages"]["sessions"] == 0
    agent.send("SessionStart", session="s2")
    assert run_jobs(agent)["messages"]["messages"]["messages"] == 2


def test_what_sub_agents_say_is_not_the_persons_talk(agent):
    agent.send("SessionStart")
    agent.send("SubagentStop", agent_id="a1", last_assistant_message="I looked.")
    agent.send("SessionEnd")
    assert run_jobs(agent)["messages"]["messages"]["messages"] == 0
    assert [event.kind for event in agent.events()] == [kinds.SESSION, kinds.AGENT_STOP, kinds.END]
