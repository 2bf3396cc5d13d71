"""The commands consolidate and reflect."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from holdfast.core.ids import short
from holdfast.interfaces.cli import completion
from holdfast.interfaces.cli.app import CommandOptions, command, option
from holdfast.interfaces.cli.progress_bar import progress_bar
from holdfast.interfaces.cli.terminal import clean, clean_lines, paint, table, wrap
from holdfast.interfaces.language import number, translate, translate_count
from holdfast.interfaces.messages import text_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from holdfast.learn.consolidate import ConsolidationReport, SessionReport
    from holdfast.learn.reflect import ReflectionReport
    from holdfast.workspace import Workspace

_MOST_LINES = 20


@command("consolidate")
@click.argument("session", required=False, shell_complete=completion.sessions)
def consolidate(options: CommandOptions, session: str | None) -> None:
    with options.open() as ws:
        with progress_bar(translate("learning from conversations")):
            report = ws.consolidate(session)
        lines = [] if options.json else _lines_of(ws, report, session)
    options.print_result(report, lambda: _learned(report, lines))


@command("reflect")
@option("--force", is_flag=True, help="Reflect even if the last reflection is less than six days old.")
def reflect(options: CommandOptions, force: bool) -> None:
    with options.open() as ws:
        report = ws.reflect(force)
    options.print_result(report, lambda: _reflected(report))


def _lines_of(ws: Workspace, report: ConsolidationReport, session: str | None) -> list[str]:
    """What was learned, a line for each memory: now, or else by the background from this or the latest session."""
    done = [one.session for one in report.sessions if one.pages]
    if not done:
        states = [ws.find_session(session)] if session else ws.sessions()
        done = [state.id for state in states if state.consolidated_at][:1]
    found = [memory for id in done for memory in ws.list(session=id, sources="observer_inferred", limit=_MOST_LINES)]
    rows = [(short(memory.id), memory.type, clean(memory.content)) for memory in found[:_MOST_LINES]]
    more = sum(one.stored for one in report.sessions) - len(rows)
    others = [translate("{n} more; `holdfast list` shows all.", n=number(more))]
    return [table(rows, styles=("cyan", "bold"), whole=True), *(others if more > 0 else [])] if rows else []


def _learned(report: ConsolidationReport, memories: Sequence[str]) -> str:
    done = [session for session in report.sessions if session.pages]
    if not done:
        learned = [translate("Learned earlier from the latest conversation; `holdfast list` shows all:"), *memories]
        return "\n".join([translate("No new messages."), *(learned if memories else [])])
    lines = [wrap(_summary(done)), *memories]
    failures = dict.fromkeys(failure for session in done for failure in session.failures)
    lines += [
        paint(translate("The language model was not used: {why}.", why=clean(text_of(failure))), "yellow")
        for failure in failures
    ]
    if report.files:
        lines.append(paint(f"{clean(text_of(report.files))}.", "yellow"))
    return "\n".join(lines)


def _summary(done: Sequence[SessionReport]) -> str:
    messages = sum(session.messages for session in done)
    stored, known = sum(session.stored for session in done), sum(session.known for session in done)
    replaced = sum(session.superseded for session in done)
    text = translate(
        "Read {messages} of {sessions}: {learned}",
        messages=translate_count(messages, "{n} message", "{n} messages"),
        sessions=translate_count(len(done), "{n} session", "{n} sessions"),
        learned=translate_count(stored, "{n} new memory", "{n} new memories"),
    )
    text += f", {translate('{n} already known', n=known)}" if known else ""
    return text + (f", {translate('{n} replaced', n=replaced)}" if replaced else "") + "."


def _reflected(report: ReflectionReport) -> str:
    if report.memory is None:
        return translate("No reflection: {why}.", why=clean(text_of(report.reason)))
    drawn = translate_count(len(report.memory.source_ids), "Based on {n} memory", "Based on {n} memories")
    return f"{clean_lines(report.memory.content)}\n\n{paint(drawn, 'dim')}"
