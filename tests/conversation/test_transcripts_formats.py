"""The transcripts of each program: recognised by content and read as messages."""

from __future__ import annotations

import json
import zipfile
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from holdfast.agents.transcript_reasons import TranscriptCode
from holdfast.agents.transcripts.entry import ParseNotes, TranscriptEntry
from holdfast.agents.transcripts.formats import detect, formats, read
from holdfast.core.errors import InvalidFile, InvalidInput
from holdfast.interfaces.cli.session_commands import FORMAT

INJECTED, SUB_AGENT = TranscriptCode.INJECTED, TranscriptCode.SUB_AGENT
UNKNOWN, REPEATED = TranscriptCode.UNKNOWN_RECORD, TranscriptCode.REPEATED


def written(path: Path, *records: Any) -> Path:
    path.write_text("".join(json.dumps(record) + "\n" for record in records), "utf-8")
    return path


def read_all(path: Path, format: str | None = None) -> tuple[list[TranscriptEntry], ParseNotes]:
    notes = ParseNotes(path.stem)
    return [entry for transcript in read(path, format, notes) for entry in transcript.messages], notes


def messages_of(entries: list[TranscriptEntry]) -> list[tuple[str, str]]:
    return [(entry.role, entry.text) for entry in entries]


# -- Claude Code ------------------------------------------------------------------------------------------------------


def claude(kind: str, content: Any, uuid: str = "", **more: Any) -> dict[str, Any]:
    return {
        "type": kind,
        "uuid": uuid,
        "parentUuid": None,
        "isSidechain": False,
        "sessionId": "c-1",
        "cwd": "/boat",
        "timestamp": "2026-03-01T09:00:00.000Z",
        "message": {"role": kind, "content": content},
        **more,
    }


def test_claude_code(tmp_path: Path) -> None:
    path = written(
        tmp_path / "log.txt",
        {"type": "summary", "summary": "An older name", "leafUuid": "x"},
        claude("user", "Paint the hull blue.", "u1"),
        claude("assistant", [{"type": "thinking", "thinking": "blue, then"}], "u2"),
        claude("assistant", [{"type": "text", "text": "I mix the paint."}], "u3"),
        claude("assistant", [{"type": "tool_use", "name": "Bash", "input": {"command": "ls"}}], "u4"),
        claude("user", [{"type": "tool_result", "content": "blue.tin"}], "u5"),
        claude("assistant", [{"type": "tool_use", "name": "Edit", "input": {}}], "u6"),
        claude("assistant", [{"type": "text", "text": "It is blue."}], "u7"),
        {"type": "ai-title", "aiTitle": "Painting the hull", "sessionId": "c-1"},
    )
    assert detect(path) == "claude-code"
    entries, notes = read_all(path)
    assert messages_of(entries) == [
        ("user", "Paint the hull blue."),
        ("assistant", "I mix the paint."),
        ("assistant", "It is blue."),
    ]
    assert [entry.tools for entry in entries] == [(), ("Bash", "Edit"), ()]
    assert entries[0].when == datetime(2026, 3, 1, 9, tzinfo=UTC)
    assert {entry.session for entry in entries} == {"c-1"}
    assert (notes.titles["c-1"], notes.folders["c-1"], dict(notes.skipped)) == ("Painting the hull", "/boat", {})


def queue(operation: str, content: str = "", at: str = "2026-03-01T09:05:00.000Z") -> dict[str, Any]:
    record = {"type": "queue-operation", "operation": operation, "timestamp": at, "sessionId": "c-1"}
    return {**record, "content": content} if content else record


def queued(prompt: Any, **more: Any) -> dict[str, Any]:
    attachment = {"type": "queued_command", "prompt": prompt, "commandMode": "prompt", **more}
    return {**claude("attachment", ""), "attachment": attachment, "timestamp": "2026-03-01T09:05:00.000Z"}


def test_claude_code_prompts_typed_while_the_agent_works(tmp_path: Path) -> None:
    """Older versions write only the changes of the queue, newer ones also an attachment, before or after them."""
    path = written(
        tmp_path / "log.jsonl",
        claude("user", "Paint the hull.", "u1"),
        queue("enqueue", "Blue, not red."),
        queue("enqueue", '{"task_id":"b1","tool_use_id":"t1"}'),
        queue("remove"),
        queue("remove"),
        queue("enqueue", "And the mast white."),
        queue("remove", "And the mast white."),
        queued("And the mast white.", origin={"kind": "human"}),
        queue("enqueue", "Oil the deck."),
        queued([{"type": "text", "text": "Oil the deck."}]),
        queue("remove", "Oil the deck."),
        queue("enqueue", "<task-notification>done</task-notification>"),
        queue("remove"),
        queued("<task-notification>done</task-notification>", commandMode="task-notification"),
        queued("From a channel.", origin={"kind": "channel"}),
        queue("enqueue", "Never mind."),
        queue("popAll"),
        queue("enqueue", "Then sail."),
        queue("dequeue"),
        claude("user", "Then sail.", "u2"),
        queue("remove"),
    )
    entries, notes = read_all(path)
    said = ["Paint the hull.", "Blue, not red.", "And the mast white.", "Oil the deck.", "Then sail."]
    assert messages_of(entries) == [("user", text) for text in said]
    assert entries[1].when == datetime(2026, 3, 1, 9, 5, tzinfo=UTC)
    assert dict(notes.skipped) == {}


def test_claude_code_answers_to_questions_are_messages(tmp_path: Path) -> None:
    options = [{"label": "Blue", "description": "The colour of the harbour."}, {"label": "Red"}]
    result = {
        "questions": [
            {"question": "Which colour?", "options": options},
            {"question": "Which mast?", "options": [{"label": "Main"}]},
            {"question": "Which knot?", "options": []},
        ],
        "answers": {"Which colour?": "Blue", "Which mast?": "both of them"},
    }
    told = [{"type": "tool_result", "tool_use_id": "t1", "content": 'Your questions: "Which colour?"="Blue".'}]
    asked, answered = called("AskUserQuestion"), claude("user", told, "u1", toolUseResult=result)
    entries, _ = read_all(written(tmp_path / "log.jsonl", asked, answered))
    assert messages_of(entries)[1:] == [
        ("assistant", "- Blue: The colour of the harbour.\n- Red\n\nWhich colour?"),
        ("user", "Blue: The colour of the harbour."),
        ("assistant", "- Main\n\nWhich mast?"),
        ("user", "both of them"),
    ]
    assert len({entry.id for entry in entries}) == 5


def called(tool: str, id: str = "t1") -> dict[str, Any]:
    return claude("assistant", [{"type": "text", "text": "Wait."}, {"type": "tool_use", "id": id, "name": tool}], "u0")


def test_claude_code_answers_count_only_in_results_of_its_own_question_tool(tmp_path: Path) -> None:
    answers = {"questions": [{"question": "Which colour?"}], "answers": {"Which colour?": "Always paint it red."}}
    result = claude("user", [{"type": "tool_result", "tool_use_id": "t1"}], "u1", toolUseResult=answers)
    entries, _ = read_all(written(tmp_path / "log.jsonl", called("mcp__harbour__ask"), result))
    assert messages_of(entries) == [("assistant", "Wait.")]


def test_claude_code_reasons_of_a_refusal_are_messages(tmp_path: Path) -> None:
    start = "The user doesn't want to proceed with this tool use. To tell you how to proceed, the user said:\n"
    own = "Use the brush, not the roller."
    program = "The user wants to clarify these questions.\n    This means they may have additional information."
    contents = (start + own, start + program, f"A file with: {start}{own}")
    results = [[{"type": "tool_result", "content": text, "is_error": True}] for text in contents]
    records = [claude("user", result, toolDenialKind="user-rejected") for result in results]
    entries, _ = read_all(written(tmp_path / "log.jsonl", *records))
    assert messages_of(entries) == [("user", own)]


REFUSAL = "The user doesn't want to proceed with this tool use. To tell you how to proceed, the user said:\nUse tar."


@pytest.mark.parametrize(
    ("tool", "error", "marks", "is_persons"),
    [
        ("Bash", True, {"toolUseResult": f"Error: {REFUSAL}"}, True),
        ("mcp__harbour__paint", True, {"toolDenialKind": "user-rejected", "toolUseResult": f"Error: {REFUSAL}"}, True),
        ("Bash", False, {"toolUseResult": {"stdout": REFUSAL}}, False),
        ("Bash", True, {"toolUseResult": f"Error: Exit code 1\n{REFUSAL}"}, False),
        ("Bash", True, {"toolDenialKind": "hook", "toolUseResult": f"Error: {REFUSAL}"}, False),
        ("mcp__harbour__paint", True, {"toolUseResult": f"Error: {REFUSAL}"}, False),
        ("", True, {"toolUseResult": f"Error: {REFUSAL}"}, False),
    ],
)
def test_claude_code_refusals_count_only_with_the_clients_mark(
    tmp_path: Path, tool: str, error: bool, marks: dict[str, Any], is_persons: bool
) -> None:
    result = [{"type": "tool_result", "tool_use_id": "t1", "content": REFUSAL, "is_error": error}]
    path = written(tmp_path / "log.jsonl", called(tool, "t1" if tool else "t2"), claude("user", result, **marks))
    entries, _ = read_all(path)
    assert (("user", "Use tar.") in messages_of(entries)) is is_persons


def test_claude_code_notifications_are_not_the_persons_words(tmp_path: Path) -> None:
    notification = "<task-notification>\n<task-id>b1</task-id>\n</task-notification>\nRead the output file: /tmp/b1"
    path = written(
        tmp_path / "log.jsonl",
        claude("user", notification, "u1"),
        claude("user", [{"type": "text", "text": notification}], "u2"),
        claude("user", "The tide turned.", "u3", origin={"kind": "task-notification"}),
        claude("user", "Sail on.", "u4", origin={"kind": "human"}),
        {"type": "pr-link", "sessionId": "c-1", "prNumber": 7},
    )
    entries, notes = read_all(path)
    assert messages_of(entries) == [("user", "Sail on.")]
    assert dict(notes.skipped) == {INJECTED: 3}


def test_claude_code_tools_before_a_text_belong_to_the_next_message(tmp_path: Path) -> None:
    path = written(
        tmp_path / "a.jsonl",
        claude("user", "look", "u1"),
        claude("assistant", [{"type": "tool_use", "name": "Read"}], "u2"),
        claude("assistant", "Seen.", "u3"),
    )
    assert [entry.tools for entry in read_all(path)[0]] == [(), ("Read",)]


def test_claude_code_skips_injected_records(tmp_path: Path) -> None:
    path = written(
        tmp_path / "a.jsonl",
        claude("user", "real", "u1"),
        claude("user", "to the helper", "u2", isSidechain=True),
        claude("user", "Caveat", "u3", isMeta=True),
        claude("user", "so far", "u4", isCompactSummary=True),
        claude("assistant", "limit reached", "u5", isApiErrorMessage=True),
        claude("user", "<local-command-stdout>ok</local-command-stdout>", "u6"),
        claude("user", "[Request interrupted by user for tool use]", "u7"),
        claude("user", [{"type": "text", "text": "<ide_opened_file>a.py</ide_opened_file>"}], "u8"),
        {"type": "a-kind-of-tomorrow", "sessionId": "c-1"},
        claude("user", "real", "u1"),
    )
    entries, notes = read_all(path)
    assert messages_of(entries) == [("user", "real")]
    assert notes.skipped == {SUB_AGENT: 1, INJECTED: 6, UNKNOWN: 1, REPEATED: 1}


def test_claude_code_strips_inserted_blocks(tmp_path: Path) -> None:
    typed = (
        "<system-reminder>be brief</system-reminder>Use rope, <b>not</b> wire.\n"
        '<ide_selection file="x">knot()</ide_selection>'
    )
    command = "<command-name>/fix</command-name><command-args>the left oar</command-args>"
    path = written(tmp_path / "a.jsonl", claude("user", typed, "u1"), claude("user", command, "u2"))
    assert messages_of(read_all(path)[0]) == [("user", "Use rope, <b>not</b> wire."), ("user", "the left oar")]


def test_claude_code_file_of_two_sessions(tmp_path: Path) -> None:
    path = written(
        tmp_path / "a.jsonl",
        claude("user", "one", "u1"),
        claude("user", "two", "u2", sessionId="c-2"),
        claude("user", "three", "u3"),
    )
    read_in_order = [(t.id, [entry.text for entry in t.messages]) for t in read(path)]
    assert read_in_order == [("c-1", ["one"]), ("c-2", ["two"]), ("c-1", ["three"])]


# -- Codex ------------------------------------------------------------------------------------------------------------


def codex(kind: str, payload: dict[str, Any], at: str = "2026-03-01T10:00:00.000Z", **more: Any) -> dict[str, Any]:
    return {"timestamp": at, "type": kind, "payload": payload, **more}


def item(role: str, *texts: str) -> dict[str, Any]:
    kind = "output_text" if role == "assistant" else "input_text"
    content = [{"type": kind, "text": text} for text in texts]
    return codex("response_item", {"type": "message", "role": role, "content": content})


def test_codex(tmp_path: Path) -> None:
    path = written(
        tmp_path / "a",
        codex("session_meta", {"id": "x-1", "cwd": "/boat", "source": "cli"}),
        codex("session_meta", {"id": "of-the-parent", "cwd": "/elsewhere"}),
        item("developer", "Obey."),
        item("user", "# AGENTS.md instructions for /boat\n<INSTRUCTIONS>\nrow\n</INSTRUCTIONS>"),
        item("user", "<environment_context>\n<cwd>/boat</cwd>\n</environment_context>"),
        item("user", "Count the oars."),
        codex("event_msg", {"type": "user_message", "message": "Count the oars."}),
        codex("response_item", {"type": "reasoning", "summary": []}),
        codex("response_item", {"type": "function_call", "name": "shell", "arguments": "{}"}),
        codex("response_item", {"type": "function_call_output", "output": "4"}),
        codex("response_item", {"type": "custom_tool_call", "name": "apply_patch"}),
        codex("response_item", {"type": "a_new_item"}),
        item("assistant", "There are four."),
        item(
            "user",
            "# Context from my IDE setup:\n\n## Open tabs:\n- oar.py\n\n## My request for Codex:\nAnd the sails?",
        ),
        codex("turn_context", {"model": "m"}),
    )
    assert detect(path) == "codex"
    entries, notes = read_all(path)
    assert messages_of(entries) == [
        ("user", "Count the oars."),
        ("assistant", "There are four."),
        ("user", "And the sails?"),
    ]
    assert entries[1].tools == ("shell", "apply_patch")
    assert {entry.session for entry in entries} == {"x-1"}
    assert notes.folders == {"x-1": "/boat"}
    assert notes.skipped == {INJECTED: 3, UNKNOWN: 1}


def test_codex_sub_agents_are_skipped(tmp_path: Path) -> None:
    source = {"subagent": {"thread_spawn": {"parent_thread_id": "p"}}}
    path = written(tmp_path / "a", codex("session_meta", {"id": "x-2", "source": source}), item("user", "review"))
    entries, notes = read_all(path)
    assert (entries, notes.skipped) == ([], {SUB_AGENT: 1})


def test_codex_before_the_envelope(tmp_path: Path) -> None:
    path = written(
        tmp_path / "a",
        {"id": "x-0", "timestamp": "2025-08-01T08:00:00Z", "instructions": None, "git": {}},
        {"record_type": "state"},
        {"type": "message", "role": "user", "content": [{"type": "input_text", "text": "Bail her out."}]},
        {"type": "message", "role": "assistant", "content": [{"type": "output_text", "text": "Bailing."}]},
    )
    assert detect(path) == "codex"
    entries, notes = read_all(path)
    assert messages_of(entries) == [("user", "Bail her out."), ("assistant", "Bailing.")]
    assert {(entry.session, entry.when) for entry in entries} == {("x-0", datetime(2025, 8, 1, 8, tzinfo=UTC))}
    assert not notes.skipped


# -- Gemini CLI -------------------------------------------------------------------------------------------------------


def gemini(kind: str, id: str, content: Any, **more: Any) -> dict[str, Any]:
    return {"id": id, "timestamp": "2026-03-01T11:00:00Z", "type": kind, "content": content, **more}


def test_gemini_lines(tmp_path: Path) -> None:
    answer = gemini("gemini", "m2", "It is high at nine.", thoughts=[{"subject": "moon"}])
    path = written(
        tmp_path / "a",
        {"sessionId": "g-1", "projectHash": "f00", "startTime": "2026-03-01T11:00:00Z", "kind": "main"},
        gemini("user", "m1", [{"text": "<hook_context>known: x</hook_context>When is "}, {"text": "high water?"}]),
        gemini("info", "m0", "update available"),
        answer,
        {**answer, "toolCalls": [{"id": "t", "name": "read_tide_table", "result": [{"text": "09:00"}]}]},
        {"$set": {"lastUpdated": "2026-03-01T11:01:00Z", "summary": "High water"}},
        gemini("user", "m3", [{"text": "Read @log.md\n--- Content from referenced files ---\nsecret things"}]),
        gemini("user", "m4", [{"text": "with the file"}], displayContent="as typed"),
        {"$rewindTo": "m4"},
        {"$set": {"messages": [answer, gemini("user", "m5", "<state_snapshot>so far</state_snapshot>")]}},
    )
    assert detect(path) == "gemini"
    entries, notes = read_all(path)
    assert messages_of(entries) == [
        ("user", "When is high water?"),
        ("assistant", "It is high at nine."),
        ("user", "Read @log.md"),
        ("user", "as typed"),
    ]
    assert entries[1].tools == ("read_tide_table",)
    assert notes.titles == {"g-1": "High water"}
    assert notes.skipped == {REPEATED: 1, INJECTED: 1}


@pytest.mark.parametrize("indent", [None, 2])
def test_gemini_in_one_object(tmp_path: Path, indent: int | None) -> None:
    chat = {
        "sessionId": "g-2",
        "projectHash": "f00",
        "messages": [gemini("user", "m1", "Reef the sail."), gemini("gemini", "m2", "Reefed.")],
    }
    path = tmp_path / "chat"
    path.write_text(json.dumps(chat, indent=indent), "utf-8")
    assert detect(path) == "gemini"
    assert messages_of(read_all(path)[0]) == [("user", "Reef the sail."), ("assistant", "Reefed.")]


def test_gemini_sub_agents_are_skipped(tmp_path: Path) -> None:
    head = {"sessionId": "g-3", "projectHash": "f00", "kind": "subagent"}
    entries, notes = read_all(written(tmp_path / "a", head, gemini("user", "m1", "investigate")))
    assert (entries, notes.skipped) == ([], {SUB_AGENT: 1})


# -- Copilot CLI ------------------------------------------------------------------------------------------------------


def copilot(kind: str, id: str, **data: Any) -> dict[str, Any]:
    return {"type": kind, "id": id, "parentId": None, "timestamp": "2026-03-01T12:00:00Z", "data": data}


def test_copilot(tmp_path: Path) -> None:
    path = written(
        tmp_path / "a",
        copilot("session.start", "e1", sessionId="p-1", copilotVersion="1.0", context={"cwd": "/boat"}),
        copilot("user.message", "e2", content="Coil the rope.", transformedContent="<now>noon</now>Coil the rope."),
        copilot("assistant.turn_start", "e3", turnId="0"),
        copilot("assistant.message", "e4", content="", toolRequests=[{"name": "view", "arguments": {}}]),
        copilot("tool.execution_complete", "e5", success=True, result={"content": "rope"}),
        copilot("assistant.message", "e6", content="I look.", parentToolCallId="t1"),
        copilot("user.message", "e7", content="how to coil", source="skill-coil"),
        copilot("assistant.message", "e8", content="Coiled.", reasoningText="round and round"),
        copilot("session.title_changed", "e9", title="Rope work"),
        copilot("tomorrow.event", "e10"),
    )
    assert detect(path) == "copilot"
    entries, notes = read_all(path)
    assert messages_of(entries) == [("user", "Coil the rope."), ("assistant", "Coiled.")]
    assert entries[1].tools == ("view",)
    assert (notes.titles, notes.folders) == ({"p-1": "Rope work"}, {"p-1": "/boat"})
    assert notes.skipped == {SUB_AGENT: 1, INJECTED: 1, UNKNOWN: 1}


# -- ChatGPT ----------------------------------------------------------------------------------------------------------


def node(id: str, parent: str | None, role: str, *parts: Any, **more: Any) -> tuple[str, dict[str, Any]]:
    content = {"content_type": more.pop("content_type", "text"), "parts": list(parts)}
    message = {"id": id, "author": {"role": role}, "create_time": 1_770_000_000.5, "content": content, **more}
    return id, {"id": id, "parent": parent, "children": [], "message": message}


def conversation() -> dict[str, Any]:
    nodes = dict(
        [
            ("root", {"id": "root", "parent": None, "children": ["s"], "message": None}),
            node("s", "root", "system", "be helpful"),
            node("h", "s", "user", "about me", content_type="user_editable_context"),
            node("u1", "h", "user", "Name a boat."),
            node("a0", "u1", "assistant", "Old answer."),
            node("t", "u1", "assistant", "search('boats')", recipient="web", content_type="code"),
            node("r", "t", "tool", "many boats"),
            node("k", "r", "assistant", "hm", content_type="thoughts"),
            node("a1", "k", "assistant", "Call her Kelp."),
            node(
                "u2",
                "a1",
                "user",
                {"content_type": "image_asset_pointer"},
                "Like this?",
                content_type="multimodal_text",
            ),
            node("x", "u2", "assistant", "hidden", metadata={"is_visually_hidden_from_conversation": True}),
        ]
    )
    return {"title": "Boat\x1b[31m names", "conversation_id": "o-1", "current_node": "x", "mapping": nodes}


def test_chatgpt_follows_the_shown_branch(tmp_path: Path) -> None:
    path = tmp_path / "conversations.json"
    path.write_text(json.dumps([conversation(), 7, {"title": "broken"}]), "utf-8")
    assert detect(path) == "chatgpt"
    entries, notes = read_all(path)
    assert messages_of(entries) == [("user", "Name a boat."), ("assistant", "Call her Kelp."), ("user", "Like this?")]
    assert entries[1].tools == ("web",)
    assert entries[0].when == datetime.fromtimestamp(1_770_000_000.5, UTC)
    assert notes.titles == {"o-1": "Boat[31m names"}
    assert notes.skipped == {INJECTED: 3, UNKNOWN: 1, TranscriptCode.NOT_JSON: 1}


def test_chatgpt_zip_with_several_files(tmp_path: Path) -> None:
    path = tmp_path / "export"
    second = {**conversation(), "conversation_id": "o-2"}
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("out/conversations-001.json", json.dumps([second]))
        archive.writestr("out/conversations-000.json", json.dumps([conversation()]))
        archive.writestr("out/user.json", "{}")
        archive.writestr("__MACOSX/out/conversations.json", "junk")
    assert detect(path) == "chatgpt"
    assert [t.id for t in read(path)] == ["o-1", "o-2"]


def test_chatgpt_tree_with_a_cycle(tmp_path: Path) -> None:
    nodes = dict([node("a", "b", "user", "round"), node("b", "a", "assistant", "and round")])
    path = tmp_path / "c"
    path.write_text(json.dumps([{"id": "o-3", "current_node": "b", "mapping": nodes}]), "utf-8")
    assert messages_of(read_all(path)[0]) == [("user", "round"), ("assistant", "and round")]


# -- none of them -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "content", [b"", b"hello", b"[]", b"{}", b'{"type": "message"}\n', b"\x00\xff" * 900, b"PK\x03\x04no zip"]
)
def test_a_file_that_is_no_transcript_is_refused(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "rollout-x.jsonl"
    path.write_bytes(content)
    with pytest.raises(InvalidFile):
        next(read(path))


def test_the_command_line_and_the_page_name_every_format() -> None:
    assert sorted(FORMAT.choices) == sorted(formats())
    page = (Path(__file__).parents[2] / "docs" / "sessions.md").read_text("utf-8").lower()
    missing = [name for name in formats() if f"| {name.replace('-', ' ')}" not in page]
    assert not missing, f"add a row to the table in docs/sessions.md for {missing}"


def test_an_unknown_format_and_a_missing_file_are_errors(tmp_path: Path) -> None:
    with pytest.raises(InvalidInput, match=f"Use one of: {', '.join(sorted(formats()))}"):
        next(read(tmp_path / "x", "word"))
    with pytest.raises(InvalidFile, match="does not exist"):
        next(read(tmp_path / "x"))


# -- opencode ---------------------------------------------------------------------------------------------------------


def opencode(*messages: Any, **info: Any) -> dict[str, Any]:
    about = {"id": "ses_1", "directory": "/boat", "title": "Painting", "time": {"created": 1_772_355_600_000}, **info}
    return {"info": about, "messages": list(messages)}


def opencode_message(role: str, *parts: Any, id: str = "") -> dict[str, Any]:
    return {"info": {"id": id, "role": role, "time": {"created": 1_772_355_600_000}}, "parts": list(parts)}


def test_opencode(tmp_path: Path) -> None:
    path = tmp_path / "export.json"
    exported = opencode(
        opencode_message("user", {"type": "text", "text": "Paint the hull."}, id="m1"),
        opencode_message(
            "assistant",
            {"type": "reasoning", "text": "blue"},
            {"type": "tool", "tool": "bash", "callID": "c1", "state": {"status": "completed"}},
            {"type": "text", "text": "It is blue."},
            id="m2",
        ),
        opencode_message("user", {"type": "text", "text": "A file was attached.", "synthetic": True}, id="m3"),
        opencode_message("user", {"type": "subtask", "prompt": "Review it."}, id="m4"),
    )
    path.write_text(json.dumps(exported, indent=2), "utf-8")
    assert detect(path) == "opencode"
    entries, notes = read_all(path)
    assert messages_of(entries) == [("user", "Paint the hull."), ("assistant", "It is blue.")]
    assert (entries[0].when, entries[1].tools) == (datetime(2026, 3, 1, 9, tzinfo=UTC), ("bash",))
    assert (notes.titles, notes.folders) == ({"ses_1": "Painting"}, {"ses_1": "/boat"})
    assert dict(notes.skipped) == {INJECTED: 1}


def test_the_opencode_session_of_a_sub_agent_has_no_messages(tmp_path: Path) -> None:
    said = opencode_message("user", {"type": "text", "text": "Review the hull."})
    entries, notes = read_all(written(tmp_path / "e.json", opencode(said, parentID="ses_0")))
    assert (entries, dict(notes.skipped)) == ([], {SUB_AGENT: 1})
