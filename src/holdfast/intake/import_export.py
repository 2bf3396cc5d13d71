"""Writes a project's memory as text, and reads such a text back."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Mapping
from dataclasses import replace
from itertools import islice
from typing import TYPE_CHECKING

from holdfast.core.admission import Candidate
from holdfast.core.errors import InvalidFile, InvalidInput
from holdfast.core.frozen import frozen
from holdfast.core.memory import USER_TAUGHT
from holdfast.intake import project_archive
from holdfast.text.removal import without_erased_items

if TYPE_CHECKING:
    from holdfast.intake.admit import Intake
    from holdfast.store.writing.transfer import ProjectTransfer


# The rows of an export that are written at a time.
_ROWS = 100


@frozen
class ImportExport:
    """Exports and imports one project: `json` without loss, `markdown` for people."""

    transfer: ProjectTransfer
    intake: Intake
    project_name: str
    erased_anchors: Callable[[Collection[str]], Collection[str]]

    def export(self, write: Callable[[str], object], format: str, personal: bool = False) -> None:
        """Writes the whole memory of the project as text, some rows at a time, or all personal memories."""
        if format not in ("json", "markdown"):
            raise _unknown(format)
        with self.transfer.start_export(self.intake.person() if personal else self.intake.project) as archive:
            if format == "markdown":
                parts = project_archive.as_markdown(archive.memories)
            else:
                parts = project_archive.dump(self.project_name, replace(archive, personal=personal), self.intake.now())
            while some := list(islice(parts, _ROWS)):
                write("".join(some))

    def import_(self, text: str, format: str, personal: bool = False, trusted: bool = False) -> Mapping[str, int]:
        """Adds the memories of a text that are not stored yet; returns counts. Stores nothing if any cannot be read.

        Those of an export that is neither `trusted` nor `personal` are unverified: anybody can write such a file.

        Raises InvalidInput for an export of personal memories without `personal`: a file alone must not decide what
        holds in all of a person's projects.
        """
        if format == "json":
            archive = project_archive.load(text)
            if archive.personal and not personal:
                raise InvalidInput(
                    "this file contains personal memories, which hold in all of your projects",
                    hint="If they are yours, import it with --personal.",
                )
            project = self.intake.person() if personal else self.intake.project
            return project_archive.import_archive(
                self.transfer, self.intake.types, project, archive, self.intake.now(), personal, trusted or personal
            )
        if format == "markdown":
            return self._import_markdown(text, personal, trusted or personal)
        raise _unknown(format)

    def _import_markdown(self, text: str, personal: bool, trusted: bool) -> Mapping[str, int]:
        text = without_erased_items(text, self.erased_anchors)
        found = project_archive.from_markdown(text, self.intake.types)
        if not found:
            raise InvalidFile("this Markdown has no list items")
        visibility = "personal" if personal else "project"
        source = USER_TAUGHT if trusted else project_archive.UNVERIFIED_SOURCE
        candidates = (Candidate(item, type, visibility=visibility, source=source) for type, item in found)
        return Counter(answer.outcome for answer in self.intake.admit_all(candidates, undoable="import"))


def _unknown(format: str) -> InvalidInput:
    return InvalidInput(f"format {format!r}", hint="Use json or markdown.")
