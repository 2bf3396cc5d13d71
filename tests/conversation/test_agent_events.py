"""The events of agents' transcripts, in every format."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from holdfast.agents import event as kinds
from holdfast.agents.transcripts.agent_events import agent_sessions, all_sessions

_AT = "2026-03-01T10:00:00Z"


def _claude(kind: str, content: Any, **more: Any) -> dict[str, Any]:
    about = {"sessionId": "s1", "cwd": "/p", "gitBranch": "main", "timestamp": _AT, "uuid": "u", "parentUuid": None}
    return {**about, "type": kind, "message": {"role": kind, "content": content}, **more}


_CLAUDE = [
    _claude("user", "fix the cart"),
    _claude("assistant", [{"type": "thinking", "thinking": "hm"}, {"type": "text", "text": "I will."}]),
    _claude("assistant", [{"type": "tool_use", "id": "t1", "name": "Read", "input": {"file_path": "/p/a.py"}}]),
    _claude("user", [{"type": "tool_result", "tool_use_id": "t1", "content": [{"type": "text", "text": "x = 1"}]}]),
    _claude("assistant", [{"type": "tool_use", "id": "t2", "name": "Bash", "input": {"command": "make"}}]),
    _claude("user", [{"type": "tool_result", "tool_use_id": "t2", "content": "boom", "is_error": True}]),
]


def _codex(kind: str, payload: dict[str, Any]) -> dict[str, Any]:
    return {"timestamp": _AT, "type": kind, "payload": payload}


_CODEX = [
    _codex("session_meta", {"id": "s1", "cwd": "/p", "git": {"branch": "main"}}),
    _codex(
        "response_item",
        {"type": "message", "role": "user", "content": [{"type": "input_text", "text": "fix the cart"}]},
    ),
    _codex("response_item", {"type": "reasoning", "summary": [{"type": "summary_text", "text": "hm"}]}),
    _codex(
        "response_item",
        {"type": "message", "role": "assistant", "content": [{"type": "output_text", "text": "I will."}]},
    ),
    _codex(
        "response_item",
        {"type": "function_call", "name": "read_file", "call_id": "t1", "arguments": '{"path": "/p/a.py"}'},
    ),
    _codex("response_item", {"type": "function_call_output", "call_id": "t1", "output": "x = 1"}),
    _codex(
        "response_item",
        {"type": "function_call", "name": "shell", "call_id": "t2", "arguments": '{"command": ["make"]}'},
    ),
    _codex(
        "response_item",
        {"type": "function_call_output", "call_id": "t2", "output": '{"output": "boom", "metadata": {"exit_code": 2}}'},
    ),
]
_GEMINI = [
    {"sessionId": "s1", "projectHash": "h", "startTime": _AT},
    {"id": "1", "type": "user", "timestamp": _AT, "content": "fix the cart"},
    {
        "id": "2", "type": "gemini", "timestamp": _AT, "content": "I will.",
        "toolCalls": [
            {"id": "t1", "name": "read_file", "args": {"absolute_path": "/p/a.py"}, "resultDisplay": "x = 1"},
            {"id": "t2", "name": "shell", "args": {"command": "make"}, "status": "error", "resultDisplay": "boom"},
        ],
    },
]  # fmt: skip
_COPILOT = [
    {
        "type": "session.start",
        "timestamp": _AT,
        "id": "1",
        "data": {"sessionId": "s1", "context": {"cwd": "/p", "branch": "main"}},
    },
    {"type": "user.message", "timestamp": _AT, "id": "2", "data": {"content": "fix the cart"}},
    {"type": "assistant.message", "timestamp": _AT, "id": "3", "data": {"content": "I will."}},
    {
        "type": "tool.execution_start",
        "timestamp": _AT,
        "data": {"toolCallId": "t1", "toolName": "view", "arguments": {"path": "/p/a.py"}},
    },
    {
        "type": "tool.execution_complete",
        "timestamp": _AT,
        "data": {"toolCallId": "t1", "success": True, "result": {"content": "x = 1"}},
    },
    {
        "type": "tool.execution_start",
        "timestamp": _AT,
        "data": {"toolCallId": "t2", "toolName": "bash", "arguments": {"command": "make"}},
    },
    {
        "type": "tool.execution_complete",
        "timestamp": _AT,
        "data": {"toolCallId": "t2", "success": False, "error": {"message": "boom"}},
    },
]


def _write(path: Path, records: list[dict[str, Any]]) -> Path:
    path.write_text("".join(json.dumps(record) + "\n" for record in records))
    return path


@pytest.mark.parametrize("records", [_CLAUDE, _CODEX, _GEMINI, _COPILOT], ids=["claude", "codex", "gemini", "copilot"])
def test_calls_results_and_texts_of_every_client(tmp_path: Path, records: list[dict[str, Any]]) -> None:
    [session] = agent_sessions(_write(tmp_path / "t.jsonl", records))
    assert session.id == "s1"
    calls = [event for event in session.events if event.kind == kinds.TOOL_CALL]
    results = [event for event in session.events if event.kind == kinds.TOOL_RESULT]
    assert [call.step for call in calls] == [1, 2]
    assert [(result.text, result.error, result.step) for result in results] == [("x = 1", False, 1), ("boom", True, 2)]
    assert "/p/a.py" in calls[0].args.values()
    assert [event.text for event in session.events if event.kind == kinds.USER] == ["fix the cart"]
    assert [event.text for event in session.events if event.kind == kinds.ASSISTANT] == ["I will."]


def test_folder_and_branch(tmp_path: Path) -> None:
    [session] = agent_sessions(_write(tmp_path / "t.jsonl", _CLAUDE))
    assert session.folder == "/p"
    assert session.events[0].args == {"cwd": "/p", "branch": "main"}


def test_a_folder_gives_the_sessions_of_this_project(tmp_path: Path) -> None:
    _write(tmp_path / "a.jsonl", _CLAUDE)
    elsewhere = [{**r, "cwd": "/other", "sessionId": "s2", "timestamp": "2026-03-02T10:00:00Z"} for r in _CLAUDE]
    _write(tmp_path / "b.jsonl", elsewhere)
    (tmp_path / "notes.jsonl").write_text("not json\n")
    assert [session.id for session in all_sessions(str(tmp_path), lambda folder, remote: folder == "/p")] == ["s1"]
    assert len(all_sessions(str(tmp_path))) == 2


@pytest.mark.parametrize(
    "text", ["", "{}", "[]\n", '{"type": "user"}\n', "\x00\x01", '{"sessionId": 3, "type": "user", "message": []}']
)
def test_hostile_files_have_no_events(tmp_path: Path, text: str) -> None:
    (tmp_path / "t.jsonl").write_text(text)
    assert [event for session in agent_sessions(tmp_path / "t.jsonl") for event in session.events if event.step] == []


def test_observing_transcripts_from_the_command_line(tmp_path: Path, project: Path, monkeypatch, capsys) -> None:
    from holdfast.interfaces.cli.main import run

    folder = tmp_path / "chats"
    folder.mkdir()
    (project / "a.py").touch()
    for n in range(4):
        edit = {
            "type": "tool_use",
            "id": "e",
            "name": "Edit",
            "input": {"file_path": f"{project}/a.py", "new_string": "x"},
        }
        other = {**edit, "id": "f", "input": {"file_path": f"{project}/b.py", "new_string": "x"}}
        records = [_claude("user", "fix it"), _claude("assistant", [edit]), _claude("assistant", [other])]
        where = {"sessionId": f"s{n}", "cwd": str(project), "timestamp": f"2026-03-0{n + 1}T10:00:00Z"}
        _write(folder / f"{n}.jsonl", [{**record, **where} for record in records])
    monkeypatch.chdir(project)
    monkeypatch.setenv("HOLDFAST_DB", str(tmp_path / "m.db"))
    assert run(["observe", str(folder), "--dry-run"]) == 0
    assert "Observed 4 sessions with 8 steps" in capsys.readouterr().out
    assert run(["observe", str(folder)]) == 0
    said = capsys.readouterr().out
    assert "When `a.py` changes, `b.py` usually changes too (3 of 3 sessions)." in said
    assert run(["prefetch", "fix a.py"]) == 0
    assert capsys.readouterr().out.splitlines()[0].startswith("a.py")


def _kinds_and_texts(path: Path) -> list[tuple[str, str]]:
    (session,) = agent_sessions(path)
    return [(event.kind, event.text) for event in session.events if event.kind in (kinds.USER, kinds.ASSISTANT)]


def test_what_programs_insert_is_not_what_the_person_said(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    answer = {"questions": [{"question": "Which?"}], "answers": {"Which?": "the cart"}}
    queued = {"type": "queued_command", "prompt": "then the shop", "commandMode": "prompt"}
    _write(
        path,
        [
            _claude("user", "a skill", isMeta=True),
            _claude("user", "a summary", isCompactSummary=True),
            _claude("user", "a notice", origin={"kind": "task-notification"}),
            _claude("assistant", [{"type": "tool_use", "id": "t1", "name": "AskUserQuestion", "input": {}}]),
            _claude("user", [{"type": "tool_result", "tool_use_id": "t1", "content": ""}], toolUseResult=answer),
            {**_claude("attachment", ""), "attachment": queued},
        ],
    )
    said = [(kinds.ASSISTANT, "Which?"), (kinds.USER, "the cart"), (kinds.USER, "then the shop")]
    assert _kinds_and_texts(path) == said


def test_what_codex_inserts_and_what_its_sub_agents_are_told_is_not_said(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    texts = ("# AGENTS.md instructions for /p\n<INSTRUCTIONS>\nBe brief.\n</INSTRUCTIONS>", "fix the cart")
    said = [{"type": "message", "role": "user", "content": [{"type": "input_text", "text": text}]} for text in texts]
    records = [_CODEX[0], *(_codex("response_item", item) for item in said)]
    _write(path, [*records, _codex("session_meta", {"id": "parent", "cwd": "/p"})])
    assert _kinds_and_texts(path) == [(kinds.USER, "fix the cart")]
    of_sub_agent = _codex("session_meta", {"id": "s1", "cwd": "/p", "source": {"subagent": "review"}})
    _write(path, [of_sub_agent, *records[1:]])
    assert _kinds_and_texts(path) == []


def test_a_gemini_message_written_twice_is_said_once(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    message = {"id": "m1", "type": "gemini", "timestamp": _AT, "content": "I look."}
    calls = {"toolCalls": [{"id": "c1", "name": "read_file", "args": {}}]}
    _write(path, [{"sessionId": "s1", "projectHash": "x", "messages": []}, message, {**message, **calls}])
    assert _kinds_and_texts(path) == [(kinds.ASSISTANT, "I look.")]


def test_a_forked_session_has_only_its_own_events(tmp_path: Path) -> None:
    fork = [{**record, "sessionId": "s2"} for record in _CLAUDE]
    _write(tmp_path / "a.jsonl", _CLAUDE)
    own = _claude("user", "and the shop", sessionId="s2", timestamp="2026-03-03T10:00:00Z")
    _write(tmp_path / "b.jsonl", [*fork, own])
    _write(tmp_path / "c.jsonl", [{**record, "sessionId": "s3"} for record in _CLAUDE])
    first, second = all_sessions(str(tmp_path))
    assert (first.id, second.id) == ("s1", "s2")
    assert [(event.kind, event.text) for event in second.events] == [(kinds.SESSION, ""), (kinds.USER, "and the shop")]


def test_opencode(tmp_path: Path) -> None:
    call = {"type": "tool", "tool": "bash", "callID": "c1"}
    failed = {**call, "state": {"status": "completed", "input": {"command": "make"}, "output": "boom",
                                "metadata": {"exit": 2}}}  # fmt: skip
    messages = [
        {"info": {"role": "user"}, "parts": [{"type": "text", "text": "fix the cart"}]},
        {"info": {"role": "assistant"}, "parts": [{"type": "reasoning", "text": "hm"}, failed]},
    ]
    info = {"id": "ses_1", "directory": "/p", "time": {"created": 1_772_359_200_000}}
    _write(tmp_path / "a.json", [{"info": info, "messages": messages}])
    _write(tmp_path / "b.json", [{"info": {**info, "id": "ses_2", "parentID": "ses_1"}, "messages": messages}])
    (session,) = all_sessions(str(tmp_path))
    assert (session.id, session.folder) == ("ses_1", "/p")
    assert [event.kind for event in session.events] == [
        kinds.SESSION, kinds.USER, kinds.REASONING, kinds.TOOL_CALL, kinds.TOOL_RESULT,
    ]  # fmt: skip
    assert session.events[3].args == {"command": "make"}
    assert session.events[4].error


@pytest.mark.parametrize(
    ("code", "tool", "args"),
    [
        (
            'const r = await tools.exec_command({cmd:"cat a.py && make","workdir":"/p"}); text(r.output)',
            "exec_command",
            {"cmd": "cat a.py && make"},
        ),
        (
            'await tools.apply_patch("*** Begin Patch\\n*** Update File: a.py\\n+x\\n*** End Patch")',
            "apply_patch",
            {"input": "*** Begin Patch\n*** Update File: a.py\n+x\n*** End Patch"},
        ),
        ('text(await tools.get_goal({"broken))', "exec", {}),
    ],
)
def test_code_of_codex_that_calls_tools(tmp_path: Path, code: str, tool: str, args: dict[str, str]) -> None:
    call = {"type": "custom_tool_call", "name": "exec", "call_id": "t1", "input": code}
    file = tmp_path / "s.jsonl"
    file.write_text("".join(json.dumps(record) + "\n" for record in (_CODEX[0], _codex("response_item", call))))
    [session] = agent_sessions(file)
    [found] = [event for event in session.events if event.kind == kinds.TOOL_CALL]
    assert (found.tool, dict(found.args)) == (tool, args)
