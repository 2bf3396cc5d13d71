"""Agents that work at the same time: isolated scratchpads, merged by quorum."""

from __future__ import annotations

from holdfast.observer.parallel import agreed, merged, scratchpads
from holdfast.workspace import Workspace
from tests.observer.sessions import Talk

_FAILURE = "error: REDIS_URL is not set"


def _agents(*names: str) -> Talk:
    talk = Talk()
    for name in names:
        talk.run("make test", _FAILURE, True, agent=name).edit(f"src/{name or 'main'}.py", agent=name)
    return talk


def _errors(ws: Workspace, talk: Talk) -> list[str]:
    report = ws.container.observer.observe("s", talk.events)
    return [one.candidate.text for one in report.promoted if one.signal == "error_retry"]


def test_what_two_agents_saw_needs_one_session(ws: Workspace) -> None:
    assert not _errors(ws, _agents("a"))
    assert _errors(ws, _agents("a", "b")) == [f"`make test` fails with “{_FAILURE}” (seen in 2 agents of one session)."]


def test_a_search_of_two_agents_names_them_not_sessions(ws: Workspace) -> None:
    talk = Talk()
    for agent in ("a", "b"):
        for _ in range(3):
            talk.call("Grep", {"pattern": "tax_rate"}, "src/tax.py:1", agent=agent).read("src/tax.py", agent=agent)
    report = ws.container.observer.observe("s", talk.events)
    [text] = [one.candidate.text for one in report.promoted if one.signal == "repeated_grep"]
    assert text == "`tax_rate` is searched for again and again (2 agents of one session): it is in `src/tax.py`."


def test_agents_do_not_resolve_the_failures_of_each_other() -> None:
    talk = Talk().run("make test", _FAILURE, True, agent="a").edit("x.py", agent="b").run("make test", agent="b")
    main, first, second = scratchpads("s", talk.events, "/p", "build")
    assert (main.step, first.step, second.step) == (0, 1, 3)
    [failure] = first.failures.values()
    assert (failure["fixed"], failure["edits"]) == (0, [])
    assert not second.failures


def test_the_merged_scratchpad_counts_every_agent_once() -> None:
    talk = Talk().read("a.py").edit("a.py", agent="x").edit("a.py", agent="y").read("b.py", agent="y")
    pads = scratchpads("s", talk.events, "/p", "build")
    whole = merged(pads)
    use = whole.files["a.py"]
    assert (use["first"], use["reads"], use["edits"], use["agents"]) == (1, 1, 2, ["x", "y"])
    assert [one.key for one in agreed(pads, whole) if one.signal == "parallel_conflict"] == ["a.py"]
    assert merged(pads[:1]) is pads[0]


def test_what_one_agent_read_from_outside_taints_the_others(ws: Workspace) -> None:
    talk = Talk().call("WebFetch", {"url": "https://example.org"}, "page", agent="a")
    for name in ("b", "c"):
        talk.run("make test", _FAILURE, True, agent=name)
    ws.container.observer.observe("s", talk.events)
    [memory] = ws.list(types=["error_pattern"])
    assert memory.taint is not None
    assert memory.needs_review
