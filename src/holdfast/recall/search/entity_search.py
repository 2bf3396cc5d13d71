"""Finds memories that mention an entity the query names."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Protocol

from holdfast.core.frozen import frozen
from holdfast.recall.paths import ENTITIES
from holdfast.recall.recall_reasons import RecallCode
from holdfast.recall.steps import Ranked, Search

if TYPE_CHECKING:
    from holdfast.recall.question import Notes, Question

_LONGEST_NAME = 4
# The number of words to read: a long prompt states its subject early.
_WORDS = 60


class Mentions(Protocol):
    """The part of the entity registry that recall uses."""

    def mentioning(self, project: str, keys: Sequence[str]) -> Mapping[int, tuple[int, ...]]:
        """Returns the passages that mention these entities, each with the total mentions of every entity it names."""
        ...


@frozen
class ByEntity(Search):
    """Finds memories linked to an entity that the query names, by its main name or an alias.

    `names` extracts names from a text. Rare names score higher than common ones.
    """

    mentions: Mentions | None
    names: Callable[[str], Sequence[str]]
    top: int = 30
    name: str = ENTITIES.name

    def search(self, question: Question) -> tuple[Ranked, Notes]:
        keys = self._keys(question.text)
        if self.mentions is None or not keys:
            return (), {"skipped": RecallCode.NO_ENTITIES if self.mentions is None else RecallCode.NO_ENTITY_NAMED}
        linked = self.mentions.mentioning(question.project, keys)
        scores = {passage: sum(map(_rarity, counts)) for passage, counts in linked.items()}
        # Ties go to the newest passage, which is most likely meant.
        ranked = sorted(scores.items(), key=lambda item: (-item[1], -item[0]))[: self.top]
        return tuple(ranked), {"names": keys}

    def _keys(self, text: str) -> list[str]:
        """Returns the names in the query and every run of up to four words, since people omit capitals."""
        words = [word.strip(".,;:!?\"'()").casefold() for word in text.split()[:_WORDS]]
        runs = (
            " ".join(words[at : at + count])
            for at in range(len(words))
            for count in range(1, min(_LONGEST_NAME, len(words) - at) + 1)
        )
        return [key for key in dict.fromkeys((*self.names(text), *runs)) if len(key) > 1]


def _rarity(mentions: int) -> float:
    return 1 / math.log(math.e + mentions)
