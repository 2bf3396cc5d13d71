"""Finds the regular expressions of the package, and builds texts that make a slow one slow."""

from __future__ import annotations

import ast
import contextlib
import importlib
import pkgutil
import re
import time
import warnings
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cache
from re import _constants as ops  # type: ignore[attr-defined] # the parser of the standard library
from re import _parser as parser  # type: ignore[attr-defined]
from types import ModuleType
from typing import Any

import holdfast

METHODS = {"match", "fullmatch", "search", "sub", "subn", "split", "findall", "finditer"}
_REPEATS = (ops.MAX_REPEAT, ops.MIN_REPEAT, ops.POSSESSIVE_REPEAT)
# A repetition of fewer characters cannot take long.
_MANY = 20
# The first is short, because a pattern that takes exponential time would not end on the others.
_SIZES = (22, 200, 2_000, 8_000)
# What takes so little that even cubic growth stays below the limit needs no longer text.
_GROWTH = 3
# On a shorter text, a pattern that takes exponential time may still be fast.
_TELLING = 2_000
# Linear patterns take a fortieth of this for the longest text; quadratic ones take it twice or more on a fast machine.
SECONDS = 0.03
_AGAIN = 5
# A time this many times the limit is no chance.
_CLEARLY = 4
# Modules without these words have no pattern to find, and calls of none.
_MAKES_PATTERN = re.compile(r"\bre\.|\bcompiled\(")
_CALLS_PATTERN = re.compile(rf"\.(?:{'|'.join(sorted(METHODS))})\b")


@dataclass(frozen=True)
class UsedPattern:
    """A regular expression, its flags, the method it is called by and its place in the source."""

    pattern: str
    flags: int
    method: str
    place: str


@cache
def modules() -> tuple[ModuleType, ...]:
    """All modules of the package, without those that need a library that is not installed."""
    found = []
    for name in (one.name for one in pkgutil.walk_packages(holdfast.__path__, "holdfast.", onerror=lambda name: None)):
        if not name.endswith("__main__"):
            with contextlib.suppress(ImportError, holdfast.NotInstalled):
                found.append(importlib.import_module(name))
    return tuple(module for module in found if (module.__file__ or "").endswith(".py"))


def used_patterns() -> tuple[list[UsedPattern], list[str]]:
    """The patterns of the package, and the places of those that are built while the program runs."""
    found, unknown = [], []
    for module, source in _sources(_MAKES_PATTERN):
        reader = _ModuleReader(module.__name__, vars(module), ast.parse(source))
        reader.read()
        found += reader.found
        unknown += reader.unknown
    return found, unknown


def _sources(words: re.Pattern[str]) -> Iterator[tuple[ModuleType, str]]:
    """The modules whose source contains such words."""
    for module in modules():
        with open(str(module.__file__), encoding="utf-8") as opened:
            source = opened.read()
        if words.search(source):
            yield module, source


class _ModuleReader:
    """Reads the calls of one module that make or use a pattern."""

    def __init__(self, name: str, names: dict[str, Any], tree: ast.Module) -> None:
        self._name, self._names = name, names
        self._nodes = list(ast.walk(tree))
        self._calls = [node for node in self._nodes if isinstance(node, ast.Call)]
        self._parents = {id(node.value): node for node in self._nodes if isinstance(node, ast.Attribute | ast.Assign)}
        self.found: list[UsedPattern] = []
        self.unknown: list[str] = []

    def read(self) -> None:
        for node in self._calls:
            called = node.func
            if _is_re(called, METHODS):
                assert isinstance(called, ast.Attribute)
                self._add(node, called.attr, node.args[0])
            elif _is_re(called, {"compile"}) or (isinstance(called, ast.Name) and called.id == "compiled"):
                for method in self._methods_of(node):
                    self._add(node, method, *node.args, *(keyword.value for keyword in node.keywords))

    def _add(self, node: ast.Call, method: str, pattern: ast.expr, *flags: ast.expr) -> None:
        place = f"{self._name}:{node.lineno}"
        try:
            values = [
                eval(compile(ast.Expression(value), place, "eval"), dict(self._names)) for value in (pattern, *flags)
            ]
        except Exception:  # It depends on a local variable.
            self.unknown.append(f"{place} {ast.unparse(pattern)}")
            return
        if isinstance(values[0], str):
            self.found.append(UsedPattern(values[0], sum(int(flag) for flag in values[1:]), method, place))

    def _methods_of(self, node: ast.Call) -> Iterable[str]:
        """The methods by which a pattern is called: at once, or by the name that it is assigned to."""
        parent = self._parents.get(id(node))
        if isinstance(parent, ast.Attribute):
            return {parent.attr} & METHODS or {"search"}
        if isinstance(parent, ast.Assign) and isinstance(parent.targets[0], ast.Name):
            name = parent.targets[0].id
            calls = (other.func for other in self._calls)
            by_name = {
                call.attr
                for call in calls
                if isinstance(call, ast.Attribute) and isinstance(call.value, ast.Name) and call.value.id == name
            }
            return by_name & METHODS or {"search"}
        return {"search"}


def _is_re(called: ast.expr, names: set[str]) -> bool:
    return (
        isinstance(called, ast.Attribute)
        and isinstance(called.value, ast.Name)
        and called.value.id == "re"
        and called.attr in names
    )


def slow_text(used: UsedPattern, longest: int = _SIZES[-1]) -> str | None:
    """Describes a text on which the pattern takes too long; None if there is none among those tried."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        pattern = re.compile(used.pattern, used.flags)
        tries = sorted(_attacks(parser.parse(used.pattern, used.flags)))
    for before, repeated in tries:
        for after in ("", "\0"):
            for size in sorted({min(size, longest) for size in _SIZES}):
                text = before + repeated * max(1, size // len(repeated)) + after
                seconds = _seconds(pattern, used.method, text)
                if SECONDS < seconds < _CLEARLY * SECONDS:  # perhaps only by chance, on a busy machine
                    seconds = min(_seconds(pattern, used.method, text) for _ in range(_AGAIN))
                if seconds > SECONDS:
                    return f"{before!r} + {repeated!r} * {size // len(repeated)} + {after!r} took {seconds:.2f} s"
                if size >= _TELLING and seconds * (longest / size) ** _GROWTH <= SECONDS:
                    break
    return None


def _seconds(pattern: re.Pattern[str], method: str, text: str) -> float:
    started = time.process_time()
    if method in ("sub", "subn"):
        pattern.sub("", text)
    elif method in ("findall", "finditer"):
        for _ in pattern.finditer(text):
            pass
    else:
        getattr(pattern, method)(text)
    return time.process_time() - started


def _attacks(tree: Any) -> set[tuple[str, str]]:
    """Pairs of a beginning that the pattern accepts and a text that it can repeat."""
    found: set[tuple[str, str]] = set()
    _collect(tree, "", found)
    repeated = {text for _, text in found} | ({whole} if (whole := _sample(tree)) else set())
    short = sorted(text for text in repeated if len(text) <= 3)[:5]
    pairs = {("", one + other) for one in short for other in short if one != other}
    return found | {("", text) for text in sorted(repeated)[:10]} | pairs


def _collect(sequence: Any, before: str, found: set[tuple[str, str]]) -> None:
    for op, value in sequence:
        if op in _REPEATS:
            if value[1] >= _MANY:
                found.update((before, text) for pick in range(3) if (text := _sample(value[2], pick)))
            _collect(value[2], before, found)
        elif op is ops.SUBPATTERN:
            _collect(value[3], before, found)
        elif op is ops.ATOMIC_GROUP:
            _collect(value, before, found)
        elif op is ops.BRANCH:
            for branch in value[1]:
                _collect(branch, before, found)
        elif op in (ops.ASSERT, ops.ASSERT_NOT):
            _collect(value[1], before, found)
        before = (before + _sample_one(op, value))[-100:]


def _sample(sequence: Any, pick: int = 0) -> str:
    """A text that the sequence accepts; `pick` chooses among characters and branches."""
    return "".join(_sample_one(op, value, pick) for op, value in sequence)


def _sample_one(op: Any, value: Any, pick: int = 0) -> str:
    if op is ops.LITERAL:
        return chr(value)
    if op in (ops.NOT_LITERAL, ops.ANY, ops.CATEGORY):
        return "a" if value != ord("a") else "b"
    if op is ops.IN:
        accepted = _characters(value)
        return accepted[pick % len(accepted)]
    if op is ops.BRANCH:
        return _sample(value[1][pick % len(value[1])], pick)
    if op is ops.SUBPATTERN:
        return _sample(value[3], pick)
    if op is ops.ATOMIC_GROUP:
        return _sample(value, pick)
    if op in _REPEATS:
        times: int = max(value[0], 1 if value[1] > 1 else value[0])
        return _sample(value[2], pick) * times
    return ""


def _characters(value: Any) -> list[str]:
    """Some of the characters that a set accepts."""
    negated = bool(value) and value[0][0] is ops.NEGATE
    items = value[1:] if negated else value
    common = [letter for letter in " a0\t.-_/'\"\n(:,=A\\<[é中#x!" if _contains(items, letter) != negated]
    return common[:4] or [chr(item[1] if item[0] is ops.LITERAL else item[1][0]) for item in items][:2] or ["a"]


def _contains(items: Any, letter: str) -> bool:
    tests = {
        ops.CATEGORY_DIGIT: letter.isdigit(), ops.CATEGORY_NOT_DIGIT: not letter.isdigit(),
        ops.CATEGORY_SPACE: letter.isspace(), ops.CATEGORY_NOT_SPACE: not letter.isspace(),
        ops.CATEGORY_WORD: letter.isalnum() or letter == "_",
        ops.CATEGORY_NOT_WORD: not (letter.isalnum() or letter == "_"),
    }  # fmt: skip
    for op, value in items:
        if op is ops.LITERAL and value == ord(letter):
            return True
        if op is ops.RANGE and value[0] <= ord(letter) <= value[1]:
            return True
        if op is ops.CATEGORY and tests.get(value, False):
            return True
    return False


def built_patterns() -> list[UsedPattern]:
    """The patterns that are built from tables when a module is loaded or a function first called."""
    methods, found = _methods_by_name(), list[tuple[re.Pattern[str], str]]()
    for module in modules():
        for name, value in vars(module).items():
            found += [(one, method) for one in _reachable(value, 1) for method in methods.get(name, {"search"})]
    for name, attribute, method in _TABLES:
        value = getattr(importlib.import_module(f"holdfast.{name}"), attribute)
        for text in _texts(value() if callable(value) else value):
            if _may_be_pattern(text):
                found.append((re.compile(text, re.ASCII if "secrets" in name else 0), method))
    return [UsedPattern(pattern.pattern, pattern.flags & ~re.UNICODE, method, "built") for pattern, method in found]


# Module, name of a table or of a function that returns one, and the method by which its patterns are used.
_TABLES = (
    ("intake.secrets.shapes", "_RULES", "finditer"),
    ("intake.secrets.assignments", "_SIGNED", "match"),
    ("intake.secrets.assignments", "_BESIDE", "match"),
    ("intake.secrets.assignments", "_SAID", "match"),
    ("documents.document_references", "_LINKS", "findall"),
    ("documents.document_references", "_RECORD_NAMES", "findall"),
    ("documents.chunk", "IN_LINES", "finditer"),
    ("documents.chunk", "IN_PARAGRAPH", "finditer"),
    ("documents.front_matter", "_STATUS", "search"),
    ("observer.injected_instructions", "_rules", "search"),
    ("observer.self_corrections", "_rules", "search"),
    ("observer.failures", "_VARIABLE", "sub"),
    ("codegraph.entry_points", "_rules", "fullmatch"),
    ("statements.change_words", "_patterns", "search"),
)


def _methods_by_name() -> dict[str, set[str]]:
    """The methods by which patterns are called, by the name of the pattern: `cues.BINDS.search` gives `search`."""
    found: dict[str, set[str]] = {}
    for _, source in _sources(_CALLS_PATTERN):
        for node in ast.walk(ast.parse(source)):
            if (
                isinstance(node, ast.Attribute)
                and node.attr in METHODS
                and isinstance(node.value, ast.Name | ast.Attribute)
            ):
                pattern = node.value.id if isinstance(node.value, ast.Name) else node.value.attr
                found.setdefault(pattern, set()).add(node.attr)
    return found


def _reachable(value: Any, depth: int) -> Iterator[re.Pattern[str]]:
    if isinstance(value, re.Pattern):
        if isinstance(value.pattern, str):
            yield value
    elif depth < 4:
        inner: Iterable[Any] = ()
        if isinstance(value, dict):
            inner = value.values()
        elif isinstance(value, tuple | list | set | frozenset):
            inner = value
        elif hasattr(value, "__dataclass_fields__") and not isinstance(value, type):
            inner = [getattr(value, name, None) for name in value.__dataclass_fields__]
        for one in inner:
            yield from _reachable(one, depth + 1)


def _texts(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, re.Pattern):
        yield value.pattern
    elif isinstance(value, dict):
        yield from (text for inner in value.values() for text in _texts(inner))
    elif isinstance(value, tuple | list):
        yield from (text for inner in value for text in _texts(inner))
    elif hasattr(value, "__dataclass_fields__"):
        yield from (text for name in value.__dataclass_fields__ for text in _texts(getattr(value, name)))


def _may_be_pattern(text: str) -> bool:
    if not any(sign in text for sign in "*+{"):
        return False
    try:
        re.compile(text)
    except re.error:
        return False
    return True
