"""Conversations: session list, show, import, recap, new."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

import click

from holdfast.core.ids import short
from holdfast.interfaces.cli.app import CommandOptions, command, group, option, tell
from holdfast.interfaces.cli.arguments import LIMIT
from holdfast.interfaces.cli.terminal import age, clean, clean_lines, is_terminal, moment, paint, table
from holdfast.interfaces.language import say, say_count, to_say

if TYPE_CHECKING:
    from holdfast.conversation.transcripts.importer import ImportReport
    from holdfast.core.conversation import Message, SessionState

_FORMATS = click.Choice(("chatgpt", "claude-code", "codex", "copilot", "gemini"))
_ROLES = {
    "user": to_say("person"),
    "assistant": to_say("assistant"),
    "system": to_say("system"),
    "tool": to_say("tool"),
}

session = group("session")


@command("list", group=session, help=to_say("The conversations that are kept, the latest first."))
@option("--limit", type=LIMIT, default=50, metavar="N", show_default=True, help="At most so many.")
def list_sessions(given: CommandOptions, limit: int) -> None:
    with given.open() as ws:
        states = ws.sessions(limit)
    given.tell(states, lambda: _rows(states))


@command("show", group=session, help=to_say("What was said in a conversation."))
@click.argument("id")
@option("--limit", type=LIMIT, default=50, metavar="N", show_default=True, help="At most so many messages.")
@option("--after", metavar="ID", help="Begin after this message.")
def show_session(given: CommandOptions, id: str, limit: int, after: str | None) -> None:
    with given.open() as ws:
        state = ws.find_session(id)
        start = ws.get(after).id if after else None
        messages = ws.session(state.id, state.kind).messages(start, limit + 1)
    shown = messages[:limit]
    given.tell({"session": state, "messages": shown}, lambda: _transcript(state, shown))
    if is_terminal() and not given.json and len(messages) > limit:
        tell(paint(say("There is more; --after {id} shows it.", id=short(shown[-1].id)), "dim"))


@command(
    "import",
    group=session,
    help=to_say("Keep what was said to other programs; twice adds nothing."),
    more=lambda: say("PATH is a transcript, or a folder of them such as ~/.claude/projects."),
)
@click.argument("paths", nargs=-1, required=True, metavar="PATH...")
@option("--format", "format_", type=_FORMATS, help="Whose transcripts they are; by default their content tells.")
@option("--everywhere", is_flag=True, help="Of a folder, sessions of other projects too.")
def import_sessions(given: CommandOptions, paths: tuple[str, ...], format_: str | None, everywhere: bool) -> None:
    from holdfast.conversation.transcripts.importer import ImportReport

    with given.open() as ws:
        report = sum((ws.import_transcript(path, format_, everywhere) for path in paths), ImportReport())
    given.tell(report, lambda: _imported(report))


@command("recap", group=session, help=to_say("What stands in the prompt for messages that were trimmed."))
@click.argument("id")
def recap(given: CommandOptions, id: str) -> None:
    with given.open() as ws:
        state = ws.find_session(id)
    nothing = say("Nothing of this conversation was trimmed.")
    given.tell({"session": state.id, "recap": state.recap}, lambda: clean_lines(state.recap or nothing))


@command("new", group=session, help=to_say("End a conversation: learn from it now, and begin anew."))
@click.argument("id")
def new(given: CommandOptions, id: str) -> None:
    with given.open() as ws:
        state = ws.find_session(id)
        report = ws.new_session(state.id)
    given.tell(report, lambda: say("Learned from {id}; the next message begins anew.", id=clean(state.id)))


def _rows(states: Iterable[SessionState]) -> str:
    head = (say("session"), say("latest"), say("messages"), say("consolidated"), say("title"))
    lines = [
        (
            clean(state.id),
            age(state.last_at),
            str(state.messages),
            age(state.consolidated_at) if state.consolidated_at else say("not yet"),
            clean(state.title or ""),
        )
        for state in states
    ]
    if not lines:
        return say("There is nothing here.")
    return table([head, *lines], styles=("cyan", "dim", "", "dim", "bold"), right=(2,), indent=0)


def _transcript(state: SessionState, messages: Iterable[Message]) -> str:
    title = paint(clean(state.title or state.id), "bold")
    return "\n\n".join([title, *map(_message, messages)])


def _message(message: Message) -> str:
    who = paint(say(_ROLES.get(message.role, message.role)), "bold")
    tools = say("with {tools}", tools=clean(", ".join(message.tools))) if message.tools else ""
    about = " · ".join(part for part in (moment(message.at), short(message.id), tools) if part)
    return f"{who} {paint(about, 'dim')}\n{clean_lines(message.text)}"


def _imported(report: ImportReport) -> str:
    sessions = say_count(report.sessions, "{n} conversation", "{n} conversations")
    messages = say_count(report.messages, "{n} message kept", "{n} messages kept")
    known = ", " + say_count(report.known, "{n} was known already", "{n} were known already") if report.known else ""
    said = [f"{sessions}: {messages}{known}."]
    if report.skipped:
        lines = [(str(count), clean(say(reason))) for reason, count in report.skipped.items()]
        said.append(paint(say("Passed over"), "dim") + "\n" + table(lines, right=(0,)))
    return "\n".join(said)


# Sentences of the rooms below that are said here as they stand, so that they too have a translation.
ECHOES = (
    to_say("not JSON"),
    to_say("too long a line"),
    to_say("an unknown kind of record"),
    to_say("of a sub-agent"),
    to_say("put in by the program"),
    to_say("told twice"),
    to_say("no transcript"),
    to_say("of another project"),
    to_say("too long a message"),
)
