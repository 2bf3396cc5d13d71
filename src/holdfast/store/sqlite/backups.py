"""Copies of a database beside it: one a day, and one before each migration."""

from __future__ import annotations

import contextlib
import glob
import os
import shutil
import sqlite3
from datetime import datetime

from holdfast.system.files import create_file, sync_folder

# A daily backup is made only if this many bytes stay free beside it.
_SPARE = 200 * 1024 * 1024


def backups(path: str) -> list[str]:
    """All backups of a database, the newest first."""
    found = [file for file in glob.glob(glob.escape(path) + ".backup-*") if not file.endswith(".part")]
    return sorted(found, key=os.path.getmtime, reverse=True)


def newest_backup(path: str) -> str | None:
    return next(iter(backups(path)), None)


def delete_copies(path: str) -> tuple[str, ...]:
    """Deletes all backups of a database, and the old files that were kept or left beside it; returns which."""
    patterns = (".backup-*", ".damaged-*", ".deleted-*", ".salvage-*")
    found = sorted(file for pattern in patterns for file in glob.glob(glob.escape(path) + pattern))
    for file in found:
        with contextlib.suppress(FileNotFoundError):
            os.unlink(file)
    return tuple(found)


def back_up(path: str, name: str) -> str:
    """Copies a database to `PATH.backup-NAME`, synced to the disk, while others may use it."""
    backup = f"{path}.backup-{name}"
    partial = f"{backup}.part"
    with contextlib.suppress(FileNotFoundError):
        os.unlink(partial)
    os.close(create_file(partial))
    # A separate connection: one that holds the write lock cannot be copied from.
    source, copy = sqlite3.connect(path), sqlite3.connect(partial)
    try:
        source.backup(copy, pages=-1)
    finally:
        copy.close()
        source.close()
    os.replace(partial, backup)
    sync_folder(os.path.dirname(os.path.abspath(path)))
    return backup


def back_up_daily(path: str, now: datetime, keep: int) -> str | None:
    """Makes the backup of the day and deletes the oldest ones; None if there is no space for it.

    Days with a migration have another backup, which counts neither way.
    """
    size = os.path.getsize(path)
    if keep and shutil.disk_usage(os.path.dirname(os.path.abspath(path))).free < size + _SPARE:
        return None
    made = back_up(path, f"{now:%Y-%m-%d}") if keep else None
    daily = sorted(glob.glob(glob.escape(path) + ".backup-[0-9][0-9][0-9][0-9]-[0-9][0-9]-[0-9][0-9]"))
    for old in daily[: len(daily) - keep]:
        with contextlib.suppress(FileNotFoundError):
            os.unlink(old)
    return made
