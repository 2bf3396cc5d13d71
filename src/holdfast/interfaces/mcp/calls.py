"""The functions behind the tools: each calls one workspace method and renders its result."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from holdfast.core.memory import Taint
from holdfast.interfaces.mcp import code_render, render
from holdfast.interfaces.mcp.render import ToolReply
from holdfast.interfaces.mcp.tool_arguments import moment

if TYPE_CHECKING:
    from holdfast.interfaces.mcp.tool import ReportProgress
    from holdfast.workspace import Workspace

# An agent speaks for itself, not for the user: its memories are stored, but not verified.
SOURCE = "agent_explicit"
# Lines per part of an answer about code.
_LINES = 25


def search(workspace: Workspace, arguments: Mapping[str, Any]) -> ToolReply:
    # Always abstain when evidence is weak: a model would take a weak hit for an answer.
    optional = {name: arguments[name] for name in ("also", "limit", "types", "files", "temporal") if name in arguments}
    return render.found(workspace.recall(arguments["query"], as_of=moment(arguments.get("as_of")), **optional))


def context(workspace: Workspace, arguments: Mapping[str, Any]) -> ToolReply:
    optional = {name: value for name, value in arguments.items() if name != "task"}
    return render.packed(workspace.context(arguments["task"], **{"session": workspace.session_at_work(), **optional}))


def remember(workspace: Workspace, arguments: Mapping[str, Any]) -> ToolReply:
    given = {name: value for name, value in arguments.items() if name != "from_tool"}
    taint = Taint(arguments["from_tool"]) if "from_tool" in arguments else None
    return render.admission(workspace.remember(source=SOURCE, taint=taint, **given), inferred="type" not in given)


def correct(workspace: Workspace, arguments: Mapping[str, Any]) -> ToolReply:
    return render.admission(workspace.correct(source=SOURCE, **arguments))


def confirm(workspace: Workspace, arguments: Mapping[str, Any]) -> ToolReply:
    return render.changed(
        "Confirmed; only the user can mark it as verified", workspace.confirm(arguments["id"], source=SOURCE)
    )


def forget(workspace: Workspace, arguments: Mapping[str, Any]) -> ToolReply:
    return render.changed("Forgotten", workspace.forget(source=SOURCE, **arguments))


def stats(workspace: Workspace, arguments: Mapping[str, Any]) -> ToolReply:
    return render.statistics(workspace.stats())


def entity(workspace: Workspace, arguments: Mapping[str, Any]) -> ToolReply:
    return render.profile(workspace.entity(**arguments))


def record_outcome(workspace: Workspace, arguments: Mapping[str, Any]) -> ToolReply:
    from holdfast.observer.qa import QaFailure

    given = arguments.get("failures", ())
    failures = tuple(QaFailure(**{**one, "files": tuple(one.get("files", ()))}) for one in given)
    return render.outcome(workspace.record_outcome(**{**arguments, "failures": failures}))


def index(workspace: Workspace, arguments: Mapping[str, Any], progress: ReportProgress) -> ToolReply:
    return render.indexed(workspace.index(arguments.get("paths"), progress=progress))


def impact(workspace: Workspace, arguments: Mapping[str, Any]) -> ToolReply:
    found = workspace.impact(arguments["target"], arguments.get("depth", 3))
    return code_render.impact(found, arguments.get("limit", _LINES))


def dependencies(workspace: Workspace, arguments: Mapping[str, Any]) -> ToolReply:
    found = workspace.dependencies(arguments["target"], arguments.get("depth", 1))
    return code_render.dependencies(found, arguments.get("limit", _LINES))


def flow(workspace: Workspace, arguments: Mapping[str, Any]) -> ToolReply:
    limit = arguments.get("limit", _LINES)
    if "target" not in arguments:
        return code_render.entry_points(workspace.entry_points(), limit)
    return code_render.flow(workspace.flow(arguments["target"], arguments.get("depth", 3)), limit)
