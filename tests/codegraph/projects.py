"""Small projects in memory, for tests of extraction and resolution."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from textwrap import dedent

from holdfast.codegraph.code_records import FileRecord, FileResolution
from holdfast.codegraph.languages import Language
from holdfast.codegraph.languages.language_registry import language as language_named
from holdfast.codegraph.languages.language_registry import language_name
from holdfast.codegraph.languages.python import LANGUAGE


class SourceFiles:
    """The files of a project by path, as a resolver sees them."""

    def __init__(self, sources: Mapping[str, str], language: Language = LANGUAGE) -> None:
        self._texts = {path: dedent(text) for path, text in sources.items()}
        code = {path: text for path, text in self._texts.items() if _is_of(path, language)}
        self.records = {path: language.extract(path, text.encode(), "") for path, text in code.items()}
        self.resolver = language.resolver(self)

    @property
    def paths(self) -> Collection[str]:
        return self.records.keys()

    def record(self, path: str) -> FileRecord | None:
        return self.records.get(path)

    def text(self, path: str) -> str | None:
        return self._texts.get(path)

    def resolution(self, path: str) -> FileResolution:
        return self.resolver.resolve(path)

    def targets(self, path: str, *types: str) -> dict[str, str]:
        """The targets of a file as `path:symbol`, each with its confidence; of some types of edges, or of all."""
        sites = self.resolution(path).sites
        return {f"{s.path}:{s.symbol}".rstrip(":"): s.confidence for s in sites if not types or s.type in types}

    def missing(self, path: str) -> dict[str, str]:
        """The expressions of a file that lead to nothing in the project, each with the reason."""
        return {place.expression: place.why for place in self.resolution(path).unresolved}


def _is_of(path: str, language: Language) -> bool:
    name = language_name(path)
    return name is not None and language_named(name) is language
