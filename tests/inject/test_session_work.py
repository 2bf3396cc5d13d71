"""A session of an agent of one's own: what is recorded of it, what it gets, and what is learned from it."""

from __future__ import annotations

import inspect

import pytest

import holdfast
from holdfast.agents import event as kinds
from holdfast.agents import journal
from holdfast.agents.event import Event
from holdfast.core.errors import InvalidInput
from tests.journals import journals


@pytest.fixture
def ws(tmp_path, project):
    with holdfast.open(db=str(tmp_path / "m.db"), project=str(project), embedder="none", background=False) as ws:
        yield ws


def edit(session, *paths):
    for path in paths:
        session.after_tool("Edit", {"file_path": path, "old_string": "a", "new_string": "b"}, "done")


def events(ws, session):
    folder = journals(ws)
    return [event for file in journal.of_session(folder, session) for _, event in journal.read(file)]


@pytest.mark.parametrize(
    ("verb", "arguments"),
    [
        ("say", ["role", "text", "when", "tools"]),
        ("prompt", ["text"]),
        ("observe", ["event"]),
        ("after_tool", ["tool", "args", "result", "error"]),
        ("before_step", ["step"]),
        ("report", ["qa", "planned_steps", "outcome"]),
        ("end", ["outcome"]),
    ],
)
def test_the_names_of_a_session_are_settled(ws, verb, arguments):
    assert list(inspect.signature(getattr(ws.session("s"), verb)).parameters) == arguments


def test_a_session_teaches_what_failed_what_helped_and_where_the_work_stands(ws, project):
    (project / "env.py").write_text("URL = ''")
    for number in range(3):
        session = ws.session(f"s{number}")
        session.prompt("please fix the cart")
        session.after_tool("Bash", {"command": "make test"}, "error: REDIS_URL is not set", error=True)
        edit(session, "env.py")
        session.after_tool("Bash", {"command": "make test"}, "ok")
        session.end("succeeded")
    [error], [state] = ws.list(types=["error_pattern"]), ws.list(types=["work_state"])
    assert "fixed by editing `env.py`" in error.content
    assert "“please fix the cart”" in state.content
    assert {file.path for file in ws.predict_files("fix the cart again")} == {"env.py"}


def test_a_prompt_is_answered_once_and_stored_as_a_message_at_the_end(ws):
    ws.remember("Tide tables count from zero.", type="gotcha")
    session = ws.session("s")
    assert "Tide tables count from zero." in session.prompt("Why are the tide tables off by one?").text
    assert session.prompt("And the tide tables of May?").text == ""
    session.end()
    ws.consolidate()
    assert [message.text for message in session.messages()] == [
        "Why are the tide tables off by one?",
        "And the tide tables of May?",
    ]


def test_events_are_recorded_in_any_form_without_secrets_and_numbered(ws):
    session = ws.session("s")
    session.observe({"kind": "reasoning", "text": "The real issue is that `Cart.total` counts cents."})
    session.observe({"kind": "tool_call", "tool": "Bash", "args": {"command": "make test TOKEN=ghp_" + "a1B2" * 9}})
    session.observe(Event(kinds.TOOL_RESULT, 0.0, text="ok"))
    edit(session, "src/cart.py")
    _, thought, call, result, edited, _ = events(ws, "s")
    assert (call.step, call.id, result.step, result.id) == (1, "1", 1, "1")
    assert "ghp_" not in str(call.args)
    assert edited.step == 2
    assert thought.at
    assert result.at
    session.end()
    assert [memory.content for memory in ws.list(types=["gotcha"])] == ["`Cart.total` counts cents."]


@pytest.mark.parametrize("event", [{"kind": "given", "args": {"ids": ["x"]}}, {"kind": 3}, {}, Event("end", 1.0)])
def test_events_that_only_we_record_are_refused(ws, event):
    with pytest.raises(InvalidInput, match="Use one of: user, assistant, reasoning"):
        ws.session("s").observe(event)


def test_the_kind_of_a_session_decides_what_is_kept_of_it(ws):
    for kind in ("changelog", "spec"):
        session = ws.session(kind, kind=kind)
        session.observe({"kind": "assistant", "text": "The real issue is that `Cart.total` counts cents."})
        edit(session, "src/cart.py")
        session.end()
    assert not ws.list(types=["gotcha"])
    assert events(ws, "spec")[0].args["kind"] == "spec"
    ws.session("later", kind="pr_review").report(outcome="completed")
    assert events(ws, "later")[-1].args == {"kind": "pr_review", "outcome": "completed"}


def test_planned_steps_that_a_session_reports_calibrate_the_next_plan(ws):
    for number in range(2):
        session = ws.session("s")
        edit(session, *(["src/slow/a.py"] * (9 if number == 0 else 1)))
        session.report(planned_steps=5, qa=True)
        session.end("succeeded")
        session.end()
    [memory] = ws.list(types=["task_calibration"])
    assert memory.content == "Work in `src/slow` took 10 steps where 5 steps had been planned (1 unit of work)."
    assert (memory.provenance_sessions, memory.attributes["evidence"]) == (("s",), {"s": [1, 10]})
    assert ws.step_limit(100, "src/slow") == 200
    assert len(ws.history(memory.id)) == 1


def test_a_unit_of_work_and_its_session_count_once(ws):
    session = ws.session("s")
    edit(session, "src/slow/a.py", "src/slow/b.py")
    session.report(planned_steps=4)
    session.end()
    ws.record_outcome(True, {"spec": "042"}, 5, 9, modules=["src/slow"], session="s")
    session.report(outcome="succeeded")
    session.end()
    [memory] = ws.list(types=["task_calibration"])
    assert "took 9 steps where 5 steps had been planned (1 unit of work)" in memory.content


def test_work_that_failed_calibrates_nothing(ws):
    session = ws.session("s")
    edit(session, "src/slow/a.py")
    session.report(planned_steps=5)
    session.end("abandoned")
    assert not ws.list(types=["task_calibration"])


def test_a_report_on_a_session_of_another_program_reaches_its_journal(ws):
    folder = journals(ws)
    file = journal.journal_file(journals(ws), "claude-code", "s1")
    journal.append(file, [], Event(kinds.SESSION, 1.0, args={"session": "s1"}))
    ws.session("s1").report(qa=False)
    assert journal.of_session(folder, "s1") == [file]
    assert events(ws, "s1")[-1].args == {"qa": False}


def test_the_end_of_a_conversation_without_an_agent_is_no_work(ws):
    session = ws.session("talk")
    session.say("user", "The jib is cut from red cloth.")
    session.end()
    assert not events(ws, "talk")


@pytest.mark.parametrize(
    "call",
    [
        lambda session: session.end("perfect"),
        lambda session: session.report(planned_steps=0),
        lambda session: session.report(qa="yes"),
        lambda session: session.report(planned_steps="5"),
        lambda session: session.observe("text"),
        lambda session: session.before_step("x"),
        lambda session: session.after_tool("Read", "a.py"),
        lambda session: session.prompt(None),
    ],
)
def test_wrong_arguments_are_refused_with_a_hint(ws, call):
    with pytest.raises(InvalidInput) as caught:
        call(ws.session("s"))
    assert caught.value.hint
    assert not events(ws, "s")


@pytest.mark.parametrize(
    "call",
    [
        lambda ws: ws.report_failures("s", [{"severity": "high", "text": "x"}]),
        lambda ws: ws.record_outcome(True, "spec 1"),
        lambda ws: ws.record_outcome("yes", {"spec": "1"}),
        lambda ws: ws.record_outcome(True, {"spec": "1"}, steps_planned="5"),
        lambda ws: ws.before_step("s", "x"),
        lambda ws: ws.after_tool("s", "Read", ["a.py"]),
        lambda ws: ws.observe(kind="party"),
    ],
)
def test_wrong_arguments_of_the_workspace_are_refused_with_a_hint(ws, call):
    with pytest.raises(InvalidInput) as caught:
        call(ws)
    assert caught.value.hint
