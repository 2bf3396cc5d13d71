"""The public repositories that training reads, each at one commit and with its licence (sources.json).

Nothing of them is stored here. Clone each repository of sources.json into one folder, as `OWNER+NAME` or `OWNER/NAME`,
with or without a work tree (`git clone --bare` is enough), and name that folder with `--mirrors` or the environment
variable MIRRORS. Files are read out of git at the commit that sources.json states, so a newer clone gives the same.
"""

from __future__ import annotations

import hashlib
import io
import json
import os
import subprocess
import zipfile
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, Literal

SOURCES = Path(__file__).parent / "sources.json"


class MissingFile(Exception):
    """A clone, or a file of it at the commit, is not there."""


@dataclass(frozen=True)
class Source:
    """One repository: where it is, under which terms, what of it is used, and which model is trained on it."""

    repository: str
    commit: str
    licence: str
    stated_in: str
    used: str
    attribution: str
    trains: Literal["embedder", "reader", "both"] = "embedder"

    def teaches(self, model: Literal["embedder", "reader"]) -> bool:
        return self.trains in (model, "both")


@dataclass(frozen=True)
class Copy:
    """Another place of a file, for clones that leave large files out: a member of an archive in another repository."""

    repository: str
    commit: str
    archive: str
    member: str


@cache
def sources() -> dict[str, Source]:
    """All sources by their repository's name."""
    return {entry["repository"]: Source(**entry) for entry in json.loads(SOURCES.read_text())}


@dataclass(frozen=True)
class Mirrors:
    """A folder of clones."""

    folder: Path

    def git_folder(self, repository: str) -> Path:
        """The git directory of a repository's clone."""
        owner, name = repository.split("/")
        for place in (self.folder / f"{owner}+{name}", self.folder / owner / name, self.folder / f"{owner}+{name}.git"):
            for folder in (place / "repo" / ".git", place / "repo", place / ".git", place):
                if (folder / "HEAD").is_file() and (folder / "objects").is_dir():
                    return folder
        raise MissingFile(f"no clone of {repository} in {self.folder}")

    def read(self, repository: str, path: str, commit: str = "") -> bytes:
        """A file of a repository at the commit of sources.json, or at another one."""
        return self._git(repository, "cat-file", "blob", f"{commit or sources()[repository].commit}:{path}")

    def read_or_copy(self, repository: str, path: str, copy: Copy) -> bytes:
        """A file of a repository, or its copy elsewhere if this clone lacks it; the copy must have the same bytes."""
        try:
            return self.read(repository, path)
        except MissingFile:
            archive = self.read(copy.repository, copy.archive, copy.commit)
        with zipfile.ZipFile(io.BytesIO(archive)) as members:
            content = members.read(copy.member)
        self.check_copy(repository, path, content, copy.repository)
        return content

    def check_copy(self, repository: str, path: str, content: bytes, copy: str) -> None:
        """Raises MissingFile unless the content has the hash that git lists for a file."""
        listed = self._git(repository, "ls-tree", sources()[repository].commit, "--", path).decode().split()
        digest = hashlib.sha1(b"blob %d\0" % len(content) + content, usedforsecurity=False).hexdigest()
        if digest not in listed:
            raise MissingFile(f"{repository}: {path} is missing, and its copy in {copy} differs from it")

    def text(self, repository: str, path: str) -> str:
        return self.read(repository, path).decode("utf-8", "replace")

    def json(self, repository: str, path: str) -> Any:
        return json.loads(self.text(repository, path))

    def files(self, repository: str, under: str = "") -> list[str]:
        """The paths of a repository's files, sorted; `under` is a folder."""
        listing = self._git(repository, "ls-tree", "-r", "-z", "--name-only", sources()[repository].commit)
        return sorted(path for path in listing.decode().split("\0") if path and path.startswith(under))

    def _git(self, repository: str, *arguments: str) -> bytes:
        command = ["git", "--git-dir", str(self.git_folder(repository)), *arguments]
        result = subprocess.run(command, capture_output=True, check=False)
        if result.returncode:
            raise MissingFile(f"{repository}: git {' '.join(arguments)}: {result.stderr.decode().strip()}")
        return result.stdout


def default_mirrors() -> str | None:
    """The folder of clones that the environment names."""
    return os.environ.get("MIRRORS")
