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
from holdfast.importers.import_files import MOST_FILES, expand, read_file, with_references
from holdfast.importers.import_kinds import ARCHIVES, KINDS, ImportKind, kind_of
from holdfast.text.fingerprints import fingerprint
from holdfast.text.removal import without_erased_items

if TYPE_CHECKING:
    from holdfast.importers.imported_item import ImportedItem
    from holdfast.store.reading import WholeProjectReading

# The statements of a file that are stored at once; importing it again stores the next ones.
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
class _ReadFile:
    """A file with its new statements, the number of known ones, and the number of those left for another import."""

    file: ImportedFile
    new: Sequence[Candidate] = ()
    known: int = 0
    left: int = 0


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
    import_archive: Callable[[str, str, bool, bool], Mapping[str, int]]
    reading: WholeProjectReading
    project: str
    root: str

    def import_files(
        self, paths: Iterable[str], kind: str | None = None, personal: bool = False, *, trusted: bool | None = None
    ) -> FileImportReport:
        """Imports files, and the files of a known kind in folders. `kind` overrides the recognised one.

        Stores all statements in one transaction. Reports a file in a folder that cannot be read; a named one raises.
        Statements become memories of this project, whatever they say, and of all projects only with `personal`. What
        was taught or confirmed where an export was made counts as such only if it is `trusted`; rules of instruction
        files count as taught unless it is False, because who names them vouches for them.
        """
        if kind is not None and kind not in (*KINDS, *ARCHIVES):
            raise InvalidInput(f"unknown kind {kind!r}", hint=f"Use one of: {', '.join((*ARCHIVES, *KINDS))}.")
        read: list[_ReadFile] = []
        for named in paths:
            found = list(islice(expand(named), MOST_FILES))
            read += [self._read(path, kind, personal, is_named=path == named, trusted=trusted) for path in found]
        return self._store([one for one in read if one.file.kind or one.file.problem], personal)

    def has_new(self, path: str) -> bool:
        """Does an instruction file have statements that were never imported? A file that cannot be read has none."""
        return bool(self._read(path, "instructions", personal=False, is_named=False).new)

    def _read(
        self, path: str, kind: str | None, personal: bool, *, is_named: bool, trusted: bool | None = None
    ) -> _ReadFile:
        try:
            text = read_file(path)
            chosen = kind or kind_of(path, text, is_named=is_named)
            if chosen in ARCHIVES:
                return _ReadFile(ImportedFile(path, chosen, self.import_archive(text, chosen, personal, bool(trusted))))
            text = without_erased_items(text, self.reading.erased_anchors)
            found = self._candidates(path, text, KINDS[chosen], trusted is not False) if chosen else iter(())
            return self._without_known(ImportedFile(path, chosen or ""), found)
        except InvalidFile as error:
            if not is_named:
                return _ReadFile(ImportedFile(path, problem=error.detail))
            if error.hint == InvalidFile.hint:
                error.hint = f"Nothing was changed. Check {path}, or give its format with --format."
            raise

    def _candidates(self, path: str, text: str, kind: ImportKind, vouched: bool) -> Iterator[Candidate]:
        whole = with_references(path, text, self.root) if kind.taught else text
        for item in kind.read(whole, self.root):
            yield _candidate(item, kind.taught and vouched)

    def _without_known(self, file: ImportedFile, candidates: Iterator[Candidate]) -> _ReadFile:
        """Those of a file's candidates that were never imported, whatever became of them: the first, up to a limit."""
        new: list[Candidate] = []
        known = left = 0
        while some := list(islice(candidates, _MOST_ITEMS)):
            before = self.reading.imported(self.project, (key for one in some for key in one.source_ids))
            unknown = [one for one in some if not before.intersection(one.source_ids)]
            known += len(some) - len(unknown)
            taken = unknown[: _MOST_ITEMS - len(new)]
            new += taken
            left += len(unknown) - len(taken)
        return _ReadFile(file, new, known, left)

    def _store(self, read: Sequence[_ReadFile], personal: bool) -> FileImportReport:
        # Who asks for it vouches for the files.
        wide = {"visibility": "personal", "needs_review": False} if personal else {"visibility": "project"}
        taken: set[str] = set()
        new = []
        for one in read:
            mine = [replace(c, **wide) for c in one.new if not taken.intersection(c.source_ids)]
            taken.update(key for candidate in mine for key in candidate.source_ids)
            new.append((replace(one, known=one.known + len(one.new) - len(mine)), mine))
        answers = iter(self.intake.admit_all([c for _, mine in new for c in mine], undoable="import"))
        return FileImportReport(tuple(_counted(one, list(islice(answers, len(mine)))) for one, mine in new))


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


def _counted(one: _ReadFile, answers: Sequence[Admission]) -> ImportedFile:
    if one.file.kind in ARCHIVES or one.file.problem:
        return one.file
    counts = Counter({"stored": 0, "duplicate": one.known})
    counts.update(answer.outcome.value for answer in answers)
    return replace(one.file, counts={**counts, **({"left": one.left} if one.left else {})})
