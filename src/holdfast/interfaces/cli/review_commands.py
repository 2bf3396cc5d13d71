"""The commands correct, confirm, flag, outcome, pin, personal, release, forget, restore, undo, redo and log."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

import click

from holdfast.core.admission import CORRECTIONS, Outcome
from holdfast.core.ids import short
from holdfast.core.memory import BACKGROUND
from holdfast.core.memory_use import CONTRADICTED, IGNORED, OUTCOMES, USED
from holdfast.interfaces.cli import completion, formatting
from holdfast.interfaces.cli import confirmation as question
from holdfast.interfaces.cli.app import CommandOptions, command, option, print_error, print_text
from holdfast.interfaces.cli.command_arguments import LIMIT, text_of
from holdfast.interfaces.cli.progress_bar import progress_bar
from holdfast.interfaces.cli.speaker import check_person, source_of
from holdfast.interfaces.cli.terminal import clean, moment, table, wrap
from holdfast.interfaces.language import number, translatable, translate, translate_count

if TYPE_CHECKING:
    from holdfast.core.memory import Memory
    from holdfast.core.memory_description import LoggedOperation, Operation
    from holdfast.upkeep.erase import ErasureReport
    from holdfast.workspace import Workspace

_OUTCOME_TEXTS = {
    USED: translatable("Recorded: {id} was used."),
    IGNORED: translatable("Recorded: {id} was ignored."),
    CONTRADICTED: translatable("Recorded: {id} was contradicted; it waits for review. Undo: holdfast confirm {id}"),
}
_MOST_LINES = 20
_ids = click.argument("ids", nargs=-1, required=True, metavar="ID...", shell_complete=completion.memories)


@command("correct", more=formatting.naming)
@click.argument("id", shell_complete=completion.memories)
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
        answer = ws.correct(id, text_of(text), reason=reason, how=how, source=source_of(os.environ))
        replaced = [ws.get(old) for old in answer.superseded]
    refused = answer.outcome is Outcome.REFUSED
    if refused and not options.json:
        print_error(formatting.admission(answer))
    else:
        options.print_result(answer, lambda: formatting.admission(answer, replaced))
    return 1 if refused else 0


@command("confirm", more=formatting.naming)
@_ids
def confirm(options: CommandOptions, ids: tuple[str, ...]) -> None:
    with options.open() as ws:
        memories = [ws.confirm(memory.id, source_of(os.environ)) for memory in _all(ws, ids)]
    _print(options, memories, _confirmed)


@command("flag", more=formatting.naming)
@click.argument("id", shell_complete=completion.memories)
@click.argument("why", nargs=-1)
def flag(options: CommandOptions, id: str, why: tuple[str, ...]) -> None:
    with options.open() as ws:
        _check_may_doubt(ws.get(id))
        memory = ws.flag(id, " ".join(why))
    options.print_result(
        memory, lambda: translate("Flagged {id} for review. Undo: holdfast confirm {id}", id=short(memory.id))
    )


@command("outcome", more=formatting.naming)
@click.argument("id", shell_complete=completion.memories)
@click.argument("outcome", type=click.Choice(OUTCOMES))
@option(
    "--session",
    metavar="ID",
    shell_complete=completion.sessions,
    help="Session that was given the memory (default: the last one that was).",
)
def outcome(options: CommandOptions, id: str, outcome: str, session: str | None) -> None:
    with options.open() as ws:
        if outcome == CONTRADICTED:
            _check_may_doubt(ws.get(id))
        use = ws.record_use(id, outcome, session)
    options.print_result(use, lambda: translate(_OUTCOME_TEXTS[outcome], id=short(use.memory)))


@command("pin", more=formatting.naming)
@_ids
@option("--off", is_flag=True, help="Remove the pin.")
def pin(options: CommandOptions, ids: tuple[str, ...], off: bool) -> None:
    check_person(os.environ, "pin")
    with options.open() as ws:
        memories = [ws.pin(memory.id, on=not off) for memory in _all(ws, ids)]
    text = translatable("Unpinned {id}.") if off else translatable("Pinned {id}.")
    _print(options, memories, lambda m: translate(text, id=short(m.id)) + _stays(m))


@command("personal", more=formatting.naming)
@click.argument("ids", nargs=-1, metavar="[ID...]", shell_complete=completion.memories)
@option("--off", is_flag=True, help="Let memories hold in this project only.")
def personal(options: CommandOptions, ids: tuple[str, ...], off: bool) -> None:
    with options.open() as ws:
        if not ids:
            found, suggested = ws.list(visibilities=["personal"]), ws.personal_suggestions()
            result = {"personal": found, "suggested": suggested}
            options.print_result(result, lambda: _personal(found, suggested))
            return
        check_person(os.environ, "personal")
        memories = [ws.make_personal(memory.id, on=not off) for memory in _all(ws, ids)]
    text = (
        translatable("{id} holds in this project only. Undo: holdfast undo")
        if off
        else translatable("{id} holds in all of your projects. Undo: holdfast undo")
    )
    _print(options, memories, lambda m: translate(text, id=short(m.id)))


@command("release", more=formatting.naming)
@_ids
def release(options: CommandOptions, ids: tuple[str, ...]) -> None:
    check_person(os.environ, "release")
    with options.open() as ws:
        memories = [ws.release(memory.id) for memory in _all(ws, ids)]
    _print(options, memories, lambda m: translate("Released {id}: models may see it.", id=short(m.id)))


@command("forget", more=formatting.naming)
@_ids
@option("--reason", default="", metavar="TEXT", help="Reason for the change.")
@option("--erase", is_flag=True, help="Remove the text for good: from every table, file and backup.")
@option("--yes", is_flag=True, help="Erase without asking; only a terminal is asked.")
def forget(options: CommandOptions, ids: tuple[str, ...], reason: str, erase: bool, yes: bool) -> int:
    with options.open() as ws:
        if erase:
            check_person(os.environ, "forget --erase")
            if not (yes or options.json) and question.can_ask() and not _agrees(_all(ws, ids)):
                return 1
            with progress_bar(translate("erasing")):
                erased = ws.erase(ids)
            options.print_result(erased, lambda: _erased(erased))
            return 1 if erased.unfinished else 0
        memories = ws.forget_all(ids, reason, source_of(os.environ))
    _print(options, memories, _forgotten)
    return 0


@command("restore", more=formatting.naming)
@_ids
def restore(options: CommandOptions, ids: tuple[str, ...]) -> None:
    check_person(os.environ, "restore")
    with options.open() as ws:
        restored = [ws.restore(memory.id) for memory in _all(ws, ids)]
    results = [{"memory": memory, "forgotten": replaced} for memory, replaced in restored]
    value = results[0] if len(results) == 1 else results
    options.print_result(value, lambda: "\n".join(_restored(*each) for each in restored))


@command(
    "undo",
    more=lambda: translate(
        "A change is what you or an agent did to memories, or what `session import`, `consolidate` or `observe` "
        "learned; called again, undo takes back the one before. Remove what background work learned later with "
        "`holdfast forget ID`."
    ),
)
@option("--dry-run", is_flag=True, help="Show what would be undone, and change nothing.")
def undo(options: CommandOptions, dry_run: bool) -> None:
    if not dry_run:
        check_person(os.environ, "undo")
    with options.open() as ws:
        operation = ws.undo(dry_run)
    result = {"verb": operation.verb, "memories": operation.memories}
    options.print_result(result, lambda: _undone(operation, dry_run))


@command("redo")
def redo(options: CommandOptions) -> None:
    check_person(os.environ, "redo")
    with options.open() as ws:
        operation = ws.redo()
    result = {"verb": operation.verb, "memories": operation.memories}
    options.print_result(result, lambda: _redone(operation))


@command("log")
@option("--limit", type=LIMIT, default=20, metavar="N", show_default=True, help="Maximum number of results.")
def log(options: CommandOptions, limit: int) -> None:
    with options.open() as ws:
        operations = ws.log(limit)
    options.print_result(operations, lambda: _logged(operations))


def _personal(found: Sequence[Memory], suggested: Sequence[Memory]) -> str:
    nothing = translate("Nothing personal is known yet: preferences and facts about yourself.")
    text = formatting.rows(found, empty=nothing)
    if not suggested:
        return text
    title = translate(
        "Also about you, but in this project only; `holdfast personal ID` makes one hold in all of your projects:"
    )
    return f"{text}\n\n{title}\n{formatting.rows(suggested)}"


def _agrees(memories: Sequence[Memory]) -> bool:
    """Shows what would be erased and asks: unlike every other change, this one cannot be undone."""
    print_text(table([(short(memory.id), clean(memory.content)) for memory in memories], styles=("cyan",), whole=True))
    text = translate("Erase for good, also where other memories and messages repeat it? There is no undo. [y/N]")
    return question.is_confirmed(wrap(text) + " ")


def _erased(erased: ErasureReport) -> str:
    text = translatable("Erasing {id} has begun.") if erased.unfinished else translatable("Erased {id} for good.")
    lines = [translate(text, id=short(id)) for id in erased.memories]
    if erased.cleaned:
        ids = ", ".join(map(short, erased.cleaned))
        lines.append(translate("The same text was removed from: {ids}", ids=ids))
    if erased.earlier:
        ids = " ".join(map(short, erased.earlier))
        lines.append(translate("The text before a correction stays: holdfast forget {ids} --erase", ids=ids))
    if erased.backups:
        files = ", ".join(map(clean, erased.backups))
        lines.append(translate("Deleted backups that contained it: {files}", files=files))
    if erased.unfinished:
        files = ", ".join(map(clean, erased.unfinished))
        lines.append(translate("Not cleaned yet; each command tries again: {files}", files=files))
    if not erased.log_emptied:
        lines.append(translate("Another process is reading: the log is emptied when it has finished."))
    return "\n".join(lines)


def _check_may_doubt(memory: Memory) -> None:
    """Raises NotPermitted if an agent doubts what a person taught, confirmed or pinned."""
    if memory.is_persons:
        check_person(os.environ, f"flag {short(memory.id)}")


def _all(ws: Workspace, ids: Sequence[str]) -> list[Memory]:
    """Returns all memories before anything is changed, so that a mistyped id changes nothing."""
    return [ws.get(id) for id in ids]


def _print(options: CommandOptions, memories: Sequence[Memory], line: Callable[[Memory], str]) -> None:
    value = memories[0] if len(memories) == 1 else memories
    options.print_result(value, lambda: "\n".join(map(line, memories)))


def _forgotten(memory: Memory) -> str:
    text = translate("Forgot {id}. Undo: holdfast restore {id}", id=short(memory.id))
    return text + "\n" + table([(translate("text"), clean(memory.content))], styles=("dim",), whole=True)


def _confirmed(memory: Memory) -> str:
    if not memory.verified:
        return translate(
            "Confirmed {id} as an agent; only you can verify it, in your own terminal.", id=short(memory.id)
        )
    return translate("Confirmed {id}; it no longer decays.", id=short(memory.id)) + _stays(memory)


def _stays(memory: Memory) -> str:
    """The note that the change does not bring back a memory that was forgotten or replaced."""
    if memory.is_current:
        return ""
    state = translate("forgotten") if memory.forgotten else translate("replaced")
    note = translate("It stays {state}. To bring it back: holdfast restore {id}", state=state, id=short(memory.id))
    return f" {note}"


def _restored(memory: Memory, replaced: Sequence[str]) -> str:
    text = translate("Restored {id}.", id=short(memory.id))
    if replaced:
        text += " " + translate("Forgot its replacement: {ids}.", ids=", ".join(map(short, replaced)))
    return text


def _undone(operation: Operation, dry_run: bool) -> str:
    if not operation.changes:
        return wrap(_nothing_learned(operation.verb))
    titles = {
        (True, False): translatable("Undid what background work learned, {memories}:"),
        (False, False): translatable("Undid `{verb}` of {memories}; `holdfast redo` does it again:"),
        (True, True): translatable("`undo` would take back what background work learned, {memories}:"),
        (False, True): translatable("`undo` would take back `{verb}` of {memories}:"),
    }
    return _changed(operation, titles[operation.verb == BACKGROUND, dry_run])


def _redone(operation: Operation) -> str:
    return _changed(operation, translatable("Did `{verb}` of {memories} again:"))


def _changed(operation: Operation, title: str) -> str:
    """Shows what an undo or a redo does to each memory."""
    count = translate_count(len(operation.changes), "{n} memory", "{n} memories")
    rows = [(short(now.id), _becomes(now, before), clean(now.content)) for now, before in operation.changes]
    more = len(rows) - _MOST_LINES
    others = [translate("{n} more; `holdfast list --forgotten` shows all.", n=number(more))] if more > 0 else []
    shown = table(rows[:_MOST_LINES], styles=("cyan", "dim"))
    return "\n".join([translate(title, verb=operation.verb, memories=count), shown, *others])


def _becomes(now: Memory, before: Memory | None) -> str:
    if before is None or (before.forgotten and not now.forgotten):
        return translate("forgotten")
    return translate("restored") if now.forgotten and not before.forgotten else translate("as before")


def _logged(operations: Sequence[LoggedOperation]) -> str:
    rows = [
        (
            moment(one.at) if one.at else "",
            translate("background") if one.verb == BACKGROUND else one.verb,
            translate_count(one.memories, "{n} memory", "{n} memories"),
            (translate("(undone) {text}", text=clean(one.text)) if one.undone else clean(one.text)),
        )
        for one in operations
    ]
    return table(rows, styles=("dim", "bold", "dim"), indent=0) if rows else translate("Nothing was changed yet.")


def _nothing_learned(verb: str) -> str:
    return translate(
        "The latest change was `{verb}`. Nothing was learned from its messages yet; they stay stored. "
        "`holdfast consolidate` learns from them, and `holdfast undo` then takes that back. "
        "Another `holdfast undo` now takes back the change before it.",
        verb=verb,
    )
