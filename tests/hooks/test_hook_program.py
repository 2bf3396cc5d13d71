"""The hook as the process that an agent starts."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time

import pytest

pytestmark = pytest.mark.program

_CODE = (
    "import os, sys\n"
    "from holdfast.interfaces.hooks.hook_main import run\n"
    "run(['claude-code'])\n"
    "print(*sys.modules, file=sys.stderr)"
)
_HEAVY = "dataclasses inspect pathlib json sqlite3 datetime typing numpy click argparse subprocess hashlib".split()


def event(folder, name="PostToolUse", **values):
    args = {"file_path": str(folder / "src/auth.py")}
    call = {"tool_name": "Read", "tool_input": args, "tool_response": {"file": {"content": "x = 1\n"}}}
    return json.dumps({"hook_event_name": name, "session_id": "s1", "cwd": str(folder), **call, **values}).encode()


def start(stdin, *argv):
    return subprocess.run([sys.executable, "-m", "holdfast", "hook", *argv], input=stdin, capture_output=True)


def loaded_by(stdin):
    """What a hook says, and the modules that it loads."""
    done = subprocess.run([sys.executable, "-c", _CODE], input=stdin, capture_output=True, check=True)
    return done.stdout.decode(), done.stderr.decode().split()


def test_a_tool_call_imports_next_to_nothing(agent):
    with agent.open() as ws:
        ws.remember("Hold the lock during the refresh.", type="gotcha", files=["src/auth.py"])
    said, loaded = loaded_by(event(agent.folder))
    assert "Hold the lock" in said
    assert [name for name in _HEAVY if name in loaded] == []
    assert agent.failures() == []


@pytest.mark.parametrize("prompt", ["/clear", f"From now on always use tabs. {'A pasted line of a plan. ' * 80}"])
def test_a_command_and_a_pasted_text_import_nothing_that_reads_words(agent, prompt):
    agent.send("SessionStart")
    loaded_by(event(agent.folder, "UserPromptSubmit", prompt="Where are the tides?"))
    said, loaded = loaded_by(event(agent.folder, "UserPromptSubmit", prompt=prompt))
    assert said == ""
    assert [name for name in _HEAVY if name in loaded] == []


def test_a_later_prompt_is_read_without_models_and_paths(agent):
    agent.send("SessionStart")
    loaded_by(event(agent.folder, "UserPromptSubmit", prompt="Where are the tides?"))
    rule = "From now on always use tabs in Makefiles, never spaces."
    said, loaded = loaded_by(event(agent.folder, "UserPromptSubmit", prompt=rule))
    assert rule in said
    assert not {"numpy", "onnxruntime", "pathlib", "sqlite3", "holdfast.workspace"}.intersection(loaded)


def test_the_first_prompt_compares_no_memories_and_loads_no_model_if_the_settings_say_so(agent, monkeypatch):
    """Two memories that may replace each other were compared when they were stored; comparing takes long to import."""
    with agent.open() as ws:
        for pier in range(5):
            ws.remember(f"The ferry of line {pier} has to leave from pier {pier + 10}.")
    monkeypatch.setenv("HOLDFAST_EMBEDDER", "none")
    said, loaded = loaded_by(event(agent.folder, "UserPromptSubmit", prompt="From which pier does the ferry leave?"))
    assert said.count("[Memory #") >= 2
    assert not {"holdfast.statements", "holdfast.entities", "numpy", "onnxruntime"}.intersection(loaded)


@pytest.mark.parametrize("name", ["SessionStart", "UserPromptSubmit", "PostToolUse", "Stop", "SessionEnd"])
def test_the_process_answers_and_succeeds(agent, name):
    with agent.open() as ws:
        ws.remember("Hold the lock during the refresh.", type="requirement", files=["src/auth.py"])
    done = start(event(agent.folder, name, prompt="What holds the lock during the refresh?"), "claude-code", name)
    assert (done.returncode, done.stderr) == (0, b"")
    assert (b"Hold the lock" in done.stdout) is (name not in ("Stop", "SessionEnd"))
    assert agent.failures() == []


@pytest.mark.parametrize("argv", [[], ["hal"], ["claude-code", "Stop", "more"], ["--lang", "xx"]])
def test_a_wrong_call_succeeds_too(agent, argv):
    done = start(b"nonsense", *argv)
    assert (done.returncode, done.stdout, done.stderr) == (0, b"", b"")
    assert len(agent.failures()) == 1


def test_help_is_shown(agent):
    done = start(b"", "--help")
    assert b"holdfast hook" in done.stdout


def test_an_agent_that_closes_the_pipe_is_no_failure_of_the_hook(agent):
    reading, writing = os.pipe()
    os.close(reading)
    argv = [sys.executable, "-m", "holdfast", "hook", "claude-code"]
    with agent.open() as ws:
        ws.remember("Hold the lock during the refresh.", type="gotcha", files=["src/auth.py"])
    assert subprocess.run(argv, input=event(agent.folder), stdout=writing, check=False).returncode == 0
    os.close(writing)


def test_an_agent_that_never_ends_its_input_gets_its_hook_back(agent):
    argv = [sys.executable, "-m", "holdfast", "hook", "claude-code", "Stop"]
    with subprocess.Popen(argv, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        began = time.monotonic()
        assert process.wait(timeout=60) == 0
        assert time.monotonic() - began >= 2.5
    assert "went on without memory" in agent.failures()[-1]


def test_the_setting_says_how_long_the_agent_waits(agent, monkeypatch):
    """What a hook that gave up wanted to give comes later."""
    with agent.open() as ws:
        ws.remember("Hold the lock during the refresh.", type="gotcha", files=["src/auth.py"])
    monkeypatch.setenv("HOLDFAST_HOOK_SECONDS", "0.001")
    asked = {"prompt": "What holds the lock during the refresh?"}
    assert start(event(agent.folder, "UserPromptSubmit", **asked), "claude-code").stdout == b""
    assert "no answer after 0.001 s" in agent.failures()[-1]
    monkeypatch.setenv("HOLDFAST_HOOK_SECONDS", "60")
    assert b"Hold the lock" in start(event(agent.folder), "claude-code").stdout


def test_two_agents_in_two_worktrees_at_once(agent, tmp_path):
    """Both share memory, both record every event, and no hook fails."""
    main, side = tmp_path / "main", tmp_path / "side"
    subprocess.run(["git", "init", "-q", str(main)], check=True)
    subprocess.run(["git", "-C", str(main), "commit", "-q", "--allow-empty", "-m", "x"], check=True)
    subprocess.run(["git", "-C", str(main), "worktree", "add", "-q", str(side), "-b", "b"], check=True)
    agent.folder = main
    with agent.open() as ws:
        ws.remember("Hold the lock during the refresh.", type="gotcha", files=["src/auth.py"])
    code = (
        "import io, json, sys\n"
        "from holdfast.interfaces.hooks.hook_main import run\n"
        "folder, session = sys.argv[1:]\n"
        "for step in range(150):\n"
        "    call = {'hook_event_name': 'PostToolUse', 'session_id': session, 'cwd': folder, 'tool_name': 'Read',\n"
        "            'tool_input': {'file_path': folder + '/src/auth.py'}, 'tool_response': 'x'}\n"
        "    sys.stdin = io.TextIOWrapper(io.BytesIO(json.dumps(call).encode()))\n"
        "    run(['claude-code'])\n"
    )
    where = ((main, "one"), (side, "two"))
    running = [
        subprocess.Popen([sys.executable, "-c", code, str(folder), name], stdout=subprocess.PIPE)
        for folder, name in where
    ]
    said = [process.communicate()[0] for process in running]
    assert [text.count(b"Hold the lock") for text in said] == [2, 2]  # once, in the label and in the text
    assert agent.failures() == []
    for _, session in where:
        assert max(event.step for event in agent.events(session)) == 150


def test_a_database_that_is_no_file_gets_no_folder_of_that_name(agent, monkeypatch):
    monkeypatch.chdir(agent.folder)
    monkeypatch.setenv("HOLDFAST_DB", "postgresql://me@host/memory")
    said = start(event(agent.folder, "UserPromptSubmit", prompt="Where are the tides?"), "claude-code")
    assert (said.returncode, said.stdout) == (0, b"")
    assert not os.path.exists("postgresql:")
    assert "is no file" in agent.failures()[-1]
