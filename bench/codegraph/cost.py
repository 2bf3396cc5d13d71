"""The cost of a full index: processor time and memory of `holdfast index`, and the time of aider's repository map."""

from __future__ import annotations

import compileall
import os
import resource
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterable
from functools import cache
from pathlib import Path
from typing import NamedTuple

import holdfast
from bench.codegraph.errors import IndexerMissing

_SAMPLE = 0.05  # seconds between two looks at the memory
_LIMIT = 1800  # seconds


class IndexCost(NamedTuple):
    """Seconds of processor time, and the most memory that all processes had together, in bytes; 0 if unknown."""

    seconds: float
    memory: int


def child_seconds() -> float:
    """The processor time of all finished child processes."""
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


def full_index(clone: Path, chunks: bool) -> IndexCost:
    """Runs `holdfast index` on a clone with a new database, with or without making its code searchable."""
    _compile_once()
    with tempfile.TemporaryDirectory() as folder, tempfile.TemporaryDirectory() as home:
        database = str(Path(folder) / "holdfast.db")
        command = [sys.executable, "-m", "holdfast", "index", "--only", "code", "--db", database, "--json"]
        before = child_seconds()
        process = subprocess.Popen(
            command, cwd=clone, env=_alone(home, chunks), stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True
        )
        peak = _PeakMemory(process)
        _, why = process.communicate(timeout=_LIMIT)
        if process.returncode:
            raise IndexerMissing(f"holdfast index failed: {(why.strip().splitlines() or ['no message'])[-1]}")
        return IndexCost(child_seconds() - before, peak.found())


@cache
def _compile_once() -> None:
    """Compiles Holdfast's modules as an installer does: a run would otherwise compile those that it imports."""
    compileall.compile_dir(Path(holdfast.__file__).parent, quiet=2)


def aider_seconds(python: Path, clone: Path, files: Iterable[str]) -> float:
    """The processor time of aider's repository map of the same files, made from the beginning."""
    script = Path(__file__).with_name("aider_map.py")
    done = subprocess.run(
        [str(python), str(script), str(clone)],
        input="\0".join(files), capture_output=True, text=True, timeout=_LIMIT, check=False, env=_without_paths(),
    )  # fmt: skip
    if done.returncode:
        raise IndexerMissing(f"aider failed: {(done.stderr.strip().splitlines() or ['no message'])[-1]}")
    return float(done.stdout.split()[-1])


def _alone(home: str, chunks: bool) -> dict[str, str]:
    """The environment with settings of its own, and without background work that goes on afterwards."""
    settings = {"HOLDFAST_BACKGROUND": "false", "HOLDFAST_INDEX_CODE_CHUNKS": str(chunks).lower()}
    return os.environ | settings | {"HOME": home, "XDG_CONFIG_HOME": home}


def _without_paths() -> dict[str, str]:
    return {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}


class _PeakMemory:
    """Looks at the memory of a process and its children until it ends. Linux only; elsewhere it stays 0."""

    def __init__(self, process: subprocess.Popen[str]) -> None:
        self._process = process
        self._most = 0
        self._thread = threading.Thread(target=self._watch, daemon=True)
        self._thread.start()

    def found(self) -> int:
        self._thread.join()
        return self._most

    def _watch(self) -> None:
        while self._process.poll() is None:
            self._most = max(self._most, _memory_of(self._process.pid))
            time.sleep(_SAMPLE)


def _memory_of(root: int) -> int:
    """The memory of a process and all below it; memory that processes share counts once."""
    total, pending = 0, [root]
    while pending:
        folder = Path("/proc") / str(pending.pop())
        try:
            lines = (folder / "smaps_rollup").read_text("ascii").splitlines()
            total += sum(int(line.split()[1]) * 1024 for line in lines if line.startswith("Pss:"))
            for task in (folder / "task").iterdir():
                pending += map(int, (task / "children").read_text("ascii").split())
        except OSError:  # It ended meanwhile, or this is not Linux.
            continue
    return total
