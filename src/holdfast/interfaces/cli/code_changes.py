"""Formats the code that a memory is about: its state, and what changed in it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from holdfast.core.anchor import CHANGED, FRESH, GONE
from holdfast.core.ids import short
from holdfast.interfaces.cli.terminal import clean_lines, clean_name, paint, section, table
from holdfast.interfaces.language import translatable, translate

if TYPE_CHECKING:
    from holdfast.core.anchor import CodeAnchor, CodeChange
    from holdfast.core.memory import Memory
    from holdfast.core.memory_description import MemoryDescription

_STATES = {
    FRESH: translatable("unchanged"),
    CHANGED: translatable("changed, {percent} % as before"),
    GONE: translatable("deleted"),
}
_COLOURS = {"+": "green", "-": "red", "@": "cyan"}


def code_section(memory: Memory, shows_differences: bool) -> str:
    """Lists the places of a memory in the code, each with its state, and says how to see what changed."""
    lines = [_place(anchor) for anchor in memory.anchors]
    note = []
    if memory.freshness and memory.freshness.warning and not shows_differences:
        note = [paint(translate("`holdfast show {id} --diff` shows what changed.", id=short(memory.id)), "dim")]
    return "\n".join([section(translate("Code"), table(lines, styles=("cyan",), whole=True)), *note])


def differences(found: MemoryDescription) -> list[str]:
    """Formats the differences of a memory's code since it was stored."""
    return [_difference(change) for change in found.changes]


def _place(anchor: CodeAnchor) -> tuple[str, str, str, str]:
    lines = f"{anchor.line}-{anchor.end_line}" if anchor.line else ""
    # All lines of code to which others were added are as before, but the whole is not.
    state = translate(_STATES[anchor.state], percent=min(99, round(100 * anchor.unchanged)))
    since = translate("since {commit}", commit=anchor.commit[:8]) if anchor.commit else ""
    return clean_name(anchor.node), lines, state, clean_name(since)


def _difference(change: CodeChange) -> str:
    name = clean_name(change.anchor.node)
    if change.diff is None:
        return translate("{name}: too long to compare; use git", name=name)
    if not change.diff:
        return translate("{name}: no difference", name=name)
    lines = clean_lines(change.diff).split("\n")
    return "\n".join(paint(line, _COLOURS[line[0]]) if line[:1] in _COLOURS else line for line in lines)
