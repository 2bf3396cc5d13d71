"""A program as language model: what it reads, what its answers may look like, and how it fails."""

from __future__ import annotations

import json
import os
import sys
import time
from pathlib import Path

import pytest

from holdfast.core.errors import InvalidSettings, ModelGarbled, ModelRefused, ModelUnreachable
from holdfast.intake.secrets import redact
from holdfast.models import program as module
from holdfast.models.http import HttpChat
from holdfast.models.program import ProgramEndpoint

SCHEMA = {"type": "object", "properties": {"facts": {"type": "array"}}}


def script(folder: Path, body: str, name: str = "model.py") -> str:
    """A command line that runs this Python code."""
    file = folder / name
    file.write_text(f"import json, os, sys, time\n{body}\n", encoding="utf-8")
    return f"{sys.executable} {file}"


def known(folder: Path, name: str, body: str, monkeypatch: pytest.MonkeyPatch) -> str:
    """A program of this name on the PATH."""
    command = script(folder, body)
    file = folder / name
    file.write_text(f'#!/bin/sh\nexec {command} "$@"\n', encoding="utf-8")
    file.chmod(0o755)
    monkeypatch.setenv("PATH", f"{folder}{os.pathsep}{os.environ['PATH']}")
    return name


def chat(command: str, model: str = "") -> HttpChat:
    return HttpChat(ProgramEndpoint(command, 30.0, redact), model)


def test_a_program_reads_the_prompts_and_prints_the_answer(tmp_path):
    answering = chat(script(tmp_path, "print(sys.stdin.read().upper())"))
    assert answering.complete("Be brief.", "Which tide?").text == "BE BRIEF.\n\nWHICH TIDE?\n"
    assert answering.id == f"program:{os.path.basename(sys.executable)}"


def test_a_schema_becomes_part_of_the_prompt_and_a_fence_is_removed(tmp_path):
    fenced = "'```json\\n' + json.dumps({'facts': ['schema' in sys.stdin.read()]}) + '\\n```'"
    answer = chat(script(tmp_path, f"print({fenced})")).complete("Extract.", "Tides turn.", schema=SCHEMA)
    assert json.loads(answer.text)["facts"] == [True]


def test_secrets_are_removed_before_the_program_reads_them(tmp_path):
    key = "ghp_" + "a1B2c3D4e5" * 4
    assert key not in chat(script(tmp_path, "print(sys.stdin.read())")).complete("s", f"the token is {key}").text


def test_it_runs_in_an_empty_folder_outside_the_session_that_started_it(tmp_path, monkeypatch):
    monkeypatch.setenv("CLAUDECODE", "1")
    monkeypatch.setenv("HARBOUR", "open")
    body = "print(json.dumps([os.listdir('.'), os.environ.get('CLAUDECODE'), os.environ['HARBOUR'], os.getcwd()]))"
    files, session, other, folder = json.loads(chat(script(tmp_path, body)).complete("s", "p").text)
    assert (files, session, other) == ([], None, "open")
    assert not Path(folder).exists(), "the folder is removed"


def test_a_failing_program_is_refused_with_its_last_line(tmp_path):
    failing = chat(script(tmp_path, "print('Traceback', file=sys.stderr)\nsys.exit('not logged in')"))
    with pytest.raises(ModelRefused, match="ended with 1: not logged in"):
        failing.complete("s", "p")


def test_a_program_without_an_answer_is_garbled(tmp_path):
    with pytest.raises(ModelGarbled):
        chat(script(tmp_path, "pass")).complete("s", "p")


def test_a_missing_program_is_unreachable():
    with pytest.raises(ModelUnreachable, match="cannot be started"):
        chat("no-such-model --print").complete("s", "p")


@pytest.mark.parametrize("command", ["", "   ", "model 'unclosed"])
@pytest.mark.skipif(os.name == "nt", reason="Windows has other quotation marks")
def test_a_command_that_cannot_be_read_is_refused(command):
    with pytest.raises(InvalidSettings):
        chat(command)


def test_a_program_that_hangs_is_ended_with_its_children(tmp_path, monkeypatch):
    monkeypatch.setattr(module, "_LEAST_SECONDS", 0.0)
    alive = tmp_path / "alive"
    child = f"import time, pathlib\\nwhile True:\\n    pathlib.Path({str(alive)!r}).touch()\\n    time.sleep(0.05)"
    body = f'import subprocess\nsubprocess.Popen([sys.executable, "-c", "{child}"])\ntime.sleep(60)'
    hanging = HttpChat(ProgramEndpoint(script(tmp_path, body), 1.0, redact), "")
    with pytest.raises(ModelUnreachable, match="longer than 1 s"):
        hanging.complete("s", "p")
    time.sleep(0.2)
    alive.unlink(missing_ok=True)
    time.sleep(0.3)
    assert not alive.exists()


@pytest.mark.skipif(os.name == "nt", reason="needs a shell script")
class TestClaude:
    def test_it_gets_no_tools_and_its_result_is_the_answer(self, tmp_path, monkeypatch):
        usage = {"input_tokens": 3, "cache_read_input_tokens": 40, "output_tokens": 5}
        body = f"print(json.dumps({{'result': ' '.join(sys.argv[1:]) + '|' + sys.stdin.read(), 'usage': {usage}}}))"
        answer = chat(known(tmp_path, "claude", body, monkeypatch), "haiku").complete("Rules.", "Said.")
        arguments, _, said = answer.text.rpartition("|")
        assert said == "Said."
        for expected in ("--tools  --safe-mode", "--no-session-persistence", "--model haiku", "--system-prompt Rules."):
            assert expected in arguments
        assert (answer.prompt_tokens, answer.completion_tokens) == (43, 5)

    def test_an_error_that_it_prints_is_a_refusal(self, tmp_path, monkeypatch):
        command = known(tmp_path, "claude", "print(json.dumps({'is_error': True, 'result': 'no quota'}))", monkeypatch)
        with pytest.raises(ModelRefused, match="no quota"):
            chat(command).complete("s", "p")

    @pytest.mark.parametrize("output", ["print('hello')", "print('[' * 100000)", "print('{}')", "print('[1]')"])
    def test_other_output_is_garbled(self, tmp_path, monkeypatch, output):
        with pytest.raises(ModelGarbled):
            chat(known(tmp_path, "claude", output, monkeypatch)).complete("s", "p")

    def test_with_arguments_it_is_a_command_like_any_other(self, tmp_path, monkeypatch):
        command = known(tmp_path, "claude", "print(sys.argv[1])", monkeypatch)
        assert chat(f"{command} --mine").complete("s", "p").text == "--mine\n"


@pytest.mark.skipif(os.name == "nt", reason="needs a shell script")
class TestCodex:
    def test_the_last_message_is_the_answer(self, tmp_path, monkeypatch):
        events = [
            {"type": "item.completed", "item": {"type": "reasoning", "text": "hm"}},
            {"type": "item.completed", "item": {"type": "agent_message", "text": "first"}},
            {"type": "item.completed", "item": {"type": "agent_message", "text": "last"}},
            {"type": "turn.completed", "usage": {"input_tokens": 7, "output_tokens": 2}},
        ]
        lines = "\n".join(map(json.dumps, events))
        answer = chat(known(tmp_path, "codex", f"print({lines!r})", monkeypatch)).complete("s", "p")
        assert (answer.text, answer.prompt_tokens, answer.completion_tokens) == ("last", 7, 2)

    def test_a_failed_turn_is_a_refusal(self, tmp_path, monkeypatch):
        event = json.dumps({"type": "turn.failed", "error": {"message": "no quota"}})
        with pytest.raises(ModelRefused, match="no quota"):
            chat(known(tmp_path, "codex", f"print({event!r})", monkeypatch)).complete("s", "p")

    def test_no_message_is_garbled(self, tmp_path, monkeypatch):
        with pytest.raises(ModelGarbled):
            chat(known(tmp_path, "codex", "print('{}')", monkeypatch)).complete("s", "p")
