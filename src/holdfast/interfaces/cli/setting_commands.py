"""The commands config and projects."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import fields
from typing import TYPE_CHECKING, Any

import click

from holdfast.core.settings import Settings
from holdfast.interfaces.cli.app import CommandOptions, command, option
from holdfast.interfaces.cli.terminal import age, clean, paint, section, table, wrap
from holdfast.interfaces.language import number, translate
from holdfast.system import settings_file as settings_
from holdfast.system.platform_folders import settings_file

if TYPE_CHECKING:
    from holdfast.system.project_description import ProjectSummary

_FIELDS = {field.name: field for field in fields(Settings)}


def _names(ctx: click.Context, param: click.Parameter, incomplete: str) -> list[str]:
    return [name for name in _FIELDS if name.startswith(incomplete)]


@command("config")
@click.argument("name", required=False, shell_complete=_names)
@click.argument("value", required=False)
@option("--all", "all_", is_flag=True, help="List all settings, not only those that were changed.")
@option("--unset", is_flag=True, help="Remove the setting from the settings file: its default counts again.")
def config(options: CommandOptions, name: str | None, value: str | None, all_: bool, unset: bool) -> None:
    file = settings_file(os.environ)
    if (unset and (name is None or value is not None)) or (name is not None and all_):
        raise click.UsageError(translate("Use `config`, `config NAME`, `config NAME VALUE` or `config NAME --unset`"))
    if unset and name is not None:
        settings_.unset(file, name)
    elif name is not None and value is not None:
        from holdfast.workspace.setting_values import check_value

        check_value(settings_.read(file, {}, {name: value}), name)
        settings_.save(file, name, value)
    current, origins = settings_.read(file, os.environ), settings_.origins(file, os.environ)
    names = [name] if name is not None else [n for n in _FIELDS if all_ or n in origins]
    described = {name: _described(name, current, origins) for name in names}
    if name is not None:
        options.print_result(described[name], lambda: _one(described[name], changed=unset or value is not None))
    else:
        options.print_result({"file": file, "settings": described}, lambda: _many(described, file, all_))


@command("projects")
def projects(options: CommandOptions) -> None:
    with options.open() as ws:
        found, current = ws.projects(), ws.project
    options.print_result(found, lambda: "\n".join(_project_rows(found, current)))


def _described(name: str, current: Settings, origins: Mapping[str, str]) -> dict[str, Any]:
    if name not in _FIELDS:
        settings_.read(None, {}, {name: ""})  # Raises the error that suggests a name.
    field = _FIELDS[name]
    value = getattr(current, name)
    return {
        "name": name,
        "value": translate("(hidden)") if name.endswith("_key") and value else value,
        "default": field.default,
        "from": origins.get(name, ""),
        "help": field.metadata["help"],
    }


def _one(setting: Mapping[str, Any], changed: bool) -> str:
    rows = [
        (translate("value"), _shown(setting["value"])),
        (translate("default"), _shown(setting["default"])),
        (translate("set in"), clean(setting["from"]) or translate("nothing: this is the default")),
    ]
    text = section(setting["name"], table(rows, styles=("dim",), whole=True)) + "\n\n" + wrap(setting["help"])
    if changed and setting["from"].startswith("HOLDFAST_"):
        note = translate("Note: the environment variable {name} overrides the settings file.", name=setting["from"])
        text += "\n" + paint(wrap(note), "yellow")
    return text


def _many(settings: Mapping[str, Mapping[str, Any]], file: str, all_: bool) -> str:
    rows = [(name, f"{_shown(s['value'])}{_source(s['from'], file)}") for name, s in settings.items()]
    if all_:
        rows = [row for name, shown in rows for row in ((name, shown), ("", settings[name]["help"]))]
    text = (
        table(rows, styles=("bold",), indent=0, whole=True) if rows else translate("All settings have their defaults.")
    )
    footer = translate("Settings file: {file}", file=clean(file))
    more = [] if all_ else [translate("`holdfast config --all` lists every setting.")]
    return text + "\n\n" + "\n".join(paint(wrap(line), "dim") for line in (footer, *more))


def _source(origin: str, file: str) -> str:
    return f"  ({origin})" if origin and origin != file else ""


def _shown(value: object) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    return clean(value) or translate("(empty)")


def _project_rows(found: tuple[ProjectSummary, ...], current: str) -> list[str]:
    head = (
        "",
        translate("project"),
        translate("memories"),
        translate("messages"),
        translate("used"),
        translate("folder"),
    )
    rows = [
        (
            "*" if project.project == current else "",
            clean(project.name),
            number(project.memories),
            number(project.messages),
            age(project.last_used),
            clean(project.root),
        )
        for project in found
    ]
    return [table([head, *rows], styles=("green", "bold"), right=(2, 3), indent=0, whole=True)]
