"""What conversations leave behind: consolidate, reflect."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from holdfast.interfaces.cli.app import CommandOptions, command, option
from holdfast.interfaces.cli.terminal import clean, clean_lines, paint, table
from holdfast.interfaces.language import say, say_count

if TYPE_CHECKING:
    from holdfast.conversation.consolidate import ConsolidationReport, SessionReport
    from holdfast.conversation.reflect import ReflectionReport


@command("consolidate")
@click.argument("session", required=False)
def consolidate(given: CommandOptions, session: str | None) -> None:
    with given.open() as ws:
        report = ws.consolidate(session)
    given.tell(report, lambda: _learned(report))


@command("reflect")
@option("--force", is_flag=True, help="Do not wait until six days have passed.")
def reflect(given: CommandOptions, force: bool) -> None:
    with given.open() as ws:
        report = ws.reflect(force)
    given.tell(report, lambda: _reflected(report))


def _learned(report: ConsolidationReport) -> str:
    done = [one for one in report.sessions if one.pages]
    if not done:
        return say("Nothing new was said.")
    head = (say("session"), say("messages"), say("learned"), say("known"), say("replaced"), say("how"))
    said = [table([head, *map(_row, done)], styles=("cyan",), right=(1, 2, 3, 4), indent=0)]
    failures = dict.fromkeys(failure for one in done for failure in one.failures)
    said += [paint(say("Without the language model: {why}.", why=clean(failure)), "yellow") for failure in failures]
    if report.files:
        said.append(paint(say("The files were not written: {why}.", why=clean(report.files)), "yellow"))
    return "\n".join(said)


def _row(one: SessionReport) -> tuple[str, ...]:
    counts = (one.messages, one.stored, one.known, one.superseded)
    return (clean(one.session), *map(str, counts), ", ".join(dict.fromkeys(one.how)))


def _reflected(report: ReflectionReport) -> str:
    if report.memory is None:
        return say("No reflection: {why}.", why=clean(report.reason))
    drawn = say_count(len(report.memory.source_ids), "From {n} memory", "From {n} memories")
    return f"{clean_lines(report.memory.content)}\n\n{paint(drawn, 'dim')}"
