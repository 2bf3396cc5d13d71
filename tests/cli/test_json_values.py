"""Results as JSON: dataclasses, named tuples, times, paths and reasons."""

from __future__ import annotations

import json
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import NamedTuple

import pytest

from holdfast.core.reason import Code, Reason
from holdfast.interfaces import messages
from holdfast.interfaces.json_values import json_text, json_value
from holdfast.interfaces.messages import text_of


class _Sea(Code):
    STORM = "sea.storm"
    LATE = "sea.late"


@dataclass(frozen=True)
class _Boat:
    name: str
    left: datetime
    log: Path


class _Berth(NamedTuple):
    pier: int
    boats: tuple[str, ...]


BOAT = _Boat("Gull", datetime(2026, 3, 1, 12, tzinfo=UTC), Path("log/gull.txt"))


@pytest.fixture
def sea_messages(monkeypatch):
    table = {_Sea.STORM: "wind of {knots} knots", _Sea.LATE: "{boats} stayed in: {why}"}
    monkeypatch.setattr(messages, "messages", lambda package: {"sea": table}[package])


def test_dataclasses_and_named_tuples_become_objects():
    assert json_value(BOAT) == {"name": "Gull", "left": "2026-03-01T12:00:00.000Z", "log": "log/gull.txt"}
    assert json_value([_Berth(2, ("Gull",))]) == [{"pier": 2, "boats": ["Gull"]}]


def test_a_reason_becomes_its_code_values_and_text(sea_messages):
    storm = Reason.of(_Sea.STORM, knots=1200)
    assert json_value(storm) == {"code": "sea.storm", "values": {"knots": 1200}, "text": "wind of 1,200 knots"}


def test_a_reason_may_hold_reasons_and_lists(sea_messages):
    late = Reason.of(_Sea.LATE, boats=("Gull", "Tern"), why=Reason.of(_Sea.STORM, knots=40))
    assert text_of(late) == "Gull, Tern stayed in: wind of 40 knots"
    assert json_value(late)["values"]["why"]["code"] == "sea.storm"


def test_characters_that_a_terminal_interprets_are_escaped():
    text = json_text({"text": "a\x9b31mb\u202ec"})
    assert "\x9b" not in text
    assert "\u202e" not in text
    assert json.loads(text) == {"text": "a\x9b31mb\u202ec"}
