"""Finds names in two ways: fast, by form alone, for every message; accurate, with all readers, in the background."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Protocol

from holdfast.core.entity import UNNAMED, Mention, key_of
from holdfast.core.frozen import frozen
from holdfast.core.memory import REFLECTION
from holdfast.entities.declared_entities import DeclaredLibraries
from holdfast.entities.regex import find_by_form, without_overlaps
from holdfast.entities.registered import RegisteredNames

if TYPE_CHECKING:
    from holdfast.core.events import MemoryAboutToBeWritten

_SHORTEST, _LONGEST = 2, 200
_SURE = 0.9
# Words that readers sometimes mistake for names.
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
    def overrides(self) -> frozenset[str]:
        """Labels for which this reader, which sees more context, replaces the fast one unless that one is sure."""
        ...

    def read(self, text: str) -> list[Mention]:
        """Returns mentions that do not overlap each other; they may overlap those of other readers."""
        ...


@frozen
class NameExtractor:
    """Finds names in texts. `readers` add to the fast reader when reading accurately."""

    readers: Sequence[NameReader] = ()

    @property
    def name(self) -> str:
        """The names of all readers, stored with each memory that was read accurately."""
        return "+".join(("regex", *(reader.name for reader in self.readers)))

    def accurate(self, text: str) -> list[Mention]:
        """Reads with all readers; of overlapping mentions the surest is kept, then the longest."""
        overridden = frozenset[str]().union(*(reader.overrides for reader in self.readers))
        found = find_by_form(text)
        forms = (mention for mention in found if mention.label not in overridden or mention.confidence >= _SURE)
        return without_overlaps([*forms, *(mention for reader in self.readers for mention in reader.read(text))])


@frozen
class FastNames:
    """Finds the names in every new memory: registered ones, declared libraries, and others by their form."""

    registered: RegisteredNames
    declared: DeclaredLibraries | None = None

    def __call__(self, text: str) -> list[Mention]:
        found = find_by_form(text)
        if self.declared is not None and (libraries := self.declared.find(text)):
            found = without_overlaps([*found, *libraries])
        return with_registered(entity_mentions(found), self.registered.find(text))

    def name_new(self, event: MemoryAboutToBeWritten) -> MemoryAboutToBeWritten:
        """Finds the names in a new memory. A reflection repeats what other memories say: it would be counted twice."""
        return event if event.memory.type == REFLECTION else replace(event, mentions=self(event.memory.content))

    def keys(self, text: str) -> list[str]:
        """Returns the keys of the entities that a text names."""
        return [key_of(mention.text) for mention in self(text)]


def with_registered(found: Sequence[Mention], registered: Sequence[Mention]) -> list[Mention]:
    """Adds registered names, which replace what was found at the same place, unless that is a longer name."""
    if not registered:
        return list(found)
    others = [mention for mention in found if not any(map(mention.is_within, registered))]
    relations = {mention.end: mention.relation for mention in found if mention.relation}
    return [*others, *(mention._replace(relation=relations.get(mention.end)) for mention in registered)]


def entity_mentions(mentions: Iterable[Mention]) -> list[Mention]:
    """Keeps the mentions that may become entities: names, but no dates, versions or common words."""
    return [mention for mention in mentions if mention.label not in UNNAMED and _is_name(key_of(mention.text))]


def _is_name(key: str) -> bool:
    return _SHORTEST <= len(key) <= _LONGEST and key not in _JUNK and any(ch.isalpha() for ch in key)
