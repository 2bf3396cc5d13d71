"""A language with declared types, made of the modules of its package."""

from __future__ import annotations

from typing import TYPE_CHECKING

from holdfast.codegraph.languages.package_language import PackageLanguage
from holdfast.core.frozen import frozen

if TYPE_CHECKING:
    from holdfast.codegraph.languages import ProjectFiles, Resolver


@frozen
class DeclaredLanguage(PackageLanguage):
    """A `PackageLanguage` with `NAMES`, a subclass of `DeclaredNames`, in its module `names` instead of a resolver."""

    def resolver(self, project: ProjectFiles) -> Resolver:
        """Returns a resolver for the files of the language in a project."""
        from holdfast.codegraph.languages.declared.declared_resolve import DeclaredResolver
        from holdfast.codegraph.tracking import Tracker

        tracker = Tracker()
        return DeclaredResolver(self._module("names").NAMES(project, tracker), tracker)
