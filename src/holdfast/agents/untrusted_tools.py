"""Recognises calls whose output strangers can write: web pages, mail, servers behind MCP, shell commands that fetch."""

from __future__ import annotations

import os
import re
from typing import TYPE_CHECKING, Any

from holdfast.agents.tool_shapes import FETCH, RUN, command_of, shape_of, without_here_documents

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

_WORDS = re.compile(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])")
_OUTSIDE = frozenset(
    "web fetch browse browser playwright puppeteer selenium navigate scrape crawl http https url internet google bing"
    " email mail gmail inbox slack download curl wget lynx iwr irm gh glab".split()
)
# How clients name the tools of a server: Claude Code and Codex, Claude Code for a plug-in, Gemini CLI, opencode.
_OWN = ("mcp__holdfast__", "mcp__plugin_holdfast_holdfast__", "mcp_holdfast_", "holdfast__", "holdfast_")
# What Claude Code reads from the editor: diagnostics of the project's own files.
_LOCAL = ("mcp__ide__",)
_SERVED = ("mcp__", "mcp_")
_RESOURCES = ("readmcpresourcetool", "read_mcp_resource")
# opencode's own tools with an underscore in their names; any other of them is that of a server: `linear_get_issue`.
_OF_OPENCODE = ("plan_",)
# Where a command of a line begins: after another one, inside `$(…)`, and inside `sh -c "…"`.
_NEXT = re.compile(r"[;&\n`]|\|\s|\$\(|\s-l?c\s[\"']?")
_BEFORE = frozenset("sudo time env command".split())
_WEB = frozenset("curl wget lynx iwr irm invoke-webrequest".split())
# The client of a forge, what it is asked for and how, where people write what it prints.
_FORGES, _ALL, _THINGS = ("gh", "glab"), ("api", "search"), "issue pr mr release gist repo discussion".split()
_READS = ("view", "list", "status", "diff")
_THIS_MACHINE = ("localhost", "127.0.0.1", "[::1]")
_LONGEST = 4_000


def is_untrusted(tool: str, client: str = "") -> bool:
    """Does the name of a tool say that strangers can write what it returns?

    `client` is the agent program: opencode names the tools of servers in its own way.
    """
    name = tool[:200]
    if name.startswith((*_OWN, *_LOCAL)):
        return False
    if name.startswith(_SERVED) or "__" in name or (client == "opencode" and _is_of_server(name)):
        return True
    return any(word.lower() in _OUTSIDE for word in _WORDS.findall(name))


def is_own(tool: str) -> bool:
    """Is it a tool of Holdfast itself, as any client names it?"""
    return tool.startswith(_OWN)


def untrusted_source(tool: str, args: Mapping[str, Any], client: str = "") -> str:
    """What strangers can write of what a call returns: the tool, or the program that its command runs; empty if not.

    A name of a program is one that `is_untrusted` knows.
    """
    if is_untrusted(tool, client):
        return tool
    if tool.lower() in _RESOURCES and args.get("server") != "holdfast":
        return f"mcp__{args.get('server')}"
    if tool.startswith((*_OWN, *_LOCAL)):
        return ""
    kind = shape_of(tool, args).kind
    if kind == FETCH:
        return tool
    program = fetching(command_of(args)) if kind == RUN else ""
    return f"{tool} ({program})" if program else ""


def fetching(command: str) -> str:
    """The program with which a command reads from the web, or what people wrote on GitHub; not `curl localhost`."""
    return next(filter(None, map(_fetching, _NEXT.split(without_here_documents(command[:_LONGEST])))), "")


def _fetching(part: str) -> str:
    words = [word.strip("\"'()") for word in part.split()]
    while words and ("=" in words[0] or words[0] in _BEFORE or words[0].startswith("timeout")):
        words = words[2 if words[0] == "timeout" else 1 :]
    program = os.path.basename(words[0]) if words else ""
    if program in _FORGES:
        asked, how = (*words[1:3], "", "")[:2]
        return program if asked in _ALL or (asked in _THINGS and how in _READS) else ""
    return program if program.lower() in _WEB and words[1:] and _is_foreign(words[1:]) else ""


def _is_foreign(arguments: Sequence[str]) -> bool:
    """Do the arguments of a program that fetches name another machine, or none?"""
    addressed = [word for word in arguments if "://" in word or word.startswith(_THIS_MACHINE)]
    hosts = [word.partition("://")[2] or word for word in addressed]
    return not hosts or not all(host.startswith(_THIS_MACHINE) for host in hosts)


def _is_of_server(name: str) -> bool:
    return "_" in name and not name.startswith(_OF_OPENCODE)
