"""Classifies what tools that drive a browser report about the user interface."""

from __future__ import annotations

import json
import os
from functools import cache
from typing import Any, NamedTuple

from holdfast.text.patterns import compiled

_EXAMINED, _LONGEST, _SHORTEST = 2_000, 240, 15
_TARGETS = ("element", "selector", "text", "label", "url", "target", "ref")
_FILE = os.path.join(os.path.dirname(__file__), "data", "end_to_end.json")


class InterfaceObservation(NamedTuple):
    """A sentence about the interface and its kind: precondition, timing, ui_behavior, test_sequence or mcp_gotcha."""

    kind: str
    text: str


def drives_browser(tool: str) -> bool:
    """Does a tool drive a browser, by its name?"""
    return compiled(str(_rules()["tools"])).search(tool) is not None


def target_of(args: Any) -> str:
    """What the tool was used on: the first of its arguments that names it."""
    return next((str(args[name])[:80] for name in _TARGETS if args.get(name)), "")


def interface_observation(text: str) -> InterfaceObservation | None:
    """The first line of a result that says how the interface behaves; None if no line is worth remembering."""
    for line in text[:_EXAMINED].splitlines():
        line = line.strip(" -*#>\t")[:_LONGEST]
        if len(line) < _SHORTEST or compiled(_rules()["of_the_tool"]).search(line):
            continue
        for kind, pattern in _rules()["kinds"]:
            if compiled(pattern).search(line):
                return InterfaceObservation(kind, line)
    return None


@cache
def _rules() -> dict[str, Any]:
    with open(_FILE, encoding="utf-8") as opened:
        rules: dict[str, Any] = json.load(opened)
    return rules
