"""The words of a query that occur in a hit: to name them, to highlight them, and to show the part that has them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence, Set
from typing import TYPE_CHECKING, Any

from holdfast.interfaces.cli.terminal import broken, clean, clean_lines, fit, paint
from holdfast.text.patterns import compiled
from holdfast.text.stemming import stem
from holdfast.text.words import terms, words

if TYPE_CHECKING:
    from holdfast.core.answer import Hit, Trace

_NO_WORDS: Mapping[str, Any] = {"words": ()}


def matched_words(hit: Hit, trace: Trace) -> list[str]:
    """The words of the query, as they were searched, that occur in the hit; for a word that does not, its variant."""
    tags = hit.memory.tags if hit.memory else hit.chunk.heading if hit.chunk else ()
    text = " ".join((hit.text, *tags, *hit.files))
    present = {stem(word) for word in (*words(text), *terms(text).split())}
    notes = next((notes for notes in _notes(trace) if isinstance(notes.get("words"), list | tuple)), _NO_WORDS)
    variants: Mapping[str, Sequence[str]] = notes.get("variants", {})
    forms = ((word, *variants.get(word, ())) for word in notes["words"])
    found = (next((form for form in own if _occurs(form, present)), "") for own in forms)
    return [clean(form) for form in dict.fromkeys(found) if form]


def excerpt(texts: Sequence[str], matched: Sequence[str], available: int | None, most_lines: int) -> list[str]:
    """Breaks lines into at most `most_lines` lines: those with the most matched words, which are highlighted."""
    stems = _stems(matched)
    lines = _broken(texts, available)
    if len(lines) > most_lines:
        lines = _best_part(_broken(texts, available and available - 2), stems, most_lines)
    return [_highlighted(line, stems) for line in lines]


def _broken(texts: Sequence[str], available: int | None) -> list[str]:
    return [line for text in texts for line in broken(text, available)]


def code_excerpt(text: str, matched: Sequence[str], available: int | None, most_lines: int) -> list[str]:
    """Picks at most `most_lines` lines of code, those with the most matched words, from the first matched one on.

    A line is shortened, never joined with another.
    """
    stems = _stems(matched)
    lines = [line for line in clean_lines(text).splitlines() if line.strip()]
    best = _best_start(lines, stems, most_lines)
    first = next((at for at in range(best, len(lines)) if _found(lines[at], stems)), best)
    first = min(first, max(len(lines) - most_lines, 0))
    shown = lines[first : first + most_lines]
    indent = min((len(line) - len(line.lstrip()) for line in shown), default=0)
    return [_highlighted(fit(line[indent:], available), stems) for line in shown]


def _best_part(lines: Sequence[str], stems: Set[str], most: int) -> list[str]:
    first = _best_start(lines, stems, most)
    shown = [*lines[first : first + most]]
    if first:
        shown[0] = "… " + shown[0]
    if first + most < len(lines):
        shown[-1] = shown[-1].rstrip(" .,;:") + " …"
    return shown


def _best_start(lines: Sequence[str], stems: Set[str], most: int) -> int:
    """The first of the `most` lines that together have the most matched words."""
    starts = range(max(len(lines) - most, 0) + 1)
    return max(starts, key=lambda at: len(_found(" ".join(lines[at : at + most]), stems)))


def _stems(matched: Sequence[str]) -> Set[str]:
    return {stem(word) for form in matched for word in form.split()}


def _highlighted(line: str, stems: Set[str]) -> str:
    return compiled(r"\w+").sub(lambda word: paint(word[0], "match") if _found(word[0], stems) else word[0], line)


def _found(text: str, stems: Set[str]) -> Set[str]:
    return {stem(word) for word in words(text)} & stems


def _occurs(form: str, present: Set[str]) -> bool:
    return {stem(word) for word in form.split()} <= present


def _notes(trace: Trace) -> Iterator[Mapping[str, Any]]:
    for step in trace.steps:
        yield step.notes
        yield from (inner for inner in step.notes.values() if isinstance(inner, Mapping))
