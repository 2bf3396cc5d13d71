"""The tables of the recall benchmark: systems side by side, shares with a minimum."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from bench.recall.everyday import WITHHELD, WRONG
from bench.recall.pool import Scores
from holdfast.bench.measure import Measurement
from holdfast.bench.reports import Section

OURS = "Holdfast"
_ERRORS = (WITHHELD, WRONG)


@dataclass(frozen=True, slots=True)
class Share(Measurement):
    """A figure that must reach its budget."""

    unit: str = "share"

    @property
    def holds(self) -> bool | None:
        return None if self.budget is None else self.p50 >= self.budget

    @property
    def more_is_better(self) -> bool:
        return True


@dataclass(frozen=True, slots=True)
class ErrorShare(Share):
    """A share of errors, which must not exceed its budget."""

    unit: str = "share of errors"

    @property
    def holds(self) -> bool | None:
        return None if self.budget is None else self.p50 <= self.budget

    @property
    def more_is_better(self) -> bool:
        return False


def side_by_side(title: str, systems: Mapping[str, Scores], floors: Mapping[str, float]) -> Section:
    """Lists figures as rows and systems as columns, Holdfast first with its floors. NaN figures are left out."""
    ours = {name: figure for name, figure in systems[OURS].items() if figure == figure}
    others = [name for name in systems if name != OURS]
    header = ("", OURS, "floor", "", *others)
    lines = [
        (
            name,
            share(figure),
            *_verdict(_measured(name, figure, floors)),
            *(share(systems[o].get(name)) for o in others),
        )
        for name, figure in ours.items()
    ]
    figures = [_measured(name, figure, floors) for name, figure in ours.items()]
    figures += [
        _measured(f"{name}, {other}", figure, {}, name)
        for other in others
        for name, figure in systems[other].items()
        if name in ours and figure == figure
    ]
    return Section(title, tuple(figures), cells=_without_empty((header, *lines)))


def by_row(title: str, columns: Sequence[str], rows: Mapping[str, Scores]) -> Section:
    """A table of shares with named rows and columns."""
    lines = [(row, *(share(scores.get(column)) for column in columns)) for row, scores in rows.items()]
    figures = (Share(f"{row}, {c}", s[c]) for row, s in rows.items() for c in columns if s.get(c, _NAN) == s.get(c))
    return Section(title, tuple(figures), cells=(("", *columns), *lines))


def with_differences(title: str, usual: Scores, rows: Mapping[str, Scores]) -> Section:
    """The default shares, and the difference of each row from them."""
    columns = [name for name, figure in usual.items() if figure == figure]
    lines = [("default", *(share(usual[column]) for column in columns))]
    lines += [
        (row, *(f"{scores[c] - usual[c]:+.3f}" if c in scores else "" for c in columns)) for row, scores in rows.items()
    ]
    figures = (Share(f"{row}, {c}", scores[c]) for row, scores in rows.items() for c in columns if c in scores)
    return Section(title, tuple(figures), cells=(("", *columns), *lines))


def times(title: str, rows: Sequence[Measurement]) -> Section:
    """Medians and 95th percentiles."""
    lines = [(row.name, f"{row.p50:.1f}", "" if row.p95 is None else f"{row.p95:.1f}", row.unit) for row in rows]
    return Section(title, tuple(rows), cells=(("", "p50", "p95", "unit"), *lines))


def is_error(figure: str) -> bool:
    """Is less of this figure better?"""
    return figure.endswith(_ERRORS)


def share(figure: float | None) -> str:
    return "" if figure is None or figure != figure else f"{figure:.3f}"


_NAN = float("nan")


def _measured(name: str, figure: float, floors: Mapping[str, float], kind: str = "") -> Share:
    """A share with its floor; for errors, with its maximum. `kind` is the figure's name without the system."""
    return (ErrorShare if is_error(kind or name) else Share)(name, figure, budget=floors.get(name))


def _verdict(measured: Share) -> tuple[str, str]:
    if measured.budget is None:
        return "", ""
    sign = "≥" if measured.more_is_better else "≤"
    return f"{sign} {measured.budget:.3f}", "holds" if measured.holds else "MISSED"


def _without_empty(rows: Sequence[tuple[str, ...]]) -> tuple[tuple[str, ...], ...]:
    kept = [place for place in range(len(rows[0])) if place == 0 or any(row[place] for row in rows[1:])]
    return tuple(tuple(row[place] for place in kept) for row in rows)
