"""The command session: list, show and import conversations."""

from __future__ import annotations

import json

import pytest

from holdfast import workspace
from holdfast.workspace import open as open_workspace
from tests.cli.conftest import assert_golden


@pytest.fixture
def transcript(world):
    file = world / "events.jsonl"
    events = [
        {"type": "session.start", "data": {"sessionId": "reef-1"}},
        {"type": "user.message", "data": {"content": "Where does the \x1b[31mreef\x1b[0m begin?"}},
        {"type": "assistant.message", "data": {"content": "At the\nsecond buoy."}},
        {"type": "session.title_changed", "data": {"title": "The reef"}},
        {"type": "tomorrow.event", "data": {}},
    ]
    stamped = [{**event, "id": str(n), "timestamp": "2024-03-01T12:00:00Z"} for n, event in enumerate(events)]
    file.write_text("".join(json.dumps(event) + "\n" for event in stamped), "utf-8")
    return file


@pytest.mark.parametrize("lang", ["en", "fr"])
def test_import_list_and_show(holdfast, transcript, lang):
    imported = holdfast("session", "import", str(transcript), "--lang", lang)
    listed = holdfast("session", "list", "--lang", lang)
    shown = holdfast("session", "show", "reef", "--lang", lang)
    ids = [message["id"] for message in holdfast("session", "show", "reef-1", "--json").json["messages"]]
    assert {ran.code for ran in (imported, listed, shown)} == {0}
    said = imported.out + "\n" + listed.out + "\n" + _settled(shown.out, ids)
    assert_golden(f"session.{lang}.txt", said)


def test_twice_adds_nothing(holdfast, transcript):
    first = holdfast("session", "import", str(transcript), "--json").json
    again = holdfast("session", "import", str(transcript), str(transcript), "--json").json
    assert (first["messages"], first["skipped"]) == (2, {"conversation.unknown_record": 1})
    assert (again["files"], again["messages"], again["known"]) == (2, 0, 4)


def test_show_goes_on_after_a_message(holdfast, transcript):
    holdfast("session", "import", str(transcript))
    first = holdfast("session", "show", "reef-1", "--limit", "1", "--json").json["messages"]
    rest = holdfast("session", "show", "reef-1", "--after", first[0]["id"][-8:], "--json").json["messages"]
    assert [message["text"] for message in rest] == ["At the\nsecond buoy."]


def test_nothing_hostile_reaches_the_screen(holdfast, transcript):
    holdfast("session", "import", str(transcript))
    assert "\x1b" not in holdfast("session", "show", "reef-1").out
    assert "\x1b" not in holdfast("session", "show", "reef-1", "--json").out


def test_recap(holdfast, transcript):
    holdfast("session", "import", str(transcript))
    assert holdfast("session", "recap", "reef-1").out == "No message of this conversation was trimmed.\n"
    with workspace.open() as ws:
        session = ws.session("reef-1")
        session.trim_before(session.messages()[1].id, "They asked for the reef.")
    assert holdfast("session", "recap", "reef-1").out == "They asked for the reef.\n"
    assert holdfast("session", "recap", "reef-1", "--json").json["recap"] == "They asked for the reef."


@pytest.mark.parametrize(
    ("argv", "code", "said"),
    [
        (("show", "nobody"), 1, "session 'nobody'"),
        (("recap", "nobody"), 1, "session 'nobody'"),
        (("import", "nowhere.jsonl"), 2, "does not exist"),
        (("import",), 2, "PATH"),
        (("import", "x", "--format", "word"), 2, "chatgpt"),
        (("list", "--limit", "0"), 2, "0"),
    ],
)
def test_errors_are_one_line(holdfast, argv, code, said):
    ran = holdfast("session", *argv)
    assert ran.code == code
    assert said in ran.err
    assert ran.err.count("\n") == 1


def test_a_folder_without_transcripts_is_named_as_the_reason(holdfast, tmp_path):
    (tmp_path / "empty").mkdir()
    said = holdfast("session", "import", str(tmp_path / "empty")).out
    assert (
        said
        == "No conversations of Claude Code, Codex, Gemini CLI, Copilot CLI, opencode, SpecStory or ChatGPT found.\n"
    )


def test_new_learns_and_starts_a_new_conversation(holdfast, transcript):
    holdfast("session", "import", str(transcript))
    ran = holdfast("session", "new", "reef")
    assert (ran.code, ran.out) == (
        0,
        "Ended reef-1 and extracted its memories; the next message starts a new conversation.\n",
    )
    state = holdfast("session", "list", "--json").json[0]
    assert state["archived_at"]
    assert state["consolidated_at"]


def test_an_empty_list_says_so(holdfast):
    assert holdfast("session", "list").out.startswith("No conversations yet. `holdfast session import")
    assert holdfast("session", "list", "--json").json == []


def _settled(text, ids):
    for n, id in enumerate(ids):
        text = text.replace(id[-8:], f"message{n}")
    return text


def test_a_list_shows_the_first_part_of_a_uuid_which_show_accepts(holdfast, world):
    one, two, three = (
        f"{first}-0000-4000-8000-{last:012d}" for first, last in (("0f1e2d3c", 1), ("aaaaaaaa", 2), ("aaaaaaaa", 3))
    )
    with open_workspace() as ws:
        for id in (one, two, three, "monday"):
            ws.session(id).say("user", "The tide turns twice a day.")
    names = {line.split()[0] for line in holdfast("session", "list").out.splitlines()[1:]}
    assert names == {"0f1e2d3c", two, three, "monday"}
    assert "tide" in holdfast("session", "show", "0f1e2d3c").out


def test_an_import_of_other_projects_alone_names_the_option(holdfast, world):
    folder = world / "transcripts"
    folder.mkdir()
    message = {"role": "user", "content": "Where does the reef begin?"}
    record = {"type": "user", "sessionId": "reef-1", "cwd": "/elsewhere", "message": message}
    (folder / "reef.jsonl").write_text(json.dumps(record) + "\n", "utf-8")
    assert holdfast("session", "import", str(folder)).out.startswith(
        "No sessions of this project found; --everywhere includes those of other projects.\n"
    )
