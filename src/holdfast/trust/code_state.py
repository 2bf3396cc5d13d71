"""Applies what a check of code found to the memories that are bound to it.

A memory follows code that moved. It is retired when all its code is gone, unless its type outlives code or it is
pinned, and returns with the code. What a person taught or confirmed is marked for review instead: anybody may delete a
file, but only a person may forget that. Every change is an event of its history.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import replace
from datetime import datetime
from typing import TYPE_CHECKING

from holdfast.core.anchor import GONE, CodeAnchor, Freshness
from holdfast.core.frozen import frozen
from holdfast.core.memory_types import RETIRE, TypeRegistry
from holdfast.core.renamed_files import RenamedFiles
from holdfast.trust.actions import is_flagged

if TYPE_CHECKING:
    from holdfast.core.memory import Memory
    from holdfast.store.writing.memories import MemoryChange, MemoryWriting

Anchors = tuple[CodeAnchor, ...]
# The confidence that a memory has at least when the branch it was made on was merged.
_MERGED = 0.9
# Events of code that is gone, and those after which it no longer matters.
_OF_LOSS = ("retire", "doubt", "return", "restore", "expire", "confirm")


@frozen
class CodeState:
    """Keeps the memories of one project in step with its code."""

    memories: MemoryWriting
    types: TypeRegistry
    now: Callable[[], datetime]

    def apply(self, checked: Mapping[str, tuple[Anchors, Anchors]]) -> Mapping[str, int]:
        """Stores the anchors of memories by id: as they were when they were checked, and as they are now.

        A memory whose anchors were changed by another process meanwhile stays as it is. Returns counts by verb.
        """
        done: Counter[str] = Counter()
        if not checked:
            return done
        with self.memories.change(durable=False) as change:
            for id, (before, after) in checked.items():
                memory = change.get(id)
                if memory is not None and memory.anchors == before:
                    done.update(self._update(change, memory, after))
        return done

    def _update(self, change: MemoryChange, memory: Memory, anchors: Anchors) -> list[str]:
        now, events = self.now(), dict[str, str]()
        after = replace(memory, anchors=anchors)
        for old, new in _moves(memory.anchors, anchors):
            after = _moved(after, old, new)
            events["follow"] = f"{old.node} → {new.node}"
        if self._is_obsolete(after) and after.is_persons and not self._is_obsolete(memory) and not memory.needs_review:
            after = replace(after, needs_review=True)
            events["doubt"] = "the code is gone"
        elif self._is_obsolete(after) and not after.is_persons and not after.is_stale(now):
            after = replace(after, stale_at=now)
            events["retire"] = "the code is gone"
        elif not self._is_obsolete(after) and (lost := _lost(change, memory)):
            doubtful = memory.needs_review and (lost == "retire" or is_flagged(change, memory.id))
            after = replace(after, needs_review=doubtful, stale_at=None if lost == "retire" else memory.stale_at)
            events["return"] = "the code is back"
        elif verb := _compared(memory.freshness, after.freshness):
            events[verb] = ", ".join(after.freshness.flagged) if after.freshness else ""
        if _is_merged(memory.anchors, anchors) and not is_flagged(change, memory.id):
            after = _confirmed(after)
            events["merged"] = ", ".join(dict.fromkeys(old.branch for old in memory.anchors if old.branch))
        change.put(after)
        self._note(change, memory, now, events)
        return list(events)

    def _note(self, change: MemoryChange, memory: Memory, now: datetime, events: Mapping[str, str]) -> None:
        for verb, reason in events.items():
            detail = {"confidence": memory.confidence} if verb == "merged" else None
            change.note(memory.id, now, verb, reason, detail)

    def _is_obsolete(self, memory: Memory) -> bool:
        freshness = memory.freshness
        is_gone = freshness is not None and freshness.state == GONE
        return is_gone and not memory.pinned and self.types.get(memory.type).when_code_is_gone == RETIRE


def _moves(before: Anchors, after: Anchors) -> list[tuple[CodeAnchor, CodeAnchor]]:
    """The anchors that lead to another place than before. A check keeps their hashes."""
    places = {(anchor.path, anchor.symbol) for anchor in after}
    lost = [anchor for anchor in before if (anchor.path, anchor.symbol) not in places]
    by_hash = {anchor.hash: anchor for anchor in after}
    return [(old, by_hash[old.hash]) for old in lost if old.hash in by_hash]


def _moved(memory: Memory, old: CodeAnchor, new: CodeAnchor) -> Memory:
    node = new.node if memory.target_node == old.node else memory.target_node
    impacted = tuple(new.node if name == old.node else name for name in memory.impacted_nodes)
    moved = replace(memory, target_node=node, impacted_nodes=impacted)
    return RenamedFiles({old.path: new.path}).memory(moved)


def _compared(before: Freshness | None, after: Freshness | None) -> str | None:
    """The event of a memory whose code changed, or is again as it was; None if neither."""
    if before is None or after is None or before.flagged == after.flagged:
        return None
    return "stale" if after.flagged else "fresh"


def _lost(change: MemoryChange, memory: Memory) -> str:
    """The event by which a check retired a memory or marked it for review; "" if nothing is to be taken back."""
    if memory.stale_at is None and not memory.needs_review:
        return ""
    verbs = [event.verb for event in change.events(memory.id) if event.verb in _OF_LOSS]
    return verbs[-1] if verbs and verbs[-1] in ("retire", "doubt") else ""


def _is_merged(before: Anchors, after: Anchors) -> bool:
    """Was the last branch that the memory waited for merged?"""
    return any(anchor.branch for anchor in before) and not any(anchor.branch for anchor in after)


def _confirmed(memory: Memory) -> Memory:
    raised = max(memory.confidence, _MERGED) if memory.taint is None else memory.confidence
    return replace(memory, confidence=raised, needs_review=memory.needs_review and memory.taint is not None)
