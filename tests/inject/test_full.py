"""What agents are given through the workspace: opening, first prompt, prefetched files, briefs, step limits."""

from __future__ import annotations

import os
from dataclasses import replace
from datetime import UTC, datetime

import pytest

import holdfast
from holdfast.agents.event import Event
from holdfast.core.errors import InvalidInput
from holdfast.core.memory import WorkUnit
from holdfast.core.memory_use import MemoryUse
from holdfast.inject.first_prompt import FILES
from holdfast.inject.stated_uses import with_stated


def taught(ws, text, type="fact", **fields):
    memory = ws.remember(text, type=type, **fields).memory
    assert memory is not None
    return memory.id


def observe(ws, session, prompt, *paths):
    """A session that was asked this and read these files."""
    events = [Event("session", 1.0, args={"session": session}), Event("user", 1.0, text=prompt)]
    for step, path in enumerate(paths, 1):
        events.append(Event("tool_call", 2.0, tool="Read", args={"file_path": path}, id=str(step), step=step))
        events.append(Event("tool_result", 2.0, text="x", id=str(step), step=step))
    ws.container.observer.observe(session, events)


def write(ws, path, text):
    file = os.path.join(ws.root, path)
    os.makedirs(os.path.dirname(file), exist_ok=True)
    with open(file, "w", encoding="utf-8") as opened:
        opened.write(text)


def test_the_first_prompt_gets_warnings_about_the_files_it_names(ws):
    write(ws, "src/tide.py", "")
    trap = taught(ws, "The moon is counted from zero.", "gotcha", files=["src/tide.py"])
    other = taught(ws, "Buoys are painted in May.", "gotcha", files=["docs/paint/buoys.md"])
    pack = ws.first_prompt("Rename a variable in src/tide.py", session="s")
    assert [cited.id for cited in pack.citations] == [trap]
    assert other not in pack.text
    assert ws.first_prompt("Rename it in src/tide.py", session="s").citations == ()


def test_the_first_prompt_lists_likely_files_within_its_budget(ws):
    for path in ("src/tide.py", "src/moon.py", "README.md"):
        write(ws, path, "")
    for number in range(6):
        observe(ws, f"s{number}", "Fix the tide table", "src/tide.py", "README.md", "src/moon.py", "src/gone.py")
    pack = ws.first_prompt("Fix the tide table of May")
    assert pack.text == f"{FILES}- src/{{tide.py, moon.py}}\n- README.md"
    assert pack.tokens <= pack.budget
    assert ws.first_prompt("Fix the tide table of May", budget=20).text == ""


def test_files_are_named_only_if_the_prompt_or_the_branch_speaks_for_them(ws):
    write(ws, "src/tide.py", "")
    observe(ws, "s1", "Corrige la table des marées, elle est fausse", "src/tide.py")
    assert "src/tide.py" in ws.first_prompt("La table des marées a une ligne de trop").text
    for unrelated in ("What is the capital of Peru?", "Quelle est la capitale du Pérou ?", "Bonjour"):
        assert ws.first_prompt(unrelated).text == ""
    assert [file.path for file in ws.predict_files("Bonjour")] == ["src/tide.py"]  # somebody asked


def test_prefetched_files_are_read_cut_and_confined(ws, tmp_path):
    (tmp_path / "secret.txt").write_text("outside")
    write(ws, "src/tide.py", "x = 1\n" * 2_000)
    write(ws, "src/moon.py", "```\nmoon\n```\n")
    write(ws, "src/data.bin", "a\0b")
    write(ws, "src/key.py", "token = 'ghp_" + "a1B2c3D4e5" * 4 + "'\n")
    os.symlink(tmp_path / "secret.txt", os.path.join(ws.root, "link.py"))
    paths = ["src/tide.py", "src/moon.py", "../secret.txt", "link.py", "src/data.bin", "src/key.py", "missing"]
    ws.container.prefetch = replace(ws.container.prefetch, predict=lambda task, branch: paths)
    pack = ws.prefetch("anything")
    assert "[cut here; read the file for the rest]" in pack.text
    assert len(pack.text) < 5_000
    assert "````\n```\nmoon" in pack.text
    assert "outside" not in pack.text
    assert "a1B2c3D4e5" not in pack.text
    assert "[secret:" in pack.text
    assert [line for line in pack.text.splitlines() if line.startswith("### ")] == [
        "### src/tide.py", "### src/moon.py", "### src/key.py",
    ]  # fmt: skip
    small = ws.prefetch("anything", budget=100)
    assert small.tokens <= 100


def test_a_planner_gets_estimates_constraints_and_scope(ws):
    taught(ws, "Tides take longer.", "task_calibration", module="tides", ratio=1.5, modules=["tides"])
    tried = {"approach_tried": "caching the moon", "why_it_failed": "it moves", "alternative_used": "compute it"}
    taught(ws, "Caching the moon failed.", "dead_end", modules=["tides"], **tried)
    coupled = {"when_changed": "tide.py", "also_touch": ["moon.py", "sun.py"]}
    taught(ws, "Tide and moon change together.", "causal_dependency", modules=["tides"], **coupled)
    taught(ws, "Tide task 7 succeeded.", "work_unit_outcome", fields={"work_unit": "Task 7", "succeeded": True})
    pack = ws.brief("planner", "Change the tide table", modules=["tides"], estimate=10)
    assert "tides: plan 15 steps instead of 10 (ratio 1.5)" in pack.text
    assert "Do not: caching the moon. It failed: it moves. Use instead: compute it." in pack.text
    assert "When tide.py changes, also change moon.py, sun.py" in pack.text
    assert "Tide task 7 succeeded." in pack.text
    assert len(pack.citations) == 4
    assert pack.text.count("[Memory #") == 4
    assert pack.tokens <= pack.budget


def test_a_coder_gets_what_the_planner_handed_over(ws):
    unit = WorkUnit("native", ("7",), "Spec 7")
    taught(ws, "The table is generated, not written.", "decision", tags=["stage:planner"], work_unit=unit)
    taught(ws, "Only for another spec.", "decision", tags=["stage:planner"])
    trap = taught(ws, "Tide tables count from zero.", "gotcha", files=["src/tide.py"])
    pack = ws.brief("coder", "Change the tide table", files=["src/tide.py"], work_unit="Spec 7")
    assert "## Handed over by planner" in pack.text
    assert "generated, not written" in pack.text.split("##")[1]
    assert "another spec" not in pack.text.split("##")[1]
    assert trap in [cited.id for cited in pack.citations]


def test_qa_gets_errors_requirements_and_observations(ws):
    taught(ws, "The tide form shows a spinner for two seconds.", "e2e_observation", kind="timing")
    taught(ws, "The tide form must accept negative heights.", "requirement")
    pack = ws.brief("qa", "Validate the tide form and its spinner")
    assert "## How the interface behaves" in pack.text
    assert "## Requirements" in pack.text


def test_a_stage_of_a_methodology_gets_its_relay(tmp_path, project):
    with holdfast.open(db=str(tmp_path / "m.db"), project=str(project), methodology="tdd") as ws:
        taught(ws, "The red test covers leap years.", "requirement", tags=["stage:red"])
        taught(ws, "Not a type that is handed over.", "fact", tags=["stage:red"])
        pack = ws.brief("green", "Make it pass")
        assert "leap years" in pack.text
        assert "Not a type" not in pack.text
        with pytest.raises(InvalidInput, match="coder, green, planner, qa, red, refactor"):
            ws.brief("cook", "soup")


def test_the_step_limit_follows_the_calibration(ws):
    assert ws.step_limit(20, "tides") == 20
    taught(ws, "Tides take longer.", "task_calibration", module="tides", ratio=1.45)
    taught(ws, "Buoys take much longer.", "task_calibration", module="buoys", ratio=7.0)
    taught(ws, "Piers are quick.", "task_calibration", module="piers", ratio=0.4)
    assert ws.step_limit(20, "tides") == 29
    assert ws.step_limit(20, "buoys") == 40
    assert ws.step_limit(20, "piers") == 20
    assert ws.step_limit(900, "buoys") == 1_000
    assert ws.step_limit(2_000, "buoys") == 2_000


def test_doubtful_memories_are_not_given(ws):
    taught(ws, "Perhaps the tide is late.", "gotcha", files=["src/tide.py"], source="observer_inferred", confidence=0.5)
    write(ws, "src/tide.py", "")
    assert ws.brief("coder", "Change the tide", files=["src/tide.py"]).text == ""


def overheard(ws, text, session, type="requirement", **fields):
    """A rule that the user mentioned in a session, as consolidation stores it."""
    return taught(
        ws, text, type, source="observer_inferred", source_role="user", session=session, confidence=0.7, **fields
    )


def opened(ws, **how):
    return [cited.id for cited in ws.opening("now", supply=False, **how).citations]


def test_a_session_starts_with_proven_rules_and_the_latest_of_the_others(ws):
    rule = taught(ws, "Never write to vendor", "requirement")
    old = overheard(ws, "The button should be called Save, not Store", "first")
    lasting = overheard(ws, "From now on the tests run in a container", "first")
    overheard(ws, "The lighthouse gets a new lamp", "first", "decision")
    wish = overheard(ws, "I prefer tabs in this repository", "first", "preference")
    assert opened(ws) == [rule, wish, lasting]
    ws.confirm(old)
    assert set(opened(ws)) == {rule, old, wish, lasting}


def test_a_rule_about_one_task_is_not_proven_by_being_found(ws):
    passing = overheard(ws, "The button of the harbour page should be green", "first")
    lasting = overheard(ws, "Never paint the mole of the harbour", "first")
    for _ in range(3):
        ws.recall("which colour has the button of the harbour page?")
        ws.recall("may I paint the mole of the harbour?")
    assert min(ws.get(passing).access_count, ws.get(lasting).access_count) >= 2
    assert opened(ws) == [lasting]


def test_rules_of_the_last_session_come_along(ws):
    overheard(ws, "The button should be called Save, not Store", "first")
    state = taught(ws, "Half of it is done", "work_state", source="observer_inferred", session="last", scope="session")
    last = overheard(ws, "The dialog needs a title", "last")
    by_agent = taught(
        ws, "The dialog is modal", "requirement", source="observer_inferred", source_role="assistant", session="last"
    )
    assert opened(ws) == [state, last]
    assert by_agent not in opened(ws)


def test_no_more_than_three_overheard_rules_and_none_that_is_contradicted(ws):
    kept = [
        overheard(ws, f"Always rinse filter {name} after use", "first") for name in ("red", "tall", "wooden", "new")
    ]
    assert opened(ws) == kept[:0:-1]
    ws.flag(kept[-1])
    assert opened(ws) == kept[2::-1]


def test_the_state_of_the_work_is_that_of_the_branch(ws):
    how = {"source": "observer_inferred", "scope": "session"}
    here = taught(ws, "The parser is half done", "work_state", session="a", attributes={"branch": "parser"}, **how)
    newest = taught(ws, "The lexer is finished", "work_state", session="b", attributes={"branch": "lexer"}, **how)
    assert opened(ws, branch="parser") == [here]
    assert opened(ws, branch="other") == opened(ws) == [newest]
    assert "[Memory #" + newest[-8:] + ": Last session] The lexer is finished" in ws.opening().text


def test_what_is_personal_is_marked(ws):
    taught(ws, "Answer in short sentences", "preference")
    taught(ws, "The kettle whistles at five")
    assert "(preference · personal · taught · " in ws.opening("a").text
    text = ws.context("when does the kettle whistle?").text
    assert "(preference · personal · taught · " in text
    assert "(fact · taught · " in text


def test_files_that_the_text_names_are_not_repeated(ws):
    taught(ws, "In src/tide.py the moon is counted from zero", "requirement", files=["src/tide.py"])
    taught(ws, "Buoys are painted in May", "requirement", files=["src/buoys.py"])
    text = ws.opening("a").text
    assert "counted from zero (requirement · taught · 2" in text
    assert "in May (requirement · taught · src/buoys.py · 2" in text


def test_an_outcome_can_be_stated(ws):
    """It holds against what the events suggest, counts a use, and makes a contradicted memory wait for review."""
    rule = taught(ws, "Never write to vendor", "requirement")
    ws.opening("monday")
    use = ws.record_use(rule, "used")
    assert (use.outcome, use.evidence) == ("used", "stated")
    assert ws.get(rule).access_count == 1
    assert [(given.id, seen.outcome) for given, seen in ws.session_summary("monday").given] == [(rule, "used")]
    inferred = MemoryUse(rule, use.at, "start", "ignored")
    ws.container.store.usage.record_uses(ws.project, "monday", [inferred])
    assert [seen.outcome for _, seen in ws.session_summary("monday").given] == ["used"]
    ws.record_use(rule[-8:], "contradicted", session="tuesday")
    assert ws.get(rule).needs_review
    assert [seen.outcome for _, seen in ws.session_summary("tuesday").given] == ["contradicted"]
    with pytest.raises(InvalidInput):
        ws.record_use(rule, "liked")


def test_what_somebody_states_holds_against_the_events():
    at = datetime(2026, 11, 1, tzinfo=UTC)
    judged = [MemoryUse("a", at, "prompt", "ignored"), MemoryUse("b", at, "prompt", "ignored")]
    stored = [MemoryUse("b", at, "stated", "used", "stated"), MemoryUse("c", at, "prompt", "used", "cited")]
    assert [(use.memory, use.outcome) for use in with_stated(judged, stored)] == [("a", "ignored"), ("b", "used")]
