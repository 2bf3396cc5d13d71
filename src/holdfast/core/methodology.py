"""Methodologies: how a team names its phases and units of work. Plug-ins can add their own.

Recall knows six phases: define, implement, validate, refine, explore, reflect. A methodology maps its own names to
them; the six are accepted everywhere. A package registers a methodology in the entry point group
`holdfast.methodologies`: an object with the members of `Methodology`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import field
from typing import TYPE_CHECKING, Any, Protocol

from holdfast.core.errors import InvalidInput, NotInstalled
from holdfast.core.frozen import frozen
from holdfast.core.memory import PHASES, Memory, WorkUnit, empty_mapping

if TYPE_CHECKING:
    from holdfast.core.memory_types import MemoryType

GROUP = "holdfast.methodologies"
NATIVE = "native"


@frozen
class StageRelay:
    """A hand-over from one stage to the next. `types` are the memory types handed over; empty means all."""

    giver: str
    taker: str
    types: tuple[str, ...] = ()


@frozen
class WorkResult:
    """The result of a unit of work."""

    succeeded: bool
    steps_planned: int | None = None
    steps_taken: int | None = None
    qa_rounds: int | None = None
    files_changed: tuple[str, ...] = ()


class Remember(Protocol):
    """Stores a text, as `Workspace.remember` does."""

    def __call__(self, text: str, type: str = "fact", **fields: Any) -> Any: ...


class Methodology(Protocol):
    """The interface of a methodology."""

    @property
    def id(self) -> str: ...
    @property
    def display_name(self) -> str: ...
    @property
    def custom_types(self) -> tuple[MemoryType, ...]:
        """The memory types that it adds."""
        ...

    def map_phase(self, phase: str) -> str:
        """Maps a phase name to one of the six phases. Raises InvalidInput, which lists the known names."""
        ...

    def resolve_work_unit(self, context: Mapping[str, str]) -> WorkUnit:
        """The unit of work that the context of a run names."""
        ...

    def relay_transitions(self) -> tuple[StageRelay, ...]: ...
    def format_relay(self, memories: Sequence[Memory], to_stage: str) -> str:
        """The text that a stage gets from the previous one."""
        ...

    def extract_work_state(self, session_output: str) -> Mapping[str, Any]:
        """The state of the work as the fields of a `work_state`; empty when the text does not say."""
        ...

    def format_work_state(self, state: Mapping[str, Any]) -> str: ...
    def on_work_unit_complete(self, context: Mapping[str, str], result: WorkResult, remember: Remember) -> None:
        """Stores the outcome of a finished unit of work as memories."""
        ...


@frozen
class StagedMethodology:
    """A methodology defined by data: its phases, its levels of work and its hand-overs.

    `levels` are the keys of a run's context, outermost first, each with its label.
    """

    id: str
    display_name: str
    phases: Mapping[str, str] = field(hash=False)
    levels: tuple[tuple[str, str], ...]
    relays: tuple[StageRelay, ...] = ()
    custom_types: tuple[MemoryType, ...] = ()

    def map_phase(self, phase: str) -> str:
        name = phase.strip().lower().replace("-", "_").replace(" ", "_")
        if name in PHASES:
            return name
        if name not in self.phases:
            known = ", ".join(dict.fromkeys((*PHASES, *self.phases)))
            raise InvalidInput(f"phase {phase!r} is unknown to the methodology {self.id}", hint=f"Use one of: {known}.")
        return self.phases[name]

    def resolve_work_unit(self, context: Mapping[str, str]) -> WorkUnit:
        named = [(label, context[name]) for name, label in self.levels if context.get(name)]
        if not named:
            names = ", ".join(name for name, _ in self.levels)
            raise InvalidInput("no unit of work is named", hint=f"Give one of: {names}.")
        full_label = " / ".join(f"{label} {value}" for label, value in named)
        return WorkUnit(self.id, tuple(value for _, value in named), full_label)

    def relay_transitions(self) -> tuple[StageRelay, ...]:
        return self.relays

    def format_relay(self, memories: Sequence[Memory], to_stage: str) -> str:
        wanted = {type for relay in self.relays if relay.taker == to_stage for type in relay.types}
        handed = [memory for memory in memories if not wanted or memory.type in wanted]
        lines = [f"- {memory.type}: {' '.join(memory.content.split())}" for memory in handed]
        return "\n".join([f"Handed on to {to_stage}:", *lines]) if lines else ""

    def extract_work_state(self, session_output: str) -> Mapping[str, Any]:
        return read_work_state(session_output)

    def format_work_state(self, state: Mapping[str, Any]) -> str:
        current = state.get("in_progress") or {}
        lines = [
            *(f"Done: {item}" for item in state.get("completed", ())),
            *([f"In progress: {current['description']}"] if current else []),
            *([f"Next: {current['next_step']}"] if current.get("next_step") else []),
            *(f"Decided: {item}" for item in state.get("key_decisions", ())),
        ]
        return "\n".join(lines)

    def on_work_unit_complete(self, context: Mapping[str, str], result: WorkResult, remember: Remember) -> None:
        unit = self.resolve_work_unit(context)
        text = f"{unit.label} {'succeeded' if result.succeeded else 'failed'}"
        if result.steps_taken is not None and result.steps_planned is not None:
            text += f" after {result.steps_taken} steps, {result.steps_planned} planned"
        known = {name: value for name, value in _outcome(result).items() if value is not None}
        fields = {"work_unit": unit.label, **known}
        origin = {"work_unit": unit, "methodology": self.id, "source": "observer_inferred", "phase": "reflect"}
        remember(f"{text}.", type="work_unit_outcome", fields=fields, **origin)


def read_work_state(text: str) -> Mapping[str, Any]:
    """Reads the state of the work from a check list and from lines that begin with In progress, Next or Decided."""
    done = _lines(r"[-*] \[[xX]\]", text)
    unchecked = _lines(r"[-*] \[ \]", text)
    current = [*_lines(r"(?:[-*] )?in progress:", text), *unchecked]
    upcoming = [*_lines(r"(?:[-*] )?next(?: step)?:", text), *(item for item in unchecked if item not in current[:1])]
    decided = _lines(r"(?:[-*] )?(?:decided|decision):", text)
    state: dict[str, Any] = {"completed": done, "key_decisions": decided}
    if current or upcoming:
        in_progress = {"description": (current or upcoming)[0], **({"next_step": upcoming[0]} if upcoming else {})}
        state["in_progress"] = in_progress
    return {name: value for name, value in state.items() if value} or empty_mapping()


def methodology(id: str) -> Methodology:
    """Returns a built-in methodology or one of an installed package. Raises InvalidInput for an unknown id."""
    if id in BUILT_IN:
        return BUILT_IN[id]
    registered = _registered()
    if id not in registered:
        known = ", ".join(sorted({*BUILT_IN, *registered}))
        raise InvalidInput(f"methodology {id!r}", hint=f"Use one of: {known}.")
    try:
        loaded: Methodology = registered[id].load()
    except (ImportError, AttributeError) as error:
        raise NotInstalled(f"the methodology {id} cannot be loaded ({error})", hint="Reinstall its package.") from error
    return loaded


def _registered() -> dict[str, Any]:
    # Imported here: reading the entry points of all installed packages is slow, and is needed only for plug-ins.
    from importlib.metadata import entry_points

    return {point.name: point for point in entry_points(group=GROUP)}


def _lines(label: str, text: str) -> list[str]:
    """The texts that follow a label at the beginning of a line, without repetitions."""
    found: Iterable[str] = re.findall(rf"^[ \t]*{label}[ \t]*(\S.*?)[ \t]*$", text, re.MULTILINE | re.IGNORECASE)
    return list(dict.fromkeys(found))


def _outcome(result: WorkResult) -> dict[str, Any]:
    return {
        "succeeded": result.succeeded,
        "steps_planned": result.steps_planned,
        "steps_taken": result.steps_taken,
        "qa_rounds": result.qa_rounds,
        "files_changed": list(result.files_changed) or None,
    }


BUILT_IN: Mapping[str, Methodology] = {
    built_in.id: built_in
    for built_in in (
        StagedMethodology(
            NATIVE,
            "Specs and subtasks",
            {
                "planning": "define", "spec": "define", "coding": "implement", "qa_review": "validate",
                "qa_fix": "refine", "debugging": "refine", "insights": "explore",
            },
            (("spec", "Spec"), ("subtask", "Subtask")),
            (
                StageRelay("planner", "coder"),
                StageRelay("coder", "qa_reviewer"),
                StageRelay("qa_reviewer", "qa_fixer", ("error_pattern", "requirement")),
            ),
        ),
        StagedMethodology(
            "tdd",
            "Test-driven development",
            {
                "red": "define", "write_test": "define", "green": "implement", "make_pass": "implement",
                "refactor": "refine", "run_tests": "validate", "spike": "explore", "retrospective": "reflect",
            },
            (("feature", "Feature"), ("test", "Test")),
            (
                StageRelay("red", "green", ("requirement", "gotcha", "error_pattern")),
                StageRelay("green", "refactor"),
                StageRelay("refactor", "red"),
            ),
        ),
        StagedMethodology(
            "bmad",
            "BMAD: agents from analysis to story",
            {
                "analysis": "explore", "planning": "define", "solutioning": "define", "architecture": "define",
                "story": "define", "implementation": "implement", "development": "implement", "qa": "validate",
                "review": "validate", "course_correction": "refine", "retrospective": "reflect",
            },
            (("epic", "Epic"), ("story", "Story"), ("task", "Task")),
            (
                StageRelay("analyst", "pm"),
                StageRelay("pm", "architect", ("requirement", "decision", "preference")),
                StageRelay("architect", "scrum_master", ("decision", "pattern", "module_insight")),
                StageRelay("scrum_master", "dev"),
                StageRelay("dev", "qa"),
                StageRelay("qa", "dev", ("error_pattern", "requirement", "e2e_observation")),
            ),
        ),
    )
}  # fmt: skip
