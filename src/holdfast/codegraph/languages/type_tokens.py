"""Reads a list of tokens from left to right: what the parsers of written types share."""

from __future__ import annotations


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
