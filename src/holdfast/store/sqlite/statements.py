"""SQL by name: statements live in `.sql` files, Python asks for them and never builds them."""

from __future__ import annotations

import os
from functools import cache

_FOLDER = os.path.join(os.path.dirname(__file__), "sql")


@cache
def statements(owner: str) -> dict[str, str]:
    """The statements of one file, by name. `{{name}}` inside one stands for a fragment of `fragments.sql`."""
    found = _sections(owner)
    fragments = _sections("fragments") if any("{{" in sql for sql in found.values()) else {}
    for name, sql in found.items():
        for fragment, text in fragments.items():
            sql = sql.replace("{{" + fragment + "}}", text)
        found[name] = sql
    return found


def _sections(owner: str) -> dict[str, str]:
    with open(os.path.join(_FOLDER, f"{owner}.sql"), encoding="utf-8") as file:
        parts = file.read().split("-- name: ")[1:]
    named = (part.partition("\n") for part in parts)
    return {name.split("  ", 1)[0].strip(): sql.strip().rstrip(";") for name, _, sql in named}
