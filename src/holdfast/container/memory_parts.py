"""Builds what describes and changes stored memories."""

from __future__ import annotations

from typing import TYPE_CHECKING

from holdfast.codegraph.anchors.code_memory import CodeMemory
from holdfast.core.built_once import later
from holdfast.trust.code_state import CodeState
from holdfast.trust.review import Review

if TYPE_CHECKING:
    from holdfast.container import Container


def review(c: Container) -> Review:
    return Review(c.store.memories, c.reading, c.project, c.now, c.redact, later(lambda: c.code_memory.bind))


def code_memory(c: Container) -> CodeMemory:
    def state() -> CodeState:
        return CodeState(c.store.memories, c.types, c.now)

    return CodeMemory(c.reading, state, c.types, c.redact, c.project, c.root)
