"""Reads many files, or many commits, of a repository with one git process each."""

from __future__ import annotations

import re
import subprocess
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from training.sources import Mirrors, sources


@dataclass(frozen=True)
class Commit:
    """A commit: its subject and its diff."""

    subject: str
    diff: str


def read_all(mirrors: Mirrors, repository: str, paths: Sequence[str]) -> Iterator[tuple[str, str]]:
    """The texts of the files that the clone holds; a file that is listed but absent is left out."""
    commit = sources()[repository].commit
    command = ["git", "--git-dir", str(mirrors.git_folder(repository)), "cat-file", "--batch"]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL) as git:
        assert git.stdin
        assert git.stdout
        for path in paths:
            git.stdin.write(f"{commit}:{path}\n".encode())
            git.stdin.flush()
            header = git.stdout.readline().split()
            if len(header) == 3 and header[1] == b"blob":
                content = git.stdout.read(int(header[2]))
                git.stdout.read(1)
                yield path, content.decode("utf-8", "replace")


def commits(mirrors: Mirrors, repository: str, limit: int, every: int) -> Iterator[Commit]:
    """Each `every`th of the newest commits that are not merges, with its diff of Python files and documents."""
    git = ["git", "--git-dir", str(mirrors.git_folder(repository))]
    listing = [*git, "log", "--no-merges", "--format=%H", f"-n{limit * every}", sources()[repository].commit]
    chosen = subprocess.run(listing, capture_output=True, check=True, text=True).stdout.split()[::every]
    show = [*git, "show", "--no-color", "-U2", "--no-renames", "--format=%x00%s", "--stdin", "--", *_READABLE]
    shown = subprocess.run(show, input="\n".join(chosen).encode(), capture_output=True, check=False).stdout
    for entry in shown.decode("utf-8", "replace").split("\0")[1:]:
        subject, _, diff = entry.partition("\n")
        yield Commit(re.sub(r"\s+", " ", subject).strip(), diff.strip())


_READABLE = ("*.py", "*.rst", "*.md", "*.txt", "*.js", "*.ts", "*.yml", "*.toml")
