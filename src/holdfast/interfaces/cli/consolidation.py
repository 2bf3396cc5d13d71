"""The commands consolidate and reflect."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from holdfast.interfaces.cli.app import CommandOptions, command, option
from holdfast.interfaces.cli.terminal import clean, clean_lines, paint, table
from holdfast.interfaces.language import translate, translate_count
from holdfast.interfaces.messages import text_of

if TYPE_CHECKING:
    from holdfast.conversation.consolidate import ConsolidationReport, SessionReport
    from holdfast.conversation.reflect import ReflectionReport


@command("consolidate")
@click.argument("session", required=False)
def consolidate(options: CommandOptions, session: str | None) -> None:
    with options.open() as ws:
        report = ws.consolidate(session)
    options.print_result(report, lambda: _learned(report))


@command("reflect")
@option("--force", is_flag=True, help="Reflect even if the last reflection is less than six days old.")
def reflect(options: CommandOptions, force: bool) -> None:
    with options.open() as ws:
        report = ws.reflect(force)
    options.print_result(report, lambda: _reflected(report))


def _learned(report: ConsolidationReport) -> str:
    done = [session for session in report.sessions if session.pages]
    if not done:
        return translate("No new messages.")
    head = (
        translate("session"),
        translate("messages"),
        translate("learned"),
        translate("already known"),
        translate("replaced"),
        translate("method"),
    )
    lines = [table([head, *map(_row, done)], styles=("cyan",), right=(1, 2, 3, 4), indent=0)]
    failures = dict.fromkeys(failure for session in done for failure in session.failures)
    lines += [
        paint(translate("The language model was not used: {why}.", why=clean(text_of(failure))), "yellow")
        for failure in failures
    ]
    if report.files:
        lines.append(paint(f"{clean(text_of(report.files))}.", "yellow"))
    return "\n".join(lines)


def _row(session: SessionReport) -> tuple[str, ...]:
    counts = (session.messages, session.stored, session.known, session.superseded)
    return (clean(session.session), *map(str, counts), ", ".join(dict.fromkeys(session.how)))


def _reflected(report: ReflectionReport) -> str:
    if report.memory is None:
        return translate("No reflection: {why}.", why=clean(text_of(report.reason)))
    drawn = translate_count(len(report.memory.source_ids), "Based on {n} memory", "Based on {n} memories")
    return f"{clean_lines(report.memory.content)}\n\n{paint(drawn, 'dim')}"
