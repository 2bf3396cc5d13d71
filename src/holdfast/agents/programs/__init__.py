"""The agent programs that we know: one row and one module for each. A module is imported when it is asked for."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from holdfast.agents.agent_program import AgentProgram

# What a program's module offers: files to connect it, and transcripts that can be read.
CONNECT, TRANSCRIPTS = "connect", "transcripts"
# The module of each program, and what it offers, so that lists of names import nothing. Transcripts are recognised by
# the rows from the last to the first: the later ones demand more of a record.
PROGRAMS: dict[str, tuple[str, ...]] = {
    "claude-code": ("holdfast.agents.programs.claude_code", CONNECT, TRANSCRIPTS),
    "codex": ("holdfast.agents.programs.codex", CONNECT, TRANSCRIPTS),
    "journal": ("holdfast.agents.programs.own_journal", TRANSCRIPTS),
    "copilot": ("holdfast.agents.programs.copilot", CONNECT, TRANSCRIPTS),
    "gemini": ("holdfast.agents.programs.gemini", CONNECT, TRANSCRIPTS),
    "chatgpt": ("holdfast.agents.programs.chatgpt", TRANSCRIPTS),
    "opencode": ("holdfast.agents.programs.opencode", CONNECT, TRANSCRIPTS),
    "specstory": ("holdfast.agents.programs.specstory", TRANSCRIPTS),
    "cursor": ("holdfast.agents.programs.cursor", CONNECT),
    "vscode": ("holdfast.agents.programs.vscode", CONNECT),
    "windsurf": ("holdfast.agents.programs.windsurf", CONNECT),
    "zed": ("holdfast.agents.programs.zed", CONNECT),
    "cline": ("holdfast.agents.programs.cline", CONNECT),
    "agents-md": ("holdfast.agents.programs.agents_md", CONNECT),
    "claude-md": ("holdfast.agents.programs.claude_md", CONNECT),
}


def names(offer: str) -> tuple[str, ...]:
    """The names of the programs that offer this."""
    return tuple(name for name, (_, *offered) in PROGRAMS.items() if offer in offered)


def program(name: str) -> AgentProgram | None:
    """The program with that name; None if we do not know it."""
    if name not in PROGRAMS:
        return None
    # `importlib` would take a hook longer than the module.
    found: AgentProgram = __import__(PROGRAMS[name][0], fromlist=("PROGRAM",)).PROGRAM
    return found


def hooked(name: str) -> AgentProgram | None:
    """The program with that name, if it has hooks that we answer."""
    found = program(name)
    return found if found is not None and found.events else None


def all_programs() -> Iterator[AgentProgram]:
    """Every program, in the order of the rows."""
    return filter(None, map(program, PROGRAMS))
