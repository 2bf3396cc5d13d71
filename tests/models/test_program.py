"""A program as language model: what it reads, what its answers may look like, and how it fails."""

from __future__ import annotations

import json
import os
import sys
import time
from pathlib import Path

import pytest

from holdfast.core.errors import InvalidSettings, ModelGarbled, ModelRefused, ModelUnreachable
from holdfast.core.settings import Settings
from holdfast.intake.secrets import redact
from holdfast.llm import bounded_program
from holdfast.llm import program as module
from holdfast.llm.program import ProgramEndpoint
from holdfast.llm.providers import check_command, endpoint_of
from holdfast.models.http import HttpChat

SCHEMA = {"type": "object", "properties": {"facts": {"type": "array"}}}


def script(folder: Path, body: str, name: str = "model.py") -> str:
    """A command line that runs this Python code."""
    file = folder / name
    file.write_text(f"import json, os, sys, time\n{body}\n", encoding="utf-8")
    return f"{sys.executable} {file}"


def known(folder: Path, name: str, body: str, monkeypatch: pytest.MonkeyPatch, servers: str = "[]") -> str:
    """A program of this name on the PATH. It answers `mcp list` with these servers."""
    listing = f"if sys.argv[1:3] == ['mcp', 'list']:\n    print({servers!r})\n    sys.exit()"
    command = script(folder, f"{listing}\n{body}")
    file = folder / name
    file.write_text(f'#!/bin/sh\nexec {command} "$@"\n', encoding="utf-8")
    file.chmod(0o755)
    monkeypatch.setenv("PATH", f"{folder}{os.pathsep}{os.environ['PATH']}")
    return name


def chat(command: str, model: str = "") -> HttpChat:
    endpoint = endpoint_of(Settings(llm_command=command), 30.0, redact)
    return HttpChat(endpoint or ProgramEndpoint(command, 30.0, redact), model)


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
    assert not Path(folder).parent.exists(), "the folder is removed"


def test_our_settings_and_keys_stay_with_us_and_a_connected_program_finds_no_memory(tmp_path, monkeypatch):
    monkeypatch.setenv("HOLDFAST_LLM_KEY", "k-7")
    monkeypatch.setenv("HOLDFAST_DB", str(tmp_path / "mine.db"))
    body = "print(json.dumps({n: v for n, v in os.environ.items() if n.startswith('HOLDFAST_')}))"
    ours = json.loads(chat(script(tmp_path, body)).complete("s", "p").text)
    assert set(ours) == {"HOLDFAST_DB", "HOLDFAST_BACKGROUND"}
    assert not Path(ours["HOLDFAST_DB"]).exists()
    assert ours["HOLDFAST_DB"] != str(tmp_path / "mine.db")


def test_secrets_and_signs_for_the_terminal_are_removed_from_errors(tmp_path):
    key = "ghp_" + "a1B2c3D4e5" * 4
    with pytest.raises(ModelRefused) as failed:
        chat(script(tmp_path, f"sys.exit('\\x1b[2Jthe key {key} is not valid\\x07')")).complete("s", "p")
    assert key not in str(failed.value)
    assert failed.value.detail.isprintable()
    assert "terminal" in failed.value.hint


def test_a_program_that_prints_without_end_is_stopped(tmp_path, monkeypatch):
    monkeypatch.setattr(bounded_program, "LARGEST_OUTPUT", 100_000)
    with pytest.raises(ModelGarbled, match="printed more than"):
        chat(script(tmp_path, "while True: print('x' * 10_000)")).complete("s", "p")


def test_an_answer_counts_although_a_process_that_was_left_behind_keeps_the_output_open(tmp_path):
    left = "import time; time.sleep(20)"
    body = f"import subprocess\nsubprocess.Popen([sys.executable, '-c', {left!r}])\nprint('turned', flush=True)"
    started = time.perf_counter()
    assert chat(script(tmp_path, body)).complete("s", "p").text == "turned\n"
    assert time.perf_counter() - started < 10


@pytest.mark.skipif(os.name == "nt", reason="needs process groups")
@pytest.mark.parametrize("streams", ["", ", stdout=-3, stderr=-3"], ids=["with our pipes", "without them"])
def test_a_process_that_was_left_behind_is_ended(tmp_path, streams):
    left = "import time; time.sleep(60)"
    body = f"import subprocess\nprint(subprocess.Popen([sys.executable, '-c', {left!r}]{streams}).pid, flush=True)"
    number = int(chat(script(tmp_path, body)).complete("s", "p").text)
    until = time.monotonic() + 20
    while _runs(number) and time.monotonic() < until:
        time.sleep(0.02)
    assert not _runs(number)


def _runs(number: int) -> bool:
    """Does a process run? One that has ended may wait for somebody to ask for its status."""
    status = Path(f"/proc/{number}/stat")
    try:
        return status.read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


def test_a_long_prompt_and_a_program_that_does_not_read_it(tmp_path):
    said = "tide " * 400_000
    assert chat(script(tmp_path, "print(len(sys.stdin.read()))")).complete("s", said).text == f"{len(said) + 3}\n"
    assert chat(script(tmp_path, "print('no')")).complete("s", said).text == "no\n"


@pytest.mark.parametrize("command", ["claude -p", "/opt/tools/claude --model haiku", "codex exec -"])
def test_a_known_program_with_arguments_is_no_setting_because_it_would_keep_its_tools(command):
    with pytest.raises(InvalidSettings, match="keeps its tools and hooks"):
        check_command(Settings(llm_command=command))


@pytest.mark.skipif(os.name == "nt", reason="needs a shell script")
@pytest.mark.parametrize("command", ["./model", "folder/model"])
def test_a_program_relative_to_the_working_folder_is_not_run(tmp_path, monkeypatch, command):
    (tmp_path / "folder").mkdir()
    for file in (tmp_path / "model", tmp_path / "folder" / "model"):
        file.write_text("#!/bin/sh\necho any project could have put this here\n")
        file.chmod(0o755)
    monkeypatch.chdir(tmp_path)
    with pytest.raises(InvalidSettings, match="relative to the current folder"):
        check_command(Settings(llm_command=command))
    with pytest.raises(ModelUnreachable, match="cannot be started"):
        chat(command).complete("s", "p")


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
        read = "' '.join([*sys.argv[1:], open(sys.argv[-1]).read(), '|', sys.stdin.read()])"
        body = f"print(json.dumps({{'result': {read}, 'usage': {usage}}}))"
        answer = chat(known(tmp_path, "claude", body, monkeypatch), "haiku").complete("Rules.", "Said.")
        arguments, _, said = answer.text.rpartition(" | ")
        assert said == "Said."
        for expected in ("--tools  --safe-mode", "--no-session-persistence", "--model haiku", "rules.txt Rules."):
            assert expected in arguments
        assert "--system-prompt-file" in arguments
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

    def test_a_line_separator_in_an_answer_does_not_cut_it(self, tmp_path, monkeypatch):
        event = {"type": "item.completed", "item": {"type": "agent_message", "text": "ebb\u2028flow"}}
        body = f"sys.stdout.reconfigure(encoding='utf-8')\nprint({json.dumps(event, ensure_ascii=False)!r})"
        assert chat(known(tmp_path, "codex", body, monkeypatch)).complete("s", "p").text == "ebb\u2028flow"

    def test_servers_that_the_person_connected_are_switched_off_by_name(self, tmp_path, monkeypatch):
        item = "{'type': 'agent_message', 'text': ' '.join(sys.argv[1:])}"
        body = f"print(json.dumps({{'type': 'item.completed', 'item': {item}}}))"
        servers = json.dumps([{"name": "holdfast", "enabled": True}, {"name": "git_hub-2"}])
        answer = chat(known(tmp_path, "codex", body, monkeypatch, servers)).complete("s", "p")
        for name in ("holdfast", "git_hub-2"):
            assert f"-c mcp_servers.{name}.enabled=false" in answer.text

    @pytest.mark.parametrize("servers", ["", "{}x", "[1]", '[{"name": "a.b"}]', '[{"name": "a=b"}]', '[{"name": 1}]'])
    def test_it_is_not_asked_if_its_servers_cannot_be_switched_off(self, tmp_path, monkeypatch, servers):
        with pytest.raises((ModelGarbled, ModelRefused)):
            chat(known(tmp_path, "codex", "print(open('asked', 'w'))", monkeypatch, servers)).complete("s", "p")

    def test_a_failed_turn_is_a_refusal(self, tmp_path, monkeypatch):
        event = json.dumps({"type": "turn.failed", "error": {"message": "no quota"}})
        with pytest.raises(ModelRefused, match="no quota"):
            chat(known(tmp_path, "codex", f"print({event!r})", monkeypatch)).complete("s", "p")

    def test_no_message_is_garbled(self, tmp_path, monkeypatch):
        with pytest.raises(ModelGarbled):
            chat(known(tmp_path, "codex", "print('{}')", monkeypatch)).complete("s", "p")
