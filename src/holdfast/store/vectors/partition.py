"""The part of the vectors that a search covers."""

from __future__ import annotations

from typing import NamedTuple

_PAST = ("past", "past episode")


class Partition(NamedTuple):
    """The rows to search: some projects, and in them some kinds, or all.

    `past` adds the rows of forgotten and superseded memories of any kind.
    """

    projects: tuple[str, ...]
    kinds: tuple[str, ...]
    past: bool = False

    @property
    def included(self) -> tuple[str, ...]:
        """The kinds that belong to it; empty when it names none."""
        return (*self.kinds, *_PAST) if self.kinds and self.past else self.kinds

    @property
    def left_out(self) -> tuple[str, ...]:
        """The kinds that do not belong to it when it names none."""
        return () if self.past else _PAST

    def has(self, kind: str) -> bool:
        """Whether rows of that kind belong to it."""
        return kind in self.included if self.kinds else kind not in self.left_out
