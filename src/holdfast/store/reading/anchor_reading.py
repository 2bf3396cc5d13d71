"""Reading what memories are bound to in code."""

from __future__ import annotations

from collections.abc import Collection
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from holdfast.core.code import CodeSymbol
    from holdfast.core.memory import Memory


class AnchorReading(Protocol):
    """Reads memories that are bound to code, and looks up the code they may be bound to."""

    def anchored(self, project: str) -> tuple[Memory, ...]:
        """The memories with anchors that are neither forgotten nor superseded; stale ones too."""
        ...

    def memory_files(self, project: str) -> tuple[tuple[str, str], ...]:
        """The files that valid memories are about: path and id of a memory. Messages are left out."""
        ...

    def symbols_named(self, project: str, names: Collection[str]) -> tuple[tuple[str, CodeSymbol], ...]:
        """The indexed symbols with one of these names, without the names of enclosing ones, each with its path."""
        ...

    def symbols_alike(self, project: str, hashes: Collection[str]) -> tuple[tuple[str, CodeSymbol], ...]:
        """The indexed symbols whose text has one of these hashes, each with its path."""
        ...

    def files_alike(self, project: str, hashes: Collection[str]) -> tuple[tuple[str, str], ...]:
        """The indexed files with one of these hashes: path and hash."""
        ...

    def paths_ending(self, project: str, names: Collection[str]) -> tuple[str, ...]:
        """The indexed files with one of these paths or ends of paths, such as `config.py`."""
        ...

    def code_text(self, project: str, hash: str) -> str | None:
        """The text that memories with this hash were bound to; None if it was too long to store."""
        ...
