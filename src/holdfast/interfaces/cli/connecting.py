"""The command connect."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator, Sequence
from difflib import unified_diff
from typing import TYPE_CHECKING

import click

from holdfast.agents.programs import CONNECT, names
from holdfast.core.citation import plain
from holdfast.core.errors import InvalidInput
from holdfast.interfaces.cli.app import CommandOptions, command, option
from holdfast.interfaces.cli.terminal import clean, paint
from holdfast.interfaces.language import translate
from holdfast.system.platform_folders import data_folder

if TYPE_CHECKING:
    from holdfast.agents.agent_program import AgentProgram
    from holdfast.agents.connect.connections import FileChange


@command(
    "connect",
    more=lambda: translate(
        "AGENT is one of {agents}. agents-md and claude-md add a section to AGENTS.md or CLAUDE.md, for agents without "
        "hooks.",
        agents=", ".join(names(CONNECT)),
    ),
)
@click.argument("agent", type=click.Choice(names(CONNECT)), metavar="AGENT")
@option("--remove", is_flag=True, help="Undo the connection: restore the files, or remove only our entries.")
@option("--for-project", is_flag=True, help="Connect the agent in this project only.")
@option("--dry-run", is_flag=True, help="Only show what would change.")
def connect(options: CommandOptions, agent: str, remove: bool, for_project: bool, dry_run: bool) -> None:
    from holdfast.agents.connectable import connectable

    chosen = connectable(agent)
    if for_project and not chosen.in_project:
        raise InvalidInput(f"{chosen.title} cannot be connected for one project", hint="Leave out --for-project.")
    with options.open(create=True, create_project=True) as ws:
        root = ws.root
    changes = connect_agent(root, chosen, remove=remove, for_project=for_project, dry_run=dry_run)
    files = [{"path": change.path, "changed": change.is_needed} for change in changes]
    result = {"agent": agent, "connected": not remove, "dry_run": dry_run, "files": files}
    options.print_result(result, lambda: _report(chosen, changes, remove, dry_run, for_project))


def connect_agent(
    root: str, program: AgentProgram, *, remove: bool = False, for_project: bool = False, dry_run: bool = False
) -> tuple[FileChange, ...]:
    """Connects a program, or takes its connection out; returns the changes of its files."""
    from holdfast.agents.connect.connections import Connections
    from holdfast.agents.connect.place import ConnectPlace
    from holdfast.agents.connectable import edits_of

    place = ConnectPlace(os.path.expanduser("~"), os.environ, root, own_command())
    connections = Connections(os.path.join(data_folder(os.environ), "connections"))
    edits = edits_of(program, place, for_project)
    changes = connections.plan_removal(edits) if remove else connections.plan(edits)
    if not dry_run:
        connections.apply(changes)
    return changes


def own_command() -> tuple[str, ...]:
    """The command that starts this program, by its path: an agent may have another search path.

    Without a script, Python must not look into the current folder (`-P`): agents start the command in any project.
    """
    folders = (os.path.dirname(sys.executable), *_scripts_of_this_installation())
    names = (os.path.join(folder, name) for folder in folders for name in ("holdfast", "holdfast.exe"))
    script = next((name for name in names if os.path.isfile(name) and os.access(name, os.X_OK)), None)
    return (script,) if script else (sys.executable, "-P", "-m", "holdfast")


def _scripts_of_this_installation() -> Iterator[str]:
    """The folder of scripts that belongs to the folder of this package; the user's with `pip install --user`."""
    import sysconfig

    import holdfast

    packages = os.path.dirname(os.path.dirname(os.path.abspath(holdfast.__file__)))
    for scheme in (sysconfig.get_default_scheme(), sysconfig.get_preferred_scheme("user")):
        if os.path.realpath(sysconfig.get_path("purelib", scheme)) == os.path.realpath(packages):
            yield sysconfig.get_path("scripts", scheme)


def _report(
    program: AgentProgram, changes: Sequence[FileChange], remove: bool, dry_run: bool, for_project: bool
) -> str:
    needed = [change for change in changes if change.is_needed]
    parts = ["\n".join(_diff(change, dry_run)) for change in needed]
    differences, names = [part for part in parts if "\n" in part], [part for part in parts if "\n" not in part]
    verdict = paint(_verdict(program, bool(needed), remove, dry_run, for_project), "bold")
    return "\n\n".join(filter(None, [*differences, "\n".join(names), verdict]))


def _verdict(program: AgentProgram, changed: bool, remove: bool, dry_run: bool, for_project: bool) -> str:
    if not changed:
        done = translate("{agent} is not connected.") if remove else translate("{agent} is already connected.")
        return done.format(agent=program.title)
    if dry_run:
        return translate("Nothing was changed: this was a dry run.")
    if remove:
        return translate("{agent} is no longer connected.", agent=program.title)
    said = [
        translate("{agent} is connected; new sessions use memory.", agent=program.title),
        translate("In other projects, run `holdfast init` once.") if program.commands and not for_project else "",
        translate("`holdfast connect {name} --remove` undoes this.", name=program.name),
        translate(program.note) if program.note else "",
    ]
    return "\n\n".join(filter(None, (" ".join(filter(None, said)), _as_model(program))))


def _as_model(program: AgentProgram) -> str:
    """How to use the program as language model, too, if that is possible."""
    if not program.as_model:
        return ""
    return translate(
        "Optional: `holdfast config llm_command {command}` has {agent} read your conversations in the background, "
        "within a daily limit, and learn more from them.",
        command=program.as_model,
        agent=program.title,
    )


def _diff(change: FileChange, in_full: bool) -> Iterator[str]:
    """The file's path and the lines that change; those of a new or deleted file only `in_full`."""
    yield paint(clean(change.path), "cyan") + _state(change)
    if None in (change.before, change.after) and not in_full:
        return
    lines = unified_diff(_lines(change.before), _lines(change.after), n=1, lineterm="")
    for line in list(lines)[2:]:
        style = {"+": "green", "-": "red"}.get(line[:1], "dim")
        yield paint(plain(line).expandtabs(4), style)


def _state(change: FileChange) -> str:
    if change.before is None:
        return " " + translate("(new)")
    return " " + translate("(deleted)") if change.after is None else ""


def _lines(content: bytes | None) -> list[str]:
    return (content or b"").decode("utf-8", "replace").splitlines()
