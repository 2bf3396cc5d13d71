"""Prints the report of every benchmark as text or JSON."""

from __future__ import annotations

import json
import math
import os
import platform
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from holdfast.bench.measure import Measurement

VERDICTS = {True: "holds", False: "MISSED", None: ""}  # Is a budget or a target met? None if there is none.


@dataclass(frozen=True, slots=True)
class Figure:
    """One line of a table of texts; `target` is the goal as text, `holds` whether it is reached."""

    name: str
    value: str
    target: str = ""
    holds: bool | None = None


@dataclass(frozen=True, slots=True)
class Section:
    """Rows of one table; with a peer, the peer's rows of the same names are shown beside them.

    `cells` replace the rows in the text, for lines with more than one figure, such as several systems side by side.
    `figures` are lines of texts, such as "18 of 18", in a table without rows.
    """

    title: str
    rows: tuple[Measurement, ...]
    peer: str = ""
    peer_rows: tuple[Measurement, ...] = ()
    cells: tuple[tuple[str, ...], ...] = ()
    figures: tuple[Figure, ...] = ()

    @property
    def is_missed(self) -> bool:
        """Is a budget or a target of the table missed?"""
        return False in [*(row.holds for row in self.rows), *(figure.holds for figure in self.figures)]

    def beside(self, row: Measurement) -> Measurement | None:
        return next((theirs for theirs in self.peer_rows if theirs.name == row.name), None)


def machine() -> dict[str, Any]:
    """Describes the machine. A load above the number of cores means that the figures are too high."""
    load = round(os.getloadavg()[0], 1) if hasattr(os, "getloadavg") else None
    return {
        "python": platform.python_version(),
        "system": f"{platform.system()} {platform.machine()}",
        "cores": os.cpu_count(),
        "load": load,
    }


@dataclass(frozen=True, slots=True)
class Report:
    """The result of one run of a benchmark."""

    bench: str
    command: str
    sections: tuple[Section, ...]
    notes: tuple[str, ...] = ()
    machine: Mapping[str, Any] = field(default_factory=machine)


def ratio(ours: Measurement, theirs: Measurement) -> float:
    """How many times better Holdfast is; below 1 it is worse."""
    above, below = (ours.p50, theirs.p50) if ours.more_is_better else (theirs.p50, ours.p50)
    return above / below if below else math.inf


def as_text(report: Report) -> str:
    """The report as aligned plain text."""
    described = ", ".join(f"{name} {value}" for name, value in report.machine.items() if value is not None)
    parts = [f"$ {report.command}", described]
    parts += [f"{section.title}\n{table_text(section)}" for section in report.sections]
    if report.notes:
        parts.append("\n".join(f"- {note}" for note in report.notes))
    return "\n\n".join(parts)


def as_json(report: Report) -> str:
    """The report for programs: `sections[].rows[]` with name, p50, p95, unit, budget, holds, peer and ratio.

    Figures that are texts have name, value, target and holds.
    """
    content = {
        "bench": report.bench,
        "command": report.command,
        "machine": dict(report.machine),
        "sections": [
            {
                "title": s.title,
                "peer": s.peer or None,
                "rows": [_row(s, row) for row in s.rows] + list(map(asdict, s.figures)),
            }
            for s in report.sections
        ],
        "notes": list(report.notes),
    }
    return json.dumps(content, indent=2)


def write_docs(report: Report, folder: Path) -> None:
    """Writes the report between its markers in the page of its benchmark, such as docs/benchmarks/store.md."""
    path = folder / f"{report.bench.split()[0]}.md"
    begin, end = f"<!-- bench {report.bench} -->", f"<!-- end of bench {report.bench} -->"
    before, _, rest = path.read_text(encoding="utf-8").partition(begin)
    _, found, after = rest.partition(end)
    if not found:
        raise ValueError(f"{path.name} lacks the markers {begin} and {end}")
    path.write_text(f"{before}{begin}\n```text\n{as_text(report)}\n```\n{end}{after}", encoding="utf-8")


def _row(section: Section, row: Measurement) -> dict[str, Any]:
    theirs = section.beside(row)
    return {
        "name": row.name,
        "p50": row.p50,
        "p95": row.p95,
        "unit": row.unit,
        "budget": row.budget,
        "holds": row.holds,
        "peer": {"p50": theirs.p50, "p95": theirs.p95} if theirs else None,
        "ratio": ratio(row, theirs) if theirs else None,
    }


def table_text(section: Section) -> str:
    """The lines of a table as aligned plain text, without its title."""
    if section.cells:
        return aligned(section.cells)
    if section.figures:
        lines = [(line.name, line.value, line.target, VERDICTS[line.holds]) for line in section.figures]
        return aligned([("", "", "target", ""), *lines])
    columns = [["", *(row.name for row in section.rows)], *_figures(section)]
    shown = [column for column in columns if any(column[1:])]
    return aligned(list(zip(*shown, strict=True)))


def _figures(section: Section) -> list[list[str]]:
    rows = section.rows
    theirs = [section.beside(row) for row in rows]
    pairs = list(zip(rows, theirs, strict=True))
    return [
        ["p50", *(_number(row.p50) for row in rows)],
        ["p95", *(_number(row.p95) for row in rows)],
        ["unit", *(row.unit for row in rows)],
        ["budget", *map(_budget, rows)],
        ["", *(VERDICTS[row.holds] for row in rows)],
        [section.peer, *(_number(other.p50) if other else "" for other in theirs)],
        [f"{section.peer} p95", *(_number(other.p95) if other else "" for other in theirs)],
        ["ratio", *(f"{_number(ratio(row, other))}×" if other else "" for row, other in pairs)],
    ]


def _budget(row: Measurement) -> str:
    if row.budget is None:
        return ""
    return f"{'≥' if row.more_is_better else '<'} {_number(row.budget)}"


def aligned(rows: Sequence[Sequence[str]]) -> str:
    """Aligns cells in columns: text to the left, figures to the right."""
    widths = [max(len(cell) for cell in column) for column in zip(*rows, strict=True)]
    right = [all(_is_figure(cell) for cell in column[1:]) for column in zip(*rows, strict=True)]
    lines = (
        "  ".join(
            cell.rjust(width) if figures else cell.ljust(width)
            for cell, width, figures in zip(row, widths, right, strict=True)
        )
        for row in rows
    )
    return "\n".join(line.rstrip() for line in lines)


def _is_figure(cell: str) -> bool:
    return not cell or cell[0].isdigit() or cell[0] in "<≥≤"


def _number(value: float | None) -> str:
    if value is None:
        return ""
    if value >= 100:
        return f"{value:,.0f}"
    return f"{value:.1f}" if value >= 10 else f"{value:.2f}"
