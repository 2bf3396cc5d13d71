"""One statement of an imported file."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field
from datetime import datetime
from typing import Any

from holdfast.core.frozen import frozen


@frozen
class ImportedItem:
    """A statement to be stored as a memory, with its type, the files it is about, and structured fields of the type.

    `type` is None where nothing in the file tells it: intake then infers it.
    """

    text: str
    type: str | None = None
    files: tuple[str, ...] = ()
    tags: tuple[str, ...] = ()
    when: datetime | None = None
    fields: Mapping[str, Any] = field(default_factory=dict, hash=False)
