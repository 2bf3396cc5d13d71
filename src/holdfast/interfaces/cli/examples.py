"""Examples at the end of the help of each command. A test checks that every command has one, and that they parse."""

from __future__ import annotations

# By command; the line of a command with subcommands names the subcommand.
EXAMPLES: dict[str, tuple[str, ...]] = {
    "remember": (
        'holdfast remember "Releases go out every Thursday."',
        'holdfast remember --type decision --file src/cart.py "Prices are integers, in cents."',
        "git log -1 --format=%B | holdfast remember -",
    ),
    "search": (
        'holdfast search "when do we release?"',
        'holdfast search "what did we decide about caching" --since "last week"',
        "holdfast search timeout --type gotcha --file src/ --explain",
    ),
    "context": ('holdfast context "add retries to the payment client" --budget 800',),
    "show": ("holdfast show gammt5n4",),
    "list": ("holdfast list --type decision", "holdfast list --since yesterday --file src/cart.py"),
    "correct": ('holdfast correct gammt5n4 "Releases go out every Friday." --reason "changed in May"',),
    "confirm": ("holdfast confirm gammt5n4",),
    "flag": ('holdfast flag gammt5n4 "is this still true?"',),
    "release": ("holdfast release gammt5n4",),
    "pin": ("holdfast pin gammt5n4", "holdfast pin gammt5n4 --off"),
    "forget": (
        "holdfast forget gammt5n4 --erase",
        "holdfast forget gammt5n4 f0w8hk2p",
    ),
    "restore": ("holdfast restore gammt5n4",),
    "undo": ("holdfast undo",),
    "session list": ("holdfast session list",),
    "session show": ("holdfast session show 7f3a",),
    "session import": ("holdfast session import ~/.claude/projects",),
    "session recap": ("holdfast session recap 7f3a",),
    "session new": ("holdfast session new 7f3a",),
    "consolidate": ("holdfast consolidate",),
    "reflect": ("holdfast reflect --force",),
    "entity show": ("holdfast entity Priya",),
    "entity list": ("holdfast entity list",),
    "entity add": ('holdfast entity add "Priya Nair" --alias Pri',),
    "entity alias": ("holdfast entity alias Priya PN",),
    "entity merge": ("holdfast entity merge Pri Priya",),
    "entity split": ("holdfast entity split Pri",),
    "entity rename": ("holdfast entity rename Pri Priya",),
    "entity protect": ("holdfast entity protect Priya",),
    "entity describe": ('holdfast entity describe Priya "Owns billing."',),
    "observe": ("holdfast observe ~/.claude/projects --dry-run",),
    "prefetch": ('holdfast prefetch "add retries to the payment client"',),
    "index": ("holdfast index", "holdfast index docs --watch"),
    "impact": ("holdfast impact src/cart.py", "holdfast impact src/cart.py:Cart.total --depth 3"),
    "deps": ("holdfast deps src/cart.py",),
    "related": ("holdfast related docs/release.md",),
    "gc": ("holdfast gc", "holdfast gc --apply"),
    "validate": ("holdfast validate",),
    "memory show": ("holdfast memory show",),
    "memory edit": ("holdfast memory edit",),
    "memory sync": ("holdfast memory sync",),
    "export": ("holdfast export -o memory.json", "holdfast export --format markdown"),
    "import": ("holdfast import memory.json", "holdfast import CLAUDE.md", "holdfast import ."),
    "init": ("holdfast init",),
    "stats": ("holdfast stats",),
    "doctor": ("holdfast doctor", "holdfast doctor --repair"),
    "upkeep": ("holdfast upkeep", "holdfast upkeep embed"),
    "models list": ("holdfast models list",),
    "models pull": ("holdfast models pull BAAI/bge-small-en-v1.5",),
    "models use": ("holdfast models use small",),
    "projects": ("holdfast projects",),
    "config": ("holdfast config", "holdfast config language fr", "holdfast config language --unset"),
    "connect": ("holdfast connect claude-code", "holdfast connect codex --dry-run", "holdfast connect gemini --remove"),
    "hook": ("holdfast hook claude-code PostToolUse",),
    "mcp": ("claude mcp add holdfast -- holdfast mcp",),
    "bench": ("holdfast bench startup",),
    "completion": ("holdfast completion bash > ~/.local/share/bash-completion/completions/holdfast",),
}


def examples_of(command: str) -> tuple[str, ...]:
    """The examples of a command, such as `search` or `session import`."""
    return EXAMPLES.get(command, ())
