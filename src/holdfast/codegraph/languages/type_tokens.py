"""What the parsers of written types share: the form of a type, and a reader of tokens from left to right."""

from __future__ import annotations

from typing import NamedTuple


class TypeForm(NamedTuple):
    """A type: `form` is `name`, `union`, or the kind of a value that contains others; a union of nothing is unknown.

    A name has its arguments as parts. Some languages have more forms.
    """

    form: str
    name: str = ""
    parts: tuple[TypeForm, ...] = ()


UNKNOWN_TYPE = TypeForm("union")


class TokenReader:
    """The tokens of a text and the place of the next one; beyond the last one, tokens are empty."""

    def __init__(self, tokens: list[str]) -> None:
        self._tokens = tokens
        self._place = 0

    def _peek(self, ahead: int = 0) -> str:
        place = self._place + ahead
        return self._tokens[place] if place < len(self._tokens) else ""

    def _next(self) -> str:
        token = self._peek()
        self._place += 1
        return token

    def _take(self, token: str) -> bool:
        """Passes over the next token if it is this one."""
        found = self._peek() == token
        self._place += found
        return found
