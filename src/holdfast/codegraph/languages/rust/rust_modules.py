"""Finds the files of Rust modules and crates."""

from __future__ import annotations

import tomllib
from functools import cached_property

from holdfast.codegraph.languages import ProjectFiles
from holdfast.codegraph.languages.file_index import IndexedFiles
from holdfast.codegraph.project_folders import all_folders, files_by_folder, joined
from holdfast.codegraph.tracking import Tracker

# A file with such a name is the module of its folder; others have their modules in a folder of their name.
_OF_FOLDER = ("mod.rs", "lib.rs", "main.rs")
# In these folders each file is a crate of its own.
_CRATES = ("tests", "examples", "benches", "bin")


class RustModules:
    """The modules of a project, by path alone, and its crates by name."""

    def __init__(self, project: ProjectFiles, files: IndexedFiles, tracker: Tracker) -> None:
        self._project = project
        self._paths = project.paths
        self._files = files
        self._tracker = tracker

    def child(self, path: str, inline: tuple[str, ...], name: str) -> str | None:
        """Returns the file of `mod name;` in a file, or in modules inside it."""
        self._tracker.look_up(name)
        folder = "/".join(part for part in (self._folder_of(path), *inline) if part)
        return self._found(folder, name)

    def at(self, path: str, relative: str) -> str | None:
        """Returns the file that `#[path = "..."]` names."""
        found = joined(path.rpartition("/")[0], relative)
        self._tracker.look_up(found.rpartition("/")[2].partition(".")[0])
        return found if found in self._paths else None

    def parent(self, path: str) -> str | None:
        """Returns the file of the module around that of a file."""
        if self.is_root(path):
            return None
        folder, _, file = path.rpartition("/")
        name = file.removesuffix(".rs")
        if file == "mod.rs":
            folder, _, name = folder.rpartition("/")
        self._tracker.look_up("mod", "lib", "main", folder.rpartition("/")[2])
        inside = (f"{folder}/{one}" if folder else one for one in _OF_FOLDER)
        found = next((one for one in (*inside, f"{folder}.rs") if one in self._paths), None)
        return found or self._including(folder, name)

    def root(self, path: str) -> str | None:
        """Returns the root of the crate that a file belongs to."""
        seen = 0
        at: str | None = path
        while at is not None and not self.is_root(at) and seen < 100:
            at, seen = self.parent(at), seen + 1
        return at

    def is_root(self, path: str) -> bool:
        """Is a file the root of a crate?"""
        folder, _, file = path.rpartition("/")
        if file in ("lib.rs", "main.rs", "build.rs") or path in self._roots:
            return True
        is_apart = folder.rpartition("/")[2] in _CRATES and file != "mod.rs"
        return is_apart and self._including(folder, file.removesuffix(".rs")) is None

    def _including(self, folder: str, name: str) -> str | None:
        """Returns the file of a folder that says `mod name;`, in folders where each file can be a crate."""
        if folder.rpartition("/")[2] not in _CRATES:
            return None
        question = "including", folder, name
        return self._tracker.answer(question, lambda: self._find_including(folder, name), None)

    def _find_including(self, folder: str, name: str) -> str | None:
        self._tracker.look_up(folder.rpartition("/")[2])
        for path in self.by_folder.get(folder, ()):
            index = self._files.index(path)
            statements = index.record.imports if index is not None else ()
            if any(one.kind == "include" and one.alias == name for one in statements):
                return path
        return None

    def crate(self, name: str) -> str | None:
        """Returns the root of a crate of the project by its name in code."""
        found = self._crates.get(name)
        if found is None:
            return None
        self._tracker.look_up(found.rpartition("/")[2].partition(".")[0])
        return found if found in self._paths else None

    def _found(self, folder: str, name: str) -> str | None:
        start = f"{folder}/{name}" if folder else name
        return next((path for path in (f"{start}.rs", f"{start}/mod.rs") if path in self._paths), None)

    def _folder_of(self, path: str) -> str:
        """Returns the folder in which the modules of a file are."""
        folder, _, file = path.rpartition("/")
        if file in _OF_FOLDER or self.is_root(path):
            return folder
        return f"{folder}/{file.removesuffix('.rs')}" if folder else file.removesuffix(".rs")

    @cached_property
    def by_folder(self) -> dict[str, list[str]]:
        """The Rust files of each folder."""
        return files_by_folder(self._paths, ".rs")

    @cached_property
    def _roots(self) -> frozenset[str]:
        return frozenset(self._crates.values())

    @cached_property
    def _crates(self) -> dict[str, str]:
        """The roots of library crates by name."""
        found: dict[str, str] = {}
        for folder in sorted(all_folders(path for paths in self.by_folder.values() for path in paths)):
            written = self._project.text(f"{folder}/Cargo.toml" if folder else "Cargo.toml")
            name, file = _library(written) if written is not None else ("", "")
            path = f"{folder}/{file}" if folder else file
            if name:
                found.setdefault(name, path)
        return found


def _library(written: str) -> tuple[str, str]:
    """Returns the name and the root of the library that a `Cargo.toml` describes."""
    try:
        content = tomllib.loads(written)
    except tomllib.TOMLDecodeError:
        return "", ""
    package, library = content.get("package"), content.get("lib")
    library = library if isinstance(library, dict) else {}
    name = library.get("name") or (package.get("name") if isinstance(package, dict) else "")
    path = library.get("path", "src/lib.rs")
    return (name.replace("-", "_"), path) if isinstance(name, str) and isinstance(path, str) else ("", "")
