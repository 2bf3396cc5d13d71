"""What every command prints in a demo project: its help, and its results as text and as JSON; then the MCP tools."""

from __future__ import annotations

import json
import tempfile
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path

import holdfast
from bench.frozen.still import demo, settled

_CARDS = "Refunds go back to the card, never as vouchers: finance decided it in March."
_SANDBOX = "The payment sandbox drops every tenth request on purpose; retry twice before you call it a bug."
_PAYMENTS = "tidepool/payments.py"
_AGENTS = ("claude-code", "codex", "gemini", "opencode", "agents-md", "claude-md")
# In this order. Those of _SHOWN_AS_JSON are also run with --json, those of _IN_FRENCH in French.
_STEPS: tuple[tuple[str, ...], ...] = (
    ("--version",), ("init",), ("remember", _CARDS, "--type", "decision"),
    ("remember", _SANDBOX, "--type", "gotcha", "--file", _PAYMENTS, "--tag", "sandbox"),
    ("remember", "A guided tour takes at most 12 guests.", "--type", "requirement", "--pin"),
    ("remember", "a guided tour takes at most 12 guests"),
    ("remember", "The team writes British English in every message a guest can read.", "--type", "preference"),
    ("remember", "Sofia Marchetti runs the front desk."), ("remember", "Try vouchers.", "--type", "wish"),
    ("remember", "The deploy bot logs in with ghp_" + "R4nd0mL00k1ngButMadeUpF0rTh1sT0ur99x."),
    ("upkeep", "embed"), ("list",), ("list", "--type", "gotcha"), ("show", "@payment sandbox"),
    ("search", "can a customer get their money back?"), ("search", "sandbox", "--explain"),
    ("search", "who won the chess championship in 1972?"), ("search", "tour", "--mode", "keyword", "--limit", "2"),
    ("context", "a test in tidepool/payments.py fails now and then, fix it", "--budget", "300"),
    ("correct", "@12 guests", "A guided tour takes at most 14 guests since the new pool opened.", "--reason", "pool"),
    ("search", "how many guests fit on a tour?"), ("show", "@12 guests"), ("confirm", "@14 guests"),
    ("flag", "@Sofia", "she", "left"), ("outcome", "@payment sandbox", "used"), ("pin", "@Refunds"),
    ("personal", "@British"), ("personal",), ("forget", "@British", "--reason", "too strict"), ("restore", "@British"),
    ("undo",), ("redo",), ("log",), ("release", "@deploy bot"), ("show", "nothing"),
    ("session", "import", "../chats.jsonl"), ("session", "list"), ("session", "show", "mails"),
    ("consolidate",), ("search", "how soon must guests get a reply?"), ("reflect", "--force"),
    ("session", "recap", "mails"), ("session", "new", "mails"), ("memory", "show"), ("memory", "sync"),
    ("observe", "../chats.jsonl", "--dry-run"), ("observe", "--git"), ("prefetch", "fix the payments"),
    ("entity", "list"), ("entity", "add", "Sofia Marchetti", "--type", "person"), ("entity", "show", "Sofia Marchetti"),
    ("entity", "alias", "Sofia Marchetti", "Sofi"), ("entity", "describe", "Sofi", "Runs the desk."),
    ("entity", "rename", "Sofi", "Sofia M."), ("index",), ("search", "when are bookings exported?", "--limit", "2"),
    ("related", "docs/decisions/0002-export-on-booking.md"), ("gc",), ("validate",),
    ("impact", f"{_PAYMENTS}:charge"), ("deps", "tidepool/bookings.py"), ("flow", "charge"), ("modules",),
    ("impact", "nowhere.py"), ("upkeep",), ("export",), ("export", "--format", "markdown"),
    ("stats",), ("doctor",), ("projects",), ("models", "list"), ("config",), ("config", "--all"),
    ("config", "language", "fr"), ("config", "language", "--unset"), ("config", "no_such_setting", "1"),
    *(("connect", agent, "--dry-run") for agent in _AGENTS),
    ("connect", "claude-code"), ("connect", "claude-code", "--remove"), ("completion", "bash"), ("no-such-command",),
)  # fmt: skip
_SHOWN_AS_JSON = (
    "search", "context", "show", "list", "log", "session list", "session show mails", "entity list", "prefetch",
    "related", "validate", "impact", "deps", "flow", "modules", "stats", "doctor", "projects", "models list", "config",
    "export",
)  # fmt: skip
_IN_FRENCH = ("search", "show", "list", "log", "impact", "doctor", "stats", "no-such-command")
_READ = {"tool_name": "Read", "tool_input": {"file_path": _PAYMENTS}, "tool_response": {}, "tool_use_id": "t1"}
_EVENTS: tuple[tuple[str, Mapping[str, object]], ...] = (
    ("SessionStart", {"source": "startup"}),
    ("UserPromptSubmit", {"prompt": "The build is red. From now on always run make check before you commit."}),
    ("PreToolUse", {key: _READ[key] for key in ("tool_name", "tool_input", "tool_use_id")}),
    ("PostToolUse", _READ),
    ("Stop", {"last_assistant_message": "Charging a card now retries twice."}),
    ("SessionEnd", {"reason": "exit"}),
)
_CALLS: tuple[tuple[str, Mapping[str, object]], ...] = (
    ("search_memory", {"query": "refunds"}), ("remember", {"text": "Mails are sent at night.", "type": "fact"}),
    ("memory_stats", {}), ("get_entity", {"name": "Sofia M."}), ("get_session_context", {"task": "fix the refunds"}),
    ("index_project", {}), ("analyze_impact", {"target": f"{_PAYMENTS}:charge"}),
    ("get_dependencies", {"target": "tidepool/bookings.py"}), ("trace_data_flow", {"target": "charge"}),
    ("search_memory", {"wrong": 1}), ("get_entity", {"name": "Nobody"}),
)  # fmt: skip


def values(data: Path) -> Mapping[str, Sequence[str]]:
    """The lines of all outputs, each line after the command that printed it."""
    with tempfile.TemporaryDirectory() as name, demo(folder := Path(name).resolve()) as run:
        found = {"commands": _all(run, (argv for step in _STEPS for argv in _ways(step)))}
        session = {"session_id": "monday", "cwd": str(folder / "tidepool")}
        hooks = ((event, json.dumps({**session, "hook_event_name": event, **given})) for event, given in _EVENTS)
        found["hooks"] = [
            f"{event}: {line}" for event, text in hooks for line in run("hook", "claude-code", event, stdin=text)
        ]
        found["hooks"] += _all(run, [("session", "show", "monday"), ("observe",)])
        found["mcp"] = list(_mcp(folder))
        helps = [("--help",), *((command, "--help") for command in _commands(run("--help")))]
        found |= {f"help.{lang}": _all(run, ((*argv, "--lang", lang) for argv in helps)) for lang in ("en", "fr")}
    return found


def _commands(help: Sequence[str]) -> list[str]:
    """The names of all commands, from the help: each is in a line that begins with two blanks."""
    lines = [line for line in help if line.startswith("  ") and not line.startswith("   ")]
    return [line.split()[0] for line in lines if not line.split()[0].startswith("-")]


def _ways(step: tuple[str, ...]) -> Iterator[tuple[str, ...]]:
    """A command, and the same with other options if they are recorded too."""
    yield step
    if step[0] in _SHOWN_AS_JSON or " ".join(step) in _SHOWN_AS_JSON:
        yield (*step, "--json")
    if step[0] in _IN_FRENCH:
        yield (*step, "--lang", "fr")


def _all(run: Callable[..., list[str]], steps: Iterable[tuple[str, ...]]) -> list[str]:
    return [f"{' '.join(argv)[:60]}: {line}" for argv in steps for line in run(*argv)]


def _mcp(folder: Path) -> Iterator[str]:
    """The tools as clients see them, and answers of calls."""
    from holdfast.interfaces.mcp.mcp_protocol import Protocol
    from holdfast.interfaces.mcp.tools import tools

    with holdfast.open() as ws:
        protocol = Protocol(tools(ws.types), lambda: ws)
        requests: list[tuple[str, Mapping[str, object]]] = [
            (f"{kind}/list", {}) for kind in ("tools", "prompts", "resources", "resources/templates")
        ]
        for method, given in (*requests, *(("tools/call", {"name": n, "arguments": a}) for n, a in _CALLS)):
            answer = json.dumps(protocol.answer(method, given), indent=1, ensure_ascii=False, default=str)
            yield from (f"{method} {given.get('name', '')}: {line}" for line in settled(answer, folder))
