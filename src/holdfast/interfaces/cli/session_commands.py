"""The command session: list, show, import, recap, report, new."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

import click

from holdfast.agents.programs import TRANSCRIPTS, names
from holdfast.agents.transcript_reasons import TranscriptCode
from holdfast.core.conversation import SessionState
from holdfast.core.errors import InvalidInput, NotFound
from holdfast.core.ids import short
from holdfast.core.reason import Reason
from holdfast.interfaces.cli import completion
from holdfast.interfaces.cli.app import CommandOptions, command, group, option, print_text
from holdfast.interfaces.cli.command_arguments import KIND, LIMIT
from holdfast.interfaces.cli.progress_bar import progress_bar
from holdfast.interfaces.cli.session_summary import session_summary
from holdfast.interfaces.cli.terminal import age, clean, clean_lines, is_terminal, moment, paint, table, wrap
from holdfast.interfaces.language import number, translatable, translate, translate_count
from holdfast.interfaces.messages import text_of
from holdfast.observer.session_kinds import OUTCOMES

if TYPE_CHECKING:
    from datetime import datetime

    from holdfast.core.conversation import Message
    from holdfast.core.memory_use import SessionSummary
    from holdfast.sessions.session_import import ImportReport
    from holdfast.workspace import Workspace

FORMAT = click.Choice(sorted(names(TRANSCRIPTS)))
_UUID = re.compile(r"[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}")
_ROLES = {
    "user": translatable("user"),
    "assistant": translatable("assistant"),
    "system": translatable("system"),
    "tool": translatable("tool"),
}

session = group("session")


@command("list", group=session, help=translatable("List stored conversations, latest first."))
@option("--limit", type=LIMIT, default=50, metavar="N", show_default=True, help="Maximum number of results.")
def list_sessions(options: CommandOptions, limit: int) -> None:
    with options.open() as ws:
        stored = ws.sessions(limit)
        known = {state.id for state in stored}
        running = [_running(id, at) for id, at in ws.running_sessions().items() if id not in known]
    states = [*running, *stored][:limit]
    options.print_result(states, lambda: _rows(states))


@command("show", group=session, help=translatable("Show the messages of a conversation, and what memory did for it."))
@click.argument("id", shell_complete=completion.sessions)
@option("--limit", type=LIMIT, default=50, metavar="N", show_default=True, help="Maximum number of messages.")
@option("--after", metavar="ID", help="Start after this message.")
def show_session(options: CommandOptions, id: str, limit: int, after: str | None) -> None:
    with options.open() as ws:
        state = _stored(ws, id)
        if isinstance(state, str):
            live = ws.session_summary(state)
            options.print_result({"session": state, "summary": live, "messages": []}, lambda: _live(live))
            return
        start = ws.get(after).id if after else None
        messages = ws.session(state.id, state.kind).messages(start, limit + 1)
        summary = ws.session_summary(state.id)
    shown = messages[:limit]
    values = {"session": state, "summary": summary, "messages": shown}
    options.print_result(values, lambda: _transcript(state, summary, shown))
    if is_terminal() and not options.json and len(messages) > limit:
        more = translate("There are more messages; --after {id} shows them.", id=short(shown[-1].id))
        print_text(paint(wrap(more), "dim"))


@command(
    "import",
    group=session,
    help=translatable("Import conversations from other programs; repeating it adds nothing."),
    more=lambda: translate("PATH is a transcript or a folder of transcripts, such as ~/.claude/projects."),
)
@click.argument("paths", nargs=-1, required=True, metavar="PATH...", shell_complete=completion.files)
@option("--format", "format_", type=FORMAT, help="Program that wrote the transcripts (default: detected).")
@option("--everywhere", is_flag=True, help="Include sessions of other projects when PATH is a folder.")
def import_sessions(options: CommandOptions, paths: tuple[str, ...], format_: str | None, everywhere: bool) -> None:
    from holdfast.sessions.session_import import ImportReport

    with options.open(create=True) as ws, progress_bar(translate("importing conversations")):
        report = sum((ws.import_transcript(path, format_, everywhere) for path in paths), ImportReport())
    options.print_result(report, lambda: _imported(report))


@command("recap", group=session, help=translatable("Show the recap that replaces trimmed messages in the prompt."))
@click.argument("id", shell_complete=completion.sessions)
def recap(options: CommandOptions, id: str) -> None:
    with options.open() as ws:
        state = ws.find_session(id)
    nothing = translate("No message of this conversation was trimmed.")
    options.print_result({"session": state.id, "recap": state.recap}, lambda: clean_lines(state.recap or nothing))


@command("report", group=session, help=translatable("Report how an agent's session went, for what is learned from it."))
@click.argument("id", shell_complete=completion.sessions)
@option("--kind", type=KIND, help="Kind of the session (default: build).")
@option("--planned-steps", type=LIMIT, metavar="N", help="Number of steps that were planned.")
@option("--qa", type=click.Choice(("passed", "failed")), help="Verdict of review or tests.")
@option("--outcome", type=click.Choice(OUTCOMES), help="How the work ended.")
@option("--end", is_flag=True, help="End the session, and learn from it now.")
def report_session(
    options: CommandOptions, id: str, kind: str | None, planned_steps: int | None, qa: str | None, outcome: str | None,
    end: bool,
) -> None:  # fmt: skip
    if not end and (kind, planned_steps, qa, outcome) == (None, None, None, None):
        raise click.UsageError(translate("Give --kind, --planned-steps, --qa, --outcome or --end"))
    with options.open() as ws:
        # A session that goes on has a journal under its whole id, which may be the beginning of another one's.
        found = id if ws.has_journal(id) else _stored(ws, id)
        handle = ws.session(found if isinstance(found, str) else found.id, kind or "build")
        handle.report(None if qa is None else qa == "passed", planned_steps, outcome)
        if end:
            handle.end()
    done = translate("Ended {id}, and learned from it.", id=clean(handle.id))
    recorded = translate("Recorded for {id}.", id=clean(handle.id))
    options.print_result({"session": handle.id, "ended": end}, lambda: done if end else recorded)


@command("new", group=session, help=translatable("End a conversation: extract its memories now and start a new one."))
@click.argument("id", shell_complete=completion.sessions)
def new(options: CommandOptions, id: str) -> None:
    with options.open() as ws:
        state = ws.find_session(id)
        with progress_bar(translate("learning from conversations")):
            report = ws.new_session(state.id)
    options.print_result(
        report,
        lambda: translate(
            "Ended {id} and extracted its memories; the next message starts a new conversation.", id=clean(state.id)
        ),
    )


def _rows(states: Sequence[SessionState]) -> str:
    names = _beginnings([state.id for state in states])
    head = (
        translate("session"),
        translate("latest"),
        translate("messages"),
        translate("consolidated"),
        translate("title"),
    )
    lines = [
        (
            clean(names[state.id]),
            age(state.last_at),
            number(state.messages),
            age(state.consolidated_at) if state.consolidated_at else translate("not yet"),
            clean(state.title or ("" if state.messages else translate("(goes on)"))),
        )
        for state in states
    ]
    if not lines:
        return translate("No conversations yet. `holdfast session import ~/.claude/projects` imports earlier ones.")
    return table([head, *lines], styles=("cyan", "dim", "", "dim", "bold"), right=(2,), indent=0)


def _beginnings(ids: Sequence[str]) -> dict[str, str]:
    """The ids as lists show them: of a UUID its first part, which other commands accept, if no other id has it."""
    first = {id: id.partition("-")[0] if _UUID.fullmatch(id) else id for id in ids}
    times = Counter(first.values())
    return {id: name if times[name] == 1 else id for id, name in first.items()}


def _stored(ws: Workspace, id: str) -> SessionState | str:
    """The session; its whole id if it goes on, so that only its journal is there. Raises NotFound."""
    try:
        return ws.find_session(id)
    except NotFound:
        found = [running for running in ws.running_sessions() if running.startswith(id)]
        if id in found:
            return id
        if not found:
            raise
        if len(found) > 1:
            raise InvalidInput(f"{len(found)} sessions begin with {id!r}", hint="Give more of its id.") from None
        return found[0]


def _running(id: str, at: datetime) -> SessionState:
    """A session that goes on, as lists show it: none of its messages is stored yet."""
    return SessionState(id, "build", at, at, messages=0)


def _live(summary: SessionSummary) -> str:
    steps = translate_count(summary.steps, "{n} step so far", "{n} steps so far")
    waits = translate("{steps}. Its messages are stored when it ends.", steps=steps)
    return "\n\n".join([paint(clean(summary.session), "bold"), waits, *session_summary(summary)])


def _transcript(state: SessionState, summary: SessionSummary, messages: Iterable[Message]) -> str:
    title = paint(clean(state.title or state.id), "bold")
    return "\n\n".join([title, *session_summary(summary), *map(_message, messages)])


def _message(message: Message) -> str:
    who = paint(translate(_ROLES.get(message.role, message.role)), "bold")
    tools = translate("tools: {tools}", tools=clean(", ".join(message.tools))) if message.tools else ""
    about = " · ".join(part for part in (moment(message.at), short(message.id), tools) if part)
    return f"{who} {paint(about, 'dim')}\n{clean_lines(message.text)}"


def _imported(report: ImportReport) -> str:
    sessions = translate_count(report.sessions, "{n} conversation", "{n} conversations")
    messages = translate_count(report.messages, "{n} message stored", "{n} messages stored")
    known = (
        ", " + translate_count(report.known, "{n} message was already stored", "{n} messages were already stored")
        if report.known
        else ""
    )
    parts = [translate("{name}: {value}", name=sessions, value=f"{messages}{known}.")]
    if not report.sessions and TranscriptCode.OTHER_PROJECT in report.skipped:
        parts = [translate("No sessions of this project found; --everywhere includes those of other projects.")]
    if not report.files:
        parts = [
            translate(
                "No conversations of Claude Code, Codex, Gemini CLI, Copilot CLI, opencode, SpecStory or ChatGPT found."
            )
        ]
    if report.skipped:
        lines = [(number(count), clean(text_of(Reason(code)))) for code, count in report.skipped.items()]
        parts.append(paint(translate("Skipped"), "dim") + "\n" + table(lines, right=(0,)))
    return "\n".join(parts)
