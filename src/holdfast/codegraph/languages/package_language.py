"""A language that is made of the modules of its package."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any, cast

from holdfast.core.frozen import frozen

if TYPE_CHECKING:
    from holdfast.codegraph.code_records import FileRecord
    from holdfast.codegraph.languages import ProjectFiles, Resolver


@frozen
class PackageLanguage:
    """A `Language` whose `package` has `extract` in its module `extract`, and `resolver` in its module `resolve`.

    The modules are named after the package, such as `java_extract` of `java`, and imported when they are needed: the
    grammar is slow to load.
    """

    package: str
    configuration: tuple[str, ...] = ()
    version: int = 1

    def extract(self, path: str, source: bytes, hash: str) -> FileRecord:
        """Reads one file."""
        return cast("FileRecord", self._module("extract").extract(path, source, hash))

    def resolver(self, project: ProjectFiles) -> Resolver:
        """Returns a resolver for the files of the language in a project."""
        return cast("Resolver", self._module("resolve").resolver(project))

    def _module(self, name: str) -> Any:
        return import_module(f"{self.package}.{self.package.rpartition('.')[2]}_{name}")
