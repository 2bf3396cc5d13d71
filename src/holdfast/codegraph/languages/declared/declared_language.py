"""A language with declared types, made of the modules of its package."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any, cast

from holdfast.core.frozen import frozen

if TYPE_CHECKING:
    from holdfast.codegraph.code_records import FileRecord
    from holdfast.codegraph.languages import ProjectFiles, Resolver


@frozen
class DeclaredLanguage:
    """A `Language` whose `package` has a function `extract` in the module `extract`, and `NAMES` in the module `names`.

    `NAMES` is a class with the members of `DeclaredNames`. Both modules are imported when they are needed: the grammar
    is slow to load.
    """

    package: str
    extensions: tuple[str, ...]
    configuration: tuple[str, ...] = ()
    version: int = 1

    def extract(self, path: str, source: bytes, hash: str) -> FileRecord:
        """Reads one file."""
        return cast("FileRecord", self._module("extract").extract(path, source, hash))

    def resolver(self, project: ProjectFiles) -> Resolver:
        """Returns a resolver for the files of the language in a project."""
        from holdfast.codegraph.languages.declared.declared_resolve import DeclaredResolver
        from holdfast.codegraph.tracking import Tracker

        tracker = Tracker()
        return DeclaredResolver(self._module("names").NAMES(project, tracker), tracker)

    def _module(self, name: str) -> Any:
        """A module of the language's package: `java_extract` of `java`."""
        return import_module(f"{self.package}.{self.package.rpartition('.')[2]}_{name}")
