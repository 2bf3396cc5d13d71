"""What an agent in a role should know before it begins: planner, coder, QA, and the stages of a methodology.

Planning uses memory to change the plan: calibrations multiply the estimate, dead ends become constraints, and files
that change together widen the scope.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING, Any

from holdfast.core.answer import Citation, Filters, Pack, Trace
from holdfast.core.citation import cite, memory_line, one_line
from holdfast.core.errors import InvalidInput
from holdfast.core.frozen import frozen
from holdfast.core.ids import short
from holdfast.inject.first_prompt import FILES
from holdfast.inject.step_limit import CALIBRATION, calibrations

if TYPE_CHECKING:
    from holdfast.core.memory import Memory
    from holdfast.core.methodology import Methodology
    from holdfast.models.protocols import TokenCounter
    from holdfast.recall.recaller import Recaller

BUDGET = 3_000
_TRACE = Trace("brief")
_RELAYED = 10
_CODER = "coder"


@frozen
class BriefSection:
    """A section of a brief: its title, the types it shows, how many, and how a memory is written."""

    title: str
    types: tuple[str, ...]
    most: int
    write: Callable[[Memory, BriefRequest], str]
    newest_first: bool = False


@frozen
class BriefRequest:
    """What a brief is about. `estimate` is the planned number of steps; `work_unit` the label of the unit of work."""

    role: str
    task: str
    modules: tuple[str, ...] = ()
    files: tuple[str, ...] = ()
    work_unit: str = ""
    estimate: int | None = None


@frozen
class Briefs:
    """Builds briefs. A stage of the methodology other than the three roles gets what the stage before it hands over."""

    recaller: Recaller
    tokens: TokenCounter
    methodology: Callable[[], Methodology]
    predict: Callable[[str, str], Sequence[str]]
    passes: Callable[[Memory], bool]

    def build(self, request: BriefRequest, budget: int | None = None) -> Pack:
        """The brief for a role or stage, within a token budget. Raises InvalidInput for an unknown one."""
        relays = [relay for relay in self.methodology().relay_transitions() if relay.taker == request.role]
        if request.role not in ROLES and not relays:
            stages = {relay.taker for relay in self.methodology().relay_transitions()}
            raise InvalidInput(f"role {request.role!r}", hint=f"Use one of: {', '.join(sorted({*ROLES, *stages}))}.")
        sections = [self._relay(request, relay.giver, relay.types) for relay in relays]
        sections += [self._section(request, section) for section in ROLES.get(request.role, ())]
        most = BUDGET if budget is None else budget
        text, shown = self._fitting([(title, lines) for title, lines in sections if lines], most)
        text = self._with_files(text, request, most)
        citations = tuple(Citation(memory.id, memory.citation or cite(memory.content), 1.0) for memory in shown)
        return Pack(text, citations, self.tokens.count(text), most, _TRACE)

    def _with_files(self, text: str, request: BriefRequest, budget: int) -> str:
        """Adds the files that a coder will probably need first, if they fit."""
        paths = self.predict(request.task, "") if request.role == _CODER else ()
        listed = "\n".join(f"- {one_line(path)}" for path in paths)
        longer = f"{text}\n\n{FILES}{listed}".lstrip("\n")
        return longer if paths and self.tokens.count(longer) <= budget else text

    def _section(self, request: BriefRequest, section: BriefSection) -> tuple[str, list[tuple[Memory, str]]]:
        found = self._find(request, section)
        return section.title, [(memory, section.write(memory, request)) for memory in found]

    def _find(self, request: BriefRequest, section: BriefSection) -> list[Memory]:
        """The memories about the modules and files of the request, or else those that the task finds."""
        reading, project = self.recaller.memories, self.recaller.project
        found: list[Memory] = []
        if request.modules and section.types == (CALIBRATION,):
            found += calibrations(reading, project, request.modules)[: section.most]
        elif request.modules:
            by_module = Filters(types=section.types, modules=request.modules)
            found += reading.memories(project, by_module, limit=section.most)
        if request.files:
            found += reading.memories(project, Filters(types=section.types, files=request.files), limit=section.most)
        if not section.newest_first:
            how: dict[str, Any] = {"abstain": True, "count": False, "hyde": False}
            hits = self.recaller.recall(request.task, Filters(types=section.types), section.most, **how).hits
            # Another calibration of the same module would contradict the best one.
            known = {str(memory.fields.get("module")) for memory in found if memory.type == CALIBRATION}
            memories = (hit.memory for hit in hits if hit.memory is not None)
            found += [m for m in memories if m.type != CALIBRATION or str(m.fields.get("module")) not in known]
        elif not found:
            found += reading.latest(project, section.types[0], section.most)
        distinct = {memory.id: memory for memory in found if self.passes(memory)}
        return list(distinct.values())[: section.most]

    def _relay(self, request: BriefRequest, giver: str, types: Sequence[str]) -> tuple[str, list[tuple[Memory, str]]]:
        """What an earlier stage of the same unit of work handed over: memories with the tag `stage:` and its name."""
        filters = Filters(tags=(f"stage:{giver}",), types=tuple(types))
        found = self.recaller.memories.memories(self.recaller.project, filters, limit=10 * _RELAYED)
        own = [m for m in found if not request.work_unit or (m.work_unit and m.work_unit.label == request.work_unit)]
        handed = [memory for memory in own if self.passes(memory)][:_RELAYED]
        lines = [self.methodology().format_relay([memory], request.role) for memory in handed]
        return f"Handed over by {giver}", list(zip(handed, map(one_line, lines), strict=True))

    def _fitting(
        self, sections: Iterable[tuple[str, list[tuple[Memory, str]]]], budget: int
    ) -> tuple[str, list[Memory]]:
        text = ""
        shown: list[Memory] = []
        for title, lines in sections:
            heading = f"\n## {title}\n" if text else f"## {title}\n"
            for memory, line in lines:
                longer = text + heading + line + "\n"
                if self.tokens.count(longer) > budget:
                    continue
                text, heading = longer, ""
                shown.append(memory)
        return text.rstrip("\n"), shown


def _plain(memory: Memory, request: BriefRequest) -> str:
    return memory_line(short(memory.id), memory.citation or cite(memory.content), memory.content, [memory.type])


def _calibration(memory: Memory, request: BriefRequest) -> str:
    """The ratio of earlier tasks, multiplied out if the request has an estimate."""
    ratio = memory.fields.get("ratio")
    if not isinstance(ratio, int | float) or request.estimate is None:
        return _plain(memory, request)
    expected = math.ceil(request.estimate * ratio)
    text = f"{memory.fields.get('module')}: plan {expected} steps instead of {request.estimate} (ratio {ratio:g})"
    return memory_line(short(memory.id), memory.citation or cite(memory.content), text, [memory.type])


def _constraint(memory: Memory, request: BriefRequest) -> str:
    """A dead end as a constraint."""
    fields = memory.fields
    text = memory.content
    if "approach_tried" in fields:
        instead = f" Use instead: {fields['alternative_used']}." if fields.get("alternative_used") else ""
        text = f"Do not: {fields['approach_tried']}. It failed: {fields['why_it_failed']}.{instead}".replace("..", ".")
    return memory_line(short(memory.id), memory.citation or cite(memory.content), text, ["dead end"])


def _scope(memory: Memory, request: BriefRequest) -> str:
    """A causal dependency as files that belong to the scope."""
    fields = memory.fields
    text = memory.content
    if "when_changed" in fields:
        text = f"When {fields['when_changed']} changes, also change {', '.join(fields['also_touch'])}"
    return memory_line(short(memory.id), memory.citation or cite(memory.content), text, [memory.type])


_CONSTRAINTS = BriefSection("Dead ends: constraints of the plan", ("dead_end",), 8, _constraint)
ROLES: dict[str, tuple[BriefSection, ...]] = {
    "planner": (
        BriefSection("Estimates of earlier tasks", (CALIBRATION,), 5, _calibration),
        _CONSTRAINTS,
        BriefSection("Files that change together: scope of the plan", ("causal_dependency",), 10, _scope),
        BriefSection("How earlier work ended", ("work_unit_outcome",), 5, _plain, newest_first=True),
        BriefSection("Recipes", ("workflow_recipe",), 2, _plain),
        BriefSection("Requirements and decisions", ("requirement", "decision"), 8, _plain),
    ),
    _CODER: (
        BriefSection("Gotchas and errors", ("gotcha", "error_pattern"), 8, _plain),
        _CONSTRAINTS,
        BriefSection("Files that change together", ("causal_dependency",), 6, _scope),
        BriefSection("Patterns and decisions", ("pattern", "decision", "requirement"), 8, _plain),
    ),
    "qa": (
        BriefSection("How the interface behaves", ("e2e_observation",), 8, _plain),
        BriefSection("Known errors", ("error_pattern",), 8, _plain),
        BriefSection("Requirements", ("requirement",), 8, _plain),
    ),
}
