"""The rules of size and naming that keep the code readable. CONTRIBUTING.md explains them."""

from __future__ import annotations

import ast
import re
from collections import Counter
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import NamedTuple

import holdfast

SOURCE = Path(holdfast.__file__).parent
MODULES = {path: path.read_text("utf-8") for path in sorted(SOURCE.rglob("*.py"))}
MODULE_LINES, FUNCTION_LINES, FACADE_STATEMENTS = 450, 50, 8

# Requirement numbers and documents that users cannot read.
FOREIGN = re.compile(r"\bR-[A-Z]\d+\b|\bthe seed\b", re.IGNORECASE)


class Definition(NamedTuple):
    """A class or function of a module: what is checked of it, without its syntax tree, which is large."""

    path: Path
    kind: type[ast.AST]
    name: str
    line: int
    lines: int
    statements: int
    loops: bool


@cache
def definitions() -> tuple[Definition, ...]:
    """The classes and functions of every module. Only statements hold statements: expressions are not searched."""
    return tuple(_defined(path, node) for path, text in MODULES.items() for node in _definitions(ast.parse(text)))


def _defined(path: Path, node: ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef) -> Definition:
    lines = (node.end_lineno or 0) - node.lineno
    loops = path.parent.name == "workspace" and any(isinstance(n, ast.For | ast.While) for n in ast.walk(node))
    return Definition(path, type(node), node.name, node.lineno, lines, len(node.body), loops)


def _definitions(tree: ast.AST) -> Iterator[ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef]:
    pending = [tree]
    while pending:
        for node in ast.iter_child_nodes(pending.pop()):
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
                yield node
            if isinstance(node, ast.stmt | ast.excepthandler | ast.match_case):
                pending.append(node)


def test_no_module_is_longer_than_450_lines() -> None:
    lines = {path.relative_to(SOURCE): text.count("\n") for path, text in MODULES.items()}
    long = {str(path): n for path, n in lines.items() if n > MODULE_LINES}
    assert not long, f"{long}: split the module"


def test_the_facade_has_no_logic() -> None:
    """A method of the workspace calls one package: no loop, and few statements."""
    facade = [one for one in definitions() if one.kind is ast.FunctionDef and one.path.parent.name == "workspace"]
    long = [f"{one.path.name}:{one.name}" for one in facade if one.statements > FACADE_STATEMENTS or one.loops]
    assert len(facade) > 50
    assert not long, f"move this logic to the package that the method calls: {long}"


def test_no_function_is_longer_than_50_lines() -> None:
    long = [
        f"{one.path.relative_to(SOURCE)}:{one.line}"
        for one in definitions()
        if one.kind is not ast.ClassDef and one.lines >= FUNCTION_LINES
    ]
    assert not long, f"split these functions: {long}"


def test_no_class_name_is_used_twice() -> None:
    names = Counter(one.name for one in definitions() if one.kind is ast.ClassDef)
    repeated = [name for name, count in names.items() if count > 1]
    assert not repeated, f"rename one of the classes with the same name: {repeated}"


def test_the_source_names_no_document_that_users_cannot_read() -> None:
    named = {path.name: FOREIGN.findall(text) for path, text in MODULES.items() if FOREIGN.search(text)}
    assert not named, f"give the reason or link a decision instead: {named}"
