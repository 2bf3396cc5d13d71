"""The memory types, the structured fields each may carry, and how a plug-in adds its own (R-A1)."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any

from holdfast.core.errors import InvalidMemory, UnknownType

Check = Callable[[Any], bool]


@dataclass(frozen=True, slots=True)
class Field:
    """A structured field: its name, what it must look like in words and as a check, and whether it must be there."""

    name: str
    looks_like: str
    check: Check
    required: bool = False


@dataclass(frozen=True, slots=True)
class MemoryType:
    """A memory type: its name, one line of help, its half-life in days (None never decays) and its fields."""

    name: str
    help: str
    half_life_days: float | None = None
    fields: tuple[Field, ...] = ()

    def validate(self, values: Mapping[str, Any]) -> Mapping[str, Any]:
        """The fields, frozen. A memory may carry none; if it carries any, all required ones must be there."""
        known = {f.name: f for f in self.fields}
        for name, value in values.items():
            if name not in known:
                raise InvalidMemory(_unknown_field(self, name))
            if not known[name].check(value):
                raise InvalidMemory(f"{self.name}.{name} must be {known[name].looks_like}")
        missing = [f.name for f in self.fields if f.required and values and f.name not in values]
        if missing:
            raise InvalidMemory(f"{self.name} lacks {', '.join(missing)}")
        return MappingProxyType(dict(values))


class TypeRegistry:
    """The registry of types. Starts with Holdfast's own; a methodology plug-in may add, never replace."""

    def __init__(self, types: tuple[MemoryType, ...] | None = None) -> None:
        self._types = {kind.name: kind for kind in (BUILT_IN if types is None else types)}

    def register(self, kind: MemoryType) -> None:
        from holdfast.core.document import DOCUMENT_PASSAGE_TYPES

        if kind.name in self._types or kind.name in DOCUMENT_PASSAGE_TYPES:
            raise InvalidMemory(f"the type {kind.name!r} is registered already")
        if not kind.name.isidentifier() or kind.name != kind.name.lower():
            raise InvalidMemory(f"a type's name is a lower-case word, not {kind.name!r}")
        self._types[kind.name] = kind

    def get(self, name: str) -> MemoryType:
        if name not in self._types:
            raise UnknownType(f"{name!r}", hint=f"Use one of: {', '.join(self._types)}.")
        return self._types[name]

    def names(self) -> tuple[str, ...]:
        return tuple(self._types)

    def __iter__(self) -> Any:
        return iter(self._types.values())


def _unknown_field(kind: MemoryType, name: str) -> str:
    if not kind.fields:
        return f"{kind.name} has no structured fields, so not {name!r}; put it into attributes"
    return f"{kind.name} has no field {name!r}; it has {', '.join(f.name for f in kind.fields)}"


def _text(value: Any) -> bool:
    return isinstance(value, str) and bool(value.strip())


def _texts(value: Any) -> bool:
    return isinstance(value, list | tuple) and all(isinstance(v, str) for v in value)


def _count(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and value >= 0


def _number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and value >= 0


def _flag(value: Any) -> bool:
    return isinstance(value, bool)


def _steps(value: Any) -> bool:
    return isinstance(value, list | tuple) and bool(value) and all(_is_step(step) for step in value)


def _is_step(value: Any) -> bool:
    if not isinstance(value, Mapping) or not _text(value.get("description")) or not _count(value.get("order")):
        return False
    allowed = {"order", "description", "canonical_file", "canonical_line"}
    return set(value) <= allowed


def _in_progress(value: Any) -> bool:
    return isinstance(value, Mapping) and _text(value.get("description")) and set(value) <= {"description", "next_step"}


def _one_of(*words: str) -> Check:
    return lambda value: value in words


def _t(name: str, required: bool = False) -> Field:
    return Field(name, "a text", _text, required)


def _l(name: str, required: bool = False) -> Field:
    return Field(name, "a list of texts", _texts, required)


def _c(name: str, required: bool = False) -> Field:
    return Field(name, "a count, 0 or more", _count, required)


def _n(name: str, required: bool = False) -> Field:
    return Field(name, "a number, 0 or more", _number, required)


_E2E = ("precondition", "timing", "ui_behavior", "test_sequence", "mcp_gotcha")

BUILT_IN = (
    MemoryType("episode", "one message, as said"),
    MemoryType("fact", "something true about the person, the project or the world"),
    MemoryType("reflection", "what a week added up to"),
    MemoryType("gotcha", "a trap or a constraint nobody would guess", 60),
    MemoryType("decision", "a choice and its reason; never decays"),
    MemoryType("preference", "how the person or the project wants it done"),
    MemoryType("pattern", "a way of building that is used again"),
    MemoryType("requirement", "what the software must do or be"),
    MemoryType("error_pattern", "an error that comes back, and its fix", 60),
    MemoryType("module_insight", "what a module is for and how it thinks", 90),
    MemoryType(
        "prefetch_pattern",
        "files that are always read together",
        fields=(
            _l("always_read_files", True),
            _l("frequently_read_files"),
            _t("module_trigger", True),
            _c("session_count"),
        ),
    ),
    MemoryType(
        "work_state",
        "where the work stood when the session ended",
        7,
        (
            _t("spec_number"),
            _l("completed"),
            Field("in_progress", "a description and a next_step", _in_progress),
            _l("key_decisions"),
        ),
    ),
    MemoryType(
        "causal_dependency",
        "when this file changes, that one must too",
        120,
        (_t("when_changed", True), _l("also_touch", True), _t("why"), _n("weight")),
    ),
    MemoryType(
        "task_calibration",
        "how many steps it really took against the plan",
        180,
        (
            _t("module", True),
            _t("methodology"),
            _n("average_actual_steps"),
            _n("average_planned_steps"),
            _n("ratio", True),
            _c("sample_count"),
        ),
    ),
    MemoryType(
        "e2e_observation",
        "how the interface behaves, as seen by a tool",
        30,
        (Field("kind", f"one of {', '.join(_E2E)}", _one_of(*_E2E), True), _t("tool"), _t("target")),
    ),
    MemoryType(
        "dead_end",
        "an approach that was tried and given up",
        90,
        (_t("approach_tried", True), _t("why_it_failed", True), _t("alternative_used"), _t("task_context")),
    ),
    MemoryType(
        "work_unit_outcome",
        "how a piece of work ended",
        fields=(
            _t("work_unit", True),
            Field("succeeded", "true or false", _flag, True),
            _c("steps_planned"),
            _c("steps_taken"),
            _c("qa_rounds"),
            _l("files_changed"),
        ),
    ),
    MemoryType(
        "workflow_recipe",
        "the steps of a job done before",
        120,
        (
            _t("task_pattern", True),
            Field("steps", "a list of {order, description, …}", _steps, True),
            _t("last_validated_at"),
            _c("success_count"),
        ),
    ),
    MemoryType(
        "context_cost",
        "how many tokens a module costs to read",
        fields=(_t("module", True), _c("average_tokens", True), _c("p90_tokens"), _c("sample_count")),
    ),
)
