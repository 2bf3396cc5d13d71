"""Reasons as codes with values; the interfaces turn them into sentences, in the reader's language."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field
from enum import StrEnum
from typing import Any

from holdfast.core.frozen import frozen
from holdfast.core.memory import empty_mapping


class Code(StrEnum):
    """Base class of every code. A package declares its own as members of a subclass: `DUPLICATE = "intake.duplicate"`.

    The part before the dot is the package. `holdfast.interfaces.messages` has one sentence for each code.
    """


@frozen
class Reason:
    """Why something happened: a code that a program can compare, and the values its sentence needs.

    A value is a plain value, a `Reason`, or a tuple of either.
    """

    code: Code
    values: Mapping[str, Any] = field(default_factory=empty_mapping, hash=False)

    @classmethod
    def of(cls, code: Code, **values: Any) -> Reason:
        """Builds a reason from a code and its values by name."""
        return cls(code, values)

    def __str__(self) -> str:
        """The code and its values, for logs and debugging: `intake.too_long (limit=20000)`."""
        shown = ", ".join(f"{name}={value}" for name, value in self.values.items())
        return f"{self.code} ({shown})" if shown else str(self.code)
