"""Intake of memories: scan → junk? → embed → conflict? → duplicate? → write, with a reason for every answer."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace
from datetime import datetime
from itertools import repeat
from typing import TYPE_CHECKING, Protocol

from holdfast.core.admission import CORRECTIONS, Admission, Candidate, Outcome, Redaction
from holdfast.core.arguments import check_text
from holdfast.core.errors import InvalidMemory, NotFound
from holdfast.core.events import MemoryAboutToBeWritten, about_to_be_written
from holdfast.core.frozen import frozen
from holdfast.core.memory import USER_TAUGHT, Memory
from holdfast.core.reason import Reason
from holdfast.intake.authority import as_proposal, inherited_taint, may_replace, repeats
from holdfast.intake.contradiction import Conflict, find_conflicts
from holdfast.intake.intake_reasons import IntakeCode
from holdfast.intake.junk import why_junk
from holdfast.intake.new_memory import MemoryBuilder, unique
from holdfast.intake.scrub import scrub_memory
from holdfast.intake.secrets import redact, scan
from holdfast.intake.successor import merged, moved, reinforced, successor, supersedes
from holdfast.text.fingerprints import fingerprint
from holdfast.text.similarity import says_nothing_new
from holdfast.trust.actions import supersede
from holdfast.trust.conflicts import conflict_with, link, name_in
from holdfast.trust.taint import with_taint

if TYPE_CHECKING:
    from holdfast.core.conversation import ConsolidatedPage
    from holdfast.core.events import BeforeWriting
    from holdfast.core.ids import Ids
    from holdfast.core.memory_types import TypeRegistry
    from holdfast.store.writing.memories import MemoryChange, MemoryWriting

# A text this many times longer than allowed is refused before it is scanned; removing secrets can shorten others.
_SCANNED = 4
# Texts of a memory's history, as stored and exported since the first release (docs/decisions/0026-reason-codes.md).
_IN_HISTORY = {
    IntakeCode.SAME_TEXT: "the same text is known already",
    IntakeCode.SAME_MEANING: "a memory says the same in other words",
}


class FindSimilar(Protocol):
    """Finds the current memories that are similar to a text, or else the forgotten ones; recall implements it."""

    def __call__(self, project: str, text: str, forgotten: bool = False) -> tuple[Memory, ...]: ...


@frozen
class Intake:
    """Checks candidates and stores them as memories of one project."""

    memories: MemoryWriting
    find_similar: FindSimilar
    types: TypeRegistry
    ids: Ids
    now: Callable[[], datetime]
    project: str
    person: Callable[[], str]
    root: str
    max_characters: int
    near_duplicate: float
    infer_type: Callable[[str], str]
    before_writing: tuple[BeforeWriting, ...] = ()

    def admit_all(
        self,
        candidates: Iterable[Candidate],
        closing: ConsolidatedPage | None = None,
        similar: Iterable[tuple[Memory, ...]] | None = None,
        undoable: str = "",
    ) -> tuple[Admission, ...]:
        """Stores candidates in one durable transaction; when it raises, nothing was changed.

        Raises InvalidMemory or UnknownType for a candidate that cannot be a memory. `closing` marks the page of
        a session they were learned from as consolidated, in the same transaction. `similar` are the memories similar to
        each candidate, if the caller has searched for them already. `undoable` is the verb under which `undo` finds it.
        """
        candidates = tuple(candidates)
        known = repeat(None, len(candidates)) if similar is None else similar
        prepared = [self._prepare(candidate, found) for candidate, found in zip(candidates, known, strict=True)]
        with self.memories.change(durable=True, undoable=undoable) as change:
            answers = tuple(p if isinstance(p, Admission) else self._write(change, p) for p in prepared)
            if closing is not None:
                change.close_page(self.project, closing)
            return answers

    def correct(self, old: Memory, text: str, reason: str, how: str, source: str = USER_TAUGHT) -> Admission:
        """Replaces a memory with a better text. The old one stays stored as superseded and can be restored.

        With `how="duplicate_of"`, `text` is the id of the memory that stays. An agent's correction keeps the taint, and
        for a memory that a person taught, confirmed or pinned it is a proposal: `confirm` then replaces the old one.
        """
        if how not in CORRECTIONS:
            raise InvalidMemory(f"how must be one of {', '.join(CORRECTIONS)}, not {how!r}")
        reason = redact(reason)
        allowed = may_replace(source, old) and (source == USER_TAUGHT or old.project == self.project)
        if how == "duplicate_of":
            return self._merge(old.id, text.strip(), reason) if allowed else _protected(old)
        corrected = successor(old, text, source)
        ready = self._prepare(corrected if allowed else as_proposal(corrected, old))
        if isinstance(ready, Admission):
            return ready
        return self._replace(old.id, ready, reason or how, how) if allowed else self._propose(old.id, ready)

    def move(self, old: Memory, personal: bool) -> Memory:
        """Makes a memory personal, or a memory of this project: a copy takes its place, which `undo` undoes."""
        if personal and (old.files or old.modules):
            raise InvalidMemory(f"{old.id} is about files of this project", hint="Store a text that holds everywhere.")
        project, visibility = (self.person(), "personal") if personal else (self.project, "project")
        id, now = self.ids.memory(self.types.get(old.type).id_prefix), self.now()
        memory = moved(old, id, project, visibility, now)
        # Bound to no code by the way: what holds everywhere has no files.
        written = replace(about_to_be_written(memory, self.before_writing), memory=memory, code={})
        ready = _Prepared(memory, (), (), (), written)
        with self.memories.change(durable=True, undoable="personal") as change:
            self._add(change, memory, ready)
            change.note(id, now, "personal", "", {"of": old.id, "visibility": visibility})
            supersede(change, _existing(change, old.id), id, now, visibility, merged=True)
        return memory

    @property
    def _builder(self) -> MemoryBuilder:
        return MemoryBuilder(self.ids, self.now, self.project, self.person, self.root)

    def _prepare(self, candidate: Candidate, similar: tuple[Memory, ...] | None = None) -> _Prepared | Admission:
        check_text(candidate.text)
        if len(candidate.text) > _SCANNED * self.max_characters:
            too_long = Reason.of(IntakeCode.TOO_LONG, count=len(candidate.text), limit=self.max_characters)
            return Admission(Outcome.REFUSED, too_long)
        text, redactions = scan(candidate.text)
        memory_type = self.types.get(candidate.type or self.infer_type(text))
        insists = candidate.force and candidate.source == USER_TAUGHT
        reason = why_junk(text, limit=self.max_characters, force=insists)
        if reason is not None:
            return Admission(Outcome.REFUSED, reason, None, redactions)
        named = replace(candidate, text=text.strip(), type=memory_type.name)
        candidate, more_redactions = scrub_memory(named, memory_type)
        redactions += more_redactions
        memory = self._builder.build(candidate, memory_type, bool(redactions))
        written = about_to_be_written(memory, self.before_writing)
        memory = written.memory
        compared = similar is not None  # who searched for them has compared them too
        if not memory_type.comparable:
            similar = ()
        similar = self.find_similar(self.project, memory.content) if similar is None else similar
        memory = with_taint(memory, inherited_taint(memory, similar, self.near_duplicate))
        forgotten = self._forgotten(memory) if memory_type.comparable else None
        # Compare before the transaction, so that no other writer waits for it.
        conflicts = () if compared else find_conflicts(memory, similar)
        replaced = [conflict.memory.id for conflict in conflicts if conflict.replaced]
        return _Prepared(
            memory,
            redactions,
            similar,
            conflicts,
            written,
            (*candidate.replaces, *replaced),
            forgotten,
        )

    def _forgotten(self, memory: Memory) -> Memory | None:
        """The forgotten memory that a program says again. A person may."""
        if memory.source == USER_TAUGHT:
            return None
        return repeats(memory, self.find_similar(self.project, memory.content, forgotten=True), self.near_duplicate)

    def _write(self, change: MemoryChange, ready: _Prepared) -> Admission:
        memory = ready.memory
        self._check_relations(change, memory)
        known_as = change.twins(self.project, fingerprint(memory.content))
        # A memory that it replaces is no duplicate: a person may give the same words another type.
        twins = tuple(twin for twin in known_as if twin.id not in ready.replaces or _is_same(twin, memory))
        known, forgotten = _believed(twins), _forgotten(twins) or ready.forgotten
        if known is not None and not self._widens(memory, known):
            return self._reinforce(change, known, ready, IntakeCode.SAME_TEXT)
        if forgotten is not None and memory.source != USER_TAUGHT:
            return Admission(Outcome.REFUSED, Reason.of(IntakeCode.FORGOTTEN, id=forgotten.id), None, ready.redactions)
        for other in ready.similar:
            if other.id in ready.replaces or self._widens(memory, other):
                continue
            if says_nothing_new(memory.content, other.content, self.near_duplicate):
                return self._reinforce(change, other, ready, IntakeCode.SAME_MEANING)
        widened = (known.id,) if known is not None else ()
        return self._store(change, replace(ready, replaces=(*ready.replaces, *widened)))

    def _widens(self, memory: Memory, known: Memory) -> bool:
        """Does a personal memory say what only this project knew, so that it replaces that one?"""
        here = known.project == self.project != memory.project and not memory.needs_review
        return here and may_replace(memory.source, known)

    def _check_relations(self, change: MemoryChange, memory: Memory) -> None:
        for id in {relation.memory for relation in memory.relations if relation.memory is not None}:
            other = change.get(id)
            if other is None or (other.project != self.project and other.visibility != "personal"):
                raise NotFound(f"memory {id} of a relation")

    def _store(self, change: MemoryChange, ready: _Prepared) -> Admission:
        old = _replaceable(change, ready)
        related = {relation.memory for relation in ready.memory.relations} | {memory.id for memory in old}
        found = [conflict for conflict in ready.conflicts if conflict.memory.id not in related]
        # What waits for a review names what it contradicts, and is not named by it: nobody is shown it yet.
        conflicts = [one for one in found if ready.memory.quarantined or not one.memory.quarantined]
        contrary = (conflict_with(conflict.memory.id) for conflict in conflicts)
        memory = replace(ready.memory, relations=(*ready.memory.relations, *contrary, *map(supersedes, old)))
        self._add(change, memory, ready)
        name_in(change, (one.memory.id for one in found if one not in conflicts), memory)
        if not memory.quarantined:
            link(change, memory)
        change.note(memory.id, self.now(), "remember", memory.source)
        for replaced_memory in old:
            supersede(change, replaced_memory, memory.id, self.now(), memory.content, until=memory.known_since)
        outcome = Outcome.QUARANTINED if memory.quarantined else Outcome.SUPERSEDED if old else Outcome.STORED
        warnings = tuple(conflict.warning(memory) for conflict in conflicts)
        replaced = tuple(m.id for m in old)
        return Admission(outcome, _why_stored(memory, replaced), memory, ready.redactions, replaced, warnings)

    def _add(self, change: MemoryChange, memory: Memory, ready: _Prepared) -> None:
        change.add(memory, ready.written.embedding)
        _put_code(change, ready)
        change.name(memory, ready.written.mentions, self.project)

    def _reinforce(self, change: MemoryChange, known: Memory, ready: _Prepared, code: IntakeCode) -> Admission:
        """Strengthens the stored memory instead of storing a duplicate; its history keeps the new wording."""
        new, now = ready.memory, self.now()
        current = change.get(known.id)
        if current is None or not current.is_current:
            return self._store(change, ready)  # It was forgotten or superseded since the search.
        replaceable = _replaceable(change, ready)
        if current.id in {memory.id for memory in replaceable}:
            current = replace(current, files=(), anchors=())  # It takes the place of what it repeats: those it has now.
        stronger = reinforced(current, new, now)
        replaced = [memory for memory in replaceable if memory.id != current.id]
        stronger = replace(stronger, relations=(*stronger.relations, *map(supersedes, replaced)))
        change.put(stronger)
        _put_code(change, ready)
        detail = {"heard": new.content, "source": new.source, "confidence": current.confidence}
        change.note(current.id, now, "reinforce", _IN_HISTORY[code], detail)
        for old in replaced:
            supersede(change, old, current.id, now, new.content)
        return Admission(
            Outcome.DUPLICATE, Reason.of(code), stronger, ready.redactions, tuple(old.id for old in replaced)
        )

    def _replace(self, id: str, ready: _Prepared, reason: str, how: str) -> Admission:
        with self.memories.change(durable=True, undoable="correct") as change:
            old = _existing(change, id)
            if fingerprint(old.content) == fingerprint(ready.memory.content):
                return Admission(Outcome.DUPLICATE, Reason.of(IntakeCode.UNCHANGED), old, ready.redactions)
            # The new memory begins when the old one ends, so that exactly one is believed at any time.
            now = self.now()
            memory = replace(ready.memory, created_at=now, relations=(*ready.memory.relations, supersedes(old)))
            self._add(change, memory, ready)
            change.note(memory.id, now, "correct", reason, {"how": how, "of": old.id})
            supersede(change, old, memory.id, now, reason)
        return Admission(Outcome.SUPERSEDED, _why_stored(memory, (old.id,)), memory, ready.redactions, (old.id,))

    def _propose(self, id: str, ready: _Prepared) -> Admission:
        with self.memories.change(durable=True) as change:
            old = _existing(change, id)
            if fingerprint(old.content) == fingerprint(ready.memory.content):
                return Admission(Outcome.DUPLICATE, Reason.of(IntakeCode.UNCHANGED), old, ready.redactions)
            return self._write(change, ready)

    def _merge(self, id: str, kept_id: str, reason: str) -> Admission:
        if id == kept_id:
            raise InvalidMemory("a memory cannot be a duplicate of itself", hint="Give the id of the memory to keep.")
        with self.memories.change(durable=True, undoable="merge") as change:
            old, kept_memory = _existing(change, id), _existing(change, kept_id)
            stronger = merged(kept_memory, old)
            change.put(stronger)
            detail = {"of": old.id, "heard": old.content, "confidence": kept_memory.confidence}
            change.note(kept_id, self.now(), "merge", reason, detail)
            supersede(change, old, kept_id, self.now(), reason or "duplicate", merged=True)
        return Admission(
            Outcome.SUPERSEDED, Reason.of(IntakeCode.MERGED, id=old.id, kept=kept_id), stronger, (), (old.id,)
        )


@frozen
class _Prepared:
    """A candidate that passed the checks, with everything needed to write it."""

    memory: Memory
    redactions: tuple[Redaction, ...]
    similar: tuple[Memory, ...]
    conflicts: tuple[Conflict, ...]
    written: MemoryAboutToBeWritten
    replaces: tuple[str, ...] = ()
    forgotten: Memory | None = None


def _put_code(change: MemoryChange, ready: _Prepared) -> None:
    for hash, text in ready.written.code.items():
        change.put_code_text(ready.memory.project, hash, text)


def _why_stored(memory: Memory, replaced: tuple[str, ...]) -> Reason:
    if replaced:
        return Reason.of(IntakeCode.REPLACES, ids=replaced)
    if memory.proposal_for is not None:
        return Reason.of(IntakeCode.PROPOSED, id=memory.proposal_for)
    return Reason.of(IntakeCode.UNTRUSTED if memory.taint else IntakeCode.NEW)


def _protected(old: Memory) -> Admission:
    return Admission(Outcome.REFUSED, Reason.of(IntakeCode.PROTECTED, id=old.id), None)


def _is_same(memory: Memory, other: Memory) -> bool:
    """Does a memory say what another one says? With other fields, such as the rounds of a review, it says more."""
    one, two = ((m.type, m.content, m.project, dict(m.fields)) for m in (memory, other))
    return one == two


def _believed(twins: tuple[Memory, ...]) -> Memory | None:
    return next((m for m in twins if m.is_current), None)


def _forgotten(twins: tuple[Memory, ...]) -> Memory | None:
    return next((m for m in twins if m.forgotten), None)


def _replaceable(change: MemoryChange, ready: _Prepared) -> tuple[Memory, ...]:
    """The memories to replace that are still believed. Only a person replaces a person's memory."""
    source = ready.memory.source
    found = (change.get(id) for id in unique(ready.replaces))
    believed = (memory for memory in found if memory and memory.is_current)
    # What a program stored in one project does not replace what holds in all of them.
    wide = source == USER_TAUGHT or (ready.memory.visibility == "personal" and not ready.memory.needs_review)
    return tuple(old for old in believed if may_replace(source, old) and (wide or old.visibility != "personal"))


def _existing(change: MemoryChange, id: str) -> Memory:
    memory = change.get(id)
    if memory is None:
        raise NotFound(f"memory {id}")
    if not memory.is_current:
        raise InvalidMemory(f"{id} is forgotten or superseded", hint=f"Restore it first: `holdfast restore {id}`.")
    return memory
