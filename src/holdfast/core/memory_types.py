"""Declares the memory types: one definition for each, from which every other table is derived.

A plug-in declares its `MemoryType` and registers it in the workspace's `TypeRegistry`; nothing else has to change.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import KW_ONLY, field
from types import MappingProxyType
from typing import Any

from holdfast.core.arguments import check_text
from holdfast.core.errors import InvalidMemory, UnknownType
from holdfast.core.frozen import frozen
from holdfast.core.memory import DOCUMENT_PASSAGE_TYPES, EPISODE, PHASES, REFLECTION, empty_mapping
from holdfast.core.suggestion import did_you_mean
from holdfast.core.type_fields import (
    Field,
    count_field,
    files_of_steps,
    is_boolean,
    is_in_progress,
    is_steps,
    list_field,
    number_field,
    one_of,
    path_list_field,
    text_field,
)
from holdfast.core.type_synonyms import SYNONYMS

# What happens to memories when the code they are about is gone: they no longer apply, a reader is told, or nothing,
# because they are not bound to code.
RETIRE, FLAG, UNBOUND = "retire", "flag", "unbound"
# Phase -> type -> number.
PhaseTable = Mapping[str, Mapping[str, float]]


@frozen
class MemoryType:
    """A memory type: its name, one line of help, its half-life in days (None never decays), its fields and its uses.

    - `title` heads its section in MEMORY.md. The default is the name in words.
    - `in_memory_file` puts its memories into MEMORY.md, and so into every prompt. `section_order` sorts the sections.
    - `phase_weights` multiply the score of its memories in a phase of work; the weight in all other phases is 1.
    - `shares` are the fractions of a pack's token budget that are reserved for it first, by phase.
    - `comparable` memories are compared with new statements to find duplicates and contradictions.
    - `extractable` types may be chosen by the language model that extracts memories from a conversation.
    - `in_causal_chain` lets recall add its memories about files that are used together with a file in the query.
    - `standing` memories are part of the context of every prompt, whatever it asks.
    - `id_prefix` begins the ids of its memories.
    - `when_code_is_gone` says what happens when all the code that a memory is about was deleted: `retire` hides it
      until the code is back, `flag` tells the reader, `unbound` memories are not bound to code at all.
    """

    name: str
    help: str
    half_life_days: float | None = None
    fields: tuple[Field, ...] = ()
    _: KW_ONLY
    title: str = ""
    in_memory_file: bool = False
    section_order: int = 100
    phase_weights: Mapping[str, float] = field(default_factory=empty_mapping, hash=False)
    shares: Mapping[str, float] = field(default_factory=empty_mapping, hash=False)
    comparable: bool = True
    extractable: bool = False
    in_causal_chain: bool = False
    standing: bool = False
    id_prefix: str = "mem"
    when_code_is_gone: str = FLAG

    def __post_init__(self) -> None:
        if not self.title:
            object.__setattr__(self, "title", self.name.replace("_", " ").capitalize())
        unknown = [phase for phase in (*self.phase_weights, *self.shares) if phase not in PHASES]
        if self.when_code_is_gone not in (RETIRE, FLAG, UNBOUND):
            raise InvalidMemory(f"{self.name}: when_code_is_gone must be {RETIRE}, {FLAG} or {UNBOUND}")
        if unknown:
            raise InvalidMemory(f"{self.name}: unknown phase {unknown[0]!r}; the phases are {', '.join(PHASES)}")

    def validate(self, values: Mapping[str, Any]) -> Mapping[str, Any]:
        """Checks the fields and returns them, frozen. Without any field, none is required. Raises InvalidMemory."""
        known = {f.name: f for f in self.fields}
        for name, value in values.items():
            if name not in known:
                raise InvalidMemory(_unknown_field(self, name), hint=did_you_mean(name, _COMMON) + InvalidMemory.hint)
            if not known[name].check(value):
                raise InvalidMemory(f"{self.name}.{name} must be {known[name].looks_like}")
        missing = [f.name for f in self.fields if f.required and values and f.name not in values]
        if missing:
            raise InvalidMemory(f"{self.name} lacks {', '.join(missing)}")
        return MappingProxyType(dict(values))

    def files_in(self, values: Mapping[str, Any]) -> Iterator[str]:
        """The files that valid fields name."""
        for known in self.fields:
            if known.paths is not None and known.name in values:
                yield from known.paths(values[known.name])


class TypeRegistry:
    """The memory types of a workspace: the built-in ones and those of plug-ins, which may add but never replace."""

    def __init__(self, types: tuple[MemoryType, ...] | None = None) -> None:
        self._types = {type.name: type for type in (BUILT_IN if types is None else types)}
        self._derive()

    def register(self, type: MemoryType) -> None:
        """Adds a type. Raises InvalidMemory when its name is taken or not a lower-case word."""
        if type.name in self._types or type.name in DOCUMENT_PASSAGE_TYPES:
            raise InvalidMemory(f"the type {type.name!r} is already registered")
        if not type.name.isidentifier() or type.name != type.name.lower():
            raise InvalidMemory(f"a type's name must be a lower-case word, not {type.name!r}")
        self._types[type.name] = type
        self._derive()

    def get(self, name: str) -> MemoryType:
        """Returns the type with that name, or that people call so. Raises UnknownType, which lists the known names."""
        check_text(name, "the type")
        written = name.lower()
        found = self._types.get(name) or self._types.get(SYNONYMS.get(written, written))
        if found is None:
            maybe = did_you_mean(written, [*self._types, *SYNONYMS])
            raise UnknownType(f"{name!r}", hint=f"{maybe}Use one of: {', '.join(self._types)}.")
        return found

    def names(self) -> tuple[str, ...]:
        return tuple(self._types)

    def __iter__(self) -> Iterator[MemoryType]:
        return iter(self._types.values())

    def __contains__(self, name: object) -> bool:
        return name in self._types

    @property
    def phase_weights(self) -> PhaseTable:
        """The weight of each type in each phase."""
        return self._phase_weights

    @property
    def shares(self) -> PhaseTable:
        """The fraction of a pack's token budget for each type in each phase, largest first."""
        return self._shares

    @property
    def sections(self) -> Mapping[str, str]:
        """The types in MEMORY.md, each with the title of its section, in the order of the sections."""
        return self._sections

    @property
    def in_causal_chain(self) -> tuple[str, ...]:
        """The types that recall adds for files used together with a file in the query."""
        return tuple(type.name for type in self if type.in_causal_chain)

    @property
    def standing(self) -> tuple[str, ...]:
        """The types whose memories are part of every context."""
        return tuple(type.name for type in self if type.standing)

    @property
    def learned(self) -> tuple[str, ...]:
        """All types but messages."""
        return tuple(type.name for type in self if type.name != EPISODE)

    @property
    def comparable(self) -> tuple[str, ...]:
        """The types that are compared with new statements."""
        return tuple(type.name for type in self if type.comparable)

    @property
    def extractable(self) -> tuple[str, ...]:
        """The types that the language model may choose."""
        return tuple(type.name for type in self if type.extractable)

    def _derive(self) -> None:
        """Computes the tables once: scoring reads them for every candidate."""
        types = tuple(self)
        in_file = sorted((t for t in types if t.in_memory_file), key=lambda type: (type.section_order, type.name))
        self._sections = {type.name: type.title for type in in_file}
        self._phase_weights = {
            phase: {type.name: type.phase_weights[phase] for type in types if phase in type.phase_weights}
            for phase in PHASES
        }
        self._shares = {
            phase: {
                type.name: type.shares[phase]
                for type in sorted(types, key=lambda type: -type.shares.get(phase, 0.0))
                if phase in type.shares
            }
            for phase in PHASES
        }


def _unknown_field(type: MemoryType, name: str) -> str:
    if not type.fields:
        return f"{type.name} has no structured fields; put {name!r} into attributes"
    return f"{type.name} has no field {name!r}; it has {', '.join(f.name for f in type.fields)}"


# Fields of every memory, to suggest for a misspelt one.
_COMMON = ("files", "modules", "tags", "session", "source", "when", "confidence", "scope", "visibility", "pinned")
_E2E = ("precondition", "timing", "ui_behavior", "test_sequence", "mcp_gotcha")

# A message, word for word. Intake uses this definition directly, without the registry.
MESSAGE = MemoryType(
    EPISODE, "one message, word for word", title="Episodes", comparable=False, id_prefix="ep", when_code_is_gone=UNBOUND
)

BUILT_IN = (
    MESSAGE,
    MemoryType(
        "fact",
        "something true about the person, the project or the world",
        title="Facts",
        in_memory_file=True,
        section_order=4,
        extractable=True,
        id_prefix="fact",
        when_code_is_gone=RETIRE,
    ),
    MemoryType(
        REFLECTION,
        "a summary of one week",
        title="Reflections",
        comparable=False,
        id_prefix="ref",
        when_code_is_gone=UNBOUND,
    ),
    MemoryType(
        "gotcha",
        "a trap or a constraint that nobody would guess",
        60,
        title="Gotchas",
        in_memory_file=True,
        section_order=5,
        phase_weights={"define": 0.8, "implement": 1.4, "refine": 1.2},
        shares={"implement": 0.30, "refine": 0.25},
        extractable=True,
        in_causal_chain=True,
        when_code_is_gone=RETIRE,
    ),
    MemoryType(
        "decision",
        "a choice and its reason; never decays",
        title="Decisions",
        in_memory_file=True,
        section_order=3,
        phase_weights={"define": 1.1, "explore": 1.2},
        shares={"define": 0.20, "explore": 0.25},
        extractable=True,
    ),
    MemoryType(
        "preference",
        "how the person or the project wants it done",
        title="Preferences",
        in_memory_file=True,
        section_order=1,
        extractable=True,
        standing=True,
    ),
    MemoryType(
        "pattern",
        "a way of building that is used repeatedly",
        title="Patterns",
        in_memory_file=True,
        section_order=6,
        phase_weights={"implement": 1.1, "refine": 1.0, "explore": 1.1},
        shares={"implement": 0.15, "refine": 0.15, "explore": 0.20},
        in_causal_chain=True,
        when_code_is_gone=RETIRE,
    ),
    MemoryType(
        "requirement",
        "a rule or property that the software must meet",
        title="Requirements",
        in_memory_file=True,
        section_order=2,
        phase_weights={"define": 1.2, "validate": 1.2},
        shares={"define": 0.20, "validate": 0.25},
        extractable=True,
        standing=True,
    ),
    MemoryType(
        "error_pattern",
        "a recurring error and its fix",
        60,
        title="Error patterns",
        in_memory_file=True,
        section_order=7,
        phase_weights={"define": 0.8, "implement": 1.3, "validate": 1.4, "refine": 1.3},
        shares={"implement": 0.25, "validate": 0.30, "refine": 0.35},
        in_causal_chain=True,
        when_code_is_gone=RETIRE,
    ),
    MemoryType(
        "module_insight",
        "the purpose and design of a module",
        90,
        title="Module insights",
        in_memory_file=True,
        section_order=8,
        phase_weights={"explore": 1.4},
        shares={"explore": 0.40},
        when_code_is_gone=RETIRE,
    ),
    MemoryType(
        "prefetch_pattern",
        "files that are always read together",
        fields=(
            path_list_field("always_read_files", True),
            path_list_field("frequently_read_files"),
            text_field("module_trigger", True),
            count_field("session_count"),
        ),
        title="Prefetch patterns",
        phase_weights={"implement": 1.1},
        when_code_is_gone=UNBOUND,
    ),
    MemoryType(
        "work_state",
        "the state of the work when the session ended",
        7,
        (
            text_field("spec_number"),
            list_field("completed"),
            Field("in_progress", "a description and a next_step", is_in_progress),
            list_field("key_decisions"),
        ),
        title="Work states",
        comparable=False,  # It quotes what was asked for and says what was done: no statement about the project.
        when_code_is_gone=UNBOUND,
    ),
    MemoryType(
        "causal_dependency",
        "a file that must change together with another",
        120,
        (
            text_field("when_changed", True),
            list_field("also_touch", True),
            text_field("why"),
            number_field("weight"),
        ),
        title="Causal dependencies",
        phase_weights={"implement": 1.2, "explore": 1.0},
        shares={"implement": 0.15, "explore": 0.15},
        when_code_is_gone=RETIRE,
    ),
    MemoryType(
        "task_calibration",
        "how many steps a task took, compared with the plan",
        180,
        (
            text_field("module", True),
            text_field("methodology"),
            number_field("average_actual_steps"),
            number_field("average_planned_steps"),
            number_field("ratio"),
            count_field("sample_count"),
        ),
        title="Task calibrations",
        phase_weights={"define": 1.1, "reflect": 1.3},
        shares={"define": 0.10, "reflect": 0.35},
        when_code_is_gone=UNBOUND,
    ),
    MemoryType(
        "e2e_observation",
        "how the user interface behaves, as observed by a tool",
        30,
        (Field("kind", f"one of {', '.join(_E2E)}", one_of(*_E2E), True), text_field("tool"), text_field("target")),
        title="End-to-end observations",
        phase_weights={"validate": 1.4},
        shares={"validate": 0.25},
        when_code_is_gone=RETIRE,
    ),
    MemoryType(
        "dead_end",
        "an approach that was tried and abandoned",
        90,
        (
            text_field("approach_tried", True),
            text_field("why_it_failed", True),
            text_field("alternative_used"),
            text_field("task_context"),
        ),
        title="Dead ends",
        in_memory_file=True,
        section_order=9,
        phase_weights={"define": 1.2, "implement": 1.2, "refine": 1.2, "reflect": 1.1},
        shares={"define": 0.15, "implement": 0.10, "refine": 0.20, "reflect": 0.15},
    ),
    MemoryType(
        "work_unit_outcome",
        "how a piece of work ended",
        fields=(
            text_field("work_unit", True),
            Field("succeeded", "true or false", is_boolean, True),
            count_field("steps_planned"),
            count_field("steps_taken"),
            count_field("qa_rounds"),
            list_field("files_changed"),
        ),
        title="Work unit outcomes",
        phase_weights={"validate": 1.1, "reflect": 1.4},
        shares={"validate": 0.15, "reflect": 0.40},
        when_code_is_gone=UNBOUND,
    ),
    MemoryType(
        "workflow_recipe",
        "the steps of a task that was done before",
        120,
        (
            text_field("task_pattern", True),
            Field("steps", "a list of {order, description, …}", is_steps, True, files_of_steps),
            text_field("last_validated_at"),
            count_field("success_count"),
        ),
        title="Workflow recipes",
        in_memory_file=True,
        section_order=10,
        phase_weights={"define": 1.4},
        shares={"define": 0.30},
        when_code_is_gone=RETIRE,
    ),
    MemoryType(
        "context_cost",
        "how many tokens a module costs to read",
        fields=(
            text_field("module", True),
            count_field("average_tokens", True),
            count_field("p90_tokens"),
            count_field("sample_count"),
        ),
        title="Context costs",
        when_code_is_gone=UNBOUND,
    ),
)
