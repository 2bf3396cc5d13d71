"""Explains an answer: tables of ranks, measures and factors for each hit, and the steps that ran."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from holdfast.core.reason import Code, Reason
from holdfast.interfaces.cli.terminal import clean, paint, screen_width, section, table, width, wrap
from holdfast.interfaces.language import number, translatable, translate
from holdfast.interfaces.messages import text_of
from holdfast.recall.paths import PATH_LABELS
from holdfast.recall.weigh.measures import MEASURES

if TYPE_CHECKING:
    from holdfast.core.answer import Hit, Recall, StepTrace, Trace

# The labels of paths and measures are declared in `holdfast.recall`, and translated like the texts here.
_MEASURES = {measure.name: measure.label for measure in MEASURES}
_FACTORS = {
    "relevance": translatable("relevance"),
    "recency": translatable("recency"),
    "frequency": translatable("frequency"),
    "phase": translatable("phase"),
    "trust": translatable("trust"),
    "confidence": translatable("confidence"),
    "freshness": translatable("freshness"),
    "evidence": translatable("evidence"),
}
_OTHER_FACTORS = {
    "neighbours": translatable("neighbours"),
    "title": translatable("title"),
    "rerank": translatable("reranker"),
    "bound": translatable("related"),
    "fading": translatable("decay rate"),
    "superseded": translatable("superseded"),
    "document confidence": translatable("document's confidence"),
    "pagerank": translatable("links to it"),
}
_GROUPS = {
    "episode": translatable("episode"),
    "memory": translatable("memory"),
    "document": translatable("document"),
    "code": translatable("code"),
}
_NOTES = {
    "corrected spelling": translatable("corrected spelling"),
    "variants": translatable("variants"),
    "part": translatable("part of a word"),
    "words": translatable("words"),
    "without vector": translatable("without a vector yet"),
    "times": translatable("times named"),
    "names": translatable("names"),
    "query type": translatable("query type"),
    "reranked": translatable("reranked"),
    "boosted": translatable("raised"),
    "bound": translatable("bound to code"),
    "changed": translatable("code changed"),
    "added": translatable("added"),
    "reranker": translatable("reranker"),
    "scaled": translatable("decay adjusted"),
    "moved": translatable("moved"),
    "dropped": translatable("left out"),
    "model": translatable("model"),
    "hypothetical answer": translatable("hypothetical answer"),
    "also": translatable("candidates"),
    "failed": translatable("failed"),
    "best evidence": translatable("best evidence"),
    "bonus": translatable("bonus"),
}
_STEPS = {
    "paths": translatable("search"),
    "filter": translatable("apply filters"),
    "whole": translatable("find exact names"),
    "weigh": translatable("weigh the measures"),
    "fuse": translatable("join the ranks"),
    "titles": translatable("compare titles"),
    "documents": translatable("rank documents"),
    "neighbours": translatable("look close in code"),
    "code": translatable("compare with code"),
    "fading": translatable("adjust the decay"),
    "score": translatable("compute scores"),
    "newer": translatable("newer ones first"),
    "rerank": translatable("rerank"),
    "distinct": translatable("drop repetitions"),
    "cap": translatable("limit per document"),
    "prefer taught": translatable("prefer taught memories"),
    "answers": translatable("read the best hits"),
    "judge": translatable("judge the evidence"),
    "agree": translatable("messages behind"),
    "wordings": translatable("search other wordings"),
    "newest first": translatable("newest first"),
    "by week": translatable("one for each week"),
    "read": translatable("read the texts"),
}
_NONE = "–"
_INDENT, _GAP = 2, 2

_Column = tuple[str, Sequence[str]]


def explained(answer: Recall) -> str:
    """Shows the rank of each hit on each path, the contribution of each measure and factor, and what each step did."""
    found = [_ranks(answer.hits), _measures(answer), _other_factors(answer), _scores(answer)] if answer.hits else []
    return "\n\n".join(part for part in (*found, _steps(answer.trace), _skipped(answer.trace)) if part)


def _ranks(hits: Sequence[Hit]) -> str:
    paths = _in_order(PATH_LABELS, (path for hit in hits for path in hit.why.paths))
    ranks = {path: [str(hit.why.paths.get(path, _NONE)) for hit in hits] for path in paths}
    columns = [(translate(PATH_LABELS.get(path, path)), ranks[path]) for path in paths]
    return _grid(translate("Rank on each path"), _numbers(hits), columns)


def _measures(answer: Recall) -> str:
    """Formats two lines per hit, its measures and their contributions, below the weights of each group of types."""
    weights: Mapping[str, Mapping[str, float]] = _last_note(answer.trace, "weights")
    groups = _in_order(_GROUPS, (_group(hit, weights) for hit in answer.hits)) if weights else []
    added = [_contributions(hit, weights) for hit in answer.hits]
    names = _in_order(_MEASURES, (name for contributions in added for name in contributions))
    labels = [f"× {translate(_GROUPS.get(group, group))}" for group in groups]
    labels += [label for n in _numbers(answer.hits) for label in (n, "=")]
    columns = []
    for name in names:
        cells = [_number(weights[group].get(name), 1) for group in groups]
        for hit, contributions in zip(answer.hits, added, strict=True):
            cells += [_number(hit.why.factors.get(name)), _number(contributions.get(name))]
        columns.append((translate(_MEASURES.get(name, name)), cells))
    return _grid(translate("Relevance: measure × weight = contribution"), labels, columns)


def _other_factors(answer: Recall) -> str:
    """Formats other influences on a score, such as neighbours in the code, a reranker, or frequently changed files."""
    known = {*_MEASURES, *_FACTORS}
    names = _in_order(_OTHER_FACTORS, (name for hit in answer.hits for name in hit.why.factors if name not in known))
    columns = [(translate(_OTHER_FACTORS.get(name, name)), _values(answer.hits, name)) for name in names]
    return _grid(translate("Other factors"), _numbers(answer.hits), columns)


def _scores(answer: Recall) -> str:
    shares: Mapping[str, float] = _last_note(answer.trace, "shares")
    names = _in_order(_FACTORS, (name for hit in answer.hits for name in hit.why.factors if name in _FACTORS))
    columns = [(translate(_FACTORS[name]), [_number(shares.get(name)), *_values(answer.hits, name)]) for name in names]
    columns.append((translate("score"), [_NONE, *(_number(hit.score) for hit in answer.hits)]))
    return _grid(translate("Score"), ["×", *_numbers(answer.hits)], columns)


def _steps(trace: Trace) -> str:
    head = (translate("step"), translate("in"), translate("out"), "ms", translate("notes"))
    lines = [line for step in trace.steps if "skipped" not in step.notes for line in _lines(step)]
    title = translate("Recipe {recipe}, {ms} ms", recipe=trace.recipe, ms=number(trace.milliseconds, 1))
    return section(title, table([head, *lines], right=(1, 2, 3), styles=("", "", "", "", "dim"), whole=True))


def _lines(step: StepTrace) -> Iterator[tuple[str, ...]]:
    """Yields the row of a step, then one row for each search it ran."""
    yield _name(step.step), str(step.incoming), str(step.outgoing), number(step.milliseconds, 1), _notes(step.notes)
    for name, notes in _paths(step):
        if "skipped" not in notes:
            yield f"· {_name(name)}", "", str(notes["found"]), "", _notes(notes)


def _skipped(trace: Trace) -> str:
    every = ((name, notes) for step in trace.steps for name, notes in ((step.step, step.notes), *_paths(step)))
    steps = [f"{_name(name)} ({_reason(notes['skipped'])})" for name, notes in every if "skipped" in notes]
    if not steps:
        return ""
    return paint(wrap(translate("Skipped: {steps}", steps=", ".join(steps))), "dim")


def _name(step: str) -> str:
    """Names a step or a search path as people call it."""
    return translate(_STEPS.get(step) or PATH_LABELS.get(step, step))


def _reason(skipped: object) -> str:
    return text_of(Reason(skipped)) if isinstance(skipped, Code) else clean(str(skipped))


def _paths(step: StepTrace) -> list[tuple[str, Mapping[str, Any]]]:
    return [(name, notes) for name, notes in step.notes.items() if _is_path(notes)]


def _contributions(hit: Hit, weights: Mapping[str, Mapping[str, float]]) -> dict[str, float]:
    """Returns the share of each measure in the weighted mean."""
    own = weights.get(_group(hit, weights), {})
    measured = {name: weight for name, weight in own.items() if weight and name in hit.why.factors}
    total = sum(measured.values())
    return {name: weight * hit.why.factors[name] / total for name, weight in measured.items()}


def _group(hit: Hit, weights: Mapping[str, Any]) -> str:
    return hit.type if hit.type in weights else "memory"


def _last_note(trace: Trace, name: str) -> Mapping[str, Any]:
    return next((step.notes[name] for step in reversed(trace.steps) if name in step.notes), {})


def _notes(notes: Mapping[str, Any]) -> str:
    shown = (
        (translate(label), _note(notes[name]))
        for name, label in _NOTES.items()
        if notes.get(name) and not _is_path(notes[name])
    )
    return clean("; ".join(translate("{name}: {value}", name=name, value=value) for name, value in shown))


def _is_path(value: object) -> bool:
    return isinstance(value, Mapping) and "found" in value


def _note(value: object) -> str:
    if isinstance(value, Mapping):
        return ", ".join(f"{name} → {_note(inner)}" for name, inner in value.items())
    if isinstance(value, Reason):
        return text_of(value)
    if isinstance(value, float):
        return number(value, len(str(value).partition(".")[2]))
    return " ".join(map(str, value)) if isinstance(value, tuple | list) else str(value)


def _grid(title: str, labels: Sequence[str], columns: Sequence[_Column]) -> str:
    """Formats columns of numbers with their headings; columns that do not fit on the screen follow below."""
    if not columns:
        return ""
    parts = []
    for some in _fitting(labels, columns):
        rows = [("", *(heading for heading, _ in some))]
        rows += [(label, *(cells[at] for _, cells in some)) for at, label in enumerate(labels)]
        parts.append(table(rows, right=range(1, len(some) + 1), styles=("dim",), indent=_INDENT))
    return section(title, "\n\n".join(parts))


def _fitting(labels: Sequence[str], columns: Sequence[_Column]) -> Iterator[list[_Column]]:
    available = screen_width()
    edge = _INDENT + max(map(width, labels))
    line: list[_Column] = []
    used = edge
    for heading, cells in columns:
        wide = _GAP + max(width(heading), *map(width, cells))
        if available and line and used + wide > available:
            yield line
            line, used = [], edge
        line.append((heading, cells))
        used += wide
    yield line


def _in_order(known: Mapping[str, str], names: Iterable[str]) -> list[str]:
    """Returns each name once: first the known ones in the order of `known`, then the others."""
    distinct = dict.fromkeys(names)
    return [name for name in known if name in distinct] + [name for name in distinct if name not in known]


def _numbers(hits: Sequence[Hit]) -> list[str]:
    return [str(n) for n in range(1, len(hits) + 1)]


def _values(hits: Sequence[Hit], name: str) -> list[str]:
    return [_number(hit.why.factors.get(name)) for hit in hits]


def _number(value: float | None, digits: int = 2) -> str:
    return _NONE if value is None else number(value, digits)
