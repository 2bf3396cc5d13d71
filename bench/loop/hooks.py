"""Replays events through the hooks: two agents in two worktrees at once, and single hooks as processes."""

from __future__ import annotations

import io
import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import redirect_stdout
from dataclasses import replace
from itertools import count, islice
from pathlib import Path
from typing import Any

from bench import ROOT
from bench.observer.streams import RecordedSession, Stream
from holdfast.agents import event as kinds
from holdfast.bench.measure import Measurement, milliseconds, quantile, seconds_of, show_progress
from holdfast.bench.reports import Section
from holdfast.system.hook_log import read_failures

AGENTS = 2
_DEEP = ("SessionStart", "UserPromptSubmit")
_SHARE_P99 = 3.0


def hook_section(found: Sequence[Stream], events: int, processes: int) -> Section:
    """Replays this many events by two agents at the same time, and starts some hooks as processes."""
    sessions = [session for one in found for session in one.sessions]
    with tempfile.TemporaryDirectory(prefix="holdfast-bench-") as folder:
        environment = _environment(folder)
        worktrees = _worktrees(folder, environment)
        show_progress(f"replaying {events} events")
        times = _replay(sessions, worktrees, events, environment)
        failures = read_failures(environment, 0)
        payload = json.dumps(_tool_call("s", worktrees[0], "Read", {"file_path": "README.md"}, "x" * 2_000))
        whole, bare = _processes(payload, processes, environment)
    tools = times["tool"]
    rows = (
        Measurement(f"events replayed by {AGENTS} agents at once", sum(map(len, times.values())), None, ""),
        Measurement("hooks that failed", len(failures), None, "", 1),
        milliseconds("after a tool, without the start of Python", tools),
        Measurement("  99th percentile", 1000 * quantile(tools, 0.99)),
        milliseconds("session start, without the start of Python", times["SessionStart"] or [0.0]),
        milliseconds("prompt, without the start of Python", times["UserPromptSubmit"] or [0.0]),
        milliseconds("after a tool, as a process", whole),
        Measurement("  99th percentile", 1000 * quantile(whole, 0.99)),
        Measurement("  as multiple of python -c pass", quantile(whole, 0.5) / bare, None, "×", 4.0),
        Measurement("  99th percentile as multiple of the median", quantile(whole, 0.99) / quantile(whole, 0.5), None,
                    "×", _SHARE_P99),
    )  # fmt: skip
    return Section("Hooks", rows)


def payloads(session: RecordedSession, folder: str) -> Iterator[dict[str, Any]]:
    """The calls of hooks that Claude Code would make in a recorded session."""
    yield _call(session.id, folder, "SessionStart", source="startup")
    calls: dict[str, Any] = {}
    for event in session.events:
        if event.kind == kinds.USER and event.text:
            yield _call(session.id, folder, "UserPromptSubmit", prompt=event.text)
        elif event.kind == kinds.TOOL_CALL:
            calls[event.id] = event
        elif event.kind == kinds.TOOL_RESULT and event.id in calls:
            called = calls.pop(event.id)
            yield _tool_call(session.id, folder, called.tool, called.args, event.text)
    yield _call(session.id, folder, "Stop", last_assistant_message="Done.")
    yield _call(session.id, folder, "SessionEnd", reason="other")


def replay(argv: Sequence[str]) -> None:
    """One agent: reads calls from standard input and prints the seconds of each, by kind."""
    from holdfast.interfaces.hooks.hook_main import run

    times: dict[str, list[float]] = {"tool": [], **{name: [] for name in _DEEP}}
    for line in sys.stdin.read().splitlines():
        name = json.loads(line)["hook_event_name"]
        stdin, sys.stdin = sys.stdin, io.TextIOWrapper(io.BytesIO(line.encode()))
        with redirect_stdout(io.StringIO()):
            taken = seconds_of(lambda: run(["claude-code"]))
        sys.stdin = stdin
        times[name if name in _DEEP else "tool"].append(taken)
    print(json.dumps(times))


def _replay(
    sessions: Sequence[RecordedSession], worktrees: Sequence[str], events: int, environment: Mapping[str, str]
) -> dict[str, list[float]]:
    """Starts the agents; each replays every other session in its own worktree."""
    running = []
    for number, folder in enumerate(worktrees):
        own = (call for session in _rounds(sessions[number::AGENTS]) for call in payloads(session, folder))
        lines = "\n".join(json.dumps(call) for call in islice(own, events // AGENTS))
        command = [sys.executable, "-m", "bench.loop.hooks"]
        process = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, cwd=ROOT, env=environment, text=True
        )
        assert process.stdin is not None
        process.stdin.write(lines)
        process.stdin.close()
        running.append(process)
    times: dict[str, list[float]] = {}
    for process in running:
        with process:
            assert process.stdout is not None
            for name, seconds in json.loads(process.stdout.read()).items():
                times.setdefault(name, []).extend(seconds)
    return times


def _rounds(sessions: Sequence[RecordedSession]) -> Iterator[RecordedSession]:
    """The sessions again and again, each time with new names."""
    return (replace(session, id=f"{session.id}-{number}") for number in count() for session in sessions)


def _processes(payload: str, number: int, environment: Mapping[str, str]) -> tuple[list[float], float]:
    """The seconds of whole processes, each after a bare start of Python, and the median of those."""
    hook = (str(Path(sys.executable).with_name("holdfast")), "hook", "claude-code", "PostToolUse")
    seconds: list[list[float]] = [[], []]
    for done in range(number):
        show_progress(f"hook {done + 1} of {number}")
        for kind, command in enumerate((hook, (sys.executable, "-c", "pass"))):
            started = time.perf_counter()
            subprocess.run(command, input=payload, env=environment, stdout=subprocess.DEVNULL, text=True, check=True)
            seconds[kind].append(time.perf_counter() - started)
    return seconds[0], quantile(seconds[1], 0.5)


def _worktrees(folder: str, environment: Mapping[str, str]) -> list[str]:
    """A repository with two worktrees that share one memory."""
    first, second = str(Path(folder) / "one"), str(Path(folder) / "two")
    git = ["git", "-c", "user.name=a", "-c", "user.email=a@example.org"]
    for command in (
        [*git, "init", "-q", first],
        [*git, "-C", first, "commit", "-q", "--allow-empty", "-m", "first"],
        [*git, "-C", first, "worktree", "add", "-q", second, "-b", "second"],
        [sys.executable, "-m", "holdfast", "--project", first, "remember", "--type", "requirement", "Keep it small."],
    ):
        subprocess.run(command, check=True, env=environment, stdout=subprocess.DEVNULL)
    return [first, second]


def _environment(folder: str) -> dict[str, str]:
    kept = {k: v for k, v in os.environ.items() if k != "PYTHONDONTWRITEBYTECODE" and not k.startswith("HOLDFAST_")}
    settings = {"HOLDFAST_DB": str(Path(folder) / "m.db"), "HOLDFAST_BACKGROUND": "off", "HOLDFAST_EMBEDDER": "static"}
    return {**kept, **settings, "HOME": folder, "XDG_DATA_HOME": folder, "XDG_CONFIG_HOME": folder}


def _call(session: str, folder: str, event: str, **values: Any) -> dict[str, Any]:
    return {"hook_event_name": event, "session_id": session, "cwd": folder, **values}


def _tool_call(session: str, folder: str, tool: str, args: Mapping[str, Any], result: str) -> dict[str, Any]:
    called = {"tool_name": tool, "tool_input": args, "tool_response": {"stdout": result}, "tool_use_id": "t"}
    return _call(session, folder, "PostToolUse", **called)


if __name__ == "__main__":
    replay(sys.argv[1:])
