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
MODULE_LINES, FUNCTION_LINES, FACADE_STATEMENTS, COMPLEXITY = 450, 50, 8, 20

# Functions above the limit of complexity, to be made simpler. Nothing is added here.
TOO_COMPLEX = {
    "learn/changes/read_changes.py:_follow_ups",
    "learn/resolve.py:resolve",
    "statements/change_words.py:change_marks",
    "statements/clauses.py:_is_verb",
    "statements/comparison.py:_overheard",
    "statements/words.py:_by_difference",
}
# The most regular expressions of each package. A new one replaces an old one, or the text is read in another way.
REGULAR_EXPRESSIONS = {
    "agents": 22,
    "bench": 1,
    "codegraph": 41,
    "core": 4,
    "documents": 38,
    "entities": 30,
    "importers": 22,
    "inject": 5,
    "intake": 43,
    "interfaces": 11,
    "learn": 100,
    "llm": 6,
    "models": 12,
    "observer": 68,
    "recall": 15,
    "sessions": 23,
    "statements": 25,
    "system": 2,
    "text": 56,
    "upkeep": 1,
}
# Module names that two packages use, at most twelve. A third use makes readers guess.
TWICE = frozenset(
    """
    code_files jobs words
    """.split()
)

# Requirement numbers and documents that users cannot read.
FOREIGN = re.compile(r"\bR-[A-Z]\d+\b|\bthe seed\b", re.IGNORECASE)
_BRANCHES = ast.If | ast.IfExp | ast.For | ast.AsyncFor | ast.While | ast.ExceptHandler | ast.match_case
_PATTERN = re.compile(r"\bre\.(?:compile|search|match|fullmatch|sub|subn|split|findall|finditer)\(")
_LATE_PATTERN = re.compile(r"\bcompiled\((\w+)")  # Compiled on first use, by its name.


class Definition(NamedTuple):
    """A class or function of a module: what is checked of it, without its syntax tree, which is large."""

    path: Path
    kind: type[ast.AST]
    name: str
    line: int
    lines: int
    statements: int
    loops: bool
    complexity: int


@cache
def definitions() -> tuple[Definition, ...]:
    """The classes and functions of every module. Only statements hold statements: expressions are not searched."""
    return tuple(_defined(path, node) for path, text in MODULES.items() for node in _definitions(ast.parse(text)))


def _defined(path: Path, node: ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef) -> Definition:
    lines = (node.end_lineno or 0) - node.lineno
    loops = path.parent.name == "workspace" and any(isinstance(n, ast.For | ast.While) for n in ast.walk(node))
    return Definition(path, type(node), node.name, node.lineno, lines, len(node.body), loops, _complexity(node))


def _complexity(definition: ast.AST) -> int:
    """Counts the paths through a function: each branch, loop and condition, also `and` and `or`."""
    pending, found = [definition], 1
    while pending:
        for node in ast.iter_child_nodes(pending.pop()):
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
                continue
            pending.append(node)
            found += isinstance(node, _BRANCHES)
            found += 1 + len(node.ifs) if isinstance(node, ast.comprehension) else 0
            found += len(node.values) - 1 if isinstance(node, ast.BoolOp) else 0
    return found


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


def test_no_function_is_more_complex_than_20() -> None:
    functions = [one for one in definitions() if one.kind is not ast.ClassDef]
    found = {f"{one.path.relative_to(SOURCE).as_posix()}:{one.name}": one.complexity for one in functions}
    above = {name: value for name, value in found.items() if value > COMPLEXITY}
    assert not above.keys() - TOO_COMPLEX, f"split these functions: {above}"


def test_no_package_has_more_regular_expressions_than_its_budget() -> None:
    found = Counter[str]()
    for path, text in MODULES.items():
        count = len(_PATTERN.findall(text)) + len(set(_LATE_PATTERN.findall(text)))
        found.update({path.relative_to(SOURCE).parts[0]: count} if count else {})
    print(dict(sorted(found.items())))
    above = {name: count for name, count in found.items() if count > REGULAR_EXPRESSIONS.get(name, 0)}
    assert not above, f"above the budgets {REGULAR_EXPRESSIONS}: {above}"


def test_no_module_name_is_used_a_third_time() -> None:
    names = Counter(path.stem for path in MODULES if path.name not in ("__init__.py", "__main__.py"))
    twice = {name for name, count in names.items() if count == 2}
    oftener = {name for name, count in names.items() if count > 2}
    assert not oftener, "give one of the modules a name of its own"
    assert not twice - TWICE, f"{len(twice)} names are used twice: give the new module a name of its own"


def test_no_class_name_is_used_twice() -> None:
    names = Counter(one.name for one in definitions() if one.kind is ast.ClassDef)
    repeated = [name for name, count in names.items() if count > 1]
    assert not repeated, f"rename one of the classes with the same name: {repeated}"


def test_the_source_names_no_document_that_users_cannot_read() -> None:
    named = {path.name: FOREIGN.findall(text) for path, text in MODULES.items() if FOREIGN.search(text)}
    assert not named, f"give the reason or link a decision instead: {named}"
