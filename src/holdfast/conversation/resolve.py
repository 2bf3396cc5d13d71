"""What becomes of something learned in the light of what is known: heard before, a change, a clash, or new (R-E8)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import TYPE_CHECKING, Any, Protocol

from holdfast.core.admission import Candidate
from holdfast.core.conversation import Learned, Message
from holdfast.core.memory import Memory, Relation
from holdfast.intake.similarity import says_nothing_new
from holdfast.text.words import STOP_WORDS, fingerprint, stem, words

if TYPE_CHECKING:
    from holdfast.core.memory_types import TypeRegistry

_CLASH = 0.6
# One asked says that the new statement replaces the old one, another that both hold.
DISPUTED = "disputed"


class StatementVerdict(Protocol):
    """How a statement stands to an older one: `same`, `update`, `clash` or `apart`."""

    @property
    def kind(self) -> str: ...


class Compare(Protocol):
    """Compares two short statements; `nearness` is the likeness of their meaning where it is known."""

    def __call__(self, new: str, old: str, *, nearness: float | None = None) -> StatementVerdict: ...


class Amended(Protocol):
    """Which of the older rulings a new one takes the place of, by their numbers; `beside` was learned with it."""

    def __call__(self, new: Learned, old: Sequence[Learned], beside: Sequence[Learned] = ()) -> Sequence[int]: ...


@dataclass(frozen=True, slots=True)
class Resolution:
    """How something learned stands to what is known."""

    learned: Learned
    same: Memory | None = None
    replaces: tuple[Memory, ...] = ()
    clashes: tuple[Memory, ...] = ()


@dataclass(frozen=True, slots=True)
class ConflictResolver:
    """Compares what was learned with what is known, by rules alone."""

    compare: Compare
    amended: Amended
    near_duplicate: float

    def kind(self, new: str, old: str, nearness: float | None = None) -> str:
        """How two statements stand."""
        if fingerprint(new) == fingerprint(old) or says_nothing_new(new, old, self.near_duplicate):
            return "same"
        return self.compare(new, old, nearness=nearness).kind

    def stand(
        self,
        learned: Learned,
        said: EvidenceSource,
        near: Sequence[Memory],
        kinds: Mapping[str, str],
        beside: Sequence[Learned] = (),
    ) -> Resolution:
        """How it stands to its neighbours; `kinds` gives, by id, how it compares with each.

        Only the person's own words put something else in the place of what is known, only in that of what is older,
        and never in that of what a person verified or pinned.
        """
        amended = self.amended(learned, [as_learned(m) for m in near], beside)
        named = {near[place].id for place in amended if _kin(learned, near[place])} | set(learned.replaces)
        named -= {id for id, kind in kinds.items() if kind == DISPUTED}
        wanted = [m for m in near if m.id in named or kinds.get(m.id) == "update"]
        replaces = tuple(m for m in wanted if said.by_person and _when(m) <= said.at and not (m.verified or m.pinned))
        unsettled = [m for m in near if m in wanted or kinds.get(m.id) in ("clash", DISPUTED)]
        clashes = tuple(m for m in unsettled if m not in replaces)
        same = next((m for m in near if kinds.get(m.id) == "same" and m not in wanted), None)
        return Resolution(learned, None if replaces else same, replaces, clashes)

    def distinct(self, learned: Sequence[Learned]) -> tuple[Learned, ...]:
        """Each thing once: what is said again lends its evidence to what was said first."""
        kept: list[Learned] = []
        for one in learned:
            place = next((n for n, other in enumerate(kept) if self.kind(one.text, other.text) == "same"), None)
            if place is None:
                kept.append(one)
            else:
                first = kept[place]
                evidence = tuple(dict.fromkeys((*first.evidence, *one.evidence)))
                surer = max(first.confidence, one.confidence)
                kept[place] = replace(first, evidence=evidence, confidence=surer)
        return tuple(kept)

    def turns(self, learned: Sequence[Learned], places: Mapping[str, int]) -> int | None:
        """Where in a page a ruling of that same page is changed: the place of the first message that changes one.

        A page ends before it, so that the ruling is kept first and its change is told as one.
        """
        for later, one in enumerate(learned):
            before = learned[:later]
            changed = {*self.amended(one, before, learned), *self._updated(one, before)}
            starts = min((places[id] for id in one.evidence if id in places), default=0)
            if any(0 <= last_place(before[n], places) < starts for n in changed):
                return starts
        return None

    def _updated(self, one: Learned, before: Sequence[Learned]) -> list[int]:
        return [n for n, other in enumerate(before) if self.kind(one.text, other.text) == "update"]


@dataclass(frozen=True, slots=True)
class EvidenceSource:
    """By whom and when the evidence was given."""

    by_person: bool
    at: datetime

    @classmethod
    def of(cls, evidence: Sequence[str], messages: Mapping[str, Message], otherwise: datetime) -> EvidenceSource:
        found = [messages[id] for id in evidence if id in messages]
        return cls(any(m.role == "user" for m in found), max((m.at for m in found), default=otherwise))


def candidate(standing: Resolution, said: EvidenceSource, session: str, types: TypeRegistry) -> Candidate:
    """What is proposed to intake. What was heard before is proposed in the words it is known by."""
    learned = standing.learned
    return Candidate(
        text=standing.same.content if standing.same else learned.text,
        type=standing.same.type if standing.same else learned.type if learned.type in types.names() else "fact",
        tags=learned.tags,
        session=session,
        source="observer_inferred",
        when=said.at,
        confidence=min(1.0, max(0.0, learned.confidence)),
        source_ids=learned.evidence,
        replaces=tuple(m.id for m in standing.replaces),
        relations=tuple(Relation("conflicts_with", m.id, confidence=_CLASH, auto=True) for m in standing.clashes),
        attributes=_attributes(learned),
    )


def last_place(learned: Learned, places: Mapping[str, int]) -> int:
    """Where its last evidence stands; -1 when none of it is there."""
    return max((places.get(id, -1) for id in learned.evidence), default=-1)


def as_learned(memory: Memory) -> Learned:
    """A memory as what was once learned."""
    told = memory.attributes
    return Learned(
        text=memory.content,
        type=memory.type,
        evidence=memory.source_ids,
        quote=str(told.get("quote", "")),
        confidence=memory.confidence,
        subject=str(told.get("subject", "")),
        slot=str(told.get("slot", "")),
        when=memory.event_time,
        tags=memory.tags,
    )


def _attributes(learned: Learned) -> dict[str, Any]:
    told = {"quote": learned.quote, "subject": learned.subject, "slot": learned.slot}
    if learned.when is not None:
        told["date"] = learned.when.date().isoformat()
    return {name: value for name, value in told.items() if value}


def _kin(learned: Learned, memory: Memory) -> bool:
    """Do they share a word that names something? Sixty seconds here and sixty seconds there are two things."""
    return bool(_naming(f"{learned.text} {learned.slot}") & _naming(memory.content))


def _naming(text: str) -> set[str]:
    found = (word for word in words(text.replace("-", " ")) if word not in STOP_WORDS and not word[0].isdigit())
    return {stem(word) for word in found} - _UNITS


_UNITS = {
    stem(unit)
    for unit in "ms second minute hour day week month year byte kb mb gb tb percent time dollar euro unit line".split()
}


def _when(memory: Memory) -> datetime:
    return memory.event_time or memory.created_at
