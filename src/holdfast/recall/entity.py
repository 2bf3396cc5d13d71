"""What names the same: memories that name someone or something the question names."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

from holdfast.recall.merging import merge_path

if TYPE_CHECKING:
    from holdfast.recall.question import Notes, Question
    from holdfast.recall.steps import Candidates, Ranked

_LONGEST_NAME = 4
# Of a long prompt so many words are looked at: what it is about, it says first.
_WORDS = 60


class Mentions(Protocol):
    """The registry of names, as recall needs it."""

    def mentioning(self, project: str, keys: Sequence[str], each: int = 200) -> Mapping[int, tuple[int, ...]]:
        """Passages that name one of these, each with how often what it names is named at all."""
        ...


@dataclass(frozen=True, slots=True)
class ByEntity:
    """Path: memories linked to an entity that the question names, by its name or another one (R-C1).

    `names` reads names from a text. A rare name tells more than one that stands everywhere.
    """

    mentions: Mentions | None
    names: Callable[[str], Sequence[str]]
    top: int = 30
    name: str = "entity"

    def __call__(self, question: Question, found: Candidates) -> tuple[Candidates, Notes]:
        ranked, notes = self.look(question)
        return merge_path(found, self.name, ranked), notes

    def look(self, question: Question) -> tuple[Ranked, Notes]:
        keys = self._keys(question.text)
        if self.mentions is None or not keys:
            return (), {"skipped": "no registry of names" if self.mentions is None else "no name asked for"}
        linked = self.mentions.mentioning(question.project, keys)
        scores = {passage: sum(map(_tells, counts)) for passage, counts in linked.items()}
        # Why the later first: of passages that name the same, the newest is likeliest meant.
        ranked = sorted(scores.items(), key=lambda one: (-one[1], -one[0]))[: self.top]
        return tuple(ranked), {"names": keys}

    def _keys(self, text: str) -> list[str]:
        """What the question names, and its words one by one and together: people write names without capitals."""
        words = [word.strip(".,;:!?\"'()").casefold() for word in text.split()[:_WORDS]]
        runs = (
            " ".join(words[at : at + count])
            for at in range(len(words))
            for count in range(1, min(_LONGEST_NAME, len(words) - at) + 1)
        )
        return [key for key in dict.fromkeys((*self.names(text), *runs)) if len(key) > 1]


def _tells(mentions: int) -> float:
    return 1 / math.log(math.e + mentions)
