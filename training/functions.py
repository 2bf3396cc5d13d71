"""Python functions and what their docstrings say, written as people type it into a search box."""

from __future__ import annotations

import ast
import random
import re
from collections.abc import Iterator
from dataclasses import dataclass

LONGEST_FUNCTION = 700
_REPORTING = re.compile(r"(?i)^(?:returns?|gets?|retrieves?|fetch(?:es)?|yields?) ")
_FILLERS = frozenset("a an the this that given of if it its is are be been for by as which any some only will".split())


@dataclass(frozen=True)
class Function:
    """A documented function."""

    name: str
    summary: str
    with_docstring: str
    without_docstring: str


def functions(text: str) -> Iterator[Function]:
    """The documented functions and methods of a module."""
    try:
        tree = ast.parse(text)
    except (SyntaxError, ValueError, RecursionError):
        return
    lines = text.split("\n")
    for node in ast.walk(tree):
        if not isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) or len(node.body) < 2:
            continue
        docstring = ast.get_docstring(node)
        if not docstring or node.name.startswith("test"):
            continue
        summary = _summary(docstring)
        first = node.body[0]
        source = lines[node.lineno - 1 : node.end_lineno]
        bare = lines[node.lineno - 1 : first.lineno - 1] + lines[first.end_lineno or first.lineno : node.end_lineno]
        if 3 <= len(summary.split()) <= 25 and len("\n".join(bare)) >= 60:
            yield Function(node.name, summary, _code(source), _code(bare))


def search_query(function: Function, chance: random.Random) -> str:
    """The summary as a sentence, or as the words that people type."""
    typed = re.sub(r"[^\w\s'#+-]", " ", function.summary.lower())
    kind = chance.random()
    if kind < 0.3:
        return function.summary
    if kind < 0.5:
        return " ".join(typed.split())
    plain = _REPORTING.sub(lambda match: chance.choice(("get ", "return ", "")), " ".join(typed.split()))
    words = [word for word in plain.split() if word not in _FILLERS][:9]
    if kind < 0.85:
        return " ".join(["python", *words])
    if kind < 0.95:
        return f"{' '.join(words)} python"
    return f"how to {' '.join(words)} in python"


def _summary(docstring: str) -> str:
    docstring = docstring.split(">>>", maxsplit=1)[0]
    first = re.split(r"\n\s*\n|(?<=[.!?])\s+(?=[A-Z])", docstring.strip())[0]
    first = re.sub(r":[a-z:]+:`~?([^`]+)`", r"\1", first)
    return re.sub(r"\s+", " ", first.replace("`", "")).strip()


def _code(lines: list[str]) -> str:
    indent = len(lines[0]) - len(lines[0].lstrip())
    return "\n".join(line[indent:] if not line[:indent].strip() else line for line in lines)[:LONGEST_FUNCTION].strip()
