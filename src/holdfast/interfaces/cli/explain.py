"""How an answer came about: the hits side by side, number by number, and the steps that led to them."""

from __future__ import annotations

import textwrap
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from holdfast.interfaces.cli.terminal import clean, paint, screen_width, section, table, width
from holdfast.interfaces.language import translatable, translate

if TYPE_CHECKING:
    from holdfast.core.answer import Hit, Recall, StepTrace, Trace

PATHS = {
    "words": translatable("words"),
    "meaning": translatable("meaning"),
    "time": translatable("time"),
    "graph": translatable("graph"),
    "co_access": translatable("co-access"),
    "causal": translatable("causal"),
    "substring": translatable("substring"),
    "hyde": translatable("imagined"),
}
_MEASURES = {
    "bm25": translatable("BM25"),
    "share": translatable("share"),
    "session": translatable("session"),
    "meaning": translatable("meaning"),
    "views": translatable("sentences"),
    "tokens": translatable("tokens"),
    "speaker": translatable("speaker"),
    "reply": translatable("reply"),
    "time": translatable("time"),
}
_FACTORS = {
    "relevance": translatable("relevance"),
    "recency": translatable("recency"),
    "frequency": translatable("frequency"),
    "phase": translatable("phase"),
    "trust": translatable("trust"),
    "confidence": translatable("confidence"),
    "evidence": translatable("evidence"),
}
_BESIDES = {
    "neighbours": translatable("neighbours"),
    "rerank": translatable("reranker"),
    "bound": translatable("bound"),
    "fading": translatable("fading"),
    "superseded": translatable("superseded"),
    "document confidence": translatable("document's confidence"),
    "pagerank": translatable("links to it"),
}
_KINDS = {
    "episode": translatable("episode"),
    "memory": translatable("memory"),
    "document": translatable("document"),
    "code": translatable("code"),
}
_NOTES = {
    "read as": translatable("read as"),
    "words": translatable("words"),
    "waiting": translatable("without a vector yet"),
    "time": translatable("times named"),
    "names": translatable("names"),
    "query type": translatable("kind of question"),
    "looked at": translatable("looked at"),
    "boosted": translatable("raised"),
    "added": translatable("added"),
    "reranker": translatable("reranker"),
    "scaled": translatable("faded otherwise"),
    "moved": translatable("moved"),
    "dropped": translatable("left out"),
    "model": translatable("model"),
    "imagined": translatable("imagined"),
    "failed": translatable("failed"),
    "best evidence": translatable("best evidence"),
}
_NONE = "–"
_INDENT, _GAP = 2, 2

_Column = tuple[str, Sequence[str]]


def explained(answer: Recall) -> str:
    """Where each path ranked each hit, what each measure and factor added, and what each step did."""
    found = [_ranks(answer.hits), _measures(answer), _besides(answer), _scores(answer)] if answer.hits else []
    return "\n\n".join(part for part in (*found, _steps(answer.trace), _skipped(answer.trace)) if part)


def _ranks(hits: Sequence[Hit]) -> str:
    paths = _in_order(PATHS, (path for hit in hits for path in hit.why.paths))
    columns = [
        (translate(PATHS.get(path, path)), [str(hit.why.paths.get(path, _NONE)) for hit in hits]) for path in paths
    ]
    return _grid(translate("Rank on each path"), _numbers(hits), columns)


def _measures(answer: Recall) -> str:
    """Two lines a hit: what was measured, and what it adds to the relevance; above them the weights by kind."""
    weights: Mapping[str, Mapping[str, float]] = _last_note(answer.trace, "weights")
    kinds = _in_order(_KINDS, (_kind(hit, weights) for hit in answer.hits)) if weights else []
    added = [_contributions(hit, weights) for hit in answer.hits]
    names = _in_order(_MEASURES, (name for one in added for name in one))
    labels = [f"× {translate(_KINDS.get(kind, kind))}" for kind in kinds]
    labels += [label for n in _numbers(answer.hits) for label in (n, "=")]
    columns = []
    for name in names:
        cells = [_number(weights[kind].get(name), 1) for kind in kinds]
        for hit, contributions in zip(answer.hits, added, strict=True):
            cells += [_number(hit.why.factors.get(name)), _number(contributions.get(name))]
        columns.append((translate(_MEASURES.get(name, name)), cells))
    return _grid(translate("Relevance: each measure × its weight = its part"), labels, columns)


def _besides(answer: Recall) -> str:
    """What else changed a score: the neighbours in the code, a reranker, restless files."""
    known = {*_MEASURES, *_FACTORS}
    names = _in_order(_BESIDES, (name for hit in answer.hits for name in hit.why.factors if name not in known))
    columns = [(translate(_BESIDES.get(name, name)), _values(answer.hits, name)) for name in names]
    return _grid(translate("Besides"), _numbers(answer.hits), columns)


def _scores(answer: Recall) -> str:
    shares: Mapping[str, float] = _last_note(answer.trace, "shares")
    names = _in_order(_FACTORS, (name for hit in answer.hits for name in hit.why.factors if name in _FACTORS))
    columns = [(translate(_FACTORS[name]), [_number(shares.get(name)), *_values(answer.hits, name)]) for name in names]
    columns.append((translate("score"), [_NONE, *(_number(hit.score) for hit in answer.hits)]))
    return _grid(translate("Score"), ["×", *_numbers(answer.hits)], columns)


def _steps(trace: Trace) -> str:
    head = (translate("step"), translate("in"), translate("out"), "ms", translate("notes"))
    lines = [line for step in trace.steps if "skipped" not in step.notes for line in _lines(step)]
    title = translate("Recipe {recipe}, {ms} ms", recipe=trace.recipe, ms=f"{trace.milliseconds:.1f}")
    return section(title, table([head, *lines], right=(1, 2, 3), styles=("", "", "", "", "dim")))


def _lines(step: StepTrace) -> Iterator[tuple[str, ...]]:
    """A step, and under it the paths that looked in it."""
    yield step.step, str(step.incoming), str(step.outgoing), f"{step.milliseconds:.1f}", _notes(step.notes)
    for name, notes in _paths(step):
        if "skipped" not in notes:
            yield f"· {name}", "", str(notes["found"]), "", _notes(notes)


def _skipped(trace: Trace) -> str:
    told = ((name, notes) for step in trace.steps for name, notes in ((step.step, step.notes), *_paths(step)))
    steps = [f"{name} ({translate(notes['skipped'])})" for name, notes in told if "skipped" in notes]
    if not steps:
        return ""
    said = translate("Skipped: {steps}", steps=", ".join(steps))
    room = screen_width()
    return paint("\n".join(textwrap.wrap(said, room)) if room else said, "dim")


def _paths(step: StepTrace) -> list[tuple[str, Mapping[str, Any]]]:
    return [(name, told) for name, told in step.notes.items() if _is_path(told)]


def _contributions(hit: Hit, weights: Mapping[str, Mapping[str, float]]) -> dict[str, float]:
    """What each measure adds to the weighted mean."""
    of_kind = weights.get(_kind(hit, weights), {})
    measured = {name: weight for name, weight in of_kind.items() if weight and name in hit.why.factors}
    total = sum(measured.values())
    return {name: weight * hit.why.factors[name] / total for name, weight in measured.items()}


def _kind(hit: Hit, weights: Mapping[str, Any]) -> str:
    return hit.type if hit.type in weights else "memory"


def _last_note(trace: Trace, name: str) -> Mapping[str, Any]:
    return next((step.notes[name] for step in reversed(trace.steps) if name in step.notes), {})


def _notes(notes: Mapping[str, Any]) -> str:
    told = (
        (translate(said), _note(notes[name]))
        for name, said in _NOTES.items()
        if notes.get(name) and not _is_path(notes[name])
    )
    return clean("; ".join(translate("{name}: {value}", name=name, value=value) for name, value in told))


def _is_path(value: object) -> bool:
    return isinstance(value, Mapping) and "found" in value


def _note(value: object) -> str:
    if isinstance(value, Mapping):
        return ", ".join(f"{name} → {_note(inner)}" for name, inner in value.items())
    return " ".join(map(str, value)) if isinstance(value, tuple | list) else str(value)


def _grid(title: str, labels: Sequence[str], columns: Sequence[_Column]) -> str:
    """Columns of numbers with their headings; those that the screen has no room for follow below."""
    if not columns:
        return ""
    parts = []
    for some in _fitting(labels, columns):
        rows = [("", *(heading for heading, _ in some))]
        rows += [(label, *(cells[at] for _, cells in some)) for at, label in enumerate(labels)]
        parts.append(table(rows, right=range(1, len(some) + 1), styles=("dim",), indent=_INDENT))
    return section(title, "\n\n".join(parts))


def _fitting(labels: Sequence[str], columns: Sequence[_Column]) -> Iterator[list[_Column]]:
    room = screen_width()
    edge = _INDENT + max(map(width, labels))
    line: list[_Column] = []
    used = edge
    for heading, cells in columns:
        wide = _GAP + max(width(heading), *map(width, cells))
        if room and line and used + wide > room:
            yield line
            line, used = [], edge
        line.append((heading, cells))
        used += wide
    yield line


def _in_order(known: Mapping[str, str], names: Iterable[str]) -> list[str]:
    """Each name once: those that are known in their order, then the others."""
    there = dict.fromkeys(names)
    return [name for name in known if name in there] + [name for name in there if name not in known]


def _numbers(hits: Sequence[Hit]) -> list[str]:
    return [str(n) for n in range(1, len(hits) + 1)]


def _values(hits: Sequence[Hit], name: str) -> list[str]:
    return [_number(hit.why.factors.get(name)) for hit in hits]


def _number(value: float | None, digits: int = 2) -> str:
    return _NONE if value is None else f"{value:.{digits}f}"


# Why a step had nothing to do, as the steps say it.
ECHOES = (
    translatable("no embedder"),
    translatable("no time named"),
    translatable("not needed"),
    translatable("no cap"),
    translatable("no documents"),
    translatable("no code graph"),
    translatable("no file named"),
    translatable("nothing found yet"),
    translatable("too few candidates"),
    translatable("no bound file"),
    translatable("no reranker"),
    translatable("nothing to order"),
    translatable("no token codes with this embedder"),
    translatable("it asks for the past"),
    translatable("nothing was said"),
    translatable("nothing to scale"),
    translatable("no language model"),
    translatable("enough is sure"),
    translatable("no name asked for as a whole"),
    translatable("no registry of names"),
    translatable("no name asked for"),
)
