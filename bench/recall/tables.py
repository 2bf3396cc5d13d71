"""The recall report: many systems side by side, shares with floors instead of milliseconds with ceilings."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from bench.measure import Measurement
from bench.recall.pool import Scores
from bench.tables import DOCS, Report, Section, aligned

OURS = "Holdfast"


@dataclass(frozen=True, slots=True)
class Share(Measurement):
    """A figure that should reach its budget instead of staying under it."""

    unit: str = "share"

    @property
    def holds(self) -> bool | None:
        return None if self.budget is None else self.p50 >= self.budget

    @property
    def more_is_better(self) -> bool:
        return True


@dataclass(frozen=True, slots=True)
class Table:
    """Cells as they are read, and the figures behind them."""

    title: str
    cells: tuple[tuple[str, ...], ...]
    figures: tuple[Measurement, ...] = ()


@dataclass(frozen=True, slots=True)
class RecallReport(Report):
    """A report that is read as tables; its sections are the same figures for programs."""

    tables: tuple[Table, ...] = field(default=())


def report(command: str, tables: Sequence[Table], notes: Sequence[str]) -> RecallReport:
    sections = tuple(Section(table.title, table.figures) for table in tables)
    return RecallReport("recall", command, sections, tuple(notes), tables=tuple(tables))


def as_text(report: Report) -> str:
    """The report as aligned plain text."""
    assert isinstance(report, RecallReport)
    said = ", ".join(f"{name} {value}" for name, value in report.machine.items() if value is not None)
    parts = [f"$ {report.command}", said]
    parts += [f"{table.title}\n{aligned(table.cells)}" for table in report.tables]
    if report.notes:
        parts.append("\n".join(f"- {note}" for note in report.notes))
    return "\n\n".join(parts)


def write_docs(report: Report, path: Path = DOCS) -> None:
    """Puts the report between its markers in the page on benchmarks."""
    begin, end = f"<!-- bench {report.bench} -->", f"<!-- end of bench {report.bench} -->"
    before, _, rest = path.read_text(encoding="utf-8").partition(begin)
    _, found, after = rest.partition(end)
    if not found:
        raise ValueError(f"{path.name} lacks the markers {begin} and {end}")
    path.write_text(f"{before}{begin}\n```text\n{as_text(report)}\n```\n{end}{after}", encoding="utf-8")


def side_by_side(title: str, systems: Mapping[str, Scores], floors: Mapping[str, float]) -> Table:
    """Figures downwards, systems across, ours first with its floors. What could not be measured is left out."""
    ours = {name: figure for name, figure in systems[OURS].items() if figure == figure}
    others = [name for name in systems if name != OURS]
    header = ("", OURS, "floor", "", *others)
    lines = [
        (name, share(figure), *_verdict(figure, floors.get(name)), *(share(systems[o].get(name)) for o in others))
        for name, figure in ours.items()
    ]
    figures = [Share(name, figure, budget=floors.get(name)) for name, figure in ours.items()]
    figures += [
        Share(f"{name}, {other}", figure)
        for other in others
        for name, figure in systems[other].items()
        if name in ours and figure == figure
    ]
    return Table(title, _without_empty((header, *lines)), tuple(figures))


def by_row(title: str, columns: Sequence[str], rows: Mapping[str, Scores]) -> Table:
    """Shares with a name for each row and each column."""
    lines = [(row, *(share(scores.get(column)) for column in columns)) for row, scores in rows.items()]
    figures = (Share(f"{row}, {c}", s[c]) for row, s in rows.items() for c in columns if s.get(c, _NAN) == s.get(c))
    return Table(title, (("", *columns), *lines), tuple(figures))


def with_differences(title: str, usual: Scores, rows: Mapping[str, Scores]) -> Table:
    """The usual shares, and by how much those of each row differ from them."""
    columns = [name for name, figure in usual.items() if figure == figure]
    lines = [("default", *(share(usual[column]) for column in columns))]
    lines += [(row, *(f"{scores[c] - usual[c]:+.3f}" for c in columns)) for row, scores in rows.items()]
    figures = (Share(f"{row}, {column}", scores[column]) for row, scores in rows.items() for column in columns)
    return Table(title, (("", *columns), *lines), tuple(figures))


def times(title: str, rows: Sequence[Measurement]) -> Table:
    """Medians and what one in twenty exceeds."""
    lines = [(row.name, f"{row.p50:.1f}", "" if row.p95 is None else f"{row.p95:.1f}", row.unit) for row in rows]
    return Table(title, (("", "p50", "p95", "unit"), *lines), tuple(rows))


def share(figure: float | None) -> str:
    return "" if figure is None or figure != figure else f"{figure:.3f}"


_NAN = float("nan")


def _verdict(figure: float, floor: float | None) -> tuple[str, str]:
    return ("", "") if floor is None else (f"≥ {floor:.3f}", "holds" if figure >= floor else "MISSED")


def _without_empty(rows: Sequence[tuple[str, ...]]) -> tuple[tuple[str, ...], ...]:
    kept = [place for place in range(len(rows[0])) if place == 0 or any(row[place] for row in rows[1:])]
    return tuple(tuple(row[place] for place in kept) for row in rows)
