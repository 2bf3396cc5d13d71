"""The rules of size and naming that keep the code readable. CONTRIBUTING.md explains them."""

from __future__ import annotations

import ast
import re
from collections import Counter
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import holdfast

SOURCE = Path(holdfast.__file__).parent
MODULES = {path: path.read_text("utf-8") for path in sorted(SOURCE.rglob("*.py"))}
MODULE_LINES, FUNCTION_LINES, FACADE_STATEMENTS = 450, 50, 8

# Requirement numbers and documents that users cannot read.
FOREIGN = re.compile(r"\bR-[A-Z]\d+\b|\bthe seed\b", re.IGNORECASE)


@cache
def definitions() -> tuple[tuple[Path, ast.AST], ...]:
    """The classes and functions of every module. Only statements hold statements: expressions are not searched."""
    return tuple((path, node) for path, text in MODULES.items() for node in _definitions(ast.parse(text)))


def _definitions(tree: ast.AST) -> Iterator[ast.AST]:
    pending = [tree]
    while pending:
        for node in ast.iter_child_nodes(pending.pop()):
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
                yield node
            if isinstance(node, ast.stmt | ast.excepthandler | ast.match_case):
                pending.append(node)


def nodes(*kinds: type[ast.AST]) -> Iterator[tuple[Path, ast.AST]]:
    return ((path, node) for path, node in definitions() if isinstance(node, kinds))


def test_no_module_is_longer_than_450_lines() -> None:
    lines = {path.relative_to(SOURCE): text.count("\n") for path, text in MODULES.items()}
    long = {str(path): n for path, n in lines.items() if n > MODULE_LINES}
    assert not long, f"{long}: split the module"


def test_the_facade_has_no_logic() -> None:
    """A method of the workspace calls one package: no loop, and few statements."""
    facade = [(path, node) for path, node in nodes(ast.FunctionDef) if path.parent.name == "workspace"]
    long = [
        f"{path.name}:{node.name}"
        for path, node in facade
        if isinstance(node, ast.FunctionDef)
        and (len(node.body) > FACADE_STATEMENTS or any(isinstance(n, ast.For | ast.While) for n in ast.walk(node)))
    ]
    assert len(facade) > 50
    assert not long, f"move this logic to the package that the method calls: {long}"


def test_no_function_is_longer_than_50_lines() -> None:
    long = [
        f"{path.relative_to(SOURCE)}:{node.lineno}"
        for path, node in nodes(ast.FunctionDef, ast.AsyncFunctionDef)
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
        and (node.end_lineno or 0) - node.lineno >= FUNCTION_LINES
    ]
    assert not long, f"split these functions: {long}"


def test_no_class_name_is_used_twice() -> None:
    names = Counter(node.name for _, node in nodes(ast.ClassDef) if isinstance(node, ast.ClassDef))
    repeated = [name for name, count in names.items() if count > 1]
    assert not repeated, f"rename one of the classes with the same name: {repeated}"


def test_the_source_names_no_document_that_users_cannot_read() -> None:
    named = {path.name: FOREIGN.findall(text) for path, text in MODULES.items() if FOREIGN.search(text)}
    assert not named, f"give the reason or link a decision instead: {named}"
