"""`holdfast bench startup`: the start-up time of commands and hooks."""

from __future__ import annotations

import argparse
import json
import os
import random
import subprocess
import sys
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from bench.child import ROOT
from bench.measure import Measurement, milliseconds, quantile, seconds_of, show_progress
from bench.tables import Report, Section

BARE = "python -c pass"
HOOK = "hook: read an event, find the project, log it, answer"
KEEPING = "the same, storing a message"
LIMIT = 4.0  # maximum, as a multiple of starting Python; the hook that opens the store has none
_SHOWN_IMPORTS = 15


@dataclass(frozen=True, slots=True)
class Command:
    """A program to start, and its standard input."""

    name: str
    argv: tuple[str, ...]
    stdin: str = ""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--repeat", type=int, default=9, help="number of starts per command")


def measure(options: argparse.Namespace) -> Report:
    """Measures each command, started in turns, relative to starting Python in the same run."""
    with tempfile.TemporaryDirectory(prefix="holdfast-bench-") as folder:
        environment = _environment(folder)
        commands, failed = _that_work(_commands(folder), environment)
        seconds = _in_turns(commands, environment, options.repeat)
        imports = _imports(_hook(folder), environment)
    bare = quantile(seconds[BARE], 0.5)
    rows = tuple(_row(name, each, bare) for name, each in seconds.items())
    times = tuple(_times(name, each, bare) for name, each in seconds.items() if name != BARE)
    command = f"holdfast bench startup --repeat {options.repeat}"
    sections = (
        Section("Wall time", rows),
        Section(f"As multiples of {BARE}", times),
        Section("Modules that the hook imports, time per module", imports),
    )
    return Report("startup", command, sections, failed)


def _commands(folder: str) -> tuple[Command, ...]:
    python, holdfast = sys.executable, str(Path(sys.executable).with_name("holdfast"))
    return (
        Command(BARE, (python, "-c", "pass")),
        Command("holdfast --help", (holdfast, "--help")),
        Command("holdfast --version", (holdfast, "--version")),
        _hook(folder),
        Command(KEEPING, (python, str(ROOT / "bench" / "keeping_hook.py")), _hook(folder).stdin),
    )


def _hook(folder: str) -> Command:
    event = {
        "hook_event_name": "UserPromptSubmit",
        "session_id": "s",
        "cwd": folder,
        "prompt": "Use tabs in Makefiles.",
    }
    return Command(HOOK, (sys.executable, str(ROOT / "bench" / "hook.py")), json.dumps(event))


def _environment(folder: str) -> dict[str, str]:
    """The user's environment with its own data folder. Bytecode is written; otherwise every start would compile."""
    kept = {k: v for k, v in os.environ.items() if k != "PYTHONDONTWRITEBYTECODE" and not k.startswith("HOLDFAST_")}
    return {**kept, "HOLDFAST_DB": str(Path(folder) / "holdfast.db"), "HOLDFAST_EMBEDDER": "none", "HOME": folder}


def _that_work(commands: Sequence[Command], environment: Mapping[str, str]) -> tuple[list[Command], tuple[str, ...]]:
    """Starts each command once as a warm-up; commands that fail are reported and not timed."""
    show_progress("warming up")
    tried = [(command, _why_failed(command, environment)) for command in commands]
    works = [command for command, why in tried if why is None]
    return works, tuple(f"{command.name} was not measured: {why}" for command, why in tried if why is not None)


def _why_failed(command: Command, environment: Mapping[str, str]) -> str | None:
    try:
        done = subprocess.run(
            command.argv, input=command.stdin, env=environment, capture_output=True, text=True, check=False
        )
    except OSError as error:
        return f"it could not be started ({error.strerror})"
    if done.returncode == 0:
        return None
    return f"status {done.returncode}, {(done.stderr.strip().splitlines() or ['no message'])[-1]}"


def _in_turns(commands: Sequence[Command], environment: Mapping[str, str], repeat: int) -> dict[str, list[float]]:
    """Times each command, in shuffled order, because a command is slower after a heavy one."""
    chance = random.Random(repeat)
    seconds: dict[str, list[float]] = {command.name: [] for command in commands}
    for turn in range(repeat):
        show_progress(f"turn {turn + 1} of {repeat}")
        for command in chance.sample(commands, len(commands)):
            seconds[command.name].append(seconds_of(partial(_start, command, environment)))
    return seconds


def _start(command: Command, environment: Mapping[str, str]) -> None:
    subprocess.run(command.argv, input=command.stdin, env=environment, stdout=subprocess.DEVNULL, text=True, check=True)


def _row(name: str, seconds: Sequence[float], bare: float) -> Measurement:
    return milliseconds(name, seconds, None if name in (BARE, KEEPING) else 1000 * LIMIT * bare)


def _times(name: str, seconds: Sequence[float], bare: float) -> Measurement:
    limit = None if name == KEEPING else LIMIT
    return Measurement(name, quantile(seconds, 0.5) / bare, quantile(seconds, 0.95) / bare, "×", limit)


def _imports(command: Command, environment: Mapping[str, str]) -> tuple[Measurement, ...]:
    """The slowest modules, by the minimum of three runs, without those that Python itself imports."""
    python, *rest = command.argv
    bare = _import_times((python, "-X", "importtime", "-c", "pass"), "", environment)
    runs = [_import_times((python, "-X", "importtime", *rest), command.stdin, environment) for _ in range(3)]
    least = {name: min(run.get(name, time) for run in runs) for name, time in runs[0].items() if name not in bare}
    dearest = sorted(least.items(), key=lambda pair: -pair[1])[:_SHOWN_IMPORTS]
    total = Measurement("all modules together", sum(least.values()) / 1000)
    return (total, *(Measurement(name, micros / 1000) for name, micros in dearest))


def _import_times(argv: Sequence[str], stdin: str, environment: Mapping[str, str]) -> dict[str, int]:
    """The time per module in microseconds, from `-X importtime`."""
    done = subprocess.run(argv, input=stdin, env=environment, capture_output=True, text=True, check=True)
    lines = (line.removeprefix("import time:").split("|") for line in done.stderr.splitlines() if "|" in line)
    return {name.strip(): int(own) for own, _, name in lines if own.strip().isdigit()}
