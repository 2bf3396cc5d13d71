"""A program as language model, such as the agent program that a person already uses: no key, no address.

Claude Code and Codex are started without tools, hooks and stored sessions, in an empty folder: the texts are hostile,
and a model without tools can only answer.
"""

from __future__ import annotations

import json
import os
import shlex
import shutil
import signal
import subprocess
import tempfile
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from holdfast.core.errors import InvalidSettings, ModelGarbled, ModelRefused, ModelUnreachable
from holdfast.core.frozen import frozen
from holdfast.models.clean_text import sendable
from holdfast.models.http import with_schema

# An agent program starts slowly, and its model may think before it answers.
_LEAST_SECONDS = 180.0
_LONGEST_MESSAGE = 200
_HINT = "Give `claude`, `codex`, or a command line whose program reads a prompt and prints the answer."
# A program refuses to start inside a session of its own; these variables tell it so.
_OF_A_SESSION = ("CLAUDECODE", "CLAUDE_CODE_ENTRYPOINT", "CLAUDE_CODE_SSE_PORT", "CLAUDE_CODE_SESSION_ID")


@frozen
class Answered:
    """What a program answered, and the tokens that it reports; 0 if it reports none."""

    text: str
    prompt_tokens: int = 0
    completion_tokens: int = 0


@frozen
class _Program:
    """How a program is asked: its arguments for a system prompt and a model, what it reads and how it answers."""

    arguments: Callable[[str, str], Sequence[str]]
    asked: Callable[[str, str], str]
    answered: Callable[[str], Answered]


class ProgramEndpoint:
    """Answers chat requests by a program that reads a prompt and prints an answer. Takes the place of an Endpoint.

    `command` is `claude`, `codex`, or any command line whose program reads the prompt from its standard input and
    prints only the answer. `redact` is applied to everything that the program reads.
    """

    def __init__(self, command: str, seconds: float, redact: Callable[[str], str]) -> None:
        words = _words(command)
        self.host = os.path.basename(words[0])
        self._words = words
        self._program = _PROGRAMS.get(self.host.removesuffix(".exe"), _OTHER) if len(words) == 1 else _OTHER
        self._seconds = max(seconds, _LEAST_SECONDS)
        self._redact = redact

    def name(self, model: str) -> str:
        return f"program:{self.host}" + (f":{model}" if model else "")

    def post(self, path: str, payload: Mapping[str, Any], within: float | None = None) -> Any:
        """The answer to a chat request, in the form of an OpenAI-compatible server."""
        system, *turns = payload["messages"]
        if "response_format" in payload:
            system = with_schema([system], payload["response_format"]["json_schema"]["schema"])[0]
        rules, said = (sendable(self._redact(text)) for text in (system["content"], _as_text(turns)))
        arguments = self._program.arguments(rules, str(payload["model"]))
        output = self._run([*arguments], self._program.asked(rules, said))
        answer = self._program.answered(output)
        usage = {"prompt_tokens": answer.prompt_tokens, "completion_tokens": answer.completion_tokens}
        return {"choices": [{"message": {"role": "assistant", "content": answer.text}}], "usage": usage}

    def _run(self, arguments: list[str], asked: str) -> str:
        with tempfile.TemporaryDirectory(prefix="holdfast-", ignore_cleanup_errors=True) as folder:
            try:
                process = subprocess.Popen(
                    [_found(self._words[0]), *self._words[1:], *arguments], cwd=folder, env=_environment(),
                    stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, start_new_session=True,
                )  # fmt: skip
            except OSError as error:
                raise ModelUnreachable(f"{self.host} cannot be started ({error.strerror or error})") from None
            try:
                output, errors = process.communicate(asked.encode(), self._seconds)
            except subprocess.TimeoutExpired:
                raise ModelUnreachable(f"{self.host} took longer than {self._seconds:g} s") from None
            finally:
                _stop(process)
        if process.returncode:
            said = _line(errors.decode(errors="replace") or output.decode(errors="replace"))
            raise ModelRefused(f"{self.host} ended with {process.returncode}" + (f": {said}" if said else ""))
        return output.decode(errors="replace")


def check_command(command: str) -> None:
    """Raises InvalidSettings if this command cannot be read, or its program is not there."""
    program = _words(command)[0]
    if shutil.which(program) is None:
        raise InvalidSettings(f"llm_command: {program} is not installed, or not on the PATH", hint=_HINT)


def _words(command: str) -> list[str]:
    try:
        words = shlex.split(command, posix=os.name != "nt")
    except ValueError:
        words = []
    if not words:
        raise InvalidSettings(f"llm_command cannot be read: {command!r}", hint=_HINT)
    return words


def _found(program: str) -> str:
    return shutil.which(program) or program


def _environment() -> dict[str, str]:
    return {name: value for name, value in os.environ.items() if name not in _OF_A_SESSION}


def _stop(process: subprocess.Popen[bytes]) -> None:
    """Ends a program that still runs, with what it started."""
    if process.poll() is None:
        if os.name == "posix":
            os.killpg(process.pid, signal.SIGKILL)
        else:
            process.kill()
        process.communicate()


def _as_text(turns: Sequence[Mapping[str, str]]) -> str:
    """The turns after the system prompt; mostly one, more if an answer has to be continued."""
    first, *others = turns
    return "\n\n".join([first["content"], *(f"<{turn['role']}>\n{turn['content']}" for turn in others)])


def _line(text: str) -> str:
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    return lines[-1][:_LONGEST_MESSAGE] if lines else ""


# -- the programs we know ----------------------------------------------------------------------------------------------


def _claude(system: str, model: str) -> list[str]:
    # Safe mode leaves out hooks (ours would record the call), servers, plug-ins and instruction files; not the login.
    alone = ["--safe-mode", "--strict-mcp-config", "--no-session-persistence", "--disable-slash-commands"]
    choice = ["--model", model] if model else []
    return ["-p", "--output-format", "json", "--tools", "", *alone, *choice, "--system-prompt", system]


def _claude_answer(output: str) -> Answered:
    found = _objects([output])
    result = found[-1] if found else {}
    text = result.get("result")
    if not isinstance(text, str):
        raise ModelGarbled("claude did not print a result")
    if result.get("is_error"):
        raise ModelRefused(f"claude: {_line(text)}")
    return Answered(text, *_counts(result.get("usage")))


# What Codex can do besides answering. Applying patches stays: the sandbox is read-only, and the folder empty.
_CODEX_FEATURES = (
    "shell_tool", "unified_exec", "hooks", "apps", "multi_agent", "view_image", "goals", "sleep_tool", "plugins",
    "skill_search",
)  # fmt: skip


def _codex(system: str, model: str) -> list[str]:
    off = [word for feature in _CODEX_FEATURES for word in ("--disable", feature)]
    choice = ["--model", model] if model else []
    alone = ["--ephemeral", "--skip-git-repo-check", "--sandbox", "read-only", "-c", 'web_search="disabled"']
    return ["exec", "--json", *alone, *off, *choice, "-"]


def _codex_answer(output: str) -> Answered:
    said, spent = None, None
    for event in _objects(output.splitlines()):
        item = event.get("item")
        if event.get("type") == "item.completed" and isinstance(item, Mapping) and item.get("type") == "agent_message":
            said = item.get("text")
        spent = event.get("usage", spent)
        if event.get("type") == "turn.failed":
            raise ModelRefused(f"codex: {_line(str(event.get('error')))}")
    if not isinstance(said, str):
        raise ModelGarbled("codex did not print an answer")
    return Answered(said, *_counts(spent))


_READ = ("input_tokens", "cache_creation_input_tokens", "cache_read_input_tokens")


def _objects(texts: Sequence[str]) -> list[dict[str, Any]]:
    """The JSON objects among the texts."""
    found: list[Any] = []
    for text in texts:
        try:
            found.append(json.loads(text))
        except (ValueError, RecursionError):
            continue
    return [value for value in found if isinstance(value, dict)]


def _counts(usage: Any) -> tuple[int, int]:
    """The tokens read and written; what came from a cache was read, too."""
    reported = usage if isinstance(usage, Mapping) else {}
    counts = [reported.get(name) for name in (*_READ, "output_tokens")]
    *read, written = [count if isinstance(count, int) and count > 0 else 0 for count in counts]
    return sum(read), written


def _both(system: str, prompt: str) -> str:
    return f"{system}\n\n{prompt}"


_PROGRAMS = {
    "claude": _Program(_claude, lambda system, prompt: prompt, _claude_answer),
    "codex": _Program(_codex, _both, _codex_answer),
}
_OTHER = _Program(lambda system, model: [], _both, Answered)
