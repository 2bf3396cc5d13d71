"""Writes the reference pages and the map of the rooms from the code, so that they cannot drift from it.

`python docs/generate.py` writes them; `--check` says which are out of date and exits with 1.
"""

from __future__ import annotations

import ast
import os
import subprocess
import sys
import tomllib
from collections.abc import Callable
from dataclasses import fields
from pathlib import Path

from holdfast.core import errors
from holdfast.core.answer import Filters
from holdfast.core.memory_types import TypeRegistry
from holdfast.core.settings import Settings

DOCS = Path(__file__).parent
ROOT = DOCS.parent
PACKAGE = ROOT / "src" / "holdfast"
MADE = "<!-- Made from the code by `make docs`; edit the code, not this page. -->\n\n"


def main(arguments: list[str]) -> int:
    pages = {DOCS / name: make() for name, make in PAGES.items()}
    pages[DOCS / "overview.md"] = between((DOCS / "overview.md").read_text(encoding="utf-8"), "map", room_map())
    stale = [path for path, text in pages.items() if not path.exists() or path.read_text(encoding="utf-8") != text]
    for path in stale:
        print(f"{'out of date' if '--check' in arguments else 'written'}: {path.relative_to(ROOT)}")
        if "--check" not in arguments:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(pages[path], encoding="utf-8")
    return 1 if stale and "--check" in arguments else 0


def between(page: str, name: str, text: str) -> str:
    """The page with the part between two markers replaced."""
    begin, end = f"<!-- {name}: begin -->\n", f"<!-- {name}: end -->"
    before, rest = page.split(begin, 1)
    return before + begin + text + end + rest.split(end, 1)[1]


def room_map() -> str:
    """The rooms, upper ones first, each with the sentence it says of itself."""
    configuration = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    lines = ["```text"]
    for layer in configuration["tool"]["importlinter"]["contracts"][0]["layers"]:
        for room in layer.split(" | "):
            lines.append(f"{room:<14} {purpose(room)}")
        lines.append("")
    return "\n".join([*lines[:-1], "```\n"])


def purpose(room: str) -> str:
    """The first sentence of a room's docstring."""
    path = PACKAGE / room / "__init__.py"
    source = path if path.exists() else PACKAGE / f"{room}.py"
    return (ast.get_docstring(ast.parse(source.read_text(encoding="utf-8"))) or "").split("\n")[0]


def settings_page() -> str:
    rows = [
        f"| `{f.name}` | {_default(f.default)} | {f.metadata['help']} | `HOLDFAST_{f.name.upper()}` |"
        for f in fields(Settings)
    ]
    return (
        MADE + "# Settings\n\nEverything works without any. Later wins: the default, the user's `settings.toml`, the "
        "environment, arguments. `HOLDFAST_SETTINGS` names another settings file. A project's own folder is never "
        "read for settings: a repository you cloned must not choose where your memory goes.\n\n"
        "| setting | default | what it does | environment |\n|---|---|---|---|\n" + "\n".join(rows) + "\n"
    )


def _default(value: object) -> str:
    return "" if value == "" else f"`{value}`"


def types_page() -> str:
    rows = []
    for kind in TypeRegistry():
        life = f"{kind.half_life_days:g} days" if kind.half_life_days else "does not decay"
        own = ", ".join(f"`{f.name}`{'' if f.required else '?'}" for f in kind.fields) or "–"
        rows.append(f"| `{kind.name}` | {kind.help} | {life} | {own} |")
    return (
        MADE + "# Memory types\n\nA memory of any type may carry text alone. If it carries structured fields, those "
        "without `?` must be there. A plug-in may register further types; other unknown types are refused.\n\n"
        "| type | what it is | half-life | fields |\n|---|---|---|---|\n" + "\n".join(rows) + "\n"
    )


def errors_page() -> str:
    found = [e for e in vars(errors).values() if isinstance(e, type) and issubclass(e, errors.HoldfastError)]
    tree = (errors.__doc__ or "").split("\n\n")[1]
    rows = [f"| `{e.__name__}` | {(e.__doc__ or '').strip()} | {e.hint} |" for e in found]
    return (
        MADE + "# Errors\n\nEvery error says what happened and what to do next. All are in `holdfast.core.errors`.\n\n"
        f"```text\n{tree}\n```\n\n| error | what happened | what to do |\n|---|---|---|\n" + "\n".join(rows) + "\n"
    )


def filters_page() -> str:
    rows = [f"| `{f.name}` | `{f.type}` |" for f in fields(Filters)]
    return (
        MADE + f"# Filters\n\n{(Filters.__doc__ or '').strip()}\n\n"
        "They are keyword arguments of `recall`, `list` and `count`.\n\n| filter | type |\n|---|---|\n"
        + "\n".join(rows)
        + "\n"
    )


def cli_page() -> str:
    """The help of every command, as the program prints it."""
    parts = [MADE + "# Command line\n\nExit codes: 0 done, 1 refused or an asked-for check failed, 2 wrong usage.\n"]
    for command in ((), *((name,) for name in command_names())):
        said = help_of(*command)
        parts.append(f"## holdfast {' '.join(command)}".rstrip() + f"\n\n```text\n{said}\n```\n")
    return "\n".join(parts)


def command_names() -> list[str]:
    from holdfast.interfaces.cli.commands import COMMANDS

    return [command[0] for command in COMMANDS]


def help_of(*command: str) -> str:
    environment = {**os.environ, "COLUMNS": "100", "LANG": "C.UTF-8", "LC_ALL": "C.UTF-8", "NO_COLOR": "1"}
    environment.pop("HOLDFAST_LANGUAGE", None)
    said = subprocess.run(
        [sys.executable, "-m", "holdfast", *command, "--help"],
        capture_output=True, text=True, encoding="utf-8", check=True, env=environment,
    )  # fmt: skip
    return "\n".join(line.rstrip() for line in said.stdout.strip().splitlines())


def tools_page() -> str:
    """The MCP tools, as a client sees them."""
    from holdfast.interfaces.mcp.server import describe_tools

    parts = [MADE + "# MCP tools\n\nFew on purpose. `holdfast mcp` serves them over stdio.\n"]
    for tool in describe_tools():
        parts.append(f"## {tool['name']}\n\n{tool['description']}\n\n| parameter | type | |\n|---|---|---|")
        schema = tool["inputSchema"]
        for name, given in schema.get("properties", {}).items():
            must = " (required)" if name in schema.get("required", []) else ""
            parts.append(f"| `{name}` | {kind_of(given)} | {given.get('description', '')}{must} |")
        parts.append("")
    return "\n".join(parts)


def kind_of(schema: dict[str, object]) -> str:
    if "anyOf" in schema:
        options = schema["anyOf"]
        assert isinstance(options, list)
        return " or ".join(kind_of(option) for option in options if option.get("type") != "null")
    return str(schema.get("type", "any"))


PAGES: dict[str, Callable[[], str]] = {
    "reference/settings.md": settings_page,
    "reference/types.md": types_page,
    "reference/errors.md": errors_page,
    "reference/filters.md": filters_page,
    "reference/cli.md": cli_page,
    "reference/tools.md": tools_page,
}

if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
