"""Holdfast: the memory an agent keeps its grip with.

import holdfast

with holdfast.open() as ws:
    ws.remember("Deploys go out on Tuesdays, never on Fridays.", type="decision")
    print(ws.recall("when do we deploy?").hits[0].text)
"""

from __future__ import annotations

from holdfast.version import __version__

TYPE_CHECKING = False  # Why not from typing: importing it would double what this page costs a hook.
if TYPE_CHECKING:
    from typing import Any

    from holdfast.core.admission import Admission, Candidate, Outcome
    from holdfast.core.answer import Filters, Hit, Pack, Recall
    from holdfast.core.errors import HoldfastError
    from holdfast.core.memory import Memory, Relation
    from holdfast.core.memory_types import Field, MemoryType, TypeRegistry
    from holdfast.core.settings import Settings
    from holdfast.workspace import Workspace, open

__all__ = [
    "Admission", "Candidate", "Field", "Filters", "Hit", "HoldfastError", "Memory", "MemoryType", "Outcome", "Pack",
    "Recall", "Relation", "Settings", "TypeRegistry", "Workspace", "__version__", "open",
]  # fmt: skip

_HOMES = {
    "core.admission": ("Admission", "Candidate", "Outcome"),
    "core.answer": ("Filters", "Hit", "Pack", "Recall"),
    "core.errors": ("HoldfastError",),
    "core.memory_types": ("Field", "MemoryType", "TypeRegistry"),
    "core.memory": ("Memory", "Relation"),
    "core.settings": ("Settings",),
    "workspace": ("Workspace", "open"),
}


def __getattr__(name: str) -> Any:
    # Why: a hook imports this package at every tool call; what it does not use it must not pay for.
    for home, names in _HOMES.items():
        if name in names:
            from importlib import import_module

            return getattr(import_module(f"holdfast.{home}"), name)
    raise AttributeError(f"module 'holdfast' has no attribute {name!r}")
