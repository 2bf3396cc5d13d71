"""Compares the steps that units of work were planned with and the steps they took, by module."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any, NamedTuple

from holdfast.core.admission import Candidate
from holdfast.observer.detect import module_of
from holdfast.observer.promote import Promoted

if TYPE_CHECKING:
    from datetime import datetime

    from holdfast.core.memory import Memory

SIGNAL = "planned_steps"
# A calibration is computed from the latest units of work; its attributes list them.
_UNITS, _MOST_UNITS = "units", 50
# The figures were reported, not inferred.
_CONFIDENCE = 0.8


class PlannedWork(NamedTuple):
    """A unit of work that was done: its name, the steps that were planned and taken, and its session, if known."""

    unit: str
    planned: int
    taken: int
    session: str | None = None


def main_modules(files: Iterable[str]) -> tuple[str, ...]:
    """The module in which most of the files are; none if that is the top of the project."""
    counts = Counter(module_of(path) for path in files)
    found = counts.most_common(1)
    return (found[0][0],) if found and found[0][0] != "." else ()


def session_unit(session: str) -> str:
    """The name of the work of a session that reports its plan, but names no unit of work."""
    return f"session {session}"


def calibration(module: str, work: PlannedWork, before: Memory | None, at: datetime | None) -> Promoted | None:
    """What the units of work in a module took, this one included; replaces the calibration from those before it.

    Each unit counts once. None if it is known, or if the work of the session was reported as that of a unit already.
    """
    known: Mapping[str, Any] = before.attributes.get(_UNITS, {}) if before is not None else {}
    own = session_unit(work.session) if work.session else ""
    if work.unit == own and any(one[-1] == work.session for unit, one in known.items() if unit != own):
        return None
    if list(known.get(work.unit, ())) == [work.planned, work.taken, work.session]:
        return None
    kept = {unit: one for unit, one in known.items() if unit not in (work.unit, own)}
    units = dict([*kept.items(), (work.unit, [work.planned, work.taken, work.session])][-_MOST_UNITS:])
    planned, taken = (sum(int(one[place]) for one in units.values()) for place in (0, 1))
    count = len(units)
    fields: dict[str, Any] = {
        "module": module, "ratio": round(taken / planned, 2), "sample_count": count,
        "average_planned_steps": round(planned / count, 1), "average_actual_steps": round(taken / count, 1),
    }  # fmt: skip
    counted = "1 unit of work" if count == 1 else f"the average of {count} units of work"
    text = (
        f"Work in `{module}` took {_steps(fields['average_actual_steps'])} where "
        f"{_steps(fields['average_planned_steps'])} had been planned ({counted})."
    )
    # Of a session that names no unit, all steps are its work.
    shown = tuple(
        (one[-1], (1, int(one[1]))) for unit, one in units.items() if one[-1] and unit == session_unit(one[-1])
    )
    candidate = Candidate(
        text, "task_calibration", modules=(module,), source="observer_inferred", session=work.session,
        confidence=_CONFIDENCE, scope="module", replaces=(before.id,) if before is not None else (), fields=fields,
        when=at, attributes={"signal": SIGNAL, "evidence": {id: list(steps) for id, steps in shown}, _UNITS: units},
        provenance_sessions=tuple(one[-1] for one in units.values() if one[-1]),
    )  # fmt: skip
    return Promoted(SIGNAL, (module,), count, 1.0, candidate, shown)


def _steps(number: float) -> str:
    return f"{number:g} step{'' if number == 1 else 's'}"
