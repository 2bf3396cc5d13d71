"""Rust: modules of crates, `use` declarations, `impl` blocks and traits."""

from __future__ import annotations

from holdfast.codegraph.languages.declared.declared_language import DeclaredLanguage

LANGUAGE = DeclaredLanguage(__name__, ("Cargo.toml",), version=2)
