"""Finds the programs that can be connected, and those that are installed."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from holdfast.agents.programs import CONNECT, all_programs, names, program
from holdfast.core.errors import InvalidInput

if TYPE_CHECKING:
    from holdfast.agents.agent_program import AgentProgram
    from holdfast.agents.connect.edits import FileEdit
    from holdfast.agents.connect.place import ConnectPlace


def connectable(name: str) -> AgentProgram:
    """The program with that name, which can be connected. Raises InvalidInput, which lists the known ones."""
    found = program(name)
    if found is None or found.edits is None:
        raise InvalidInput(f"agent {name!r}", hint=f"Use one of: {', '.join(names(CONNECT))}.")
    return found


def edits_of(program: AgentProgram, place: ConnectPlace, in_project: bool) -> tuple[FileEdit, ...]:
    """The changes of files that connect a program, everywhere or in one project only."""
    return program.edits(place, in_project) if program.edits else ()


def installed(environment: Mapping[str, str]) -> tuple[AgentProgram, ...]:
    """The programs whose command is on the path."""
    from shutil import which

    path = environment.get("PATH")
    return tuple(p for p in all_programs() if any(which(command, path=path) for command in p.commands))
