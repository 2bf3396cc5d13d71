"""Parses the text of a type into nested tuples, leniently: a part that is not understood is `NOTHING`.

The forms: `("ref", name, arguments)`, `("array", element)`, `("or", types)`, `("and", types)`,
`("function", ((name, type), ...), result)` with dots before the name of a rest parameter, `("new", result)`,
`("literal", ((name, type), ...))`, `("member", type, name)`, `("element", type)`, `("typeof", expression)`, and `OWN`
for `{}`, whose members are definitions inside the definition of the type.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Any

from holdfast.codegraph.languages.type_tokens import TokenReader

Syntax = tuple[Any, ...]
NOTHING: Syntax = ("nothing",)
OWN: Syntax = ("own",)
_TOKEN = re.compile(r"=>|\.\.\.|[A-Za-z_$][\w$]*(?:\.[A-Za-z_$][\w$]*)*|\"[^\"]*\"|'[^']*'|`[^`]*`|[\d.]+|\S")
_DEEPEST = 25
_PREFIXES = frozenset({"readonly", "unique", "asserts", "infer", "abstract"})
_PLAIN = frozenset(
    """string number boolean any unknown never void null undefined object symbol bigint true false keyof""".split()
)


@lru_cache(maxsize=20_000)
def parse_type(text: str) -> Syntax:
    """Parses a type. Cut or malformed text gives as much as can be read."""
    if not text:
        return NOTHING
    return _Parser(_TOKEN.findall(text)).union(0)


class _Parser(TokenReader):
    def union(self, depth: int) -> Syntax:
        """A whole type: alternatives, or the two results of a condition."""
        if depth > _DEEPEST:
            self._place = len(self._tokens)
            return NOTHING
        parts = self._joined("|", depth)
        if self._peek() == "extends":  # a condition: either result
            self._next()
            self._joined("|", depth)
            if self._take("?"):
                first = self.union(depth + 1)
                self._take(":")
                return _either([first, self.union(depth + 1)], "or")
        if self._peek() == "is":
            self._next()
            self._joined("|", depth)
            return NOTHING
        return _either(parts, "or")

    def _joined(self, sign: str, depth: int) -> list[Syntax]:
        self._take(sign)
        parts = [self._intersection(depth)]
        while self._take(sign):
            parts.append(self._intersection(depth))
        return parts

    def _intersection(self, depth: int) -> Syntax:
        self._take("&")
        parts = [self._postfix(depth)]
        while self._take("&"):
            parts.append(self._postfix(depth))
        return _either(parts, "and")

    def _postfix(self, depth: int) -> Syntax:
        found = self._primary(depth)
        while self._peek() == "[":
            self._next()
            if self._take("]"):
                found = ("array", found)
                continue
            key = self._peek()
            self.union(depth + 1)
            self._take("]")
            found = (
                ("member", found, key[1:-1]) if key[:1] in "'\"" else ("array", found) if key == "number" else NOTHING
            )
        return found

    def _primary(self, depth: int) -> Syntax:
        word = self._next()
        if word in _PREFIXES and self._peek() not in ("", ",", ">", ")", "|", "&", ";"):
            return self._postfix(depth)
        if word in ("(", "<", "{", "["):
            return self._group(word, depth)
        if word in ("new", "typeof", "keyof"):
            return self._operator(word, depth)
        if word in _PLAIN or not (word[:1].isalpha() or word[:1] in ("_", "$")):
            return NOTHING
        if word == "import" and self._take("("):
            self._skip_to(")", "(")
            return NOTHING
        return ("ref", word, tuple(self._list(">", depth)) if self._take("<") else ())

    def _group(self, sign: str, depth: int) -> Syntax:
        if sign == "(":
            return self._parenthesis(depth)
        if sign == "{":
            return self._literal(depth)
        if sign == "[":
            parts = self._list("]", depth)
            return ("array", _either(parts, "or")) if parts else NOTHING
        self._skip_to(">", "<")  # type parameters of a function type
        return self._primary(depth + 1) if depth < _DEEPEST else NOTHING

    def _operator(self, word: str, depth: int) -> Syntax:
        if word == "typeof":
            return ("typeof", self._next())
        found = self._postfix(depth)
        return ("new", found[2]) if word == "new" and found[0] == "function" else NOTHING

    def _list(self, end: str, depth: int) -> list[Syntax]:
        parts: list[Syntax] = []
        while self._peek() not in ("", end):
            before = self._place
            self._take("...")
            if self._tokens[self._place + 1 : self._place + 2] == [":"]:  # a named element of a tuple
                self._place += 2
            parts.append(self.union(depth + 1))
            self._take("?")
            self._take(",")
            self._place += self._place == before
        self._take(end)
        return parts

    def _parenthesis(self, depth: int) -> Syntax:
        """A type in parentheses, or a function type."""
        if self._looks_like_parameters():
            parameters = self._parameters(depth)
            if self._take("=>"):
                return ("function", parameters, self.union(depth + 1))
            return NOTHING
        found = self.union(depth + 1)
        self._take(")")
        return found

    def _looks_like_parameters(self) -> bool:
        first, second = self._peek(), self._peek(1)
        if first in (")", "...") or (first in ("{", "[") and self._is_pattern()):
            return True
        is_name = first[:1].isalpha() or first[:1] in ("_", "$")
        return is_name and (second in (":", ",") or (second == "?" and self._peek(2) == ":"))

    def _is_pattern(self) -> bool:
        place, open_ = self._place, 0
        while place < len(self._tokens):
            open_ += self._tokens[place] in "{[("
            open_ -= self._tokens[place] in "}])"
            place += 1
            if not open_:
                return self._tokens[place : place + 1] == [":"]
        return False

    def _parameters(self, depth: int) -> tuple[tuple[str, Syntax], ...]:
        found: list[tuple[str, Syntax]] = []
        while self._peek() not in ("", ")"):
            before = self._place
            rest = "..." if self._take("...") else ""
            name = self._next()
            if name in ("{", "["):
                self._skip_to("}" if name == "{" else "]", name, 1)
            self._take("?")
            found.append((rest + name, self.union(depth + 1) if self._take(":") else NOTHING))
            self._take(",")
            self._place += self._place == before
        self._take(")")
        return tuple(found)

    def _literal(self, depth: int) -> Syntax:
        if self._take("}"):
            return OWN
        members: list[tuple[str, Syntax]] = []
        while self._peek() not in ("", "}"):
            before = self._place
            member = self._member(depth)
            if member is not None and member[0] == "mapped":
                self._skip_to("}", "{", 1)
                return tuple(member[1])
            if member is not None:
                members.append((member[0], member[1]))
            while self._take(";") or self._take(","):
                pass
            self._place += self._place == before
        self._take("}")
        return ("literal", tuple(members))

    def _member(self, depth: int) -> tuple[str, Syntax] | None:
        while self._peek() in ("readonly", "+", "-") and self._peek(1) not in (":", "?", "("):
            self._next()
        name = self._next()
        if name == "[":
            return self._mapped(depth)
        name = name[1:-1] if name[:1] in "'\"" else name
        self._take("?")
        if self._take("("):
            parameters = self._parameters(depth)
            return name, ("function", parameters, self.union(depth + 1) if self._take(":") else NOTHING)
        return (name, self.union(depth + 1)) if self._take(":") else (name, NOTHING)

    def _mapped(self, depth: int) -> tuple[str, Syntax] | None:
        """`[K in keyof T]: ...` has the members of T; an index has none by name."""
        self._next()
        if self._take("in"):
            source = NOTHING
            if self._take("keyof"):
                source = self._postfix(depth)
            return "mapped", source
        self._skip_to("]", "[", 1)
        return ("[]", self.union(depth + 1)) if self._take(":") else None

    def _skip_to(self, end: str, start: str, open_: int = 1) -> None:
        while open_ and self._place < len(self._tokens):
            token = self._next()
            open_ += (token == start) - (token == end)


def _either(parts: list[Syntax], form: str) -> Syntax:
    kept = [part for part in parts if part != NOTHING]
    if len(kept) > 1:
        return (form, tuple(kept))
    return kept[0] if kept else NOTHING
