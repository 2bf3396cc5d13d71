"""The tools about the project's code: what a change affects, what code depends on, how data flows."""

from __future__ import annotations

from holdfast.interfaces.mcp import calls
from holdfast.interfaces.mcp.schemas import (
    LONGEST_NAME,
    Schema,
    count_schema,
    limit_schema,
    object_schema,
    text_schema,
)
from holdfast.interfaces.mcp.tool import Tool

_DEEPEST = 10
_USUAL_LINES, _MOST_LINES = 25, 200
_TARGET = "File, folder, file:symbol or file:line: src/auth/tokens.py:verify."


def analyze_impact() -> Tool:
    """Shows what a change affects."""
    return Tool(
        "analyze_impact",
        "Analyze the impact of a change",
        "Show what a change of a file or function can break, which tests to run and what memory says about it, before "
        "you change code that other code uses.",
        _input(3),
        calls.impact,
        {"files": count_schema(), "tests": {"type": "array", "items": {"type": "string"}}},
        read_only=True,
        first=True,
    )


def get_dependencies() -> Tool:
    """Shows what code depends on."""
    return Tool(
        "get_dependencies",
        "Get the dependencies of code",
        "List the code of this project that a file or function depends on, to learn what you must read before you "
        "change it; for the opposite direction use analyze_impact.",
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
        "Show how data gets to a function and where it goes, to understand unknown code: entry points that lead to it, "
        "calls, receivers of its result, errors; without a target, the entry points of the project.",
        _input(3, required=()),
        calls.flow,
        {"entry_points": count_schema("Number of entry points that lead to it, or of the project.")},
        read_only=True,
    )


def _input(depth: int, required: tuple[str, ...] = ("target",)) -> Schema:
    return object_schema(
        {
            "target": text_schema(_TARGET, 5 * LONGEST_NAME),
            "depth": limit_schema("Most steps.", depth, _DEEPEST),
            "limit": limit_schema("Most lines per part.", _USUAL_LINES, _MOST_LINES),
        },
        required,
    )
