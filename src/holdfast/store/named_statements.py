"""Loads named SQL statements from `.sql` files; Python asks for a statement by name and never builds one."""

from __future__ import annotations

import os


def load(folder: str, file: str) -> dict[str, str]:
    """The statements of one file, by name. `{{name}}` is replaced by that fragment of the folder's `fragments.sql`."""
    found = _sections(folder, file)
    fragments = _sections(folder, "fragments") if any("{{" in sql for sql in found.values()) else {}
    for name, sql in found.items():
        for fragment, text in fragments.items():
            sql = sql.replace("{{" + fragment + "}}", text)
        found[name] = sql
    return found


def _sections(folder: str, file: str) -> dict[str, str]:
    with open(os.path.join(folder, f"{file}.sql"), encoding="utf-8") as script:
        parts = script.read().split("-- name: ")[1:]
    named = (part.partition("\n") for part in parts)
    return {name.split("  ", 1)[0].strip(): sql.strip().rstrip(";") for name, _, sql in named}
