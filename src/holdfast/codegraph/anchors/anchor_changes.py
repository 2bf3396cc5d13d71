"""Shows what changed in the code of a memory since it was stored."""

from __future__ import annotations

from difflib import unified_diff
from typing import TYPE_CHECKING

from holdfast.codegraph.anchors.sources import CodeSources
from holdfast.core.anchor import GONE, CodeAnchor, CodeChange

if TYPE_CHECKING:
    from holdfast.store.reading import AnchorReading


def code_changes(
    anchors: tuple[CodeAnchor, ...], sources: CodeSources, reading: AnchorReading, project: str
) -> tuple[CodeChange, ...]:
    """Returns, for each anchor, its state and the difference between the code then and now."""
    return tuple(CodeChange(anchor, _diff(anchor, sources, reading, project)) for anchor in anchors)


def _diff(anchor: CodeAnchor, sources: CodeSources, reading: AnchorReading, project: str) -> str | None:
    """The difference as a unified diff; "" without one, None if the old text was too long to store."""
    old = reading.code_text(project, anchor.hash)
    if old is None:
        return None
    new = _now(anchor, sources)
    if anchor.state != GONE and new == old:
        return ""
    lines = unified_diff(
        old.splitlines(), new.splitlines(), f"{anchor.node} (then)", f"{anchor.node} (now)", lineterm=""
    )
    return "\n".join(lines)


def _now(anchor: CodeAnchor, sources: CodeSources) -> str:
    source = sources.read(anchor.path) if anchor.state != GONE else None
    if source is None:
        return ""
    if not anchor.symbol:
        return source.whole.text
    return next((s.text for s in source.symbols if s.symbol == anchor.symbol), "")
