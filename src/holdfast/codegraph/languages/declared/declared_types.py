"""Reads types as written in Go, Java and Rust: names, arguments, sequences, maps, tuples and functions."""

from __future__ import annotations

import re
from functools import lru_cache

from holdfast.codegraph.languages.type_tokens import UNKNOWN_TYPE, TokenReader, TypeForm

_WORD = re.compile(r"'\w+|->|<-|::|\.\.\.|\.|[^\W\d][\w$]*|\d+|\S")
_DEEPEST = 12
# Words and signs before a type that do not change which members it has.
_BEFORE = frozenset(
    "* & mut dyn impl const final ... ? extends super unsafe extern volatile chan <- ref static".split()
)
_FUNCTIONS = frozenset(["func", "fn", "Fn", "FnMut", "FnOnce"])


@lru_cache(maxsize=20_000)
def parse_declared(written: str) -> TypeForm:
    """Reads a type, leniently: what is not understood is unknown."""
    return _TypeParser(_WORD.findall(written)).type(0) if written else UNKNOWN_TYPE


class _TypeParser(TokenReader):
    def type(self, depth: int) -> TypeForm:
        """One type, with the brackets after it."""
        while self._peek() in _BEFORE or self._peek()[:1] == "'":
            self._place += 1
        word = self._next()
        if depth > _DEEPEST or not word:
            return UNKNOWN_TYPE
        if word in "[(":
            return self._bracket(depth) if word == "[" else self._group(self._list(")", depth))
        if word == "map" and self._take("["):
            key = self.type(depth + 1)
            self._take("]")
            return TypeForm("dict", "", (key, self.type(depth + 1)))
        if word in _FUNCTIONS and self._take("("):
            return self._function(depth)
        return self._named(word, depth) if word[0].isalpha() or word[0] == "_" else UNKNOWN_TYPE

    def _bracket(self, depth: int) -> TypeForm:
        """`[]T` and `[4]T` of Go, `[T]` and `[T; 4]` of Rust."""
        if self._take("]"):
            return TypeForm("list", "", (self.type(depth + 1),))
        if self._peek().isdigit() or self._peek() == ".":
            self._skip_to("]")
            return TypeForm("list", "", (self.type(depth + 1),))
        element = self.type(depth + 1)
        self._skip_to("]")
        return TypeForm("list", "", (element,))

    def _group(self, parts: list[TypeForm]) -> TypeForm:
        return parts[0] if len(parts) == 1 else TypeForm("tuple", "", tuple(parts))

    def _function(self, depth: int) -> TypeForm:
        self._list(")", depth)
        self._take("->")
        has_result = self._peek() not in ("", ",", ">", ")", "]", "+", "{")
        return TypeForm("callable", "", (self.type(depth + 1) if has_result else UNKNOWN_TYPE,))

    def _named(self, word: str, depth: int) -> TypeForm:
        name, parts = word, []
        while self._peek() in (".", "::"):
            self._next()
            if self._take("<"):
                parts = self._list(">", depth)
                continue
            name = f"{name}.{self._next()}"
        if self._take("<"):
            parts = self._list(">", depth)
        elif self._peek() == "[" and self._peek(1) != "]":
            self._next()
            parts = self._list("]", depth)
        found = TypeForm("name", name, tuple(parts))
        while self._peek() == "[" and self._peek(1) == "]":
            self._place += 2
            found = TypeForm("list", "", (found,))
        if self._peek() in (".", "::"):  # `Outer<T>.Inner`
            self._next()
            return found._replace(name=f"{name}.{self._next()}")
        return found

    def _list(self, end: str, depth: int) -> list[TypeForm]:
        """The types up to a closing bracket; names before types are left out, as in `(count int, err error)`."""
        parts: list[TypeForm] = []
        while self._peek() not in ("", end):
            before = self._place
            part = self.type(depth + 1)
            if self._peek() not in ("", end, ",", "+", "=", ":", ";"):
                part = self.type(depth + 1)
            if self._take("="):  # `Iterator<Item = T>`
                part = self.type(depth + 1)
            if self._peek() in ("+", ":", ";"):
                self._skip_over(end)
            parts.append(part)
            self._take(",")
            self._place += self._place == before
        self._take(end)
        return parts

    def _skip_over(self, end: str) -> None:
        """Passes over more bounds, to the next comma or the end of the list."""
        open_ = 0
        while self._peek() and (open_ or self._peek() not in (",", end)):
            open_ += (self._peek() in "<([") - (self._peek() in ">)]")
            self._place += 1

    def _skip_to(self, end: str) -> None:
        while self._peek() and not self._take(end):
            self._place += 1
