"""The folders of the platform. Every hook imports this module, so it imports only `os` and `sys`."""

from __future__ import annotations

import os
import sys

TYPE_CHECKING = False  # Not from typing: that import would double the cost of this module.
if TYPE_CHECKING:
    from collections.abc import Mapping


def data_folder(environment: Mapping[str, str], platform: str = sys.platform) -> str:
    """The user's data folder for Holdfast, by the conventions of the platform."""
    home = _home(environment)
    if platform == "win32":
        base = environment.get("LOCALAPPDATA") or os.path.join(home, "AppData", "Local")
    elif platform == "darwin":
        base = os.path.join(home, "Library", "Application Support")
    else:
        base = _absolute(environment, "XDG_DATA_HOME") or os.path.join(home, ".local", "share")
    return os.path.join(base, "holdfast")


def settings_file(environment: Mapping[str, str], platform: str = sys.platform) -> str:
    """The path of the user's settings file; HOLDFAST_SETTINGS overrides it."""
    if environment.get("HOLDFAST_SETTINGS"):
        return environment["HOLDFAST_SETTINGS"]
    if platform in ("win32", "darwin"):
        return os.path.join(data_folder(environment, platform), "settings.toml")
    base = _absolute(environment, "XDG_CONFIG_HOME") or os.path.join(_home(environment), ".config")
    return os.path.join(base, "holdfast", "settings.toml")


def changed_since(file: str, at: float) -> bool:
    """Was this file written after that time? Not if it does not exist."""
    try:
        return os.path.getmtime(file) > at
    except OSError:
        return False


def database_file(name: str, folder: str) -> str:
    """The full path of a database; without a name, `holdfast.db` in that folder. Raises ValueError for an address."""
    if is_address(name):
        raise ValueError(f"{name.partition(':')[0]}: is no file; a database is a file of SQLite")
    return os.path.abspath(name or os.path.join(folder, "holdfast.db"))


def is_address(name: str) -> bool:
    """Is it `postgresql://…` or `file:…`, and would become a folder of that name? A drive letter is no scheme."""
    scheme, _, rest = name.partition(":")
    is_scheme = len(scheme) > 1 and scheme.isascii() and scheme.replace("+", "").replace("-", "").isalnum()
    return is_scheme and (rest.startswith("/") or scheme.lower() == "file")


def _home(environment: Mapping[str, str]) -> str:
    home = _absolute(environment, "HOME") or _absolute(environment, "USERPROFILE") or os.path.expanduser("~")
    if os.path.isabs(home) or os.name == "nt":
        return home
    import pwd  # Without a usable variable, the user's entry tells.

    return pwd.getpwuid(os.getuid()).pw_dir


def _absolute(environment: Mapping[str, str], name: str) -> str:
    """The folder in a variable; empty if it is relative: it would be another one in every working directory."""
    value = environment.get(name, "")
    return value if os.path.isabs(value) else ""
