"""SQLite's named statements."""

from __future__ import annotations

import os
from functools import cache

from holdfast.store.named_statements import load

_FOLDER = os.path.join(os.path.dirname(__file__), "sql")


@cache
def statements(file: str) -> dict[str, str]:
    """The statements of `sql/<file>.sql`, by name."""
    return load(_FOLDER, file)
