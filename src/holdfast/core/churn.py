"""How restless files are: memories of code that changes often fade faster (R-C4)."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from datetime import datetime, timedelta
from typing import TypeVar

from holdfast.core.git import run_git
from holdfast.core.project import head_commit

Named = TypeVar("Named")
DAYS = 90
SECONDS = 0.1
# A file changed monthly fades at the usual rate; one left alone half as fast; nine changes or more, twice as fast.
_QUIET, _RESTLESS, _PER_COMMIT = 0.5, 2.0, 1 / 6


class Churn:
    """Counts commits per file over ninety days, once for each commit that is checked out.

    Runs git once, for a tenth of a second at most. Outside git, or when git is slower, every file counts as usual.
    """

    def __init__(self, root: str, now: Callable[[], datetime], seconds: float | None = None) -> None:
        self._root = root
        self._now = now
        self._seconds = SECONDS if seconds is None else seconds
        self._read: tuple[str | None, Mapping[str, int] | None] = (None, None)

    def scales(self, files: Mapping[Named, Iterable[str]]) -> dict[Named, float]:
        """What each rate of fading is multiplied by, 0.5 to 2: the busiest of its files decides. Empty: as usual."""
        commits = self._commits() if files else None
        if commits is None:
            return {}
        return {name: _scale(max((commits.get(path, 0) for path in paths), default=0)) for name, paths in files.items()}

    def _commits(self) -> Mapping[str, int] | None:
        head = head_commit(self._root)
        if head is None:
            return None
        if self._read[0] != head:
            self._read = (head, self._count())
        return self._read[1]

    def _count(self) -> Mapping[str, int] | None:
        since = (self._now() - timedelta(days=DAYS)).isoformat()
        command = ["log", f"--since={since}", "-z", "--name-only", "--no-renames", "--format=", "--relative"]
        names = run_git(self._root, *command, "--no-ext-diff", "--no-textconv", seconds=self._seconds)
        return Counter(os.fsdecode(name) for name in names.split(b"\0") if name) if names is not None else None


def _scale(commits: int) -> float:
    return min(_RESTLESS, _QUIET + commits * _PER_COMMIT)
