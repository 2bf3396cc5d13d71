"""Notes of a session that goes on: what it shows already, long before it is a memory.

Promotion waits for the end of the session, and for other sessions. A note is for this session only: for its agent after
its context was cut, for the agents it starts, and for the person who looks at it.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from typing import TYPE_CHECKING, Any

from holdfast.core.memory_use import SessionNote
from holdfast.observer.detect import observations
from holdfast.observer.injected_instructions import instructs
from holdfast.observer.observation_summaries import listed
from holdfast.observer.parallel import agreed, merged, scratchpads
from holdfast.observer.tool_actions import is_config

if TYPE_CHECKING:
    from holdfast.agents.event import Event
    from holdfast.observer.scratchpad import Scratchpad
    from holdfast.observer.signals import Observation

_FILE = os.path.join(os.path.dirname(__file__), "data", "early_notes.json")
_MOST, _OTHER_FILES, _TIMES = 8, 2, 2
_LONGEST = 300


def session_notes(events: Iterable[Event]) -> tuple[SessionNote, ...]:
    """The notes of a session by its events so far, the most important first. Text that addresses the agent is none."""
    pads = scratchpads("", events, "", "build")
    whole = merged(pads)
    seen = agreed(pads, whole) if len(pads) > 1 else observations(whole)
    found = [*(note for one in seen for note in _note(one)), *_configuration(whole)]
    unique = {note.text: note for note in found if not instructs(note.text)}.values()
    return tuple(sorted(unique, key=lambda note: (-note.priority, note.steps)))[:_MOST]


def _note(one: Observation) -> Iterator[SessionNote]:
    values: dict[str, Any] = dict(one.values)
    if one.signal in ("self_correction", "dead_end") or (one.signal == "repeated_grep"):
        # The session knows what it changes.
        values = {"n": len(one.steps), **values, "finding": one.key}
        yield _written(one.signal, one.steps, values, one.taint is not None)
    elif one.signal == "error_retry" and len(one.steps) >= _TIMES:
        remedy = values.get("remedy") or ("; resolved since" if values.get("fixed") else "; not resolved yet")
        yield _written(one.signal, one.steps, {**values, "n": len(one.steps), "remedy": remedy}, one.taint is not None)


def _configuration(pad: Scratchpad) -> Iterator[SessionNote]:
    edited = pad.edited()
    configs = [path for path in edited if is_config(path)]
    others = len(edited) - len(configs)
    if configs and others >= _OTHER_FILES:
        steps = tuple(pad.files[path]["edit"] for path in configs)
        values = {"configs": listed(configs[:3]), "others": others}
        yield _written("config_touch", steps, values, pad.tainted_by(max(steps)) is not None)


def _written(signal: str, steps: tuple[int, ...], values: Mapping[str, Any], tainted: bool) -> SessionNote:
    trigger = _triggers()[signal]
    return SessionNote(signal, trigger["priority"], trigger["text"].format(**values)[:_LONGEST], steps, tainted)


@cache
def _triggers() -> dict[str, Any]:
    with open(_FILE, encoding="utf-8") as opened:
        triggers: dict[str, Any] = json.load(opened)
    return triggers
