"""The tools about the project's code: what a change affects, what code depends on, how data flows."""

from __future__ import annotations

from holdfast.interfaces.mcp import calls
from holdfast.interfaces.mcp.schemas import (
    LONGEST_NAME,
    Schema,
    count_schema,
    limit_schema,
    list_schema,
    object_schema,
    text_schema,
)
from holdfast.interfaces.mcp.tool import Tool

_DEEPEST = 10
_USUAL_LINES, _MOST_LINES = 25, 200
_TARGET = "File, folder, file:symbol or file:line, relative to the project: src/auth/tokens.py:verify."


def analyze_impact() -> Tool:
    """Shows what a change affects."""
    return Tool(
        "analyze_impact",
        "Analyze the impact of a change",
        "Show what a change of a file or function can break: the code that depends on it, directly and through others, "
        "by which path and how closely; the tests to run; the memories about that code. Use it before you change code "
        "that other code uses, and to choose which tests to run. Calls through variables and events are not seen.",
        _input(3),
        calls.impact,
        {
            "files": count_schema("Number of files that depend on it."),
            "tests": list_schema("The tests to run, the nearest first.", 0),
        },
        read_only=True,
    )


def get_dependencies() -> Tool:
    """Shows what code depends on."""
    return Tool(
        "get_dependencies",
        "Get the dependencies of code",
        "List the code of this project that a file or function depends on, directly or through others, and the names "
        "in it that could not be resolved. Use it to learn what you must read before you change code. For the "
        "opposite direction use analyze_impact.",
        _input(1),
        calls.dependencies,
        {"files": count_schema("Number of files that it depends on.")},
        read_only=True,
    )


def trace_data_flow() -> Tool:
    """Traces data through calls."""
    return Tool(
        "trace_data_flow",
        "Trace the flow of data",
        "Show how data gets to a function and where it goes: the entry points (programs, commands, routes, handlers) "
        "that lead to it, the functions it calls, those that get its result, and where errors are raised and handled. "
        "Without a target it lists the entry points of the project. Use it to understand unknown code.",
        _input(3, required=()),
        calls.flow,
        {"entry_points": count_schema("Number of entry points that lead to it, or of the project.")},
        read_only=True,
    )


def _input(depth: int, required: tuple[str, ...] = ("target",)) -> Schema:
    return object_schema(
        {
            "target": text_schema(_TARGET, 5 * LONGEST_NAME),
            "depth": limit_schema("Maximum number of steps.", depth, _DEEPEST),
            "limit": limit_schema("Maximum number of lines per part of the answer.", _USUAL_LINES, _MOST_LINES),
        },
        required,
    )
