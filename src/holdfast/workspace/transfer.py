"""Import and export."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING

from holdfast.core.arguments import several
from holdfast.workspace.operations import Operations

if TYPE_CHECKING:
    from holdfast.importers.importer import FileImportReport


class TransferOperations(Operations):
    """Operations that move memories between files and the store."""

    def export(self, format: str = "json", personal: bool = False) -> str:
        """The project's memory as text: `json` can be imported without loss, `markdown` is for people.

        What is personal, and follows the person to all of their projects, is exported on its own with `personal`.
        """
        return self._counted().intake.import_export.export(format, personal)

    def import_(self, text: str, format: str = "json", personal: bool = False) -> Mapping[str, int]:
        """Imports an export. Stores nothing unless all of it can be read; known memories stay as they are.

        Everything becomes part of this project, or with `personal` of all projects of the person.
        """
        return self._then_wake(self.container.intake.import_export.import_(text, format, personal))

    def import_files(self, paths: Iterable[str], format: str | None = None, personal: bool = False) -> FileImportReport:
        """Imports exports, instruction files for agents (CLAUDE.md, AGENTS.md, …) and files of other memory programs.

        Of a folder, its files of a known kind. `format` overrides the recognised kind. Repeating it adds nothing.
        Everything becomes part of this project, or with `personal` of all projects of the person.
        """
        return self._then_wake(self.container.importer.import_files(several(paths), format, personal))
