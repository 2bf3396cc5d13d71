"""Two ways to find names: fast, by form alone, for every message; accurate, by all readers there are, for the night."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Protocol

from holdfast.core.entity import UNNAMED, Mention, key_of
from holdfast.entities.regex import fast, resolved

_SHORTEST, _LONGEST = 2, 200
_SURE = 0.9
# Words that readers take for names now and then and that name nothing by themselves.
_JUNK = frozenset(
    "api app application browser button class client code command line console data database db device document"
    " error exception feature field file folder function image input item key library link list log machine"
    " message method model module name network number object option output package page parameter path plugin port"
    " process product program project query question request response result row screen script section server"
    " service session shell site software step string system table task template terminal test text thing tool"
    " type url user value variable version view web website window word".split()
)


class NameReader(Protocol):
    """Finds names in a text."""

    @property
    def name(self) -> str: ...
    @property
    def decides(self) -> frozenset[str]:
        """Labels on which its word stands against the forms, unless those are sure: it has looked at more."""
        ...

    def read(self, text: str) -> list[Mention]:
        """What the text names; mentions may overlap those of other readers, not each other."""
        ...


@dataclass(frozen=True, slots=True)
class NameExtractor:
    """What a text names. `readers` are those of the accurate way, beside the forms that the fast way knows."""

    readers: Sequence[NameReader] = ()

    @property
    def name(self) -> str:
        """By what names are found the accurate way."""
        return "+".join(("regex", *(reader.name for reader in self.readers)))

    def fast(self, text: str) -> list[Mention]:
        return fast(text)

    def accurate(self, text: str) -> list[Mention]:
        """Of overlapping mentions the surest stays, of equally sure ones the longest (R-F2)."""
        decided = frozenset[str]().union(*(reader.decides for reader in self.readers))
        forms = (one for one in fast(text) if one.label not in decided or one.confidence >= _SURE)
        return resolved([*forms, *(mention for reader in self.readers for mention in reader.read(text))])


def named(text: str) -> list[Mention]:
    """What a text names that may become entities, the fast way: what every memory is linked to as it comes in."""
    return naming(fast(text))


def naming(mentions: Iterable[Mention]) -> list[Mention]:
    """Those that may become entities: a name of someone or something, not a date, a mark or a common word."""
    return [one for one in mentions if one.label not in UNNAMED and _names(key_of(one.text))]


def _names(key: str) -> bool:
    return _SHORTEST <= len(key) <= _LONGEST and key not in _JUNK and any(ch.isalpha() for ch in key)
