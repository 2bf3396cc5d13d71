"""Formats the module map for the terminal."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from holdfast.interfaces.cli.code_text import stale_text
from holdfast.interfaces.cli.terminal import clean, paint, screen_width, section, table, wrap
from holdfast.interfaces.language import number, translatable, translate, translate_count

if TYPE_CHECKING:
    from holdfast.core.code_analysis import CodeModule, ModuleMap

_ROLES = {
    "tests": translatable("tests"),
    "entry": translatable("entry"),
    "foundation": translatable("foundation"),
    "hub": translatable("hub"),
    "feature": translatable("feature"),
    "isolated": translatable("isolated"),
}
_LINKS_SHOWN = 3


def modules_text(found: ModuleMap) -> str:
    """Shows a table of modules, circles among them, and what is remembered of them."""
    if not found.modules:
        return translate("No code is indexed. Run `holdfast index` first.")
    parts = [_table(list(_rows(found.modules))), *_cycles(found)]
    return "\n\n".join([*parts, _coverage(found.modules), *stale_text(found.stale)])


def _table(rows: Sequence[tuple[str, ...]]) -> str:
    """The modules in a table; on a narrow screen, what each depends on stands below it."""
    styles, right = ("cyan",), (1, 2, 4)
    whole, columns = table(rows, styles, right, indent=0), screen_width()
    if columns is None or sum(max(len(row[at]) + 2 for row in rows) for at in range(len(rows[0]))) <= columns + 2:
        return whole
    lines = table([row[:-1] for row in rows], styles, right, indent=0).splitlines()
    return "\n".join([lines[0], *(line + _below(row[-1]) for line, row in zip(lines[1:], rows[1:], strict=True))])


def _below(needs: str) -> str:
    return "\n" + paint(wrap(f"  {translate('depends on')} {needs}", 4), "dim") if needs else ""


def _rows(modules: Sequence[CodeModule]) -> Iterator[tuple[str, ...]]:
    yield (
        translate("module"), translate("files"), translate("lines"), translate("role"), translate("memories"),
        translate("depends on"),
    )  # fmt: skip
    endings = Counter(ending for module in modules for ending in _endings(module.name))
    for module in modules:
        needs = [clean(_short_name(link.module, endings)) for link in module.needs[:_LINKS_SHOWN]]
        more = len(module.needs) - len(needs)
        shown = ", ".join(needs) + (f" +{more}" if more else "")
        memories = f"{module.memories} ({module.covered:.0%})" if module.memories else "-"
        role = translate(_ROLES[module.role])
        yield clean(module.name), str(module.files), _short(module.lines), role, memories, shown


def _short_name(name: str, endings: Counter[str]) -> str:
    """Returns the shortest ending of a module's name that no other module has."""
    return next((ending for ending in _endings(name) if endings[ending] == 1), name)


def _endings(name: str) -> list[str]:
    """The last parts of a path, the shortest first: `c`, `b/c`, `a/b/c`."""
    parts = name.split("/")
    return ["/".join(parts[at:]) for at in range(len(parts) - 1, -1, -1)]


def _short(count: int) -> str:
    return str(count) if count < 1_000 else f"{number(count / 1_000, 1)}k"


def _cycles(found: ModuleMap) -> Iterator[str]:
    if found.cycles:
        lines = [wrap(f"  {' ↔ '.join(map(clean, group))}", 4) for group in found.cycles]
        yield section(translate("Depend on each other in circles"), "\n".join(lines))


def _coverage(modules: Sequence[CodeModule]) -> str:
    """Says how many modules have memories, and how many memories are behind their code."""
    code = [module for module in modules if module.role != "tests"]
    known = sum(bool(module.memories) for module in code)
    text = translate("{n} of {all} modules have memories, tests aside.", n=known, all=len(code))
    outdated = sum(module.outdated for module in modules)
    if outdated:
        behind = translate_count(outdated, "{n} memory is behind its code.", "{n} memories are behind their code.")
        text = f"{text} {paint(behind, 'yellow')}"
    return text
