"""Import and export."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import TYPE_CHECKING

from holdfast.core.arguments import several
from holdfast.workspace.operation_verbs import Operations

if TYPE_CHECKING:
    from holdfast.importers.file_importer import FileImportReport


class TransferOperations(Operations):
    """Operations that move memories between files and the store."""

    def export(self, format: str = "json", personal: bool = False) -> str:
        """The project's memory as text: `json` can be imported without loss, `markdown` is for people.

        What is personal, and follows the person to all of their projects, is exported on its own with `personal`.
        """
        parts: list[str] = []
        self.export_to(parts.append, format, personal)
        return "".join(parts)

    def export_to(self, write: Callable[[str], object], format: str = "json", personal: bool = False) -> None:
        """Writes the same text as `export` in parts, so that a large project needs little memory.

        All of it is of one moment. `write` must not use this workspace.
        """
        self._counted().import_export.export(write, format, personal)

    def import_(
        self, text: str, format: str = "json", personal: bool = False, *, trusted: bool = False
    ) -> Mapping[str, int]:
        """Imports an export. Stores nothing unless all of it can be read; known memories stay as they are.

        Everything becomes part of this project, or with `personal` of all projects of the person. Only a `trusted`
        export, that is, the person's own, says what was taught, confirmed, pinned or said by the person.
        """
        return self._then_wake(self.container.import_export.import_(text, format, personal, trusted))

    def import_files(
        self, paths: Iterable[str], format: str | None = None, personal: bool = False, *, trusted: bool | None = None
    ) -> FileImportReport:
        """Imports exports, instruction files for agents (CLAUDE.md, AGENTS.md, …) and files of other memory programs.

        Of a folder, its files of a known kind. `format` overrides the recognised kind. Repeating it adds nothing.
        Everything becomes part of this project, or with `personal` of all projects of the person. What was
        taught or confirmed where an export was made counts as such only if it is `trusted`; rules of instruction files
        count as taught unless `trusted` is False.
        """
        return self._then_wake(self.container.importer.import_files(several(paths), format, personal, trusted=trusted))
