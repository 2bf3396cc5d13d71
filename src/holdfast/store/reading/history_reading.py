"""Reading which files change together."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from holdfast.core.code import CoChangedFiles


class HistoryReading(Protocol):
    """Reads what was counted in the commits of a project."""

    def counted_commit(self, project: str) -> str:
        """The commit up to which co-changes were counted; "" at first."""
        ...

    def co_changed(self, project: str, paths: Collection[str]) -> tuple[CoChangedFiles, ...]:
        """The files that changed in the same commits as these, the closest first."""
        ...

    def change_counts(self, project: str, paths: Collection[str]) -> Mapping[str, tuple[int, float]]:
        """The number and the weight of the commits of these files; files without any are left out."""
        ...
