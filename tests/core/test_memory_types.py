"""Memory types: one declaration each, complete, and enough for every table that is derived from it."""

from __future__ import annotations

from pathlib import Path

import pytest

import holdfast
from holdfast import MemoryType, TypeRegistry
from holdfast.core.errors import InvalidMemory
from holdfast.core.memory import EPISODE, PHASES, REFLECTION
from holdfast.core.memory_types import BUILT_IN

NOT_IN_THE_FILE = {
    EPISODE, REFLECTION, "prefetch_pattern", "work_state", "causal_dependency", "task_calibration", "e2e_observation",
    "work_unit_outcome", "context_cost",
}  # fmt: skip


@pytest.mark.parametrize("type", BUILT_IN, ids=lambda type: type.name)
def test_every_built_in_type_is_declared_completely(type: MemoryType) -> None:
    assert type.help
    assert type.title != MemoryType(type.name, type.help).title, "a built-in type declares the title of its section"
    assert type.in_memory_file == (type.name not in NOT_IN_THE_FILE), "its memories enter every prompt: list it if not"
    ordered = type.section_order < MemoryType("other", "").section_order
    assert ordered == type.in_memory_file, "a section of MEMORY.md needs a section_order below 100, other types none"
    assert all(0 < weight <= 1.4 for weight in type.phase_weights.values())
    assert all(0 < share < 1 for share in type.shares.values())
    assert set(type.shares) <= set(type.phase_weights), "a phase with a share has a weight too"
    assert type.id_prefix in {"ep", "fact", "ref", "mem"}, "a new type uses the prefix mem"


def test_the_tables_are_derived_from_the_types() -> None:
    types = TypeRegistry()
    assert list(types.sections.items())[:3] == [
        ("preference", "Preferences"),
        ("requirement", "Requirements"),
        ("decision", "Decisions"),
    ]
    assert set(types.phase_weights) == set(types.shares) == set(PHASES)
    assert types.shares["refine"] == {"error_pattern": 0.35, "gotcha": 0.25, "dead_end": 0.20, "pattern": 0.15}
    assert all(sum(shares.values()) <= 1 for shares in types.shares.values())
    assert types.extractable == ("fact", "gotcha", "decision", "preference", "requirement")
    assert types.in_causal_chain == ("gotcha", "pattern", "error_pattern")
    assert set(types.names()) - set(types.comparable) == {EPISODE, REFLECTION, "work_state"}


def test_a_registered_type_counts_in_every_table() -> None:
    types = TypeRegistry()
    types.register(
        MemoryType(
            "ritual",
            "something the team does every week",
            in_memory_file=True,
            phase_weights={"reflect": 2.0},
            shares={"reflect": 0.05},
            comparable=False,
            extractable=True,
            in_causal_chain=True,
        )
    )
    assert list(types.sections.items())[-1] == ("ritual", "Ritual")
    assert (types.phase_weights["reflect"]["ritual"], types.shares["reflect"]["ritual"]) == (2.0, 0.05)
    assert "ritual" in types.extractable
    assert "ritual" in types.in_causal_chain
    assert "ritual" not in types.comparable
    assert "ritual" not in TypeRegistry()


def test_only_a_type_that_says_so_enters_the_memory_file(tmp_path: Path) -> None:
    types = TypeRegistry()
    types.register(MemoryType("secret_handshake", "a type from outside that declares nothing further"))
    types.register(
        MemoryType(
            "ritual", "something the team does every week", title="Rituals", in_memory_file=True, id_prefix="rit"
        )
    )
    with holdfast.open(db=str(tmp_path / "m.db"), project=str(tmp_path), types=types) as ws:
        ws.remember("Two fingers, then the elbow.", type="secret_handshake")
        ritual = ws.remember("Demo on Thursdays at four.", type="ritual").memory
        ws.sync_memory()
        page = Path(ws.memory_file).read_text("utf-8")
        assert "elbow" not in page
        assert "## Rituals\n\n- Demo on Thursdays at four." in page
        assert ritual is not None
        assert ritual.id.startswith("rit_")


def test_a_line_under_the_title_of_a_type_gets_that_type(tmp_path: Path) -> None:
    types = TypeRegistry()
    types.register(MemoryType("ritual", "something the team does every week", title="Weekly", in_memory_file=True))
    with holdfast.open(db=str(tmp_path / "m.db"), project=str(tmp_path), types=types) as ws:
        ws.sync_memory()
        file = Path(ws.memory_file)
        file.write_text(file.read_text("utf-8") + "\n## Weekly\n\n- Demo on Thursdays at four.\n", "utf-8")
        ws.sync_memory()
        assert [memory.type for memory in ws.list()] == ["ritual"]


def test_a_phase_must_be_known() -> None:
    with pytest.raises(InvalidMemory, match="ritual: unknown phase 'lunch'; the phases are define, implement"):
        MemoryType("ritual", "something the team does every week", phase_weights={"lunch": 1.2})
