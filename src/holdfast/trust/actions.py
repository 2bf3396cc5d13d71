"""Review of memories by people. Each action is one durable transaction and one event of the memory's history.

The event of an action that changes a confidence has the confidence before it as its detail `confidence`: a search as of
an earlier moment uses that.
"""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime
from typing import TYPE_CHECKING, Any

from holdfast.core.anchor import GONE
from holdfast.core.errors import InvalidInput, NotFound, NotPermitted
from holdfast.core.local_text import released, stays_local
from holdfast.core.memory import PROPOSAL, USER_TAUGHT, Memory, Relation
from holdfast.trust.conflicts import link, unlink, without_conflict
from holdfast.trust.propagation import bounded, propagate, undo_propagation

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from holdfast.core.anchor import CodeBinding
    from holdfast.core.memory_description import MemoryEvent, Operation
    from holdfast.core.renamed_files import RenamedFiles
    from holdfast.store.writing.memories import MemoryChange, MemoryWriting

# A flag multiplies the confidence by this until the memory is confirmed.
_FLAGGED_FACTOR = 0.5
# What an agent confirms is as sure as what an agent says.
_CONFIRMED_BY_AGENT = 0.8
# Attributes of a superseded memory that restoring needs, and removes.
_FOR_RESTORE = ("confidence_before", "merged_into")


def confirm(
    memories: MemoryWriting, id: str, now: datetime, source: str = USER_TAUGHT, code: CodeBinding | None = None
) -> Memory:
    """Confirms a memory: verified, full confidence, no decay, no review. Related memories change accordingly.

    First undoes the effects of a flag, on this memory and on related ones. Its contradictions count as settled: both
    hold. A proposal replaces the memory that it corrects. `code` binds it to the code as it is now.

    A `source` that is a program only makes it as sure as what an agent says. Raises NotPermitted when it then waits for
    a person: it is tainted, flagged or a proposal; InvalidInput when it is forgotten or replaced.
    """
    with memories.change(durable=True, undoable="confirm") as change:
        memory = _get(change, id)
        flagged = _flag_detail(change, id)
        if source == USER_TAUGHT:
            confirmed = _verified(change, memory, flagged, now)
        else:
            _check_agent_may_confirm(memory, flagged)
            confirmed = replace(memory, confidence=max(memory.confidence, _CONFIRMED_BY_AGENT))
        confirmed = _bound_again(change, confirmed, code) if code is not None else confirmed
        change.put(confirmed)
        gained = confirmed.confidence - flagged.get("confidence", memory.confidence)
        effects = propagate(change, confirmed, gained, now, f"{id} was confirmed")
        detail = {"confidence": memory.confidence, **_effects_detail(effects), **_by(source)}
        change.note(id, now, "confirm", "", detail)
    return confirmed


def _verified(change: MemoryChange, memory: Memory, flagged: Mapping[str, Any], now: datetime) -> Memory:
    undo_propagation(change, flagged.get("felt", {}), now, f"{memory.id} was confirmed after all")
    unlink(change, memory)
    accepted = without_conflict(_accept_proposal(change, memory, now))
    stale_at = None if accepted.is_stale(now) else accepted.stale_at
    return replace(accepted, verified=True, confidence=bounded(memory, 1.0), needs_review=False, stale_at=stale_at)


def _check_agent_may_confirm(memory: Memory, flagged: Mapping[str, Any]) -> None:
    if flagged or memory.quarantined:
        raise NotPermitted(f"memory {memory.id} waits for a person's review")
    if not memory.is_current:
        raise InvalidInput(f"{memory.id} is forgotten or superseded", hint="Search for the one that holds now.")


def flag(memories: MemoryWriting, id: str, why: str, now: datetime) -> Memory:
    """Marks a memory as doubtful: for review, not verified, half the confidence. Related memories change accordingly.

    `confirm` undoes this; a second flag changes nothing.
    """
    with memories.change(durable=True, undoable="flag") as change:
        memory = _get(change, id)
        confidence = memory.confidence if _flag_detail(change, id) else memory.confidence * _FLAGGED_FACTOR
        flagged = replace(memory, needs_review=True, verified=False, confidence=confidence)
        change.put(flagged)
        lost = confidence - memory.confidence
        effects = propagate(change, flagged, lost, now, f"{id} was flagged") if lost else {}
        change.note(id, now, "flag", why, {"confidence": memory.confidence, **_effects_detail(effects)} if lost else {})
    return flagged


def pin(memories: MemoryWriting, id: str, now: datetime, on: bool = True) -> Memory:
    """Pins or unpins a memory. A pinned memory never decays and is never pruned."""
    verb = "pin" if on else "unpin"
    with memories.change(durable=True, undoable=verb) as change:
        pinned = replace(_get(change, id), pinned=on)
        change.put(pinned)
        change.note(id, now, verb)
    return pinned


def release(memories: MemoryWriting, id: str, now: datetime) -> Memory:
    """Lets model endpoints see a memory from which a secret was removed."""
    with memories.change(durable=True, undoable="release") as change:
        memory = _get(change, id)
        if not stays_local(memory.content) and not memory.redacted:
            raise InvalidInput(f"no secret was removed from memory {id}", hint="It is not kept from models.")
        free = replace(memory, content=released(memory.content), redacted=False)
        change.put(free)
        change.note(id, now, "release")
    return free


def forget_all(
    memories: MemoryWriting, ids: Sequence[str], reason: str, now: datetime, source: str = USER_TAUGHT
) -> tuple[Memory, ...]:
    """Hides memories, all or none; `restore` brings one back, `undo` all of them.

    Raises NotPermitted when a program asks for a person's memory.
    """
    with memories.change(durable=True, undoable="forget") as change:
        known = [_get(change, id) for id in ids]
        for memory in known:
            if source != USER_TAUGHT and memory.is_persons:
                raise NotPermitted(f"a person taught, confirmed or pinned memory {memory.id}")
            if source != USER_TAUGHT and memory.visibility == "personal":
                raise NotPermitted(f"memory {memory.id} is personal and holds in all projects")
        forgotten = tuple(replace(memory, forgotten_at=now) for memory in known)
        for memory in forgotten:
            change.put(memory)
            unlink(change, memory)
            change.note(memory.id, now, "forget", reason, _by(source))
    return forgotten


def restore(memories: MemoryWriting, id: str, now: datetime) -> tuple[Memory, tuple[str, ...]]:
    """Restores a forgotten, superseded or stale memory.

    Its replacements are forgotten, including later corrections; a memory that it was merged into stays. Returns the
    memory and the ids of the forgotten replacements.
    """
    with memories.change(durable=True, undoable="restore") as change:
        old = _get(change, id)
        if old.is_erased:
            raise InvalidInput(f"the text of memory {id} was erased", hint="Store it again with `holdfast remember`.")
        if old.is_current and not old.is_stale(now):
            raise InvalidInput(f"memory {id} is neither forgotten nor superseded", hint="Nothing to restore.")
        replaced: tuple[str, ...] = ()
        if old.valid_until is not None:
            replaced = _withdraw_successors(change, old, now)
            undo_propagation(change, _last_detail(change, id, "supersede").get("felt", {}), now, f"{id} was restored")
        confidence = old.attributes.get("confidence_before", old.confidence)
        attributes = {k: v for k, v in old.attributes.items() if k not in _FOR_RESTORE}
        restored = replace(old, forgotten_at=None, valid_until=None, confidence=confidence, attributes=attributes)
        if old.is_stale(now):
            # Without the anchors of deleted code, which would retire it again.
            restored = replace(restored, stale_at=None, anchors=tuple(a for a in old.anchors if a.state != GONE))
        change.put(restored)
        link(change, restored)
        change.note(id, now, "restore", "", {"instead_of": list(replaced), "confidence": old.confidence})
    return restored, replaced


def lapse(memories: MemoryWriting, reasons: Mapping[str, str], now: datetime) -> None:
    """Marks memories as stale, by id, unless a person taught, confirmed, pinned or restored them."""
    with memories.change(durable=False) as change:
        for memory in filter(None, map(change.get, reasons)):
            is_restored = any(event.verb == "restore" for event in change.events(memory.id))
            if memory.is_current and not memory.is_stale(now) and not memory.is_persons and not is_restored:
                change.put(replace(memory, stale_at=now))
                change.note(memory.id, now, "lapse", reasons[memory.id])


def rename_files(memories: MemoryWriting, ids: Iterable[str], renamed: RenamedFiles, now: datetime) -> None:
    """Gives the files of memories their present names, in the texts that the observer wrote, too."""
    with memories.change(durable=False) as change:
        for memory in filter(None, map(change.get, ids)):
            after = renamed.memory(memory)
            if after != memory:
                change.put(after)
                named = [path for path in memory.files if renamed.path(path) != path]
                change.note(memory.id, now, "follow", ", ".join(f"{path} → {renamed.path(path)}" for path in named))


def undo(memories: MemoryWriting, project: str, now: datetime, dry_run: bool = False) -> Operation:
    """Undoes the latest operation of a project: what it added is forgotten, what it changed is as before.

    With `dry_run`, returns the operation and changes nothing.
    """
    with memories.change(durable=not dry_run) as change:
        operation = change.latest_operation(project)
        if operation is None:
            raise NotFound("a change to undo", hint="`holdfast list --forgotten` shows what can be restored.")
        if not dry_run:
            change.mark_undone(operation, _bring_back(change, operation, "undo", now))
    return operation


def redo(memories: MemoryWriting, project: str, now: datetime) -> Operation:
    """Does again what was undone last, unless something was changed since."""
    with memories.change(durable=True) as change:
        operation = change.undone_operation(project)
        if operation is None:
            raise NotFound("an undone change that can be done again", hint="`holdfast log` lists the latest changes.")
        change.mark_redone(operation, _bring_back(change, operation, "redo", now))
    return operation


def _bring_back(change: MemoryChange, operation: Operation, verb: str, now: datetime) -> dict[str, Memory]:
    """Brings back the values that an operation keeps of its memories; what it added is forgotten."""
    restored = {}
    for memory, before in operation.changes:
        restored[memory.id] = replace(memory, forgotten_at=now) if before is None else before
        change.put(restored[memory.id])
        change.note(memory.id, now, verb, operation.verb, {"confidence": memory.confidence})
    return restored


def supersede(
    change: MemoryChange,
    old: Memory,
    by: str,
    now: datetime,
    reason: str,
    *,
    merged: bool = False,
    until: datetime | None = None,
) -> Memory:
    """Marks a memory as superseded, inside the caller's transaction: replaced by a newer one, or `merged` into another.

    Its validity ends now, or at `until` if that is after its beginning. Its loss of confidence
    propagates to related memories, unless it was merged: then its statement still holds.
    """
    attributes = {**old.attributes, "confidence_before": old.confidence, **({"merged_into": by} if merged else {})}
    end = until if until is not None and (old.event_time or old.created_at) < until < now else now
    ended = replace(old, valid_until=end, attributes=attributes)
    ended = replace(ended, confidence=bounded(ended, old.confidence))
    change.put(ended)
    unlink(change, ended)
    lost = 0.0 if merged else ended.confidence - old.confidence
    effects = propagate(change, ended, lost, now, f"{old.id} was superseded") if lost else {}
    detail = {"by": by, "confidence": old.confidence, **_effects_detail(effects)}
    change.note(old.id, now, "supersede", reason, detail)
    return ended


def _accept_proposal(change: MemoryChange, memory: Memory, now: datetime) -> Memory:
    """Lets a confirmed proposal replace the memory that it corrects, if that is still believed."""
    if memory.proposal_for is None:
        return memory
    attributes = {name: value for name, value in memory.attributes.items() if name != PROPOSAL}
    old = change.get(memory.proposal_for)
    if old is None or not old.is_current:
        return replace(memory, attributes=attributes)
    supersede(change, old, memory.id, now, "a person confirmed the proposed correction")
    relations = (*memory.relations, Relation("supersedes", memory=old.id))
    return replace(memory, attributes=attributes, relations=relations, pinned=memory.pinned or old.pinned)


def _by(source: str) -> dict[str, str]:
    """Names the source of an action in the history, unless it is a person."""
    return {} if source == USER_TAUGHT else {"source": source}


def is_flagged(change: MemoryChange, id: str) -> bool:
    """Did somebody doubt a memory, and nobody confirm it since?"""
    return any(event.verb == "flag" for event in _since_confirmed(change, id))


def _bound_again(change: MemoryChange, memory: Memory, code: CodeBinding) -> Memory:
    for hash, text in code.texts.items():
        change.put_code_text(memory.project, hash, text)
    return replace(memory, anchors=()).bound_to(code.anchors)


def _withdraw_successors(change: MemoryChange, old: Memory, now: datetime) -> tuple[str, ...]:
    withdrawn: list[str] = []
    for memory in change.successors(old):
        if memory.id == old.attributes.get("merged_into"):
            _unmerge(change, memory, old)
        elif not memory.forgotten:
            change.put(replace(memory, forgotten_at=now))
            change.note(memory.id, now, "forget", f"{old.id} was restored")
            withdrawn += [memory.id, *_withdraw_successors(change, memory, now)]
    return tuple(withdrawn)


def _unmerge(change: MemoryChange, kept: Memory, old: Memory) -> None:
    """Separates two merged memories."""
    current = change.get(kept.id) or kept
    change.put(replace(current, relations=tuple(r for r in current.relations if r.memory != old.id)))


def _flag_detail(change: MemoryChange, id: str) -> Mapping[str, Any]:
    """The detail of the flag in force, which is the first since the last confirmation. Empty if there is none."""
    flags = (event.detail for event in _since_confirmed(change, id) if event.verb == "flag" and event.detail)
    return next(flags, {})


def _since_confirmed(change: MemoryChange, id: str) -> tuple[MemoryEvent, ...]:
    events = change.events(id)
    last = max((at for at, event in enumerate(events) if event.verb == "confirm"), default=-1)
    return events[last + 1 :]


def _last_detail(change: MemoryChange, id: str, verb: str) -> Mapping[str, Any]:
    return next((event.detail for event in reversed(change.events(id)) if event.verb == verb), {})


def _effects_detail(effects: Mapping[str, float]) -> dict[str, Any]:
    """The changes of related memories, as the detail of an event, so that they can be undone."""
    return {"felt": dict(effects)} if effects else {}


def _get(change: MemoryChange, id: str) -> Memory:
    memory = change.get(id)
    if memory is None:
        raise NotFound(f"memory {id}")
    return memory
