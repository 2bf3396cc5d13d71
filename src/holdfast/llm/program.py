"""A program as language model, such as the agent program that a person already uses: no key, no address.

It runs in an empty folder; `providers.py` starts those that it knows without tools, hooks, servers and stored sessions:
the texts are hostile, and a model without tools can only answer.
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
FAILED = "Run the program in a terminal to see what is wrong, for example that you are not logged in."
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
class ProgramRequest:
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
class ProgramModel:
    """How a program is asked: its arguments, what it reads and how it answers."""

    arguments: Callable[[ProgramRequest], Sequence[str]]
    asked: Callable[[ProgramRequest], str]
    answered: Callable[[str], Answered]


class ProgramEndpoint:
    """Answers chat requests by a program that reads a prompt and prints an answer. Takes the place of an Endpoint.

    `command` is a command line; `how` says how its program is asked. `redact` is applied to everything that the program
    reads, and to its errors.
    """

    def __init__(
        self, command: str, seconds: float, redact: Callable[[str], str], how: ProgramModel | None = None
    ) -> None:
        words = words_of(command)
        self.host = os.path.basename(words[0])
        self._words = words
        self._program = how or _PLAIN
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
            request = ProgramRequest(
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
            raise ModelUnreachable(f"{self.host} took longer than {seconds:g} s", hint=FAILED) from None
        except OverflowError:
            raise ModelGarbled(f"{self.host} printed more than {LARGEST_OUTPUT >> 20} MB", hint=FAILED) from None
        except OSError as error:
            why = error.strerror or error
            raise ModelUnreachable(f"{self.host} cannot be started ({why})", hint=FAILED) from None
        if done.status:
            said = self._redact(last_line(done.errors or done.output))
            raise ModelRefused(f"{self.host} ended with {done.status}" + (f": {said}" if said else ""), hint=FAILED)
        return done.output

    def _found(self) -> str:
        """The program's file. One relative to the working directory would be any project's, so it is not run."""
        found = shutil.which(self._words[0])
        if found is None or not os.path.isabs(found):
            raise ModelUnreachable(f"{self.host} cannot be started (it is not on the PATH)", hint=_HINT)
        return found


def check_program(command: str) -> None:
    """Raises InvalidSettings if this command cannot be read or its program is not there."""
    program = words_of(command)[0]
    found = shutil.which(program)
    if found is None:
        raise InvalidSettings(f"llm_command: {program} is not installed, or not on the PATH", hint=_HINT)
    if not os.path.isabs(found):
        why = f"llm_command: {program} is relative to the current folder"
        raise InvalidSettings(why, hint="Give the full path of the program, or a name on the PATH.")


def words_of(command: str) -> list[str]:
    """The words of a command line. Raises InvalidSettings if it cannot be read."""
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


def last_line(text: str) -> str:
    """The last line, without characters that would steer a terminal."""
    lines = ["".join(filter(str.isprintable, line)).strip() for line in text.splitlines()]
    return next((line[:_LONGEST_MESSAGE] for line in reversed(lines) if line), "")


_READ = ("input_tokens", "cache_creation_input_tokens", "cache_read_input_tokens")


def objects(texts: Sequence[str]) -> list[dict[str, Any]]:
    """The JSON objects among the texts."""
    found: list[Any] = []
    for text in texts:
        try:
            found.append(json.loads(text))
        except (ValueError, RecursionError):
            continue
    return [value for value in found if isinstance(value, dict)]


def counts(usage: Any) -> tuple[int, int]:
    """The tokens read and written; what came from a cache was read, too."""
    reported = usage if isinstance(usage, Mapping) else {}
    counts = [reported.get(name) for name in (*_READ, "output_tokens")]
    *read, written = [count if isinstance(count, int) and count > 0 else 0 for count in counts]
    return sum(read), written


def both_texts(request: ProgramRequest) -> str:
    """The system prompt and the prompt, for a program that reads one text."""
    return f"{request.rules}\n\n{request.said}"


# A program that reads both texts and prints the answer.
_PLAIN = ProgramModel(lambda request: [], both_texts, Answered)
