"""`holdfast bench startup`: the time of whole commands and hooks, and of the first answer of the MCP server."""

from __future__ import annotations

import argparse
import json
import os
import random
import subprocess
import sys
import tempfile
import time
import uuid
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from subprocess import PIPE
from typing import Any

from holdfast.bench.measure import Measurement, milliseconds, quantile, seconds_of, show_progress
from holdfast.bench.reports import Report, Section

BARE = "python -c pass"
HOOK = "holdfast hook: after a tool"
GIVING = "holdfast hook: after a tool, with a memory about its file"
OPENING, PROMPT = "holdfast hook: session start", "holdfast hook: first prompt"
LATER = "holdfast hook: a later prompt"
SEARCH, CONTEXT, INITIALIZE = "holdfast search", "holdfast context", "holdfast mcp: until initialize is answered"
_MEMORIES = 40
_QUERY = "which crane loads the ferry to pier 7, and why"
_SHOWN_IMPORTS = 15


@dataclass(frozen=True, slots=True)
class Command:
    """A program to start, its standard input, and the budget of its time: multiples of starting Python.

    With `until_answer` the time ends with the first line of its output. With `absolute` the budget is in milliseconds.
    """

    name: str
    argv: tuple[str, ...]
    budget: float | None = None
    stdin: str = ""
    until_answer: bool = False
    absolute: bool = False


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--repeat", type=int, default=9, help="number of starts per command")


def measure(options: argparse.Namespace) -> Report:
    """Measures each command, started in turns, relative to starting Python in the same run."""
    with tempfile.TemporaryDirectory(prefix="holdfast-bench-") as folder:
        environment = _environment(folder)
        _fill(folder, environment)
        commands, failed = _that_work(_commands(folder), environment)
        seconds = _in_turns(commands, environment, options.repeat)
        imports = _imports(_hook(folder), environment)
    bare = quantile(seconds[BARE], 0.5)
    rows = tuple(_row(command, seconds[command.name], bare) for command in commands)
    times = tuple(_times(command, seconds[command.name], bare) for command in commands if command.name != BARE)
    command = f"holdfast bench startup --repeat {options.repeat}"
    sections = (
        Section("Wall time", rows),
        Section(f"As multiples of {BARE}", times),
        Section("Modules that the hook imports, time per module", imports),
    )
    return Report("startup", command, sections, failed)


def _commands(folder: str) -> tuple[Command, ...]:
    python, holdfast = sys.executable, str(Path(sys.executable).with_name("holdfast"))
    search = (holdfast, "--project", folder, "search", "--all", _QUERY)
    context = (holdfast, "--project", folder, "context", _QUERY)
    return (
        Command(BARE, (python, "-c", "pass")),
        Command("holdfast --help", (holdfast, "--help"), 4.0),
        Command("holdfast --version", (holdfast, "--version"), 4.0),
        Command(SEARCH, search, 400.0, absolute=True),
        Command(CONTEXT, context, 400.0, absolute=True),
        Command(INITIALIZE, (holdfast, "--project", folder, "mcp"), 600.0, _initialize(), True, absolute=True),
        _hook(folder),
        _hook(folder, GIVING, path="crane.py"),
        _hook(folder, OPENING, "SessionStart", None),
        _hook(folder, PROMPT, "UserPromptSubmit", 400.0, absolute=True),
        _hook(folder, LATER, "UserPromptSubmit", 8.0, session="one"),
    )


def _initialize() -> str:
    client = {"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": "bench", "version": "1"}}
    return json.dumps({"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": client}) + "\n"


def _fill(folder: str, environment: Mapping[str, str]) -> None:
    """Stores the memories that the commands search, and makes their vectors."""
    show_progress("storing memories")
    lines = (f"Crane {n} loads the ferry at pier {n % 9} since the storm of {1980 + n}.\n" for n in range(_MEMORIES))
    holdfast = [sys.executable, "-m", "holdfast", "--project", folder]
    about = [
        "--type",
        "gotcha",
        "--file",
        str(Path(folder) / "crane.py"),
        "Crane 7 must not turn while the ferry loads.",
    ]
    stored = ([*holdfast, "remember", "--lines"], "".join(lines)), ([*holdfast, "remember", *about], "")
    for argv, stdin in (*stored, ([*holdfast, "upkeep", "embed"], "")):
        subprocess.run(argv, input=stdin, env=environment, stdout=subprocess.DEVNULL, text=True, check=True)


def _hook(
    folder: str, name: str = HOOK, event: str = "PostToolUse", budget: float | None = 4.0, path: str = "README.md",
    absolute: bool = False, session: str = "SESSION",
) -> Command:  # fmt: skip
    """A hook as an agent calls it. `SESSION` becomes a new session at every start: a memory is given once to each."""
    call = {
        "hook_event_name": event,
        "session_id": session,
        "cwd": folder,
        "prompt": _QUERY,
        "tool_name": "Read",
        "tool_input": {"file_path": str(Path(folder) / path)},
        "tool_response": {"file": {"content": "x = 1\n" * 200}},
    }
    holdfast = str(Path(sys.executable).with_name("holdfast"))
    return Command(name, (holdfast, "hook", "claude-code", event), budget, json.dumps(call), absolute=absolute)


def _environment(folder: str) -> dict[str, str]:
    """The user's environment with its own data folder. Bytecode is written; otherwise every start would compile."""
    kept = {k: v for k, v in os.environ.items() if k != "PYTHONDONTWRITEBYTECODE" and not k.startswith("HOLDFAST_")}
    return {**kept, "HOLDFAST_DB": str(Path(folder) / "holdfast.db"), "HOLDFAST_BACKGROUND": "off", "HOME": folder}


def _stdin(command: Command) -> str:
    return command.stdin.replace("SESSION", uuid.uuid4().hex)


def _that_work(commands: Sequence[Command], environment: dict[str, str]) -> tuple[list[Command], tuple[str, ...]]:
    """Starts each command once as a warm-up; commands that fail are reported and not timed."""
    show_progress("warming up")
    tried = [(command, _why_failed(command, environment)) for command in commands]
    works = [command for command, why in tried if why is None]
    return works, tuple(f"{command.name} was not measured: {why}" for command, why in tried if why is not None)


def _why_failed(command: Command, environment: dict[str, str]) -> str | None:
    try:
        done = subprocess.run(
            command.argv, input=_stdin(command), env=environment, capture_output=True,
            text=True, check=False,
        )  # fmt: skip
    except OSError as error:
        return f"it could not be started ({error.strerror})"
    if done.returncode == 0:
        return None
    return f"status {done.returncode}, {(done.stderr.strip().splitlines() or ['no message'])[-1]}"


def _in_turns(commands: Sequence[Command], environment: dict[str, str], repeat: int) -> dict[str, list[float]]:
    """Times each command, in shuffled order, because a command is slower after a heavy one."""
    chance = random.Random(repeat)
    seconds: dict[str, list[float]] = {command.name: [] for command in commands}
    for turn in range(repeat):
        show_progress(f"turn {turn + 1} of {repeat}")
        for command in chance.sample(commands, len(commands)):
            start = _seconds_to_answer if command.until_answer else _seconds_of_all
            seconds[command.name].append(start(command, environment))
    return seconds


def _seconds_of_all(command: Command, environment: Mapping[str, str]) -> float:
    quiet: dict[str, Any] = {"stdout": subprocess.DEVNULL, "text": True, "check": True}
    return seconds_of(partial(subprocess.run, command.argv, input=_stdin(command), env=environment, **quiet))


def _seconds_to_answer(command: Command, environment: Mapping[str, str]) -> float:
    started = time.perf_counter()
    with subprocess.Popen(command.argv, stdin=PIPE, stdout=PIPE, env=environment, text=True) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        process.stdin.write(_stdin(command))
        process.stdin.flush()
        process.stdout.readline()
        return time.perf_counter() - started


def _row(command: Command, seconds: Sequence[float], bare: float) -> Measurement:
    times = 1 if command.absolute else 1000 * bare
    return milliseconds(command.name, seconds, None if command.budget is None else command.budget * times)


def _times(command: Command, seconds: Sequence[float], bare: float) -> Measurement:
    budget = None if command.absolute else command.budget
    return Measurement(command.name, quantile(seconds, 0.5) / bare, quantile(seconds, 0.95) / bare, "×", budget)


def _imports(command: Command, environment: Mapping[str, str]) -> tuple[Measurement, ...]:
    """The slowest modules, by the minimum of three runs, without those that Python itself imports."""
    python = sys.executable
    bare = _import_times((python, "-X", "importtime", "-c", "pass"), "", environment)
    runs = [_import_times((python, "-X", "importtime", *command.argv), command.stdin, environment) for _ in range(3)]
    least = {name: min(run.get(name, time) for run in runs) for name, time in runs[0].items() if name not in bare}
    dearest = sorted(least.items(), key=lambda pair: -pair[1])[:_SHOWN_IMPORTS]
    total = Measurement("all modules together", sum(least.values()) / 1000)
    return (total, *(Measurement(name, micros / 1000) for name, micros in dearest))


def _import_times(argv: Sequence[str], stdin: str, environment: Mapping[str, str]) -> dict[str, int]:
    """The time per module in microseconds, from `-X importtime`."""
    done = subprocess.run(argv, input=stdin, env=environment, capture_output=True, text=True, check=True)
    lines = (line.removeprefix("import time:").split("|") for line in done.stderr.splitlines() if "|" in line)
    return {name.strip(): int(own) for own, _, name in lines if own.strip().isdigit()}
