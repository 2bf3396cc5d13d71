"""Writes the reference pages and the package diagram from the code, so that they cannot become outdated.

`python docs/generate.py` writes them; `--check` lists the pages that are out of date and exits with 1.
"""

from __future__ import annotations

import ast
import inspect
import os
import re
import subprocess
import sys
import tomllib
from collections.abc import Callable, Iterator
from dataclasses import MISSING, Field, fields, is_dataclass
from enum import Enum
from pathlib import Path
from typing import Any, ForwardRef

import holdfast
from holdfast.core import errors
from holdfast.core.answer import Filters
from holdfast.core.memory_types import TypeRegistry
from holdfast.core.settings import Settings

DOCS = Path(__file__).parent
ROOT = DOCS.parent
PACKAGE = ROOT / "src" / "holdfast"
GENERATED = "<!-- Generated from the code by `make docs`; edit the code, not this page. -->\n\n"
SIGNATURE_WIDTH = 100


def main(arguments: list[str]) -> int:
    pages = {DOCS / name: write() for name, write in PAGES.items()}
    overview = (DOCS / "overview.md").read_text(encoding="utf-8")
    overview = between(overview, "packages", package_list())
    pages[DOCS / "overview.md"] = between(overview, "imports", package_diagram())
    stale = [path for path, text in pages.items() if not path.exists() or path.read_text(encoding="utf-8") != text]
    for path in stale:
        print(f"{'out of date' if '--check' in arguments else 'written'}: {path.relative_to(ROOT)}")
        if "--check" not in arguments:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(pages[path], encoding="utf-8")
    return 1 if stale and "--check" in arguments else 0


def between(page: str, name: str, text: str) -> str:
    """Replaces the text between two markers of a page."""
    begin, end = f"<!-- {name}: begin -->\n", f"<!-- {name}: end -->"
    before, rest = page.split(begin, 1)
    return before + begin + text + end + rest.split(end, 1)[1]


# -- the overview -------------------------------------------------------------------------------------------------


def package_list() -> str:
    """Lists the packages, upper layers first, each with the first line of its docstring."""
    lines = ["```text"]
    for layer in layers():
        lines += [f"{package:<14} {purpose(package)}" for package in layer]
        lines.append("")
    return "\n".join([*lines[:-1], "```\n"])


def layers() -> list[list[str]]:
    """The layers of the import contract in pyproject.toml, upper ones first."""
    configuration = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    contracts = configuration["tool"]["importlinter"]["contracts"]
    whole = next(contract for contract in contracts if contract.get("containers") == ["holdfast"])
    return [layer.split(" | ") for layer in whole["layers"]]


def purpose(package: str) -> str:
    """The first line of a package's docstring."""
    path = PACKAGE / package / "__init__.py"
    source = path if path.exists() else PACKAGE / f"{package}.py"
    return (ast.get_docstring(ast.parse(source.read_text(encoding="utf-8"))) or "").split("\n")[0]


def package_diagram() -> str:
    """A mermaid diagram of the imports between packages, without those that follow from others."""
    import grimp

    graph = grimp.build_graph("holdfast", cache_dir=None)
    packages = [package for layer in layers() for package in layer]
    modules = {package: graph.find_descendants(f"holdfast.{package}") | {f"holdfast.{package}"} for package in packages}
    imported = {
        package: {
            other
            for other in packages
            if other != package
            and any(graph.find_modules_directly_imported_by(module) & modules[other] for module in modules[package])
        }
        for package in packages
    }
    lines = [f"    {package}" for package in packages]
    for package in packages:
        implied = set().union(*(reachable(imported, other) for other in imported[package]))
        lines += [f"    {package} --> {other}" for other in packages if other in imported[package] - implied]
    return "\n".join(["```mermaid", "flowchart TD", *lines, "```\n"])


def reachable(imported: dict[str, set[str]], package: str) -> set[str]:
    """All packages that a package imports, directly or through others."""
    direct = imported[package]
    return direct.union(*(reachable(imported, other) for other in direct))


# -- the picture of the recall benchmark ----------------------------------------------------------------------------

BAR, ROW, LEFT, WIDTH = 11, 34, 330, 760
COLOURS = {"Holdfast": "#0f766e", "plain hybrid search, same model": "#94a3b8"}


def recall_chart() -> str:
    """An SVG of the first table of `holdfast bench recall`: a bar for Holdfast and one for plain hybrid search."""
    rows = recall_figures()
    height = 60 + ROW * len(rows)
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}" width="{WIDTH}" height="{height}" '
        'role="img" font-family="system-ui, sans-serif" font-size="13">',
        "<title>Holdfast and plain hybrid search on nine sets of questions</title>",
        "<style>text { fill: #1f2937 } @media (prefers-color-scheme: dark) { text { fill: #e5e7eb } }</style>",
    ]
    for at, (system, colour) in enumerate(COLOURS.items()):
        parts.append(f'<rect x="{LEFT + 110 * at}" y="14" width="12" height="12" fill="{colour}"/>')
        parts.append(f'<text x="{LEFT + 18 + 110 * at}" y="25">{system}</text>')
    for at, (name, *figures) in enumerate(rows):
        top = 46 + ROW * at
        parts.append(f'<text x="{LEFT - 12}" y="{top + BAR + 4}" text-anchor="end">{name}</text>')
        for line, (figure, colour) in enumerate(zip(figures, COLOURS.values(), strict=True)):
            y, length = top + line * (BAR + 1), figure * (WIDTH - LEFT - 50)
            parts.append(f'<rect x="{LEFT}" y="{y}" width="{length:.1f}" height="{BAR}" fill="{colour}"/>')
            parts.append(f'<text x="{LEFT + 6 + length:.1f}" y="{y + BAR - 1}" font-size="11">{figure:.3f}</text>')
    return "\n".join([*parts, "</svg>\n"])


def recall_figures() -> list[tuple[str, float, float]]:
    """Name, our figure and that of plain hybrid search, of those sets of the benchmark where more is better."""
    page = (DOCS / "benchmarks" / "recall.md").read_text(encoding="utf-8")
    table = page.split("All sets\n", 1)[1].split("\n\n", 1)[0]
    rows = [re.split(r" {2,}", line) for line in table.splitlines()[1:]]
    return [
        (name, float(cells[0]), float(cells[-1]))
        for name, *cells in rows
        if "withheld" not in name and not name.startswith("mean ")
    ]


# -- the reference pages ------------------------------------------------------------------------------------------


def settings_page() -> str:
    rows = [
        f"| `{f.name}` | {_default(f.default)} | {f.metadata['help']} | `HOLDFAST_{f.name.upper()}` |"
        for f in fields(Settings)
    ]
    return (
        GENERATED
        + "# Settings\n\nHoldfast works without any settings. The sources, in rising priority, are: the default, your "
        "`settings.toml`, environment variables, arguments. `HOLDFAST_SETTINGS` names another settings file. Holdfast "
        "never reads settings from a project's folder, because a repository you cloned must not decide where your "
        "memory is sent.\n\n"
        "| setting | default | what it does | environment variable |\n|---|---|---|---|\n" + "\n".join(rows) + "\n"
    )


def _default(value: object) -> str:
    return "" if value == "" else f"`{value}`"


def types_page() -> str:
    rows = []
    for memory_type in TypeRegistry():
        life = f"{memory_type.half_life_days:g} days" if memory_type.half_life_days else "does not decay"
        own = ", ".join(f"`{f.name}`{'' if f.required else '?'}" for f in memory_type.fields) or "–"
        section = memory_type.title if memory_type.in_memory_file else "–"
        weights = ", ".join(f"{phase} {weight:g}" for phase, weight in memory_type.phase_weights.items()) or "–"
        rows.append(f"| `{memory_type.name}` | {memory_type.help} | {life} | {section} | {weights} | {own} |")
    return (
        GENERATED
        + "# Memory types\n\nA memory of any type may consist of text alone. If it has structured fields, all fields "
        "without `?` are required. You can [register further types](../extending.md#add-a-memory-type); memories of "
        "unknown types are rejected. The weight multiplies the score in that phase of work; in all others it is 1.\n\n"
        "| type | meaning | half-life | section of MEMORY.md | phase weights | fields |\n|---|---|---|---|---|---|\n"
        + "\n".join(rows)
        + "\n"
    )


def errors_page() -> str:
    found = [e for e in vars(errors).values() if isinstance(e, type) and issubclass(e, errors.HoldfastError)]
    tree = (errors.__doc__ or "").split("\n\n")[1]
    rows = [f"| `{e.__name__}` | {(e.__doc__ or '').strip()} | {e.hint} |" for e in found]
    return (
        GENERATED + "# Errors\n\nEvery error says what happened and what to do next. All classes are in "
        "`holdfast.core.errors`.\n\n"
        f"```text\n{tree}\n```\n\n| error | what happened | what to do |\n|---|---|---|\n" + "\n".join(rows) + "\n"
    )


def filters_page() -> str:
    rows = [f"| `{f.name}` | {_type(f.type)} |" for f in fields(Filters)]
    return (
        GENERATED + f"# Filters\n\n{inspect.getdoc(Filters)}\n\n"
        "Filters are keyword arguments of `recall`, `list` and `count`.\n\n| filter | type |\n|---|---|\n"
        + "\n".join(rows)
        + "\n"
    )


def cli_page() -> str:
    """The help of every command, as the program prints it."""
    parts = [GENERATED + "# Command line\n\nExit codes: 0 success, 1 refused or a check failed, 2 wrong usage.\n"]
    for command in ((), *((name,) for name in command_names())):
        help_text = help_of(*command)
        parts.append(f"## holdfast {' '.join(command)}".rstrip() + f"\n\n```text\n{help_text}\n```\n")
    return "\n".join(parts)


def command_names() -> list[str]:
    from holdfast.interfaces.cli.command_table import COMMANDS

    return [command[0] for command in COMMANDS]


def help_of(*command: str) -> str:
    environment = {**os.environ, "COLUMNS": "100", "LANG": "C.UTF-8", "LC_ALL": "C.UTF-8", "NO_COLOR": "1"}
    environment.pop("HOLDFAST_LANGUAGE", None)
    done = subprocess.run(
        [sys.executable, "-m", "holdfast", *command, "--help"],
        capture_output=True, text=True, encoding="utf-8", check=True, env=environment,
    )  # fmt: skip
    return "\n".join(line.rstrip() for line in done.stdout.strip().splitlines())


def tools_page() -> str:
    """The MCP tools, as a client sees them."""
    from holdfast.interfaces.mcp.server import describe_tools

    parts = [
        GENERATED
        + "# MCP tools\n\n`holdfast mcp` serves these tools over stdin and stdout, or with `--http` over HTTP: the "
        'first five by default, all with the setting `mcp_tools = "all"`.\n'
    ]
    for tool in describe_tools():
        parts.append(f"## {tool['name']}\n\n{tool['description']}\n\n| parameter | type | |\n|---|---|---|")
        schema = tool["inputSchema"]
        for name, parameter in schema.get("properties", {}).items():
            required = " (required)" if name in schema.get("required", []) else ""
            parts.append(f"| `{name}` | {type_of(parameter)} | {parameter.get('description', '')}{required} |")
        parts.append("")
    return "\n".join(parts)


def type_of(schema: dict[str, object]) -> str:
    if "anyOf" in schema:
        options = schema["anyOf"]
        assert isinstance(options, list)
        return " or ".join(type_of(option) for option in options if option.get("type") != "null")
    return str(schema.get("type", "any"))


def api_page() -> str:
    """The Python API: `open`, every public method of a workspace and a session, and the exported types."""
    from holdfast.sessions.session import Session

    parts = [
        GENERATED
        + "# Python API\n\nThe public API is `holdfast.open` and the names that `holdfast` exports; other modules may "
        "change without notice. Methods raise [errors](errors.md) derived from `HoldfastError`.\n",
        "## open\n",
        signature_block("holdfast.open", holdfast.open),
        documentation(holdfast.open),
        "## Workspace\n\n" + documentation(holdfast.Workspace),
        contents("ws", holdfast.Workspace),
        *methods_of("ws", holdfast.Workspace),
        "## Session\n\n" + documentation(Session),
        *methods_of("session", Session),
        "## Types\n",
        *(type_entry(name, getattr(holdfast, name)) for name in exported_types()),
    ]
    return "\n".join(parts).rstrip() + "\n"


def exported_types() -> list[str]:
    """The exported classes that are described nowhere else."""
    elsewhere = (holdfast.Filters, holdfast.HoldfastError, holdfast.Session, holdfast.Settings, holdfast.Workspace)
    exported = {name: getattr(holdfast, name) for name in holdfast.__all__}
    return sorted(name for name, kind in exported.items() if isinstance(kind, type) and not issubclass(kind, elsewhere))


def members_of(owner: type) -> dict[str, object]:
    """The public methods and properties of a class in the order of the source: its own, then those of its bases."""
    found: dict[str, object] = {}
    for base in owner.__mro__[:-1]:
        for name, member in vars(base).items():
            if not name.startswith("_") and (isinstance(member, property) or inspect.isfunction(member)):
                found.setdefault(name, member)
    return found


def contents(variable: str, owner: type) -> str:
    """Links to the members of a class."""
    return " · ".join(f"[{name}](#{variable}{name})" for name in members_of(owner)) + "\n"


def methods_of(variable: str, owner: type) -> Iterator[str]:
    """The entries of the public methods and properties of a class."""
    for name, member in members_of(owner).items():
        if isinstance(member, property):
            yield f"### {variable}.{name}\n\n{documentation(member)}"
        elif inspect.isfunction(member):
            block = signature_block(f"{variable}.{name}", member)
            yield f"### {variable}.{name}\n\n{block}\n{documentation(member)}"


def signature_block(name: str, function: Callable[..., Any]) -> str:
    """A function's signature as a code block, on several lines when it is long."""
    signature = inspect.signature(function)
    shown = []
    for parameter in signature.parameters.values():
        if parameter.kind is inspect.Parameter.KEYWORD_ONLY and "*" not in shown:
            shown.append("*")
        if parameter.name != "self":
            shown.append(_parameter(parameter))
    line = f"{name}({', '.join(shown)}) -> {signature.return_annotation}"
    if len(line) > SIGNATURE_WIDTH:
        line = f"{name}(\n" + "".join(f"    {text},\n" for text in shown) + f") -> {signature.return_annotation}"
    return f"```text\n{line}\n```\n"


def _parameter(parameter: inspect.Parameter) -> str:
    """One parameter; its annotation is a string already, which `str(parameter)` would quote."""
    stars = {"VAR_POSITIONAL": "*", "VAR_KEYWORD": "**"}.get(parameter.kind.name, "")
    default = "" if parameter.default is inspect.Parameter.empty else f" = {parameter.default!r}"
    if callable(parameter.default) and default:
        default = " = …"  # a function's repr contains its address
    return f"{stars}{parameter.name}: {parameter.annotation}{default}"


def documentation(documented: Any) -> str:
    """A docstring as text of the page."""
    return (inspect.getdoc(documented) or "") + "\n"


def type_entry(name: str, exported: type) -> str:
    """The docstring of an exported class, with its fields, its values or its methods."""
    parts = [f"### {name}\n\n{documentation(exported)}"]
    if issubclass(exported, Enum):
        values = ", ".join(f"`{member.value}`" for member in exported)
        parts += [f"Values: {values}.\n"] if values else []
    elif rows := field_rows(exported):
        parts.append("| field | type | default |\n|---|---|---|\n" + "\n".join(rows) + "\n")
    else:
        parts += [part.replace("### ", "#### ", 1) for part in methods_of(name, exported)]
    return "\n".join(parts)


def field_rows(exported: type) -> list[str]:
    """One row per field of a dataclass or named tuple."""
    if is_dataclass(exported):
        return [f"| `{f.name}` | {_type(f.type)} | {_field_default(f)} |" for f in fields(exported)]
    defaults: dict[str, Any] = getattr(exported, "_field_defaults", {})
    return [
        f"| `{name}` | {_type(exported.__annotations__[name])} | "
        + (f"`{defaults[name]!r}` |" if name in defaults else "required |")
        for name in getattr(exported, "_fields", ())
    ]


def _type(annotation: object) -> str:
    text = annotation.__forward_arg__ if isinstance(annotation, ForwardRef) else str(annotation)
    return "`" + text.replace("|", "\\|") + "`"  # an unescaped | would end the table cell


def _field_default(field: Field[Any]) -> str:
    if callable(field.default):
        return "a function"  # its repr contains its address
    if field.default is not MISSING:
        return f"`{field.default!r}`"
    return "empty" if field.default_factory is not MISSING else "required"


PAGES: dict[str, Callable[[], str]] = {
    "reference/api.md": api_page,
    "reference/settings.md": settings_page,
    "reference/types.md": types_page,
    "reference/errors.md": errors_page,
    "reference/filters.md": filters_page,
    "reference/cli.md": cli_page,
    "reference/tools.md": tools_page,
    "pictures/recall.svg": recall_chart,
}

if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
