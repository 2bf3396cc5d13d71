"""A person's word on a memory: correct, confirm, flag, pin, forget, restore."""

from __future__ import annotations

import sys

import click

from holdfast.core.admission import Outcome
from holdfast.core.ids import short
from holdfast.interfaces.cli import formatting
from holdfast.interfaces.cli.app import CommandOptions, command, option
from holdfast.interfaces.cli.arguments import text_of
from holdfast.interfaces.language import say

_HOW = ("inaccurate", "outdated", "generalise", "duplicate_of")


@command("correct", more=formatting.naming)
@click.argument("id")
@click.argument("text", nargs=-1, required=True, metavar="TEXT|-")
@option("--reason", default="", metavar="TEXT", help="Why.")
@option(
    "--how",
    type=click.Choice(_HOW),
    default="inaccurate",
    show_default=True,
    help="What was wrong; with duplicate_of, TEXT is the id of the memory that stays.",
)
def correct(given: CommandOptions, id: str, text: tuple[str, ...], reason: str, how: str) -> int:
    with given.open() as ws:
        answer = ws.correct(id, text_of(text), reason=reason, how=how)
    refused = answer.outcome is Outcome.REFUSED
    if refused and not given.json:
        sys.stderr.write(f"holdfast: {formatting.admission(answer)}\n")
    else:
        given.tell(answer, lambda: formatting.admission(answer))
    return 1 if refused else 0


@command("confirm", more=formatting.naming)
@click.argument("id")
def confirm(given: CommandOptions, id: str) -> None:
    with given.open() as ws:
        memory = ws.confirm(id)
    given.tell(memory, lambda: say("Confirmed {id}: it no longer fades.", id=short(memory.id)))


@command("flag", more=formatting.naming)
@click.argument("id")
@click.argument("why", nargs=-1)
def flag(given: CommandOptions, id: str, why: tuple[str, ...]) -> None:
    with given.open() as ws:
        memory = ws.flag(id, " ".join(why))
    given.tell(memory, lambda: say("Flagged {id} for review. Undo: holdfast confirm {id}", id=short(memory.id)))


@command("pin", more=formatting.naming)
@click.argument("id")
@option("--off", is_flag=True, help="Take the pin away.")
def pin(given: CommandOptions, id: str, off: bool) -> None:
    with given.open() as ws:
        memory = ws.pin(id, on=not off)
    said = say("Unpinned {id}.", id=short(memory.id)) if off else say("Pinned {id}.", id=short(memory.id))
    given.tell(memory, lambda: said)


@command("forget", more=formatting.naming)
@click.argument("id")
@option("--reason", default="", metavar="TEXT", help="Why.")
def forget(given: CommandOptions, id: str, reason: str) -> None:
    with given.open() as ws:
        memory = ws.forget(id, reason)
    given.tell(memory, lambda: say("Forgot {id}. Undo: holdfast restore {id}", id=short(memory.id)))


@command("restore", more=formatting.naming)
@click.argument("id")
def restore(given: CommandOptions, id: str) -> None:
    with given.open() as ws:
        memory, replaced = ws.restore(id)
    said = say("Restored {id}.", id=short(memory.id))
    if replaced:
        said += " " + say("Forgot what had replaced it: {ids}.", ids=", ".join(map(short, replaced)))
    given.tell({"memory": memory, "forgotten": replaced}, lambda: said)
