"""Methodologies: phases, units of work, hand-overs and plug-ins."""

from __future__ import annotations

from pathlib import Path

import pytest

import holdfast
from holdfast.core.errors import InvalidInput, NotInstalled
from holdfast.core.memory import PHASES
from holdfast.core.methodology import BUILT_IN, Methodology, WorkResult, methodology, read_work_state
from holdfast.workspace import Workspace
from tests.core.test_values import memory

MEMBERS = {
    "id", "display_name", "custom_types", "map_phase", "resolve_work_unit", "relay_transitions", "format_relay",
    "extract_work_state", "format_work_state", "on_work_unit_complete",
}  # fmt: skip


@pytest.mark.parametrize("name", BUILT_IN)
def test_our_own_have_every_member_and_map_onto_the_six(name: str) -> None:
    own = methodology(name)
    assert own.id == name
    assert {member for member in vars(Methodology) if not member.startswith("_")} == MEMBERS
    assert all(hasattr(own, member) for member in MEMBERS)
    assert [own.map_phase(phase) for phase in PHASES] == list(PHASES)
    stages = {stage for relay in own.relay_transitions() for stage in (relay.giver, relay.taker)}
    assert stages


@pytest.mark.parametrize(
    ("name", "phase", "universal"),
    [
        ("native", "planning", "define"), ("native", "spec", "define"), ("native", "coding", "implement"),
        ("native", "qa_review", "validate"), ("native", "QA fix", "refine"), ("native", "debugging", "refine"),
        ("native", "insights", "explore"), ("tdd", "red", "define"), ("tdd", "green", "implement"),
        ("tdd", "Refactor", "refine"), ("bmad", "analysis", "explore"), ("bmad", "course-correction", "refine"),
        ("bmad", "qa", "validate"), ("bmad", "retrospective", "reflect"),
    ],
)  # fmt: skip
def test_phases_are_mapped(name: str, phase: str, universal: str) -> None:
    assert methodology(name).map_phase(phase) == universal


def test_an_unknown_phase_or_methodology_is_refused_with_those_known(ws: Workspace) -> None:
    with pytest.raises(InvalidInput, match=r"Use one of: define, .*reflect, red, "):
        methodology("tdd").map_phase("coding")
    with pytest.raises(InvalidInput, match="Use one of: bmad, native, tdd"):
        methodology("waterfall")
    for verb in (ws.recall, ws.context):
        with pytest.raises(InvalidInput, match="phase 'cooking' is unknown to the methodology native"):
            verb("tea", phase="cooking")


def test_a_custom_phase_has_the_weights_of_its_standard_phase(tmp_path: Path, project: Path) -> None:
    with holdfast.open(db=str(tmp_path / "m.db"), project=str(project), methodology="tdd") as ws:
        ws.remember("The kettle whistles at five", type="gotcha")
        green, implement = (ws.recall("kettle", phase=phase).hits[0] for phase in ("green", "implement"))
        assert green.why.factors["phase"] == implement.why.factors["phase"]
        assert ws.context("kettle whistles", phase="green").budget == ws.context("kettle", phase="implement").budget


def test_a_piece_of_work_has_a_place_and_a_label() -> None:
    unit = methodology("native").resolve_work_unit({"spec": "042", "subtask": "3", "other": "x"})
    assert (unit.methodology, unit.hierarchy, unit.label) == ("native", ("042", "3"), "Spec 042 / Subtask 3")
    assert methodology("bmad").resolve_work_unit({"story": "login"}).label == "Story login"
    with pytest.raises(InvalidInput, match="Give one of: feature, test"):
        methodology("tdd").resolve_work_unit({"spec": "042"})


def test_a_stage_is_handed_what_it_needs() -> None:
    found = [memory(type="error_pattern", content="It\nfails on Sundays"), memory(type="decision", content="Use tea")]
    native = methodology("native")
    assert native.format_relay(found, "qa_fixer") == "Handed on to qa_fixer:\n- error_pattern: It fails on Sundays"
    assert "Use tea" in native.format_relay(found, "coder")
    assert native.format_relay([], "coder") == ""


REPORT = """
All good so far.
- [x] parse the file
- [X] test the parser
- [ ] render the page
- [ ] ship it
Decided: no cache
"""


def test_a_work_state_is_parsed_and_rendered_again() -> None:
    state = read_work_state(REPORT)
    assert state == {
        "completed": ["parse the file", "test the parser"],
        "in_progress": {"description": "render the page", "next_step": "ship it"},
        "key_decisions": ["no cache"],
    }
    said = methodology("native").format_work_state(state)
    assert said.splitlines()[2:] == ["In progress: render the page", "Next: ship it", "Decided: no cache"]
    assert read_work_state("In progress: the lamp\nNext step: the switch")["in_progress"] == {
        "description": "the lamp", "next_step": "the switch",
    }  # fmt: skip
    assert read_work_state("nothing to tell") == {}


def test_a_work_state_is_one_that_can_be_kept(ws: Workspace) -> None:
    kept = ws.remember("Where the parser stands", type="work_state", fields=dict(read_work_state(REPORT)))
    assert kept.memory is not None
    assert kept.memory.fields["completed"] == ["parse the file", "test the parser"]


def test_a_finished_piece_of_work_is_remembered(ws: Workspace) -> None:
    result = WorkResult(True, steps_planned=5, steps_taken=8, files_changed=("a.py",))
    methodology("native").on_work_unit_complete({"spec": "042"}, result, ws.remember)
    (kept,) = ws.list()
    assert (kept.type, kept.content) == ("work_unit_outcome", "Spec 042 succeeded after 8 steps, 5 planned.")
    assert (kept.work_unit, kept.methodology) == (methodology("native").resolve_work_unit({"spec": "042"}), "native")
    assert kept.fields["files_changed"] == ["a.py"]


PLUGIN = """
from holdfast.core.memory_types import MemoryType
from holdfast.core.methodology import StagedMethodology

BLOCKER = MemoryType("blocker", "what blocks")
KANBAN = StagedMethodology("kanban", "Kanban", {"doing": "implement"}, (("card", "Card"),), (), (BLOCKER,))
"""


@pytest.fixture
def kanban(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """An installed package with one methodology that works and one that cannot be loaded."""
    site = tmp_path / "site"
    info = site / "kanban_plugin-1.0.dist-info"
    info.mkdir(parents=True)
    (site / "kanban_plugin.py").write_text(PLUGIN)
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: kanban-plugin\nVersion: 1.0\n")
    (info / "entry_points.txt").write_text(
        "[holdfast.methodologies]\nkanban = kanban_plugin:KANBAN\nbroken = kanban_plugin:NOTHING\n"
    )
    monkeypatch.syspath_prepend(str(site))
    return "kanban"


def test_a_package_brings_its_own(tmp_path: Path, project: Path, kanban: str) -> None:
    assert methodology(kanban).map_phase("doing") == "implement"
    with pytest.raises(NotInstalled, match="broken cannot be loaded"):
        methodology("broken")
    with holdfast.open(db=str(tmp_path / "m.db"), project=str(project), methodology=kanban) as ws:
        assert ws.remember("The printer is out of paper", type="blocker").outcome == "stored"
        assert ws.recall("printer paper", phase="doing").hits
    with pytest.raises(InvalidInput, match="bmad, broken, kanban, native, tdd"):
        holdfast.open(db=str(tmp_path / "m.db"), project=str(project), methodology="waterfall")
