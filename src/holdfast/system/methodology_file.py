"""Reads a methodology that a team defines in a TOML file: its phases, its levels of work and its hand-overs."""

from __future__ import annotations

import os
import tomllib
from typing import Any

from holdfast.core.errors import InvalidSettings
from holdfast.core.memory import PHASES
from holdfast.core.methodology import Methodology, StagedMethodology, StageRelay, methodology

ENDING = ".toml"
_MOST_BYTES = 100_000
_HINT = "docs/injection.md shows an example."


def methodology_of(name: str) -> Methodology:
    """The methodology of a setting: a file, or one that is known by its name; raises InvalidInput for any other."""
    return read_methodology(name) if name.endswith(ENDING) else methodology(name)


def check_methodology(id: str, configured: str) -> None:
    """Raises InvalidInput for a methodology that is neither the one of the settings nor known by its name."""
    if id not in (configured, methodology_of(configured).id):
        methodology(id)


def read_methodology(path: str) -> StagedMethodology:
    """The methodology of a file; its id is the file's name. Raises InvalidSettings, which names the wrong entry."""
    try:
        with open(path, "rb") as opened:
            values = tomllib.loads(opened.read(_MOST_BYTES).decode("utf-8"))
    except (OSError, ValueError) as error:
        raise InvalidSettings(f"the methodology {path} cannot be read ({error})", hint=_HINT) from error
    name = os.path.basename(path)[: -len(ENDING)]
    phases = _texts(path, values, "phases")
    for phase, standard in phases.items():
        if standard not in PHASES:
            known = ", ".join(PHASES)
            raise InvalidSettings(f"phase {phase!r} of {path} is {standard!r}", hint=f"Use one of: {known}.")
    levels = tuple(_texts(path, values, "levels").items())
    relays = tuple(_relay(path, relay) for relay in _list(path, values, "relays"))
    return StagedMethodology(name, str(values.get("name", name)), phases, levels, relays)


def _texts(path: str, values: dict[str, Any], name: str) -> dict[str, str]:
    """A table of texts; not empty."""
    table = values.get(name)
    if not isinstance(table, dict) or not table or not all(isinstance(value, str) for value in table.values()):
        raise InvalidSettings(f"{path} needs a table {name!r} of texts", hint=_HINT)
    return {key.strip().lower().replace("-", "_").replace(" ", "_"): value for key, value in table.items()}


def _list(path: str, values: dict[str, Any], name: str) -> list[Any]:
    found = values.get(name, [])
    if not isinstance(found, list):
        raise InvalidSettings(f"{name!r} of {path} is not a list", hint=_HINT)
    return found


def _relay(path: str, relay: Any) -> StageRelay:
    values: dict[str, Any] = relay if isinstance(relay, dict) else {}
    giver, taker, types = values.get("from"), values.get("to"), values.get("types", [])
    if not isinstance(types, list) or not all(isinstance(value, str) for value in (giver, taker, *types)):
        raise InvalidSettings(f"a hand-over of {path} needs the texts 'from' and 'to'", hint=_HINT)
    return StageRelay(str(giver), str(taker), tuple(types))
