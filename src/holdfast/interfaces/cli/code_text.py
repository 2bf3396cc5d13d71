"""Formats answers about code for the terminal."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from itertools import groupby
from typing import TYPE_CHECKING, TypeVar

from holdfast.core.ids import short
from holdfast.interfaces.cli.terminal import clean, clean_name, paint, section, table, wrap
from holdfast.interfaces.language import number, translatable, translate, translate_count

if TYPE_CHECKING:
    from holdfast.core.code_analysis import (
        CoChange,
        Dependencies,
        FlowStep,
        Impact,
        LinkedMemory,
        ReachedCode,
        UnresolvedUse,
    )

Item = TypeVar("Item")
Located = TypeVar("Located", "ReachedCode", "FlowStep")

_KINDS = {
    "file": translatable("file"),
    "folder": translatable("folder"),
    "function": translatable("function"),
    "method": translatable("method"),
    "class": translatable("class"),
    "interface": translatable("interface"),
    "enum": translatable("enumeration"),
    "type": translatable("type"),
    "variable": translatable("variable"),
    "property": translatable("property"),
    "module": translatable("module"),
}
_TYPES = {
    "imports": translatable("imports"),
    "calls": translatable("calls"),
    "extends": translatable("extends"),
    "implements": translatable("implements"),
    "exports": translatable("exports"),
    "uses": translatable("uses"),
}
_CONFIDENCES = {"inferred": translatable("inferred"), "guess": translatable("only by name")}
_UNNAMED = re.compile(r"<\w+:[\d:]+>\.")
_MOST_TESTS, _MOST_MEMORIES, _MOST_UNRESOLVED = 10, 5, 8


def impact_text(found: Impact, limit: int) -> str:
    """Shows what a change affects: a summary, the code by distance, tests, memories and files changed together."""
    files = len({code.path for code in found.affected})
    if found.affected:
        here = translate_count(files, "{n} file depends on it", "{n} files depend on it")
        direct = translate_count(len(found.direct), "{n} direct dependent", "{n} direct dependents")
        summary = translate("{files}; {direct}.", files=here, direct=direct)
    else:
        summary = translate("No code is known to depend on it.")
    parts = [
        head(found.target, found.kind, summary),
        *_levels(found.affected, limit, translatable("Directly affected"), translatable("Affected at depth {n}")),
        *_tests([id for test in found.tests for id in test.ids], limit),
        *_memories(found.memories),
        *_co_changed(found.co_changed),
        *stale_text(found.stale),
    ]
    return "\n\n".join(parts)


def dependencies_text(found: Dependencies, limit: int) -> str:
    """Shows what code depends on: a summary, the code by distance, and what could not be resolved."""
    files = translate_count(len({code.path for code in found.needed}), "{n} file needed", "{n} files needed")
    external = translate_count(found.external or 0, "{n} use of other packages", "{n} uses of other packages")
    parts = [
        head(found.target, found.kind, f"{files}; {external}." if found.external is not None else f"{files}."),
        *_levels(found.needed, limit, translatable("Depends directly on"), translatable("Through others, depth {n}")),
        *_unresolved(found.unresolved),
        *stale_text(found.stale),
    ]
    return "\n\n".join(parts)


def head(name: str, kind: str, summary: str) -> str:
    """Returns the name of a target with its kind, and a summary below."""
    return f"{paint(clean_name(name), 'bold')}  {paint(translate(_KINDS.get(kind, kind)), 'dim')}\n{wrap(summary)}"


def _levels(reached: Sequence[ReachedCode], limit: int, nearest: str, further: str) -> Iterator[str]:
    for depth, level in groupby(reached, key=lambda code: code.depth):
        codes = list(level)
        title = translate(nearest) if depth == 1 else translate(further, n=depth)
        yield section(f"{title} ({len(codes)})", limited(in_files(codes), limit, _by_file))


def _by_file(codes: Sequence[ReachedCode]) -> Iterator[str]:
    """Yields a line per file or, for symbols, the file and below it its symbols in the order of weight."""
    files: dict[str, list[ReachedCode]] = {}
    for code in codes:
        files.setdefault(code.path, []).append(code)
    for path, inside in files.items():
        if [code.symbol for code in inside] == [""]:
            yield f"  {paint(clean_name(path), 'cyan')}  {_how(inside[0])}"
            continue
        yield f"  {paint(clean_name(path), 'cyan')}"
        for code in inside:
            name = f"{symbol_text(code.symbol)}:{code.line}" if code.line else symbol_text(code.symbol)
            yield f"    {name}  {_how(code)}"


def _how(code: ReachedCode) -> str:
    """Describes the last step to code: the type of its edge, the code before it, and the weight of the whole path."""
    parts = [translate(_TYPES.get(code.types[-1], code.types[-1]))]
    if code.depth > 1:
        parts.append(translate("through {name}", name=_short(code.via[-2], code.path)))
    if code.confidence in _CONFIDENCES:
        parts.append(translate(_CONFIDENCES[code.confidence]))
    return paint(f"{', '.join(parts)} · {number(code.weight, 2)}", "dim")


def _short(name: str, path: str) -> str:
    """Returns a name without its folder, and inside a file only the symbol."""
    inside = name.removeprefix(f"{path}:")
    return symbol_text(inside if inside != name else name.rpartition("/")[2])


def symbol_text(name: str) -> str:
    """Returns the name of a symbol without the unnamed functions and objects around it."""
    return clean_name(_UNNAMED.sub("", name))


def in_files(found: Sequence[Located]) -> list[Located]:
    """Returns the same with all of a file together, in the order of the first of each file."""
    order = {path: place for place, path in enumerate(dict.fromkeys(one.path for one in found))}
    return sorted(found, key=lambda one: order[one.path])


def limited(items: Sequence[Item], limit: int, lines: Callable[[Sequence[Item]], Iterator[str]]) -> str:
    """Returns the lines of the first items, and how many more items there are."""
    shown = "\n".join(lines(items[:limit]))
    if len(items) <= limit:
        return shown
    more = translate("… and {n} more; --limit shows them", n=len(items) - limit)
    return f"{shown}\n{paint(f'  {more}', 'dim')}"


def _tests(ids: Sequence[str], limit: int) -> Iterator[str]:
    if ids:
        most = max(limit, _MOST_TESTS)
        yield section(
            translate("Tests to run"), limited(ids, most, lambda shown: (f"  {clean_name(id)}" for id in shown))
        )


def _memories(memories: Sequence[LinkedMemory]) -> Iterator[str]:
    if memories:
        rows = [(short(m.id), m.type, clean(f"{m.path}: {m.text}")) for m in memories[:_MOST_MEMORIES]]
        yield section(translate("Memories"), table(rows, styles=("cyan", "dim"), whole=True))


def _co_changed(partners: Sequence[CoChange]) -> Iterator[str]:
    if partners:
        rows = [
            (clean_name(p.path), translate_count(p.commits, "{n} commit", "{n} commits"), f"{p.confidence:.0%}")
            for p in partners[:_MOST_TESTS]
        ]
        yield section(translate("Usually changed together"), table(rows, styles=("cyan", "dim", "dim")))


def _unresolved(names: Sequence[UnresolvedUse]) -> Iterator[str]:
    if names:
        rows = [(str(name.line), clean_name(name.expression)) for name in names[:_MOST_UNRESOLVED]]
        more = len(names) - len(rows)
        ending = f"\n  {translate('… and {n} more', n=more)}" if more else ""
        title = translate("Not resolved, with their lines")
        yield section(title, table(rows, styles=("dim",), right=(0,)) + paint(ending, "dim"))


def stale_text(paths: Sequence[str]) -> Iterator[str]:
    """Yields a warning if files changed since they were indexed."""
    if paths:
        text = translate_count(
            len(paths),
            "Indexing: {n} file changed and is left out, so this may be incomplete.",
            "Indexing: {n} files changed and are left out, so this may be incomplete.",
        )
        yield paint(wrap(text), "yellow")
