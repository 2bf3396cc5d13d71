"""A demo project in which time stands still and ids are always the same, and the program run in it."""

from __future__ import annotations

import hashlib
import io
import itertools
import os
import re
import shutil
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from datetime import UTC, datetime, timedelta
from pathlib import Path
from unittest.mock import patch

import holdfast
from bench.child import ROOT

# Long ago: the program prints the date of what is older than two months, and not its age.
_START = datetime(2026, 4, 15, 12, tzinfo=UTC)
_MINUTE = timedelta(minutes=1)
# What differs from run to run: durations, in tables with the blanks before them, and the sizes of databases and disks.
_CHANGING = (
    (re.compile(r"(\b\d+ +\d+) +\d+[.,]\d\b"), r"\1 TIME"),
    (re.compile(r" +ms +notes"), " ms notes"),
    (re.compile(r"\b\d+([.,]\d+)?(?= ?(ms|s)\b)"), "TIME"),
    (re.compile(r'("(?:milli)?seconds": )[\d.e-]+'), r"\1TIME"),
    (re.compile(r"(\.db, |write-ahead log +|journal d’écriture +)\d+([.,]\d+)? \w+"), r"\1SIZE"),
    (re.compile(r"\b\d+([.,]\d+)? G(?=B free|o libres)"), "SIZE G"),
    (re.compile(r'("(?:bytes|size|database_bytes|gigabytes|megabytes)": )[\d.]+'), r"\1SIZE"),
)


@contextmanager
def demo(folder: Path) -> Iterator[Callable[..., list[str]]]:
    """Makes the demo project the working directory; yields a function that runs a command and returns its output."""
    project = folder / "tidepool"
    shutil.copytree(ROOT / "demo" / "tidepool", project)
    shutil.copy(ROOT / "demo" / "chats.jsonl", folder)
    environment = {name: os.environ[name] for name in ("PATH", "TMPDIR", "OPENBLAS_NUM_THREADS") if name in os.environ}
    environment |= {
        "HOME": str(folder / "home"), "HOLDFAST_DB": str(folder / "data" / "memory.db"), "HOLDFAST_BACKGROUND": "0",
        "COLUMNS": "160", "TZ": "UTC", "GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_NOSYSTEM": "1",
        **{f"GIT_{who}_{what}": value for who in ("AUTHOR", "COMMITTER")
           for what, value in (("NAME", "Ada"), ("EMAIL", "ada@example.org"), ("DATE", _START.isoformat()))},
    }  # fmt: skip
    (folder / "home").mkdir()
    with ExitStack() as stack:
        stack.enter_context(patch.dict(os.environ, environment, clear=True))
        time.tzset()
        before = os.getcwd()
        stack.callback(os.chdir, before)
        os.chdir(project)
        for arguments in (("init", "-q", "-b", "main", "."), ("add", "."), ("commit", "-q", "-m", "Open the desk")):
            subprocess.run(["git", *arguments], check=True)
        for file in project.rglob("*"):
            os.utime(file, (_START.timestamp(),) * 2)
        clock = stack.enter_context(_still())
        yield lambda *argv, stdin="": _run(folder, clock, argv, stdin)


@contextmanager
def _still() -> Iterator[Callable[[], None]]:
    """Replaces clock and randomness; yields a function that advances the clock by a minute.

    Random bytes depend on the minute and on how many were asked for in it, so that the ids of one command do not
    depend on those before it.
    """
    at, asked = [_START], itertools.count()

    def advance() -> None:
        nonlocal asked
        at[0], asked = at[0] + _MINUTE, itertools.count()

    def entropy(count: int) -> bytes:
        return hashlib.shake_128(f"{at[0]} {next(asked)}".encode()).digest(count)

    with holdfast.open(":memory:", embedder="none", background=False) as ws:
        clock = type(ws.container.clock)
    with (
        patch.object(clock, "now", lambda self: at[0]),
        patch.object(time, "time", lambda: at[0].timestamp()),  # noqa: PLW0108 - another moment at each call
        patch.object(time, "time_ns", lambda: int(at[0].timestamp()) * 1_000_000_000),
        patch.object(os, "urandom", entropy),
    ):
        yield advance


def _run(folder: Path, advance: Callable[[], None], argv: tuple[str, ...], stdin: str) -> list[str]:
    """Runs one command; an argument `@words` is the id of the newest memory with these words."""
    from holdfast.interfaces.cli.main import run

    advance()
    arguments = [_id_of(argument[1:]) if argument.startswith("@") else argument for argument in argv]
    out, err = (io.TextIOWrapper(io.BytesIO(), "utf-8", write_through=True) for _ in range(2))
    given = io.TextIOWrapper(io.BytesIO(stdin.encode()), "utf-8")
    with patch.object(sys, "stdin", given), patch.object(sys, "stdout", out), patch.object(sys, "stderr", err):
        code = run(arguments)
    printed = [stream.buffer.getvalue().decode() for stream in (out, err)]
    return settled("\n".join([f"exit {code}", *filter(None, printed)]), folder)


def settled(text: str, folder: Path) -> list[str]:
    """The lines of an output without what differs from run to run: folders, durations and sizes of files."""
    text = text.replace(sys.prefix, "ENVIRONMENT").replace(str(ROOT), "CHECKOUT").replace(str(folder), "FOLDER")
    for pattern, replacement in _CHANGING:
        text = pattern.sub(replacement, text)
    return text.rstrip().splitlines()


def _id_of(words: str) -> str:
    with holdfast.open(embedder="none") as ws:
        found = ws.list("newest", 1_000, include_forgotten=True)
        return next(memory.id for memory in found if words in memory.content)
