"""An agent of one's own gets at its steps what hooks give the agents of others."""

from __future__ import annotations

from typing import Any

import pytest

import holdfast
from holdfast.core.errors import InvalidInput, InvalidSettings
from holdfast.system.methodology_file import read_methodology


@pytest.fixture
def ws(tmp_path, project):
    with holdfast.open(db=str(tmp_path / "m.db"), project=str(project), embedder="none", background=False) as ws:
        yield ws


def stored(answer):
    assert answer.memory is not None
    return answer.memory


def read(ws, path, session="s"):
    return ws.after_tool(session, "Read", {"file_path": path}, "x = 1")


def test_a_touched_file_brings_its_gotcha_once_with_its_citation(ws):
    trap = ws.remember("Tide tables count from zero.", type="gotcha", files=["src/tide.py"])
    first, again = read(ws, "src/tide.py"), read(ws, "src/tide.py")
    assert "Tide tables count from zero." in first.text
    assert [citation.id for citation in first.citations] == [stored(trap).id]
    assert first.tokens > 0
    assert (again.text, again.citations) == ("", ())
    assert ws.session_summary("s").steps == 2


def test_a_named_project_works_too(tmp_path):
    settings: dict[str, Any] = {"db": str(tmp_path / "m.db"), "embedder": "none", "background": False}
    with holdfast.open(project="support-bot", user="ada", **settings) as ws:
        ws.remember("Tide tables count from zero.", type="gotcha", files=["src/tide.py"])
        assert "from zero" in read(ws, "src/tide.py").text


def test_before_a_step_the_latest_calls_count_but_not_in_the_first_five(ws):
    for _ in range(6):
        read(ws, "src/tide.py")
    ws.remember("Tide tables count from zero.", type="gotcha", files=["src/tide.py"])
    assert ws.before_step("s", 5).text == ""
    assert "from zero" in ws.before_step("s", 6).text
    assert ws.before_step("s", 7).text == ""


def test_what_others_teach_meanwhile_comes_after_five_steps(ws):
    ws.remember("Known before.", type="decision")
    read(ws, "a.py")
    ws.remember("Use the harbour clock.", type="decision")
    ws.remember("What another agent noticed about buoys.", type="gotcha", source="agent_explicit", session="other")
    ws.remember("The agent stored this itself.", type="fact", source="agent_explicit")
    ws.remember("This session said it.", type="decision", session="s")
    assert [read(ws, "a.py").text for _ in range(4)] == [""] * 4
    said = read(ws, "a.py").text
    assert "Use the harbour clock." in said
    assert "buoys" in said
    assert "itself" not in said
    assert "This session" not in said
    assert "Known before" not in said
    assert read(ws, "a.py").text == ""


def test_agents_of_ones_own_teach_the_observer_what_failed_and_what_helped(ws):
    for session in ("s1", "s2", "s3"):
        ws.after_tool(session, "Bash", {"command": "make test"}, "error: REDIS_URL is not set", error=True)
        ws.after_tool(session, "Edit", {"file_path": "env.py", "old_string": "a", "new_string": "b"}, "done")
        ws.after_tool(session, "Bash", {"command": "make test"}, "ok")
        ws.after_tool(session, "Bash", {"command": "make lint"}, "ok")
    ws.observe()
    [error], [recipe] = ws.list(types=["error_pattern"]), ws.list(types=["workflow_recipe"])
    assert error.content.startswith("`make test` fails with “error: REDIS_URL is not set”; fixed by editing `env.py`")
    assert "`make test` and `make lint`" in recipe.content


def test_an_outcome_is_stored_in_the_way_of_the_methodology(ws):
    report = "- [x] parse the file\n- [ ] write the page\nDecided: keep it small"
    outcome, state = ws.record_outcome(True, {"spec": "042"}, 5, 8, files=["a.py"], report=report, session="s")
    assert stored(outcome).content == "Spec 042 succeeded after 8 steps, 5 planned."
    assert stored(outcome).session == "s"
    assert stored(state).type == "work_state"
    assert stored(state).fields["in_progress"]["description"] == "write the page"
    assert "write the page" in ws.opening("next").text
    assert "Spec 042" in ws.brief("planner", "the next spec").text


def test_a_unit_of_work_has_one_outcome_and_one_state_the_latest(ws):
    ws.record_outcome(True, {"spec": "041"}, 3, 4)
    ws.record_outcome(False, {"spec": "042"}, 5, 8, report="Next: write the page")
    ws.record_outcome(True, {"spec": "042"}, 5, 12, report="Next: print the page")
    ws.record_outcome(True, {"spec": "042"}, 5, 12, qa_rounds=2)
    found = {memory.content for memory in ws.list(types=["work_unit_outcome"])}
    assert found == {
        "Spec 041 succeeded after 4 steps, 3 planned.",
        "Spec 042 succeeded after 12 steps, 5 planned.",
    }
    assert [m.fields["qa_rounds"] for m in ws.list(types=["work_unit_outcome"]) if "qa_rounds" in m.fields] == [2]
    [state] = ws.list(types=["work_state"])
    assert "print the page" in state.content


def test_planned_and_taken_steps_reach_the_planner_and_the_step_limit_by_module(ws):
    ws.record_outcome(True, {"spec": "042"}, 5, 9, files=["src/slow/a.py", "src/slow/b.py", "src/c.py"])
    [memory] = ws.list(types=["task_calibration"])
    assert memory.content == "Work in `src/slow` took 9 steps where 5 steps had been planned (1 unit of work)."
    assert dict(memory.fields) == {
        "module": "src/slow", "ratio": 1.8, "sample_count": 1, "average_planned_steps": 5, "average_actual_steps": 9,
    }  # fmt: skip
    plan = ws.brief("planner", "an unrelated task", modules=["src/slow"], estimate=10).text
    assert "src/slow: plan 18 steps instead of 10 (ratio 1.8)" in plan
    assert ws.step_limit(100, "src/slow") == 180
    assert ws.step_limit(100, "src") == 100


def test_a_calibration_counts_each_unit_of_work_once_and_only_what_succeeded(ws):
    ws.record_outcome(True, {"spec": "042"}, 5, 9, modules=["src/slow"])
    ws.record_outcome(True, {"spec": "042"}, 5, 10, modules=["src/slow"])
    ws.record_outcome(False, {"spec": "043"}, 5, 90, modules=["src/slow"])
    ws.record_outcome(True, {"spec": "044"}, 0, 90, modules=["src/slow"])
    ws.record_outcome(True, {"spec": "045"}, 4, 5, modules=["src/slow"])
    [memory] = ws.list(types=["task_calibration"])
    assert memory.content == (
        "Work in `src/slow` took 7.5 steps where 4.5 steps had been planned (the average of 2 units of work)."
    )
    assert (memory.fields["ratio"], memory.fields["sample_count"]) == (1.67, 2)


def test_the_effort_that_sessions_show_reaches_the_planner_by_module(ws):
    plan = {"todos": [{"content": name, "status": "pending"} for name in ("a", "b")]}
    for number, (module, steps) in enumerate([("src/slow", 9), ("src/fast", 1)] * 3):
        session = f"s{number}"
        ws.after_tool(session, "TodoWrite", plan, "ok")
        for step in range(steps):
            edit = {"file_path": f"{module}/f{number}{step}.py", "old_string": "a", "new_string": "b"}
            ws.after_tool(session, "Edit", edit, "done")
    ws.observe()
    text = ws.brief("planner", "an unrelated task", modules=["src/slow"], estimate=10).text
    assert "src/slow: plan 50 steps instead of 10 (ratio 5)" in text


def test_a_planner_gets_the_best_calibration_of_a_module_only(ws):
    ws.record_outcome(True, {"spec": "042"}, 5, 9, modules=["tides"])
    ws.remember("Tides take longer than planned.", type="task_calibration", module="tides", ratio=1.5)
    plan = ws.brief("planner", "Tides take longer than planned", modules=["tides"], estimate=10).text
    assert "plan 15 steps" in plan
    assert "plan 18 steps" not in plan
    assert ws.step_limit(100, "tides") == 150


def test_an_unnamed_unit_of_work_is_refused_with_the_levels(ws):
    with pytest.raises(InvalidInput, match="Give one of: spec, subtask"):
        ws.record_outcome(True, {"card": "7"})


KANBAN = """
name = "Kanban"
relays = [{from = "analyst", to = "maker", types = ["requirement"]}]

[phases]
doing = "implement"
"in review" = "validate"

[levels]
board = "Board"
card = "Card"
"""


def test_a_team_defines_its_own_in_a_file(tmp_path, project):
    file = tmp_path / "kanban.toml"
    file.write_text(KANBAN)
    settings: dict[str, Any] = {
        "db": str(tmp_path / "m.db"),
        "project": str(project),
        "embedder": "none",
        "background": False,
    }
    with holdfast.open(**settings, methodology=str(file)) as ws:
        ws.remember("Cards are small.", type="requirement", tags=["stage:analyst"])
        assert ws.recall("cards", phase="in review").hits
        assert "Handed over by analyst" in ws.brief("maker", "the next card").text
        (outcome,) = ws.record_outcome(False, {"board": "Sea", "card": "7"})
        assert (stored(outcome).content, stored(outcome).methodology) == ("Board Sea / Card 7 failed.", "kanban")


@pytest.mark.parametrize(
    ("content", "error"),
    [
        ("phases = 3", "needs a table 'phases'"),
        ("[phases]\ndoing = 'dancing'", "phase 'doing' of .* is 'dancing'"),
        ("[phases]\ndoing = 'implement'", "needs a table 'levels'"),
        (KANBAN.replace("from =", "of ="), "needs the texts 'from' and 'to'"),
        ("x = [", "cannot be read"),
        ("\x00", "cannot be read"),
    ],
)
def test_a_wrong_file_is_refused_by_the_entry(tmp_path, content, error):
    file = tmp_path / "m.toml"
    file.write_text(content)
    with pytest.raises(InvalidSettings, match=error):
        read_methodology(str(file))
