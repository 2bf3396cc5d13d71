"""Imports files: reads their statements, leaves out what was imported before, and admits the rest."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import field, replace
from itertools import islice
from typing import TYPE_CHECKING, Protocol

from holdfast.core.admission import Admission, Candidate
from holdfast.core.errors import InvalidFile, InvalidInput
from holdfast.core.frozen import frozen
from holdfast.core.memory import USER_TAUGHT
from holdfast.importers.files import MOST_FILES, expand, read_file, with_references
from holdfast.importers.kinds import ARCHIVES, KINDS, ImportKind, kind_of
from holdfast.text.fingerprints import fingerprint

if TYPE_CHECKING:
    from holdfast.importers.item import ImportedItem
    from holdfast.store.reading import WholeProjectReading

_MOST_ITEMS = 5_000
_KEY = "import:"
_TAUGHT_CONFIDENCE, _INFERRED_CONFIDENCE = 0.9, 0.7


class ItemIntake(Protocol):
    """The part of intake that importing needs."""

    def admit_all(self, candidates: Iterable[Candidate], *, undoable: str = "") -> tuple[Admission, ...]: ...


@frozen
class ImportedFile:
    """One file: its kind, the number of its statements by what happened to them, and why it could not be read."""

    path: str
    kind: str = ""
    counts: Mapping[str, int] = field(default_factory=dict, hash=False)
    problem: str = ""


@frozen
class FileImportReport:
    """The files of an import, in order."""

    files: tuple[ImportedFile, ...] = ()


@frozen
class FileImporter:
    """Imports files into one project. Importing a file again adds nothing, also not what was forgotten since.

    `import_archive` imports the text of an export of Holdfast by its format, and returns counts.
    """

    intake: ItemIntake
    import_archive: Callable[[str, str, bool], Mapping[str, int]]
    reading: WholeProjectReading
    project: str
    root: str

    def import_files(self, paths: Iterable[str], kind: str | None = None, personal: bool = False) -> FileImportReport:
        """Imports files, and the files of a known kind in folders. `kind` overrides the recognised one.

        Stores all statements in one transaction. Reports a file in a folder that cannot be read; a named one raises.
        Statements become memories of this project, whatever they say, and of all projects only with `personal`.
        """
        if kind is not None and kind not in (*KINDS, *ARCHIVES):
            raise InvalidInput(f"unknown kind {kind!r}", hint=f"Use one of: {', '.join((*ARCHIVES, *KINDS))}.")
        read: list[tuple[ImportedFile, list[Candidate]]] = []
        for named in paths:
            found = list(islice(expand(named), MOST_FILES))
            read += [self._read(path, kind, personal, is_named=path == named) for path in found]
        return self._store([entry for entry in read if entry[0].kind or entry[0].problem], personal)

    def has_new(self, path: str) -> bool:
        """Does an instruction file have statements that were never imported? A file that cannot be read has none."""
        _, found = self._read(path, "instructions", personal=False, is_named=False)
        known = self._known(found)
        return any(not known.intersection(candidate.source_ids) for candidate in found)

    def _read(
        self, path: str, kind: str | None, personal: bool, *, is_named: bool
    ) -> tuple[ImportedFile, list[Candidate]]:
        try:
            text = read_file(path)
            chosen = kind or kind_of(path, text, is_named=is_named)
            if chosen in ARCHIVES:
                return ImportedFile(path, chosen, self.import_archive(text, chosen, personal)), []
            found = list(self._candidates(path, text, KINDS[chosen])) if chosen else []
            return ImportedFile(path, chosen or ""), found
        except InvalidFile as error:
            if not is_named:
                return ImportedFile(path, problem=error.detail), []
            if error.hint == InvalidFile.hint:
                error.hint = f"Nothing was changed. Check {path}, or give its format with --format."
            raise

    def _candidates(self, path: str, text: str, kind: ImportKind) -> Iterator[Candidate]:
        whole = with_references(path, text, self.root) if kind.taught else text
        for item in islice(kind.read(whole, self.root), _MOST_ITEMS):
            yield _candidate(item, kind.taught)

    def _store(self, read: Sequence[tuple[ImportedFile, list[Candidate]]], personal: bool) -> FileImportReport:
        # Who asks for it vouches for the files.
        wide = {"visibility": "personal", "needs_review": False} if personal else {"visibility": "project"}
        known = self._known(candidate for _, candidates in read for candidate in candidates)
        new = []
        for file, candidates in read:
            mine = [replace(c, **wide) for c in candidates if not known.intersection(c.source_ids)]
            known.update(key for candidate in mine for key in candidate.source_ids)
            new.append((file, mine, len(candidates) - len(mine)))
        answers = iter(self.intake.admit_all([c for _, mine, _ in new for c in mine], undoable="import"))
        return FileImportReport(
            tuple(_counted(file, list(islice(answers, len(mine))), before) for file, mine, before in new)
        )

    def _known(self, candidates: Iterable[Candidate]) -> set[str]:
        """Those of the candidates' keys that were imported before, whatever became of them."""
        return set(self.reading.imported(self.project, (key for one in candidates for key in one.source_ids)))


def _candidate(item: ImportedItem, taught: bool) -> Candidate:
    return Candidate(
        item.text,
        item.type,
        item.files,
        (),
        item.tags,
        source=USER_TAUGHT if taught else "agent_explicit",
        when=item.when,
        confidence=_TAUGHT_CONFIDENCE if taught else _INFERRED_CONFIDENCE,
        source_ids=(f"{_KEY}{fingerprint(item.text)}",),
        fields=item.fields,
    )


def _counted(file: ImportedFile, answers: Sequence[Admission], before: int) -> ImportedFile:
    if file.kind in ARCHIVES or file.problem:
        return file
    counts = Counter({"stored": 0, "duplicate": before})
    counts.update(answer.outcome.value for answer in answers)
    return replace(file, counts=dict(counts))
