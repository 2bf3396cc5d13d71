"""Records how a unit of work ended, in the way of the methodology in force."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import TYPE_CHECKING, Any

from holdfast.core.admission import Candidate
from holdfast.core.answer import Filters
from holdfast.core.frozen import frozen

if TYPE_CHECKING:
    from holdfast.core.admission import Admission
    from holdfast.core.memory import WorkUnit
    from holdfast.core.methodology import Methodology, WorkResult
    from holdfast.observer.calibrations import PlannedWork
    from holdfast.observer.qa import QaFailure
    from holdfast.store.reading import MemoryReading

_WORK_STATE, _OUTCOME = "work_state", "work_unit_outcome"
_MOST_READ = 1_000


@frozen
class WorkOutcomes:
    """Stores outcomes and states of the work through `remember_all`: one of each for a unit of work, the latest.

    `calibrate` keeps how many steps a unit took that succeeded, for the plans of later ones in the same modules.
    """

    methodology: Methodology
    remember_all: Callable[[Iterable[Candidate]], tuple[Admission, ...]]
    calibrate: Callable[[PlannedWork, Iterable[str]], tuple[Admission, ...]]
    reading: MemoryReading
    project: str

    def record(
        self,
        context: Mapping[str, str],
        result: WorkResult,
        report: str = "",
        session: str | None = None,
        modules: Iterable[str] = (),
        failures: Iterable[QaFailure] = (),
    ) -> tuple[Admission, ...]:
        """Stores the outcome of a unit of work, its grave failures and, if the report says, where the work stands."""
        from holdfast.observer.qa import qa_candidates

        kept: list[Admission] = []
        unit = self.methodology.resolve_work_unit(context)

        def keep(text: str, type: str = "fact", **fields: Any) -> Admission:
            candidate = Candidate(text, type, session=session, replaces=self._earlier(type, unit)).with_fields(fields)
            kept.extend(self.remember_all([candidate]))
            return kept[-1]

        self.methodology.on_work_unit_complete(context, result, keep)
        state = self.methodology.extract_work_state(report) if report else {}
        if state:
            origin = {"work_unit": unit, "methodology": self.methodology.id, "source": "observer_inferred"}
            text = f"{unit.label}: {self.methodology.format_work_state(state)}"
            keep(text, _WORK_STATE, fields=dict(state), **origin)
        found = self.remember_all(qa_candidates(session, failures))
        return (*kept, *found, *self._calibrations(unit, result, session, modules))

    def _earlier(self, type: str, unit: WorkUnit) -> tuple[str, ...]:
        """The memories that say how the same unit of work ended, or stood, before."""
        if type not in (_OUTCOME, _WORK_STATE):
            return ()
        found = self.reading.memories(self.project, Filters(types=(type,)), limit=_MOST_READ)
        return tuple(memory.id for memory in found if memory.work_unit == unit)

    def _calibrations(
        self, unit: WorkUnit, result: WorkResult, session: str | None, modules: Iterable[str]
    ) -> tuple[Admission, ...]:
        from holdfast.observer.calibrations import PlannedWork, main_modules

        planned, taken = result.steps_planned, result.steps_taken
        if not result.succeeded or planned is None or taken is None:
            return ()
        work = PlannedWork(unit.label, planned, taken, session)
        return self.calibrate(work, tuple(modules) or main_modules(result.files_changed))
