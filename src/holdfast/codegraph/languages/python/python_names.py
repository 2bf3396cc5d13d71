"""Finds what a name means at the top level of a Python module: definitions, imports, re-exports and submodules."""

from __future__ import annotations

from holdfast.codegraph.code_records import MODULE, Import, ImportedName
from holdfast.codegraph.languages import ProjectFiles
from holdfast.codegraph.languages.expression_values import (
    CLASS,
    FUNCTION,
    MODULE_VALUE,
    NOTHING,
    OUTSIDE,
    Answer,
    CodeValue,
    merged,
    one,
)
from holdfast.codegraph.languages.file_index import IndexedFiles
from holdfast.codegraph.languages.python.python_modules import Modules
from holdfast.codegraph.tracking import Tracker

_KINDS = {"class": CLASS, "function": FUNCTION, "method": FUNCTION}


class Names:
    """Top-level names of all modules of a project."""

    def __init__(self, project: ProjectFiles, tracker: Tracker) -> None:
        self._tracker = tracker
        self.files = IndexedFiles(project, tracker, _KINDS)
        self.modules = Modules(project.paths, tracker)

    def exported(self, module: str, name: str) -> Answer:
        """Returns what a name of a module, given by its file or folder, stands for."""
        return self._tracker.answer(("exported", module, name), lambda: self._exported(module, name), NOTHING)

    def _exported(self, module: str, name: str) -> Answer:
        index = self.files.index(module) if self.modules.is_file(module) else None
        if index is not None:
            found = [one(index.value(place)) for place in index.children[MODULE].get(name, ())]
            found += [self.imported(module, *source) for source in index.imports[MODULE].get(name, ())]
            known = merged(found)
            if any(value.kind != OUTSIDE.values[0].kind for value in known.values):
                return Answer(tuple(v for v in known.values if v.kind != OUTSIDE.values[0].kind), known.is_inferred)
            if known.values:
                return known
            for star in index.stars:
                starred = self._starred(module, star, name)
                if starred.values:
                    return starred
        child = self.modules.child(module, name)
        return one(CodeValue(MODULE_VALUE, child)) if child is not None else NOTHING

    def _starred(self, module: str, star: Import, name: str) -> Answer:
        if name.startswith("_"):
            return NOTHING
        source = self.module_of(module, star)
        return self.exported(source, name) if source is not None else NOTHING

    def imported(self, importer: str, statement: Import, name: ImportedName | None) -> Answer:
        """Returns what an import binds: a module, a name of a module, or something outside the project."""
        if name is None and not statement.alias:
            top = self.modules.find(statement.module.partition(".")[0], importer)
            return one(CodeValue(MODULE_VALUE, top)) if top is not None else OUTSIDE
        source = self.module_of(importer, statement)
        if source is None:
            return NOTHING if self.is_ours(importer, statement) else OUTSIDE
        return one(CodeValue(MODULE_VALUE, source)) if name is None else self.exported(source, name.name)

    def is_ours(self, importer: str, statement: Import) -> bool:
        """Does an import name a package of the project, whether or not the module exists?"""
        return bool(statement.level) or self.modules.is_ours(statement.module, importer)

    def module_of(self, importer: str, statement: Import) -> str | None:
        """Returns the file or folder of the module that an import names."""
        if statement.level:
            return self.modules.relative(importer, statement.level, statement.module)
        return self.modules.find(statement.module, importer)
