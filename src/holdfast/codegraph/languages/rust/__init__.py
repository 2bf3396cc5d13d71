"""Rust: modules of crates, `use` declarations, `impl` blocks and traits."""

from __future__ import annotations

from holdfast.codegraph.languages import ProjectFiles, Resolver
from holdfast.codegraph.records import FileRecord
from holdfast.core.frozen import frozen


@frozen
class Rust:
    """The language Rust."""

    extensions: tuple[str, ...] = (".rs",)
    configuration: tuple[str, ...] = ("Cargo.toml",)
    version: int = 1

    def extract(self, path: str, source: bytes, hash: str) -> FileRecord:
        """Reads one file."""
        from holdfast.codegraph.languages.rust.extract import extract

        return extract(path, source, hash)

    def resolver(self, project: ProjectFiles) -> Resolver:
        """Returns a resolver for the Rust files of a project."""
        from holdfast.codegraph.languages.declared.resolve import DeclaredResolver
        from holdfast.codegraph.languages.rust.names import RustNames
        from holdfast.codegraph.tracking import Tracker

        tracker = Tracker()
        return DeclaredResolver(project, RustNames(project, tracker), tracker)


LANGUAGE = Rust()
