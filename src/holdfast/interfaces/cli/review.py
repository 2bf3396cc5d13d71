"""The commands correct, confirm, flag, pin, forget and restore."""

from __future__ import annotations

import sys

import click

from holdfast.core.admission import CORRECTIONS, Outcome
from holdfast.core.ids import short
from holdfast.interfaces.cli import formatting
from holdfast.interfaces.cli.app import CommandOptions, command, option
from holdfast.interfaces.cli.arguments import text_of
from holdfast.interfaces.language import translate


@command("correct", more=formatting.naming)
@click.argument("id")
@click.argument("text", nargs=-1, required=True, metavar="TEXT|-")
@option("--reason", default="", metavar="TEXT", help="Reason for the change.")
@option(
    "--how",
    type=click.Choice(CORRECTIONS),
    default=CORRECTIONS[0],
    show_default=True,
    help="What was wrong; with duplicate_of, TEXT is the id of the memory to keep.",
)
def correct(options: CommandOptions, id: str, text: tuple[str, ...], reason: str, how: str) -> int:
    with options.open() as ws:
        answer = ws.correct(id, text_of(text), reason=reason, how=how)
    refused = answer.outcome is Outcome.REFUSED
    if refused and not options.json:
        sys.stderr.write(f"holdfast: {formatting.admission(answer)}\n")
    else:
        options.print_result(answer, lambda: formatting.admission(answer))
    return 1 if refused else 0


@command("confirm", more=formatting.naming)
@click.argument("id")
def confirm(options: CommandOptions, id: str) -> None:
    with options.open() as ws:
        memory = ws.confirm(id)
    options.print_result(memory, lambda: translate("Confirmed {id}; it no longer decays.", id=short(memory.id)))


@command("flag", more=formatting.naming)
@click.argument("id")
@click.argument("why", nargs=-1)
def flag(options: CommandOptions, id: str, why: tuple[str, ...]) -> None:
    with options.open() as ws:
        memory = ws.flag(id, " ".join(why))
    options.print_result(
        memory, lambda: translate("Flagged {id} for review. Undo: holdfast confirm {id}", id=short(memory.id))
    )


@command("pin", more=formatting.naming)
@click.argument("id")
@option("--off", is_flag=True, help="Remove the pin.")
def pin(options: CommandOptions, id: str, off: bool) -> None:
    with options.open() as ws:
        memory = ws.pin(id, on=not off)
    text = translate("Unpinned {id}.", id=short(memory.id)) if off else translate("Pinned {id}.", id=short(memory.id))
    options.print_result(memory, lambda: text)


@command("forget", more=formatting.naming)
@click.argument("id")
@option("--reason", default="", metavar="TEXT", help="Reason for the change.")
def forget(options: CommandOptions, id: str, reason: str) -> None:
    with options.open() as ws:
        memory = ws.forget(id, reason)
    options.print_result(memory, lambda: translate("Forgot {id}. Undo: holdfast restore {id}", id=short(memory.id)))


@command("restore", more=formatting.naming)
@click.argument("id")
def restore(options: CommandOptions, id: str) -> None:
    with options.open() as ws:
        memory, replaced = ws.restore(id)
    text = translate("Restored {id}.", id=short(memory.id))
    if replaced:
        text += " " + translate("Forgot its replacement: {ids}.", ids=", ".join(map(short, replaced)))
    options.print_result({"memory": memory, "forgotten": replaced}, lambda: text)
