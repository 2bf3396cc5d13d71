"""Resolves the imports, base types and references of files to files and symbols of the project."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Collection, Iterator, Mapping

from holdfast.codegraph.code_records import EXACT, INFERRED, CodeReference, FileResolution, Site, Unresolved
from holdfast.codegraph.languages.expression_values import Answer, CodeValue
from holdfast.codegraph.languages.file_index import FileIndex, IndexedFiles
from holdfast.codegraph.named_parts import part_key
from holdfast.codegraph.tracking import Tracker

Place = Site | Unresolved


class FileResolver(ABC):
    """Resolves the files of one project; remembers what it learned of other files."""

    def __init__(self, tracker: Tracker) -> None:
        self._tracker = tracker

    def resolve(self, path: str) -> FileResolution:
        """Resolves all places of one file."""
        self._tracker.begin()
        places = list(self._places(path))
        sites = tuple(dict.fromkeys(place for place in places if isinstance(place, Site)))
        unresolved = tuple(place for place in places if isinstance(place, Unresolved))
        paths, names = self._tracker.dependencies()
        own = part_key(path, "")
        lookups = tuple(sorted(name for name in names if not name.startswith(own)))
        return FileResolution(path, sites, unresolved, tuple(sorted(paths - {path})), lookups)

    @abstractmethod
    def _places(self, path: str) -> Iterator[Place]:
        """Yields all places of a file, those that lead to nothing in the project included."""


class AnswerResolver(FileResolver):
    """Resolves files by the values that an evaluator finds."""

    # The edges that kinds of references become, and the kinds that are unresolved without a target.
    edges: Mapping[str, str]
    shown: Collection[str]

    def __init__(self, tracker: Tracker, files: IndexedFiles) -> None:
        super().__init__(tracker)
        self._files = files

    def _places(self, path: str) -> Iterator[Place]:
        index = self._files.open(path)
        yield from self._imports(index)
        yield from self._bases(index)
        for reference in index.record.references:
            self._tracker.next_place()
            answer = self._answer(index, reference)
            if answer is not None:
                yield from self._sites(answer, reference, self.edges[reference.kind])

    @abstractmethod
    def _imports(self, index: FileIndex) -> Iterator[Place]: ...

    @abstractmethod
    def _bases(self, index: FileIndex) -> Iterator[Place]: ...

    @abstractmethod
    def _answer(self, index: FileIndex, reference: CodeReference) -> Answer | None:
        """Returns what a reference stands for; None if it is local."""

    @abstractmethod
    def _targets(self, answer: Answer, kind: str) -> list[CodeValue]:
        """Returns the values that a kind of reference can lead to in the project."""

    @abstractmethod
    def _is_external(self, value: CodeValue) -> bool:
        """Is a value that is no target defined outside the project?"""

    def _is_file(self, value: CodeValue) -> bool:
        """Is a target a file or in a file, not a folder?"""
        return True

    def _sites(self, answer: Answer, reference: CodeReference, type: str) -> Iterator[Place]:
        targets = self._targets(answer, reference.kind)
        is_one = len({(value.path, self._symbol(value)) for value in targets}) == 1
        tier = EXACT if is_one and not answer.is_inferred else INFERRED
        line, column, scope = reference.line, reference.column, reference.scope
        for value in targets:
            if self._is_file(value):
                yield Site(scope, value.path, self._symbol(value), type, line, column, tier)
        if not targets and reference.kind in self.shown:
            why = "external" if any(self._is_external(value) for value in answer.values) else "unknown"
            yield Unresolved(reference.expression, type, line, column, scope, why)

    def _symbol(self, value: CodeValue) -> str:
        definition = self._files.definition(value)
        return definition.qualified if definition is not None else ""
