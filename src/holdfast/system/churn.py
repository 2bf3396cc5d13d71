"""Measures how often files change: memories about code that changes often decay faster."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from datetime import datetime, timedelta
from typing import TypeVar

from holdfast.system.git import run_git
from holdfast.system.project import head_commit

Named = TypeVar("Named")
DAYS = 90
SECONDS = 0.1
# Decay by commits in ninety days: none, half as fast; three, normal; nine or more, twice as fast.
_LOWEST, _HIGHEST, _PER_COMMIT = 0.5, 2.0, 1 / 6


class Churn:
    """Counts the commits per file over ninety days, once for each checked-out commit.

    Runs git for a tenth of a second at most. Outside git, or when git takes longer, all files decay normally.
    """

    def __init__(self, root: str, now: Callable[[], datetime], seconds: float | None = None) -> None:
        self._root = root
        self._now = now
        self._seconds = SECONDS if seconds is None else seconds
        self._cached: tuple[str | None, Mapping[str, int] | None] = (None, None)  # a commit and its counts

    def scales(self, files: Mapping[Named, Iterable[str]]) -> dict[Named, float]:
        """The factor of the decay rate for each name, 0.5 to 2, by its most often changed file. Empty: normal decay."""
        commits = self._commits() if files else None
        if commits is None:
            return {}
        return {name: _scale(max((commits.get(path, 0) for path in paths), default=0)) for name, paths in files.items()}

    def _commits(self) -> Mapping[str, int] | None:
        head = head_commit(self._root)
        if head is None:
            return None
        if self._cached[0] != head:
            self._cached = (head, self._count())
        return self._cached[1]

    def _count(self) -> Mapping[str, int] | None:
        since = (self._now() - timedelta(days=DAYS)).isoformat()
        command = ["log", f"--since={since}", "-z", "--name-only", "--no-renames", "--format=", "--relative"]
        names = run_git(self._root, *command, "--no-ext-diff", "--no-textconv", seconds=self._seconds)
        return Counter(os.fsdecode(name) for name in names.split(b"\0") if name) if names is not None else None


def _scale(commits: int) -> float:
    return min(_HIGHEST, _LOWEST + commits * _PER_COMMIT)
