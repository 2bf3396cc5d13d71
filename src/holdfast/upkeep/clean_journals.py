"""Removes erased text from the journals of a project."""

from __future__ import annotations

import glob
import json
import os
from typing import TYPE_CHECKING

from holdfast.system.files import NO_LINK, write_all

if TYPE_CHECKING:
    from holdfast.text.removal import SentenceRemoval


def clean_journals(folder: str, removal: SentenceRemoval) -> list[str]:
    """Cleans all journals in a folder; returns those that could not be changed, each with the reason."""
    failed = []
    for path in glob.glob(os.path.join(glob.escape(folder), "*.jsonl*")):
        try:
            _clean_journal(path, removal)
        except OSError as error:
            failed.append(f"{path} ({error.strerror})")
    return failed


def _clean_journal(path: str, removal: SentenceRemoval) -> None:
    """Cleans a file in place: hooks may append meanwhile, and other files refer to positions in it."""
    handle = os.open(path, os.O_RDWR | NO_LINK)
    try:
        with os.fdopen(os.dup(handle), "rb") as opened:
            lines = opened.read().split(b"\n")
        at = 0
        for line in lines:
            if (clean := _cleaned(line, removal)) != line:
                os.lseek(handle, at, os.SEEK_SET)
                write_all(handle, clean)
            at += len(line) + 1
        os.fsync(handle)
    finally:
        os.close(handle)


def _cleaned(line: bytes, removal: SentenceRemoval) -> bytes:
    """The line without erased text, of the same length; empty if it became longer."""
    text = line.decode("utf-8", "replace")
    try:
        value = json.loads(text)
    except (ValueError, RecursionError):
        value, same, clean = None, text, removal.clean(text)
    else:
        same, clean = value, removal.clean_value(value)
    if clean == same:
        return line
    new = (json.dumps(clean) if value is not None else clean).encode("utf-8")
    return (new if len(new) <= len(line) else b"").ljust(len(line))
