"""Formats what memory did for a session: what it was given and what became of that, and what was learned from it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from holdfast.core.citation import cite
from holdfast.core.ids import short
from holdfast.core.memory_use import CONTRADICTED, IGNORED, USED
from holdfast.interfaces.cli.terminal import clean, paint, section, table
from holdfast.interfaces.language import number, translatable, translate, translate_count

if TYPE_CHECKING:
    from holdfast.core.memory import Memory
    from holdfast.core.memory_use import SessionSummary

_OUTCOMES = {
    USED: (translatable("used"), "green"),
    IGNORED: (translatable("not used"), "dim"),
    CONTRADICTED: (translatable("contradicted"), "red"),
}


def session_summary(summary: SessionSummary) -> Iterator[str]:
    """Yields the parts of the summary that have something to say."""
    if summary.given:
        yield section(_given_title(summary), table(_given(summary), styles=("cyan", "dim")))
    if summary.opening:
        title = translate_count(len(summary.opening), "Began with {n} memory", "Began with {n} memories")
        rows = [(short(memory.id), memory.type, _cited(memory)) for memory in summary.opening]
        yield section(title, table(rows, styles=("cyan", "dim")))
    if summary.notes:
        title = translate_count(
            len(summary.notes), "Noted {n} thing during the session", "Noted {n} things during the session"
        )
        yield section(title, table(_notes(summary), styles=("", "dim")))
    if summary.learned:
        title = translate_count(len(summary.learned), "Learned {n} memory", "Learned {n} memories")
        yield section(title, table(_learned(summary), styles=("cyan", "dim"), whole=True))


def _given_title(summary: SessionSummary) -> str:
    count = translate_count(len(summary.given), "Given {n} memory", "Given {n} memories")
    if not summary.tokens_saved:
        return translate("{count} ({tokens} tokens)", count=count, tokens=summary.tokens_given)
    return translate(
        "{count} ({tokens} tokens; saved about {saved})",
        count=count, tokens=summary.tokens_given, saved=number(summary.tokens_saved),
    )  # fmt: skip


def _given(summary: SessionSummary) -> list[tuple[str, ...]]:
    rows: list[tuple[str, ...]] = []
    for memory, use in summary.given:
        name, style = _OUTCOMES[use.outcome]
        evidence = f" ({clean(_evidence(use.evidence))})" if use.evidence else ""
        dead_end = "✗ " if memory.type == "dead_end" else ""
        outcome = paint(translate(name), style) + evidence
        rows.append((short(memory.id), memory.type, dead_end + _cited(memory), outcome))
    return rows


def _cited(memory: Memory) -> str:
    return clean(memory.citation or cite(memory.content))


def _evidence(evidence: str) -> str:
    taken, slash, own = evidence.partition("/")
    return translate("{n} of its {own} words", n=taken, own=own) if slash else evidence


def _notes(summary: SessionSummary) -> list[tuple[str, ...]]:
    untrusted = translate("after reading from outside")
    steps = [translate("steps {steps}", steps=", ".join(map(str, note.steps[:5]))) for note in summary.notes]
    return [
        (clean(note.text), " · ".join(filter(None, (where, untrusted if note.tainted else ""))))
        for note, where in zip(summary.notes, steps, strict=True)
    ]


def _learned(summary: SessionSummary) -> list[tuple[str, ...]]:
    return [(short(memory.id), memory.type, clean(memory.content)) for memory in summary.learned]
