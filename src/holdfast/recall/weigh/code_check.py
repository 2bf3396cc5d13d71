"""Compares memories with the code they are about, just before they are scored."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING

from holdfast.core.frozen import frozen

if TYPE_CHECKING:
    from holdfast.core.anchor import CodeAnchor
    from holdfast.recall.question import Notes, Question
    from holdfast.recall.steps import Candidates

# Returns the present anchors of memories by id, for those that differ from the given ones.
Recheck = Callable[[Mapping[str, "tuple[CodeAnchor, ...]"]], Mapping[str, "tuple[CodeAnchor, ...]"]]
_UNBOUND = "[]"


@frozen
class CodeCheck:
    """Updates the anchors of the best candidates, so that `Score` and the reader see the present state of their code.

    Compares the size and time of each file, and reads a file only if it changed since the last check. Does nothing for
    a query about an earlier time: the code was different then.
    """

    recheck: Recheck
    deep: float = 2.5
    name: str = "code"

    def __call__(self, question: Question, candidates: Candidates) -> tuple[Candidates, Notes]:
        best = candidates[: max(int(self.deep * question.limit), 20)] if question.filters.as_of is None else ()
        bound = {c.row.id: c.row.anchors for c in best if c.row is not None and c.row.anchored != _UNBOUND}
        if not bound:
            return candidates, {}
        present = self.recheck(bound)
        after = tuple(
            c.with_row(c.row.with_anchors(present[c.row.id])) if c.row is not None and c.row.id in present else c
            for c in candidates
        )
        return after, {"bound": len(bound), "changed": len(present)}
