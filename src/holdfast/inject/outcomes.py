"""Records how a unit of work ended, in the way of the methodology in force."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import TYPE_CHECKING, Any

from holdfast.core.admission import Candidate
from holdfast.core.frozen import frozen

if TYPE_CHECKING:
    from holdfast.core.admission import Admission
    from holdfast.core.methodology import Methodology, WorkResult

_WORK_STATE = "work_state"


@frozen
class WorkOutcomes:
    """Stores outcomes and states of the work through `remember_all`."""

    methodology: Methodology
    remember_all: Callable[[Iterable[Candidate]], tuple[Admission, ...]]

    def record(
        self, context: Mapping[str, str], result: WorkResult, report: str = "", session: str | None = None
    ) -> tuple[Admission, ...]:
        """Stores the outcome of a unit of work and, if the report says it, where the work stands."""
        kept: list[Admission] = []

        def keep(text: str, type: str = "fact", **fields: Any) -> Admission:
            kept.extend(self.remember_all([Candidate(text, type, session=session).with_fields(fields)]))
            return kept[-1]

        unit = self.methodology.resolve_work_unit(context)
        self.methodology.on_work_unit_complete(context, result, keep)
        state = self.methodology.extract_work_state(report) if report else {}
        if state:
            origin = {"work_unit": unit, "methodology": self.methodology.id, "source": "observer_inferred"}
            text = f"{unit.label}: {self.methodology.format_work_state(state)}"
            keep(text, _WORK_STATE, fields=dict(state), **origin)
        return tuple(kept)
