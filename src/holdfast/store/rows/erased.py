"""Memories without erased text."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import TYPE_CHECKING

from holdfast.core.citation import cite
from holdfast.core.memory import ERASED, Memory, empty_mapping

if TYPE_CHECKING:
    from holdfast.text.removal import SentenceRemoval

_NOTHING = " \n\t-*#>.,;:!?\"'()[]"


def emptied(memory: Memory) -> Memory:
    """An erased memory, without any text of its own: its row stays, so that its id is never taken in again."""
    return replace(
        memory, content=ERASED, citation=None, tags=(), files=(), modules=(), anchors=(), impacted_nodes=(),
        questions=(), target_node=None, fields=empty_mapping(), attributes=empty_mapping(), work_unit=None, chunk=None,
        forgotten_at=memory.forgotten_at or memory.created_at,
    )  # fmt: skip


def without_sentences(memory: Memory, removal: SentenceRemoval) -> Memory:
    """A memory without the sentences that repeat erased text; if nothing else is left of it, it is erased, too."""
    content = removal.clean(memory.content)
    if content != memory.content and not content.replace(ERASED, "").strip(_NOTHING):
        return emptied(memory)
    citation = memory.citation
    if citation and (content != memory.content or citation != cite(content)):
        citation = removal.clean(citation) or None
    return replace(
        memory,
        content=content,
        citation=citation,
        tags=tuple(tag for tag in map(removal.clean, memory.tags) if tag),
        questions=tuple(q for q in memory.questions if removal.clean(q) == q),
        fields=json.loads(removal.clean_json(json.dumps(dict(memory.fields)))),
        attributes=json.loads(removal.clean_json(json.dumps(dict(memory.attributes)))),
    )
