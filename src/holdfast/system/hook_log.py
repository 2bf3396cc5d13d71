"""The log of failed hooks. A hook never fails its agent; what went wrong is written here, and `doctor` reads it."""

from __future__ import annotations

import os
import time

from holdfast.core.light_json import read_json, write_json
from holdfast.system.files import make_folders, open_to_append
from holdfast.system.platform_folders import data_folder

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

_MOST_BYTES = 128 * 1024
_LONGEST = 300


def hook_log_file(environment: Mapping[str, str]) -> str:
    """The file of the log."""
    return os.path.join(data_folder(environment), "hook-errors.jsonl")


def log_failure(environment: Mapping[str, str], call: str, error: str) -> None:
    """Appends one failure; a full log is emptied first. Never raises: nobody could handle the error."""
    try:
        file = hook_log_file(environment)
        make_folders(os.path.dirname(file))
        opened = open_to_append(file)
        try:
            if os.fstat(opened).st_size > _MOST_BYTES:
                os.ftruncate(opened, 0)
            record = {"at": time.time(), "hook": call[:_LONGEST], "error": " ".join(error.split())[:_LONGEST]}
            os.write(opened, f"{write_json(record)}\n".encode("ascii"))
        finally:
            os.close(opened)
    except OSError:
        return


def read_failures(environment: Mapping[str, str], since: float) -> list[Mapping[str, Any]]:
    """The failures after a time, oldest first. Skips damaged lines."""
    try:
        with open(hook_log_file(environment), encoding="utf-8", errors="replace") as opened:
            lines = opened.read(2 * _MOST_BYTES).splitlines()
    except OSError:
        return []
    found: list[Mapping[str, Any]] = []
    for line in lines:
        try:
            record = read_json(line)
        except (ValueError, RecursionError):
            continue
        if isinstance(record, dict) and isinstance(record.get("at"), float) and record["at"] >= since:
            found.append(record)
    return found
