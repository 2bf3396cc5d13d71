"""Adds the messages before and after those whose words match best: an answer often repeats no word of its question."""

from __future__ import annotations

from typing import TYPE_CHECKING

from holdfast.core.frozen import frozen
from holdfast.recall.merging import merge_path
from holdfast.recall.paths import CONVERSATION, WORDS

if TYPE_CHECKING:
    from holdfast.recall.question import Notes, Question
    from holdfast.recall.steps import Candidates
    from holdfast.store.reading import PassageReading


@frozen
class AdjacentMessages:
    """Adds the neighbours of the `top` messages found by words, so that weighing can judge them by their context."""

    reading: PassageReading
    top: int = 20
    name: str = CONVERSATION.name

    def __call__(self, question: Question, candidates: Candidates) -> tuple[Candidates, Notes]:
        best = sorted((c.ranks[WORDS.name], c.passage) for c in candidates if WORDS.name in c.ranks)[: self.top]
        neighbours = self.reading.adjacent_messages([passage for _, passage in best])
        known = {c.passage for c in candidates}
        added = dict.fromkeys(
            beside
            for _, passage in best
            for beside in neighbours.get(passage, ())
            if beside is not None and beside not in known
        )
        return merge_path(candidates, self.name, [(passage, 0.0) for passage in added]), {"added": len(added)}
