"""Formats data flow and entry points for the terminal."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from holdfast.interfaces.cli.code_text import head, in_files, limited, stale_text, symbol_text
from holdfast.interfaces.cli.terminal import clean_name, paint, section, table, wrap
from holdfast.interfaces.language import translatable, translate, translate_count

if TYPE_CHECKING:
    from holdfast.core.code_analysis import Arrival, DataFlow, ErrorFlow, FlowStep

_ENTRIES = {
    "main": translatable("program"),
    "command": translatable("command"),
    "route": translatable("route"),
    "handler": translatable("handler"),
}
_MOST_PARAMETERS = 5


def flow_text(found: DataFlow, limit: int) -> str:
    """Shows where data comes from, what it is passed to, where results go, and errors."""
    parts = [
        head(found.target, found.kind, _signature(found.start)),
        *_arrivals(found.arrivals, limit),
        *_steps(translate("Passed to"), found.passed_to, limit),
        *_steps(translate("Returned to"), found.returned_to, limit),
        *_errors(found.errors, limit),
        *stale_text(found.stale),
    ]
    if len(parts) == 1:
        parts.append(translate("No calls to it or from it are known."))
    return "\n\n".join(part.rstrip() for part in parts)


def entry_points_text(points: Sequence[Arrival]) -> str:
    """Lists the entry points of a project."""
    rows = [(translate(_ENTRIES[p.kind]), clean_name(p.entry), f"{clean_name(p.path)}:{p.line}") for p in points]
    return table(rows, styles=("dim", "bold", "cyan"), indent=0) if rows else translate("No entry points found.")


def _signature(step: FlowStep | None) -> str:
    if step is None:
        return ""
    takes = [translate("Takes {names}.", names=_parameters(step)).replace("….", "…")] if step.parameters else []
    returns = [translate("Returns {type}.", type=clean_name(step.returns))] if step.returns else []
    return " ".join([*takes, *returns])


def _arrivals(arrivals: Sequence[Arrival], limit: int) -> Iterator[str]:
    if arrivals:
        count = translate_count(len(arrivals), "{n} entry point", "{n} entry points")
        yield section(
            f"{translate('Arrives from')} ({count})",
            limited(arrivals, limit, lambda shown: (line for one in shown for line in _arrival(one))),
        )


def _arrival(arrival: Arrival) -> Iterator[str]:
    kind = translate(_ENTRIES[arrival.kind])
    at = clean_name(f"{arrival.path}:{arrival.line}")
    yield f"  {paint(kind, 'dim')} {clean_name(arrival.entry)}  {paint(at, 'cyan')}"
    if len(arrival.via) > 1:
        names = (symbol_text(name.rpartition("/")[2]) for name in arrival.via)
        yield f"    {paint(wrap(' → '.join(names), 4), 'dim')}"


def _steps(title: str, steps: Sequence[FlowStep], limit: int) -> Iterator[str]:
    if steps:
        yield section(f"{title} ({len(steps)})", limited(in_files(steps), limit, _by_file))


def _by_file(steps: Sequence[FlowStep]) -> Iterator[str]:
    files: dict[str, list[FlowStep]] = {}
    for step in steps:
        files.setdefault(step.path, []).append(step)
    for path, inside in files.items():
        yield f"  {paint(clean_name(path), 'cyan')}"
        for step in inside:
            name = f"{symbol_text(step.symbol)}:{step.line}" if step.line else symbol_text(step.symbol)
            through = _through(step.via[-2]) if step.depth > 1 else ""
            parts = [
                f"({_parameters(step)})" if step.parameters else "",
                f"→ {clean_name(step.returns)}" if step.returns else "",
                translate("through {name}", name=through) if through else "",
            ]
            yield f"    {name}  {paint(' '.join(filter(None, parts)), 'dim')}".rstrip()


def _through(name: str) -> str:
    """Returns the symbol of a name, or for the top level of a file the name of the file."""
    path, _, symbol = name.partition(":")
    return symbol_text(symbol or path.rpartition("/")[2])


def _parameters(step: FlowStep) -> str:
    shown = [clean_name(name) for name in step.parameters[:_MOST_PARAMETERS]]
    return ", ".join([*shown, *(["…"] if len(step.parameters) > len(shown) else [])])


def _errors(errors: Sequence[ErrorFlow], limit: int) -> Iterator[str]:
    if errors:
        shown = limited(errors, limit, lambda some: (line for one in some for line in _error(one)))
        yield section(translate("Errors"), shown)


def _error(error: ErrorFlow) -> Iterator[str]:
    yield f"  {clean_name(error.name.rpartition(':')[2])}  {paint(clean_name(error.name.partition(':')[0]), 'cyan')}"
    for text, names in ((translate("raised in"), error.raised_in), (translate("handled in"), error.handled_in)):
        if names:
            yield paint(
                wrap(f"    {text} {', '.join(clean_name(name.rpartition('/')[2]) for name in names[:3])}", 6), "dim"
            )
