"""Opens the store that the settings name; the only module that knows the engines."""

from __future__ import annotations

import os
from collections.abc import Callable
from datetime import datetime
from typing import TYPE_CHECKING

from holdfast.core.errors import InvalidInput
from holdfast.store.sqlite.sqlite_store import SqliteStore
from holdfast.store.writing.memories import no_vectors
from holdfast.system.platform_folders import database_file

if TYPE_CHECKING:
    from holdfast.core.ids import Ids
    from holdfast.core.reason import Reason
    from holdfast.core.settings import Settings
    from holdfast.store.protocol import Store
    from holdfast.store.writing.memories import EmbedNow


# The name of a store that is deleted when it is closed, as in SQLite.
TEMPORARY = ":memory:"


def _path(settings: Settings, default_folder: str) -> str:
    """The database that the settings name. Raises InvalidInput for a folder and for an address with a scheme."""
    try:
        path = database_file(settings.db, default_folder)
    except ValueError as error:
        hint = "Name a file with --db, HOLDFAST_DB or the setting db."
        raise InvalidInput(f"the database {settings.db!r} ({error})", hint=hint) from None
    if os.path.isdir(path):
        raise InvalidInput(f"the database {path} is a folder", hint=f"Name a file in it: {path}/holdfast.db")
    return path


def store_exists(settings: Settings, *, default_folder: str) -> bool:
    """Is there the database that the settings name? Raises InvalidInput if it cannot be one."""
    return os.path.exists(_path(settings, default_folder))


def repair_store(
    settings: Settings, *, now: Callable[[], datetime], ids: Ids, default_folder: str
) -> tuple[Reason, ...]:
    """Replaces a damaged database, or one from before the first release, by a new one with everything that can be read.

    Returns what was done. Does nothing if it is intact or there is none. Raises StoreDamaged if nothing can be read.
    """
    from holdfast.store.sqlite.health_check import SqliteHealthCheck
    from holdfast.store.sqlite.salvage import earlier_schema, is_damaged, salvage

    path = _path(settings, default_folder)
    if not os.path.exists(path) or not (earlier_schema(path) or is_damaged(path)):
        return ()
    return salvage(path, now(), ids, lambda database: SqliteHealthCheck(database, no_vectors).repair())


def open_store(
    settings: Settings,
    *,
    now: Callable[[], datetime],
    ids: Ids,
    default_folder: str,
    embed_now: EmbedNow = no_vectors,
) -> Store:
    """Opens the database of the settings, or `holdfast.db` in the default folder; makes it if it does not exist.

    `embed_now` makes the vectors that are stored together with new texts.
    """
    temporary = None
    if settings.db == TEMPORARY:
        from tempfile import TemporaryDirectory

        temporary = TemporaryDirectory(prefix="holdfast-")
    return SqliteStore(
        _path(settings, default_folder) if temporary is None else os.path.join(temporary.name, "memory.db"),
        now=now,
        ids=ids,
        busy_seconds=settings.busy_seconds,
        all_durable=settings.durability == "everything",
        embed_now=embed_now,
        temporary=temporary,
    )
