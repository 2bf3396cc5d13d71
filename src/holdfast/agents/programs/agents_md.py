"""AGENTS.md: a section about memory, for agents without hooks."""

from __future__ import annotations

from holdfast.agents.agent_program import AgentProgram

TYPE_CHECKING = False
if TYPE_CHECKING:
    from holdfast.agents.connect.edits import FileEdit
    from holdfast.agents.connect.place import ConnectPlace


def _edits(place: ConnectPlace, in_project: bool) -> tuple[FileEdit, ...]:
    from holdfast.agents.connect.place import section

    return section(place, "AGENTS.md")


PROGRAM = AgentProgram("agents-md", "AGENTS.md", edits=_edits)
