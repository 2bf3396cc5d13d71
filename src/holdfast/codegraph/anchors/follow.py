"""Finds where code has moved to: by its text in the index, by its name, and by the renames that git sees."""

from __future__ import annotations

import os
from collections.abc import Iterator
from typing import TYPE_CHECKING

from holdfast.system.git import run_git

if TYPE_CHECKING:
    from holdfast.core.anchor import CodeAnchor
    from holdfast.store.reading import AnchorReading

_SECONDS = 2.0
_FEW = 3


class MovedCode:
    """Looks for moved code in one project; for one run, because it remembers what git answered."""

    def __init__(self, reading: AnchorReading, project: str, root: str) -> None:
        self._reading = reading
        self._project = project
        self._root = root
        self._renames: dict[str, dict[str, str]] = {}

    def places(self, anchor: CodeAnchor) -> Iterator[tuple[str, str]]:
        """Yields the paths and symbols where the code of an anchor may be now, the likeliest first."""
        if anchor.symbol:
            yield from self._symbols(anchor)
        else:
            alike = self._reading.files_alike(self._project, [anchor.hash])
            yield from ((path, "") for path, _ in alike[:_FEW])
        renamed = self._renamed(anchor)
        if renamed is not None:
            yield renamed, anchor.symbol
        if anchor.symbol:
            short = anchor.symbol.rpartition(".")[2]
            named = self._reading.symbols_named(self._project, [short])
            if len(named) == 1:
                yield named[0][0], named[0][1].name

    def _symbols(self, anchor: CodeAnchor) -> Iterator[tuple[str, str]]:
        """The same text elsewhere; under another name only if it is long enough to be no coincidence."""
        alike = self._reading.symbols_alike(self._project, [anchor.hash])
        short = anchor.symbol.rpartition(".")[2]
        same_name = [(path, s.name) for path, s in alike if s.name.rpartition(".")[2] == short]
        others = [(path, s.name) for path, s in alike if s.end_line - s.start_line > 1]
        yield from same_name[:_FEW] if same_name else others if len(others) == 1 else ()

    def _renamed(self, anchor: CodeAnchor) -> str | None:
        """The new path of the anchor's file by the renames since its commit, committed or staged."""
        commit = anchor.commit or ""
        if not commit or not all(character in "0123456789abcdef" for character in commit):
            return None
        if commit not in self._renames:
            self._renames[commit] = renames_since(self._root, commit)
        return self._renames[commit].get(anchor.path)


def renames_since(root: str, commit: str) -> dict[str, str]:
    """The renames between a commit and the index. Does not read the files on disk, which could run filters."""
    command = ("diff", "--cached", "-M", "--name-status", "-z", "--diff-filter=R", "--no-ext-diff", "--no-textconv")
    listed = run_git(root, *command, "--relative", commit, "--", seconds=_SECONDS)
    fields = [os.fsdecode(field) for field in (listed or b"").split(b"\0")]
    return {fields[at + 1]: fields[at + 2] for at in range(0, len(fields) - 2, 3) if fields[at].startswith("R")}
