"""Renders answers about code for a model: short lines, nearest first."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from holdfast.core.citation import plain
from holdfast.core.ids import short
from holdfast.interfaces.mcp.plain import label, line, quoted
from holdfast.interfaces.mcp.render import NOTE, ToolReply

if TYPE_CHECKING:
    from holdfast.core.code_analysis import (
        Arrival,
        DataFlow,
        Dependencies,
        ErrorFlow,
        FlowStep,
        Impact,
        LinkedMemory,
        ReachedCode,
    )

_MOST_MEMORIES, _LONGEST_MEMORY = 5, 300
_MOST_TESTS = 100


def impact(found: Impact, limit: int) -> ToolReply:
    """Renders what a change affects, tests to run, memories and files that change together."""
    files = len({code.path for code in found.affected})
    tests = [line(id) for test in found.tests for id in test.ids]
    counts = f"{files} files depend on it, {len(found.direct)} directly, {len(found.affected)} places in all."
    summary = counts if files else "No code is known to depend on it."
    together = [f"{line(p.path)} ({p.commits} commits, {p.confidence:.0%})" for p in found.co_changed]
    parts = [
        f"{line(found.target)} ({found.kind}): {summary}",
        *_section("Affected code (depth, weight, name, how)", _reached(found.affected), limit),
        *_section("Tests to run, the nearest first", tests, limit),
        *_memories(found.memories),
        *_section("Usually changed together", together, limit),
        *_stale(found.stale),
    ]
    return ToolReply("\n\n".join(parts), {"files": files, "tests": tests[:_MOST_TESTS]})


def dependencies(found: Dependencies, limit: int) -> ToolReply:
    """Renders what code depends on, and what could not be resolved."""
    files = len({code.path for code in found.needed})
    unresolved = [f"line {name.line}: {line(name.expression)}" for name in found.unresolved]
    parts = [
        f"{line(found.target)} ({found.kind}): depends on {files} files of the project.",
        *_section("Needed code (depth, weight, name, how)", _reached(found.needed), limit),
        *_section("Not resolved", unresolved, limit),
        *_stale(found.stale),
    ]
    return ToolReply("\n\n".join(parts), {"files": files})


def flow(found: DataFlow, limit: int) -> ToolReply:
    """Renders where data comes from and where it goes."""
    start = f": {_signature(found.start)}" if found.start else ""
    parts = [
        f"{line(found.target)} ({found.kind}){start}",
        *_section("Arrives from", map(_arrival, found.arrivals), limit),
        *_section("Passed to", map(_step, found.passed_to), limit),
        *_section("Returned to", map(_step, found.returned_to), limit),
        *_section("Errors", map(_error, found.errors), limit),
        *_stale(found.stale),
    ]
    if len(parts) == 1:
        parts.append("No calls to it or from it are known.")
    return ToolReply("\n\n".join(parts), {"entry_points": len(found.arrivals)})


def entry_points(points: Sequence[Arrival], limit: int) -> ToolReply:
    """Renders the entry points of a project."""
    lines = [f"{p.kind} {line(p.entry)}: {line(p.via[0])}, line {p.line}" for p in points]
    parts = list(_section("Entry points", lines, limit)) or ["No entry points were found."]
    return ToolReply("\n\n".join(parts), {"entry_points": len(points)})


def _section(title: str, lines: Iterator[str] | Sequence[str] | map[str], limit: int) -> Iterator[str]:
    shown = list(lines)
    if shown:
        more = [f"- and {len(shown) - limit} more"] if len(shown) > limit else []
        yield "\n".join([f"{title}:", *(f"- {text}" for text in shown[:limit]), *more])


def _reached(codes: Sequence[ReachedCode]) -> Iterator[str]:
    for code in codes:
        through = f" through {line(code.via[-2])}" if code.depth > 1 else ""
        sure = "" if code.confidence == "exact" else f", {code.confidence}"
        at = f", line {code.line}" if code.line else ""
        yield f"{code.depth}, {code.weight:.2f}, {line(code.name)}{at}, {code.types[-1]}{through}{sure}"


def _memories(memories: Sequence[LinkedMemory]) -> Iterator[str]:
    if memories:
        shown = [
            f"[Memory #{short(m.id)}] {m.type} · {label(m.path)}\n{quoted(plain(m.text)[:_LONGEST_MEMORY])}"
            for m in memories[:_MOST_MEMORIES]
        ]
        yield "\n".join([NOTE, *shown])


def _arrival(arrival: Arrival) -> str:
    return f"{arrival.kind} {line(arrival.entry)}: {' -> '.join(map(line, arrival.via))}"


def _step(step: FlowStep) -> str:
    through = f", through {line(step.via[-2])}" if step.depth > 1 else ""
    return f"{line(step.name)}{_signature(step)}{through}"


def _signature(step: FlowStep) -> str:
    returns = f" -> {line(step.returns)}" if step.returns else ""
    return f"({', '.join(map(line, step.parameters))}){returns}"


def _error(error: ErrorFlow) -> str:
    handled = f"; handled in {', '.join(map(line, error.handled_in[:5]))}" if error.handled_in else "; not handled"
    return f"{line(error.name)}: raised in {', '.join(map(line, error.raised_in[:5]))}{handled}"


def _stale(paths: Sequence[str]) -> Iterator[str]:
    if paths:
        yield f"Indexing: {len(paths)} files changed and are left out, so this may be incomplete."
