"""Agents that work in one session at the same time: each has a scratchpad of its own, and they are merged at the end.

What two agents saw independently is believed sooner.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from copy import deepcopy
from typing import TYPE_CHECKING, Any

from holdfast.observer.detect import observations
from holdfast.observer.scratchpad import Scratchpad
from holdfast.observer.signals import Observation
from holdfast.text.similarity import overlap

if TYPE_CHECKING:
    from holdfast.agents.event import Event

_SAME = 0.85
# The most agents with a scratchpad of their own; the events of others go to the main one.
_MOST_AGENTS = 32
# Only the merged scratchpad shows that several agents edited a file.
_OF_ALL = "parallel_conflict"


def scratchpads(session: str, events: Iterable[Event], root: str, kind: str) -> list[Scratchpad]:
    """The scratchpads of a session's agents, the main one first."""
    pads = {"": Scratchpad(session, root, kind)}
    for event in events:
        if event.agent not in pads and len(pads) < _MOST_AGENTS:
            pads[event.agent] = Scratchpad(session, pads[""].root, kind)
            pads[event.agent].folder = pads[""].folder
        pads.get(event.agent, pads[""]).observe(event)
    # What one agent read from outside reaches the others with its report.
    tainted = min((pad.untrusted for pad in pads.values() if pad.untrusted), key=lambda taint: taint[1], default=[])
    for pad in pads.values():
        pad.untrusted = pad.untrusted or tainted
    return list(pads.values())


def merged(pads: Sequence[Scratchpad]) -> Scratchpad:
    """One scratchpad with the files and commands of all agents; the prompts and the plan are those of the main one."""
    main, *others = pads
    if not others:
        return main
    whole = Scratchpad.from_record(deepcopy(main.to_record()))
    for pad in others:
        whole.step, whole.ended = max(whole.step, pad.step), max(whole.ended, pad.ended)
        for path, use in pad.files.items():
            known = whole.files.get(path)
            whole.files[path] = _together(known, use) if known else {**use, "agents": list(use["agents"])}
        whole.runs = sorted([*whole.runs, *pad.runs])
        whole.commits = sorted([*whole.commits, *pad.commits])
        whole.branches += [branch for branch in pad.branches if branch not in whole.branches]
    return whole


def agreed(pads: Sequence[Scratchpad], whole: Scratchpad) -> list[Observation]:
    """The observations of all agents. One that several agents made says how many, in its value `agents`."""
    if len(pads) == 1:
        return observations(whole)
    conflicts = [one for one in observations(whole) if one.signal == _OF_ALL]
    groups: list[list[Observation]] = []
    for pad in pads:
        for one in observations(pad):
            group = next((group for group in groups if _is_same(group[0], one)), None)
            if group is None:
                groups.append([one])
            else:
                group.append(one)
    return [_of_group(group) for group in groups] + conflicts


def _together(known: dict[str, Any], use: dict[str, Any]) -> dict[str, Any]:
    first, last = min(known["first"], use["first"]), max(known["last"], use["last"])
    edit = min(filter(None, (known["edit"], use["edit"])), default=0)
    sums = {name: known[name] + use[name] for name in ("reads", "parts", "edits", "tokens")}
    agents = list(dict.fromkeys([*known["agents"], *use["agents"]]))
    return {"first": first, "last": last, "edit": edit, "agents": agents, "line": use["line"], **sums}


def _is_same(one: Observation, other: Observation) -> bool:
    return one.signal == other.signal and (one.key == other.key or overlap(one.key, other.key) > _SAME)


def _of_group(group: Sequence[Observation]) -> Observation:
    first, agents = group[0], len(group)
    if agents == 1:
        return first
    steps = tuple(sorted({step for one in group for step in one.steps}))
    files = tuple(dict.fromkeys(path for one in group for path in one.files))
    taint = next((one.taint for one in group if one.taint), None)
    return Observation(first.signal, first.key, steps, files, (*first.values, ("agents", str(agents))), taint)
