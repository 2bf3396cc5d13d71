"""Who and what is named: entity NAME, list, merge, split, rename, protect, describe."""

from __future__ import annotations

from collections.abc import Iterable

import click

from holdfast.core.entity import TYPES, Entity, EntityProfile
from holdfast.interfaces.cli import formatting
from holdfast.interfaces.cli.app import CommandOptions, command, group, option
from holdfast.interfaces.cli.arguments import LIMIT
from holdfast.interfaces.cli.terminal import clean, section, table
from holdfast.interfaces.language import translatable, translate, translate_count

_BAR = 24

entity = group("entity", otherwise="show")


@command(
    "show", group=entity, help=translatable("Memories, months and neighbours of an entity; the word may be left out.")
)
@click.argument("name", nargs=-1, required=True, metavar="NAME")
@option("--limit", type=LIMIT, default=20, metavar="N", show_default=True, help="At most so many memories.")
def show(options: CommandOptions, name: tuple[str, ...], limit: int) -> None:
    with options.open() as ws:
        profile = ws.entity(" ".join(name), limit)
    options.print_result(profile, lambda: _profile(profile))


@command("list", group=entity, help=translatable("Who and what most memories name."))
@option("--type", "type_", type=click.Choice(TYPES), help="Only this type.")
@option("--limit", type=LIMIT, default=50, metavar="N", show_default=True, help="At most so many.")
def list_entities(options: CommandOptions, type_: str | None, limit: int) -> None:
    with options.open() as ws:
        found = ws.entities(limit, type_)
    options.print_result(found, lambda: _rows(found))


@command("merge", group=entity, help=translatable("Make two one: the first stays, and is found by both names."))
@click.argument("kept")
@click.argument("merged")
def merge(options: CommandOptions, kept: str, merged: str) -> None:
    with options.open() as ws:
        one = ws.merge_entities(kept, merged)
    options.print_result(one, lambda: translate("{name} is also called {others}.", **_called(one)))


@command("split", group=entity, help=translatable("Undo a merge: the one of that name is itself again."))
@click.argument("name", nargs=-1, required=True, metavar="NAME")
def split(options: CommandOptions, name: tuple[str, ...]) -> None:
    with options.open() as ws:
        one = ws.split_entity(" ".join(name))
    named = translate_count(one.mentions, "in {n} memory", "in {n} memories")
    options.print_result(
        one, lambda: translate("{name} is itself again, named {named}.", name=clean(one.name), named=named)
    )


@command("rename", group=entity, help=translatable("Give an entity another name; the old one still finds it."))
@click.argument("name")
@click.argument("new")
def rename(options: CommandOptions, name: str, new: str) -> None:
    with options.open() as ws:
        one = ws.rename_entity(name, new)
    options.print_result(one, lambda: translate("{name} is also called {others}.", **_called(one)))


@command("protect", group=entity, help=translatable("Keep an entity from being changed or merged away."))
@click.argument("name")
@option("--off", is_flag=True, help="Take the protection away.")
def protect(options: CommandOptions, name: str, off: bool) -> None:
    with options.open() as ws:
        one = ws.protect_entity(name, on=not off)
    shown = clean(one.name)
    said = (
        translate("{name} is protected.", name=shown)
        if one.protected
        else translate("{name} is not protected.", name=shown)
    )
    options.print_result(one, lambda: said)


@command("describe", group=entity, help=translatable("Say in a sentence or two what is to be known about an entity."))
@click.argument("name")
@click.argument("summary", nargs=-1, required=True, metavar="TEXT")
def describe(options: CommandOptions, name: str, summary: tuple[str, ...]) -> None:
    with options.open() as ws:
        one = ws.describe_entity(name, " ".join(summary))
    options.print_result(one, lambda: f"{clean(one.name)}: {clean(one.summary or '')}")


def _profile(profile: EntityProfile) -> str:
    one = profile.entity
    parts = [section(clean(one.name), table(_facts(one), styles=("dim",)))]
    if profile.memories:
        parts.append(section(translate("What is known"), formatting.rows(profile.memories)))
    if profile.timeline:
        parts.append(section(translate("When it was named"), table(_months(profile), styles=("dim",), right=(1,))))
    if profile.neighbours:
        near = [(clean(n.entity.name), _kind(n.entity), str(n.together)) for n in profile.neighbours]
        parts.append(section(translate("Named together with"), table(near, styles=("cyan", "dim"), right=(2,))))
    return "\n\n".join(parts)


def _facts(one: Entity) -> list[tuple[str, str]]:
    named = translate_count(one.mentions, "in {n} memory", "in {n} memories")
    facts = [(translate("what"), _kind(one)), (translate("named"), named)]
    if one.aliases:
        facts.append((translate("also called"), clean(", ".join(one.aliases))))
    if one.summary:
        facts.append((translate("about"), clean(one.summary)))
    if one.protected:
        facts.append((translate("protected"), translate("yes")))
    return facts


def _months(profile: EntityProfile) -> list[tuple[str, str, str]]:
    most = max(period.memories for period in profile.timeline)
    return [(p.month, str(p.memories), "▪" * max(1, round(_BAR * p.memories / most))) for p in profile.timeline]


def _rows(found: Iterable[Entity]) -> str:
    lines = [(clean(one.name), _kind(one), str(one.mentions), clean(", ".join(one.aliases))) for one in found]
    if not lines:
        return translate("There is nothing here.")
    return table(lines, styles=("bold", "dim", "", "dim"), right=(2,), indent=0)


def _kind(one: Entity) -> str:
    return one.type if one.label in ("", one.type) else f"{one.type}, {one.label}"


def _called(one: Entity) -> dict[str, str]:
    return {"name": clean(one.name), "others": clean(", ".join(one.aliases))}
