"""Edits of TypeScript files of several kinds, to measure how updates of the code graph depend on the kind."""

from __future__ import annotations

import re
from collections.abc import Callable
from random import Random

_BODY = re.compile(r"\)\s*(?::[^{;=\n]*)?\{\n")
_CLASS = re.compile(r"^export (?:abstract )?class \w+[^{]*\{\n", re.MULTILINE)
_EXPORTED = re.compile(r"^export (?:abstract )?(?:class|function|interface|const|enum|type) (\w+)", re.MULTILINE)
_METHOD = re.compile(
    r"^  (?:public |protected )?(?:async )?(?!constructor|if|for|while|switch)(\w+)\(.*\{$", re.MULTILINE
)
_IMPORT = re.compile(r"^import \{[^}]*\} from '[^']*';\n", re.MULTILINE)


def _comment(text: str, random: Random) -> str:
    return f"// A comment.\n{text}"


def _statement(text: str, random: Random) -> str:
    return _after(text, _BODY, "    console.log(String(42));\n", random)


def _function(text: str, random: Random) -> str:
    return f"{text}\nexport function added(count: number): number {{\n  return count + 1;\n}}\n"


def _method(text: str, random: Random) -> str:
    return _after(text, _CLASS, "  public added(count: number): string {\n    return String(count);\n  }\n", random)


def _new_export(text: str, random: Random) -> str:
    return _renamed(text, _EXPORTED, random)


def _new_method(text: str, random: Random) -> str:
    return _renamed(text, _METHOD, random)


def _import(text: str, random: Random) -> str:
    found = list(_IMPORT.finditer(text))
    chosen = random.choice(found) if found else None
    return text[: chosen.start()] + text[chosen.end() :] if chosen else text


# Each returns the text as it was if it has no place for such an edit.
MADE_EDITS: dict[str, Callable[[str, Random], str]] = {
    "a comment": _comment,
    "a statement": _statement,
    "a new function": _function,
    "a new method": _method,
    "a renamed export": _new_export,
    "a renamed method": _new_method,
    "a removed import": _import,
}


def _after(text: str, place: re.Pattern[str], added: str, random: Random) -> str:
    found = list(place.finditer(text))
    end = random.choice(found).end() if found else 0
    return f"{text[:end]}{added}{text[end:]}" if found else text


def _renamed(text: str, names: re.Pattern[str], random: Random) -> str:
    found = names.findall(text)
    name = random.choice(found) if found else ""
    return re.sub(rf"\b{name}\b", f"{name}Renamed", text) if name else text
