"""Runs the SCIP indexers, and keeps their indexes with the time they took."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import tempfile
from dataclasses import dataclass
from pathlib import Path

from bench.codegraph.cost import child_seconds
from bench.codegraph.errors import IndexerMissing
from bench.codegraph.repositories import Repository

_COMMANDS = {
    "python": ("scip-python", "index", ".", "--project-name", "project", "--output"),
    "typescript": ("scip-typescript", "index", "--no-progress-bar", "--output"),
}
_PACKAGES = {"python": "@sourcegraph/scip-python@0.6.6", "typescript": "@sourcegraph/scip-typescript@0.4.0"}
_LIMIT = 1800  # seconds


@dataclass(frozen=True, slots=True)
class ScipIndex:
    """An index on disk, and the seconds of processor time that making it took; None if that is unknown."""

    path: Path
    seconds: float | None


def scip_of(repository: Repository, clone: Path, cache: Path, programs: Path | None, fresh: bool) -> ScipIndex:
    """The index of a clone: the kept one, unless `fresh` asks for a new run. Raises `IndexerMissing`."""
    kept = cache / f"{repository.folder}.scip"
    times = kept.with_suffix(".json")
    if not kept.is_file() or fresh:
        seconds = _run(repository, clone, kept, programs)
        times.write_text(json.dumps({"commit": repository.commit, "seconds": seconds}), encoding="utf-8")
    found = json.loads(times.read_text(encoding="utf-8")) if times.is_file() else {}
    return ScipIndex(kept, found.get("seconds"))


def _run(repository: Repository, clone: Path, kept: Path, programs: Path | None) -> float:
    name, *arguments = _COMMANDS[repository.language]
    program = shutil.which(name, path=f"{programs}{os.pathsep}{os.environ['PATH']}" if programs else None)
    if program is None:
        package = _PACKAGES[repository.language]
        raise IndexerMissing(f"{name} is not installed; `npm install {package}` and name its folder with --indexers")
    kept.parent.mkdir(parents=True, exist_ok=True)
    before = child_seconds()
    with tempfile.TemporaryDirectory(dir=kept.parent) as folder:
        made = Path(folder) / "index.scip"
        command = [program, *arguments, str(made)]
        try:
            done = subprocess.run(
                command, cwd=clone, env=_environment(clone), capture_output=True, text=True, timeout=_LIMIT, check=False
            )
        except subprocess.TimeoutExpired:
            raise IndexerMissing(f"{name} took more than {_LIMIT} seconds on {repository.name}") from None
        if done.returncode or not made.is_file():
            why = (done.stderr.strip().splitlines() or ["no message"])[-1]
            raise IndexerMissing(f"{name} failed on {repository.name}: {why}")
        made.replace(kept)
    return child_seconds() - before


def _environment(clone: Path) -> dict[str, str]:
    """The environment, with the virtual environment of the clone if it has one: scip-python asks its pip."""
    venv = clone / ".venv"
    if not venv.is_dir():
        return dict(os.environ)
    return os.environ | {"VIRTUAL_ENV": str(venv), "PATH": f"{venv / 'bin'}{os.pathsep}{os.environ['PATH']}"}
