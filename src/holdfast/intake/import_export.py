"""Writes a project's memory as text, and reads such a text back."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import TYPE_CHECKING

from holdfast.core.admission import Candidate
from holdfast.core.errors import InvalidFile, InvalidInput
from holdfast.core.frozen import frozen
from holdfast.intake import project_archive

if TYPE_CHECKING:
    from holdfast.intake.intake import Intake
    from holdfast.store.writing.transfer import ProjectTransfer


@frozen
class ImportExport:
    """Exports and imports one project: `json` without loss, `markdown` for people."""

    transfer: ProjectTransfer
    intake: Intake
    project_name: str

    def export(self, format: str) -> str:
        """The whole memory of the project as text."""
        if format not in ("json", "markdown"):
            raise _unknown(format)
        archive = self.transfer.read(self.intake.project)
        if format == "markdown":
            return project_archive.as_markdown(archive.memories)
        return project_archive.dump(self.project_name, archive, self.intake.now())

    def import_(self, text: str, format: str) -> Mapping[str, int]:
        """Adds the memories of a text that are not stored yet; returns counts. Stores nothing if any cannot be read."""
        if format == "json":
            archive = project_archive.load(text)
            return project_archive.import_archive(self.transfer, self.intake.types, self.intake.project, archive)
        if format == "markdown":
            return self._import_markdown(text)
        raise _unknown(format)

    def _import_markdown(self, text: str) -> Mapping[str, int]:
        found = project_archive.from_markdown(text, self.intake.types)
        if not found:
            raise InvalidFile("this Markdown has no list items")
        candidates = (Candidate(item, type) for type, item in found)
        return Counter(answer.outcome for answer in self.intake.admit_all(candidates, undoable="import"))


def _unknown(format: str) -> InvalidInput:
    return InvalidInput(f"format {format!r}", hint="Use json or markdown.")
