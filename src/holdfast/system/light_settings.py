"""Reads a few settings for a hook, without the declarations of all settings, whose import would double its time."""

from __future__ import annotations

from holdfast.system.data_folder import DataFolder
from holdfast.system.platform_folders import data_folder, database_file, settings_file

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping


# After this time an agent goes on without memory, unless the settings say otherwise.
SECONDS = 3.0


class HookSettings:
    """The settings that hooks need on their fast path. An invalid value counts as the default; `doctor` reports it.

    `db` is the address of the store, `data_folder` has its local files.
    """

    __slots__ = (
        "ask_agent", "background", "data_folder", "db", "identity", "inject", "project", "seconds", "trust_level",
        "user",
    )  # fmt: skip

    def __init__(
        self,
        db: str,
        data_folder: DataFolder,
        project: str,
        identity: str,
        inject: str,
        trust_level: int,
        background: bool = True,
        seconds: float = SECONDS,
        ask_agent: bool = True,
        user: str = "",
    ) -> None:
        self.db = db
        self.data_folder = data_folder
        self.project = project
        self.identity = identity
        self.inject = inject
        self.trust_level = trust_level
        self.background = background
        self.seconds = seconds
        self.ask_agent = ask_agent
        self.user = user


def read_hook_settings(environment: Mapping[str, str]) -> HookSettings:
    """The settings of the user's file and the environment, as `core.settings` reads them.

    Raises ValueError if the database is no file: with the default, the hook would write into another memory.
    """
    stored = _from_file(settings_file(environment))

    def value(name: str) -> str:
        return _value(name, environment, stored)

    level, db = value("trust_level"), database_file(value("db"), data_folder(environment))
    return HookSettings(
        db=db,
        data_folder=DataFolder.beside(db),
        project=value("project"),
        identity="folder" if value("identity") == "folder" else "git",
        inject=value("inject") if value("inject") in ("full", "passive", "off") else "full",
        trust_level=int(level) if level.isdecimal() else 2,
        background=_is_on(value("background")),
        seconds=_positive(value("hook_seconds"), SECONDS),
        ask_agent=_is_on(value("ask_agent")),
        user=value("user"),
    )


def read_setting(environment: Mapping[str, str], name: str) -> str:
    """The value of one setting in the environment or the user's file; empty if neither has it."""
    return _value(name, environment, _from_file(settings_file(environment)))


def _value(name: str, environment: Mapping[str, str], stored: Mapping[str, object]) -> str:
    return str(environment.get(f"HOLDFAST_{name.upper()}", stored.get(name, "")))


def _is_on(text: str) -> bool:
    return text.strip().lower() not in ("0", "false", "no", "off")


def _positive(text: str, default: float) -> float:
    try:
        number = float(text)
    except ValueError:
        return default
    return number if 0 < number < float("inf") else default


def _from_file(file: str) -> Mapping[str, object]:
    try:
        with open(file, encoding="utf-8", errors="replace") as opened:
            text = opened.read()
    except OSError:
        return {}
    values: dict[str, object] = {}
    for line in text.splitlines():
        name, equals, value = line.partition("=")
        name, value = name.strip(), value.strip()
        if not name or name.startswith("#"):
            continue
        if not equals or not _is_simple(value):
            return _from_toml(text)
        values[name] = value.strip('"')
    return values


def _is_simple(value: str) -> bool:
    """Is it a number, a boolean, or a text without anything that TOML would interpret?"""
    if value.startswith('"'):
        return len(value) > 1 and value.endswith('"') and not {'"', "\\", "#"} & set(value[1:-1])
    return value.replace(".", "").replace("_", "").isalnum()


def _from_toml(text: str) -> Mapping[str, object]:
    import tomllib

    try:
        return tomllib.loads(text)
    except ValueError:
        return {}
