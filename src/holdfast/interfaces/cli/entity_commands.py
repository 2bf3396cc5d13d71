"""The command entity: show, list, add, alias, merge, split, rename, protect, describe."""

from __future__ import annotations

from collections.abc import Iterable

import click

from holdfast.core.entity import TYPES, Entity, EntityProfile
from holdfast.interfaces.cli import formatting
from holdfast.interfaces.cli.app import CommandOptions, command, group, option
from holdfast.interfaces.cli.command_arguments import LIMIT
from holdfast.interfaces.cli.terminal import clean, paint, section, table
from holdfast.interfaces.language import translatable, translate, translate_count

_BAR = 24

entity_group = group("entity", default="show")


@command(
    "show",
    group=entity_group,
    help=translatable("Show an entity's memories, timeline and related entities (the default)."),
)
@click.argument("name", nargs=-1, required=True, metavar="NAME")
@option("--limit", type=LIMIT, default=20, metavar="N", show_default=True, help="Maximum number of memories.")
def show(options: CommandOptions, name: tuple[str, ...], limit: int) -> None:
    with options.open() as ws:
        profile = ws.entity(" ".join(name), limit)
    options.print_result(profile, lambda: _profile(profile))


@command("list", group=entity_group, help=translatable("List entities, most mentioned first."))
@option("--type", "type_", type=click.Choice(TYPES), help="Only this type.")
@option("--limit", type=LIMIT, default=50, metavar="N", show_default=True, help="Maximum number of results.")
def list_entities(options: CommandOptions, type_: str | None, limit: int) -> None:
    with options.open() as ws:
        found = ws.entities(limit, type_)
    options.print_result(found, lambda: _rows(found))


@command("add", group=entity_group, help=translatable("Register a person or another name, with other names for it."))
@click.argument("name", nargs=-1, required=True, metavar="NAME")
@option("--type", "type_", type=click.Choice(TYPES), default="person", show_default=True, help="Type of the entity.")
@option("--alias", "aliases", multiple=True, metavar="NAME", help="Another name for it; may be repeated.")
def add(options: CommandOptions, name: tuple[str, ...], type_: str, aliases: tuple[str, ...]) -> None:
    with options.open(create=True) as ws:
        entity, background = ws.add_entity(" ".join(name), type_, aliases), ws.settings.background
    options.print_result(entity, lambda: _registered(entity, background))


@command("alias", group=entity_group, help=translatable("Add another name to an entity."))
@click.argument("name")
@click.argument("alias")
def add_alias(options: CommandOptions, name: str, alias: str) -> None:
    with options.open() as ws:
        entity, background = ws.add_entity(ws.entity(name, 1).entity.name, None, (alias,)), ws.settings.background
    options.print_result(entity, lambda: _registered(entity, background))


@command(
    "merge", group=entity_group, help=translatable("Merge two entities: the first is kept and found by both names.")
)
@click.argument("kept")
@click.argument("merged")
def merge(options: CommandOptions, kept: str, merged: str) -> None:
    with options.open() as ws:
        entity, background = ws.merge_entities(kept, merged), ws.settings.background
    options.print_result(entity, lambda: _registered(entity, background))


@command("split", group=entity_group, help=translatable("Undo a merge: make the entity of this name separate again."))
@click.argument("name", nargs=-1, required=True, metavar="NAME")
def split(options: CommandOptions, name: tuple[str, ...]) -> None:
    with options.open() as ws:
        entity = ws.split_entity(" ".join(name))
    mentions = translate_count(entity.mentions, "in {n} memory", "in {n} memories")
    options.print_result(
        entity,
        lambda: translate(
            "{name} is a separate entity again, mentioned {mentions}.", name=clean(entity.name), mentions=mentions
        ),
    )


@command("rename", group=entity_group, help=translatable("Rename an entity; its old name still finds it."))
@click.argument("name")
@click.argument("new")
def rename(options: CommandOptions, name: str, new: str) -> None:
    with options.open() as ws:
        entity, background = ws.rename_entity(name, new), ws.settings.background
    options.print_result(entity, lambda: _registered(entity, background))


@command("protect", group=entity_group, help=translatable("Protect an entity from changes and merges."))
@click.argument("name")
@option("--off", is_flag=True, help="Remove the protection.")
def protect(options: CommandOptions, name: str, off: bool) -> None:
    with options.open() as ws:
        entity = ws.protect_entity(name, on=not off)
    shown = clean(entity.name)
    text = (
        translate("{name} is protected.", name=shown)
        if entity.protected
        else translate("{name} is not protected.", name=shown)
    )
    options.print_result(entity, lambda: text)


@command("describe", group=entity_group, help=translatable("Describe an entity in one or two sentences."))
@click.argument("name")
@click.argument("summary", nargs=-1, required=True, metavar="TEXT")
def describe(options: CommandOptions, name: str, summary: tuple[str, ...]) -> None:
    with options.open() as ws:
        entity = ws.describe_entity(name, " ".join(summary))
    options.print_result(entity, lambda: f"{clean(entity.name)}: {clean(entity.summary or '')}")


def _registered(entity: Entity, background: bool) -> str:
    """The entity's names, and how older memories are linked to them."""
    known = (
        translate("{name} is also known as {others}.", **_names(entity))
        if entity.aliases
        else translate("{name} is registered.", name=clean(entity.name))
    )
    when = (
        translate("Older memories that mention it are being linked in the background.")
        if background
        else translate("Link older memories that mention it: holdfast upkeep link.")
    )
    return f"{known}\n{paint(when, 'dim')}"


def _profile(profile: EntityProfile) -> str:
    entity = profile.entity
    parts = [section(clean(entity.name), table(_facts(entity), styles=("dim",)))]
    if profile.memories:
        parts.append(section(translate("Memories"), formatting.rows(profile.memories)))
    if profile.timeline:
        parts.append(section(translate("Timeline"), table(_months(profile), styles=("dim",), right=(1,))))
    if profile.neighbours:
        near = [(clean(n.entity.name), _kind(n.entity), str(n.together)) for n in profile.neighbours]
        parts.append(section(translate("Mentioned together with"), table(near, styles=("cyan", "dim"), right=(2,))))
    return "\n\n".join(parts)


def _facts(entity: Entity) -> list[tuple[str, str]]:
    mentions = translate_count(entity.mentions, "in {n} memory", "in {n} memories")
    facts = [(translate("type"), _kind(entity)), (translate("mentioned"), mentions)]
    if entity.relation:
        facts.append((translate("relation"), clean(entity.relation)))
    if entity.aliases:
        facts.append((translate("also known as"), clean(", ".join(entity.aliases))))
    if entity.summary:
        facts.append((translate("description"), clean(entity.summary)))
    if entity.protected:
        facts.append((translate("protected"), translate("yes")))
    return facts


def _months(profile: EntityProfile) -> list[tuple[str, str, str]]:
    most = max(period.memories for period in profile.timeline)
    return [(p.month, str(p.memories), "▪" * max(1, round(_BAR * p.memories / most))) for p in profile.timeline]


def _rows(found: Iterable[Entity]) -> str:
    lines = [
        (clean(entity.name), _kind(entity), str(entity.mentions), clean(", ".join(entity.aliases))) for entity in found
    ]
    if not lines:
        return translate("Nothing found.")
    return table(lines, styles=("bold", "dim", "", "dim"), right=(2,), indent=0)


def _kind(entity: Entity) -> str:
    """The type and, if it says more, the label; `other` says nothing beside a label."""
    if entity.type == "other":
        return entity.label or entity.type
    return entity.type if entity.label in ("", entity.type) else f"{entity.type}, {entity.label}"


def _names(entity: Entity) -> dict[str, str]:
    return {"name": clean(entity.name), "others": clean(", ".join(entity.aliases))}
