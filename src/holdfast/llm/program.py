"""A program as language model, such as the agent program that a person already uses: no key, no address.

Claude Code and Codex are started without tools, hooks, servers and stored sessions, in an empty folder: the texts are
hostile, and a model without tools can only answer.
"""

from __future__ import annotations

import json
import os
import re
import shlex
import shutil
import tempfile
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from holdfast.core.errors import InvalidSettings, ModelGarbled, ModelRefused, ModelUnreachable
from holdfast.core.frozen import frozen
from holdfast.llm.bounded_program import LARGEST_OUTPUT, run_program
from holdfast.models.clean_text import sendable
from holdfast.models.http import with_schema

# An agent program starts slowly, and its model may think before it answers.
_LEAST_SECONDS = 180.0
_LONGEST_MESSAGE = 200
_HINT = "Give `claude`, `codex`, or a command line whose program reads a prompt and prints the answer."
_ALONE = "Give its name alone; llm_model chooses its model. A script of your own may start it with other arguments."
_FAILED = "Run the program in a terminal to see what is wrong, for example that you are not logged in."
# A program refuses to start inside a session of its own; these variables tell it so.
_OF_A_SESSION = ("CLAUDECODE", "CLAUDE_CODE_ENTRYPOINT", "CLAUDE_CODE_SSE_PORT", "CLAUDE_CODE_SESSION_ID")
_OURS = "HOLDFAST_"


@frozen
class Answered:
    """What a program answered, and the tokens that it reports; 0 if it reports none."""

    text: str
    prompt_tokens: int = 0
    completion_tokens: int = 0


@frozen
class _Request:
    """What a program is asked: the system prompt, the prompt and the model.

    `folder` is for files beside the empty folder in which the program runs; `run` runs the program with other arguments
    and returns what it prints.
    """

    rules: str
    said: str
    model: str
    folder: str
    run: Callable[[Sequence[str]], str]


@frozen
class _Program:
    """How a program is asked: its arguments, what it reads and how it answers."""

    arguments: Callable[[_Request], Sequence[str]]
    asked: Callable[[_Request], str]
    answered: Callable[[str], Answered]


class ProgramEndpoint:
    """Answers chat requests by a program that reads a prompt and prints an answer. Takes the place of an Endpoint.

    `command` is `claude`, `codex`, or any command line whose program reads the prompt from its standard input and
    prints only the answer. `redact` is applied to everything that the program reads, and to its errors.
    """

    def __init__(self, command: str, seconds: float, redact: Callable[[str], str]) -> None:
        words = _words(command)
        self.host = os.path.basename(words[0])
        self._words = words
        self._program = _PROGRAMS.get(_name_of(words[0]), _OTHER) if len(words) == 1 else _OTHER
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
        with tempfile.TemporaryDirectory(prefix="holdfast-", ignore_cleanup_errors=True) as folder:
            os.mkdir(os.path.join(folder, "empty"))
            request = _Request(
                rules, said, str(payload["model"]), folder, lambda arguments: self._run(arguments, "", folder, within)
            )
            output = self._run(self._program.arguments(request), self._program.asked(request), folder, within)
        answer = self._program.answered(output)
        usage = {"prompt_tokens": answer.prompt_tokens, "completion_tokens": answer.completion_tokens}
        return {"choices": [{"message": {"role": "assistant", "content": answer.text}}], "usage": usage}

    def _run(self, arguments: Sequence[str], text: str, folder: str, within: float | None) -> str:
        argv, seconds = [self._found(), *self._words[1:], *arguments], within or self._seconds
        try:
            done = run_program(argv, text, seconds, os.path.join(folder, "empty"), _environment(folder))
        except TimeoutError:
            raise ModelUnreachable(f"{self.host} took longer than {seconds:g} s", hint=_FAILED) from None
        except OverflowError:
            raise ModelGarbled(f"{self.host} printed more than {LARGEST_OUTPUT >> 20} MB", hint=_FAILED) from None
        except OSError as error:
            why = error.strerror or error
            raise ModelUnreachable(f"{self.host} cannot be started ({why})", hint=_FAILED) from None
        if done.status:
            said = self._redact(_line(done.errors or done.output))
            raise ModelRefused(f"{self.host} ended with {done.status}" + (f": {said}" if said else ""), hint=_FAILED)
        return done.output

    def _found(self) -> str:
        """The program's file. One relative to the working directory would be any project's, so it is not run."""
        found = shutil.which(self._words[0])
        if found is None or not os.path.isabs(found):
            raise ModelUnreachable(f"{self.host} cannot be started (it is not on the PATH)", hint=_HINT)
        return found


def check_command(command: str) -> None:
    """Raises InvalidSettings if this command cannot be read, its program is not there, or it would keep its tools."""
    program, *arguments = _words(command)
    if arguments and _name_of(program) in _PROGRAMS:
        why = f"llm_command: {_name_of(program)} with arguments keeps its tools and hooks"
        raise InvalidSettings(why, hint=_ALONE)
    found = shutil.which(program)
    if found is None:
        raise InvalidSettings(f"llm_command: {program} is not installed, or not on the PATH", hint=_HINT)
    if not os.path.isabs(found):
        why = f"llm_command: {program} is relative to the current folder"
        raise InvalidSettings(why, hint="Give the full path of the program, or a name on the PATH.")


def _name_of(program: str) -> str:
    return os.path.basename(program).removesuffix(".exe")


def _words(command: str) -> list[str]:
    try:
        words = shlex.split(command, posix=os.name != "nt")
    except ValueError:
        words = []
    if not words:
        raise InvalidSettings(f"llm_command cannot be read: {command!r}", hint=_HINT)
    # Without the rules of POSIX, which would take backslashes out of paths, quotation marks stay around a word.
    return words if os.name != "nt" else [_QUOTATION.sub(r"\2", word) for word in words]


_QUOTATION = re.compile(r"\A(['\"])(.*)\1\Z", re.DOTALL)


def _environment(folder: str) -> dict[str, str]:
    """Our environment without our settings and keys.

    A program that has Holdfast connected finds an empty memory: it must neither record the request nor store what the
    texts make it believe.
    """
    kept = {n: value for n, value in os.environ.items() if n not in _OF_A_SESSION and not n.startswith(_OURS)}
    return {**kept, "HOLDFAST_DB": os.path.join(folder, "holdfast.db"), "HOLDFAST_BACKGROUND": "off"}


def _as_text(turns: Sequence[Mapping[str, str]]) -> str:
    """The turns after the system prompt; mostly one, more if an answer has to be continued."""
    first, *others = turns
    return "\n\n".join([first["content"], *(f"<{turn['role']}>\n{turn['content']}" for turn in others)])


def _line(text: str) -> str:
    """The last line, without characters that would steer a terminal."""
    lines = ["".join(filter(str.isprintable, line)).strip() for line in text.splitlines()]
    return next((line[:_LONGEST_MESSAGE] for line in reversed(lines) if line), "")


# -- the programs we know ----------------------------------------------------------------------------------------------


def _claude(request: _Request) -> list[str]:
    # Safe mode leaves out hooks (ours would record the call), servers, plug-ins and instruction files; not the login.
    alone = ["--safe-mode", "--strict-mcp-config", "--no-session-persistence", "--disable-slash-commands"]
    choice = ["--model", request.model] if request.model else []
    # In a file: on Windows the program may be a batch file, and then the command interpreter reads every argument.
    rules = os.path.join(request.folder, "rules.txt")
    with open(rules, "w", encoding="utf-8") as file:
        file.write(request.rules)
    return ["-p", "--output-format", "json", "--tools", "", *alone, *choice, "--system-prompt-file", rules]


def _claude_answer(output: str) -> Answered:
    found = _objects([output])
    result = found[-1] if found else {}
    text = result.get("result")
    if not isinstance(text, str):
        raise ModelGarbled("claude did not print a result", hint=_FAILED)
    if result.get("is_error"):
        raise ModelRefused(f"claude: {_line(text)}", hint=_FAILED)
    return Answered(text, *_counts(result.get("usage")))


# What Codex can do besides answering. Applying patches stays: the sandbox is read-only, and the folder empty.
_CODEX_FEATURES = (
    "shell_tool", "unified_exec", "hooks", "apps", "multi_agent", "view_image", "goals", "sleep_tool", "plugins",
    "skill_search", "tool_suggest", "image_generation", "browser_use", "computer_use",
)  # fmt: skip
_SERVER = re.compile(r"[\w-]+", re.ASCII)


def _codex(request: _Request) -> list[str]:
    off = [word for feature in _CODEX_FEATURES for word in ("--disable", feature)]
    values = ('web_search="disabled"', "notify=[]", *_without_servers(request.run(["mcp", "list", "--json"])))
    settings = [word for value in values for word in ("-c", value)]
    choice = ["--model", request.model] if request.model else []
    alone = ["--ephemeral", "--skip-git-repo-check", "--sandbox", "read-only"]
    return ["exec", "--json", *alone, *settings, *off, *choice, "-"]


def _without_servers(listed: str) -> list[str]:
    """The settings that switch off the person's MCP servers, one by one: an empty table would switch off none."""
    try:
        names = [server["name"] for server in json.loads(listed)]
    except (ValueError, RecursionError, TypeError, KeyError):
        raise ModelGarbled("codex did not list its MCP servers", hint=_FAILED) from None
    for name in names:
        if not isinstance(name, str) or not _SERVER.fullmatch(name):
            raise ModelRefused(f"codex has an MCP server that cannot be switched off: {name!r:.80}", hint="Rename it.")
    return [f"mcp_servers.{name}.enabled=false" for name in names]


def _codex_answer(output: str) -> Answered:
    said, spent = None, None
    for event in _objects(output.split("\n")):
        item = event.get("item")
        if event.get("type") == "item.completed" and isinstance(item, Mapping) and item.get("type") == "agent_message":
            said = item.get("text")
        spent = event.get("usage", spent)
        if event.get("type") == "turn.failed":
            raise ModelRefused(f"codex: {_line(str(event.get('error')))}", hint=_FAILED)
    if not isinstance(said, str):
        raise ModelGarbled("codex did not print an answer", hint=_FAILED)
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


def _both(request: _Request) -> str:
    return f"{request.rules}\n\n{request.said}"


_PROGRAMS = {
    "claude": _Program(_claude, lambda request: request.said, _claude_answer),
    "codex": _Program(_codex, _both, _codex_answer),
}
_OTHER = _Program(lambda request: [], _both, Answered)
