"""Finds the calls in the arguments of a macro, which the grammar leaves as a tree of tokens."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from holdfast.codegraph.code_parsing import text
from holdfast.codegraph.code_records import LONGEST_TEXT

if TYPE_CHECKING:
    from tree_sitter import Node

_NAMES = frozenset(["identifier", "self", "crate", "super"])
# Words before a name that is defined, not called.
_DEFINE = frozenset(["fn", "struct", "enum", "union"])


def calls_in(tree: Node) -> Iterator[tuple[str, Node]]:
    """Yields each call in a tree of tokens: the called expression in the form of the records, and its last name.

    What is called on the result of an operator or a literal is left out, as is all that is no call.
    """
    pending = [tree]
    while pending:
        inner = pending.pop()
        pending.extend(child for child in inner.children if child.type == "token_tree")
        yield from _calls_of(inner)


def _calls_of(tree: Node) -> Iterator[tuple[str, Node]]:
    """Yields the calls of one level: names joined by `.` and `::`, each followed by its arguments."""
    chain, before, generic = "", "", 0
    last = tree
    for token in tree.children:
        kind = token.type
        if generic or (kind == "<" and before == "::"):  # `::<T>`
            generic += kind.count("<") - kind.count(">") if not kind.strip("<>") else 0
            chain, before = chain.removesuffix("."), kind
            continue
        if kind in _NAMES:
            chain = _continued(chain, before, text(token))
            last = token
        elif kind in (".", "::"):
            chain = f"{chain}." if chain and before not in (".", "::") else ""
        elif kind == "!" and before in _NAMES:
            yield f"{chain}!", last
            chain = ""
        elif kind == "token_tree" and chain and not chain.endswith("."):
            opening = token.children[0].type if token.children else ""
            if opening == "(":
                yield chain, last
            chain = f"{chain}{_SUFFIXES[opening]}" if opening in _SUFFIXES and len(chain) < LONGEST_TEXT else ""
        elif kind != "?":
            chain = ""
        before = kind


_SUFFIXES = {"(": "()", "[": "[]"}


def _continued(chain: str, before: str, name: str) -> str:
    """The chain with a name after its last dot; a name alone begins a new one, unless it is being defined."""
    if chain.endswith("."):
        return chain + name
    return "" if before in _DEFINE else name
