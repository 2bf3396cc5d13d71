"""The repositories that are scored, and their clones."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from bench.codegraph.errors import CloneFailed

_LIST = Path(__file__).with_name("repositories.json")


@dataclass(frozen=True, slots=True)
class Repository:
    """A public repository at one commit. Nobody looked at an unseen one while the resolvers were written."""

    name: str
    commit: str
    language: str
    unseen: bool = False

    @property
    def folder(self) -> str:
        return self.name.replace("/", "__")


def repositories() -> tuple[Repository, ...]:
    return tuple(Repository(**fields) for fields in json.loads(_LIST.read_text(encoding="utf-8")))


def clone_of(repository: Repository, folder: Path) -> Path:
    """The clone at the right commit; made if it is missing. Raises `CloneFailed` with the reason otherwise."""
    clone = folder / repository.folder
    if not clone.is_dir():
        folder.mkdir(parents=True, exist_ok=True)
        _git("clone", "--quiet", f"https://github.com/{repository.name}", str(clone))
        _git("-C", str(clone), "checkout", "--quiet", repository.commit)
    found = _git("-C", str(clone), "rev-parse", "HEAD").strip()
    if found != repository.commit:
        raise CloneFailed(f"{clone.name} is at {found[:10]}; check out {repository.commit[:10]}")
    return clone


def _git(*arguments: str) -> str:
    command: Sequence[str] = ("git", *arguments)
    try:
        done = subprocess.run(command, capture_output=True, text=True, check=False)
    except OSError as error:
        raise CloneFailed(f"git could not be started ({error.strerror})") from error
    if done.returncode:
        raise CloneFailed((done.stderr.strip().splitlines() or ["git failed"])[-1])
    return done.stdout
