"""Holdfast: long-term memory for AI agents.

import holdfast

with holdfast.open() as ws:
    ws.remember("Deploys go out on Tuesdays, never on Fridays.", type="decision")
    print(ws.recall("when do we deploy?").hits[0].text)
"""

from __future__ import annotations

from holdfast.version import __version__

TYPE_CHECKING = False  # Not imported from typing: that import would double the start-up time of a hook.
if TYPE_CHECKING:
    from typing import Any

    from holdfast.conversation.consolidate import ConsolidationReport, SessionReport
    from holdfast.conversation.memory_files.sync import SyncChange, SyncReport
    from holdfast.conversation.reflect import ReflectionReport
    from holdfast.conversation.session import Session
    from holdfast.conversation.transcripts.importer import ImportReport
    from holdfast.core.admission import Admission, Candidate, Outcome
    from holdfast.core.anchor import CodeAnchor, Freshness
    from holdfast.core.answer import Filters, Hit, Pack, Recall
    from holdfast.core.code import CodeIndexState, CodeReport, ScipReport
    from holdfast.core.code_analysis import (
        AffectedTest,
        Arrival,
        ClosureRow,
        CoChange,
        CodeModule,
        DataFlow,
        Dependencies,
        ErrorFlow,
        FlowStep,
        Impact,
        LinkedMemory,
        ModuleLink,
        ModuleMap,
        ReachedCode,
        UnresolvedUse,
    )
    from holdfast.core.conversation import Message, SessionState
    from holdfast.core.document import Chunk, Document, DocumentReport, RestoredDocuments
    from holdfast.core.entity import Entity, EntityProfile
    from holdfast.core.errors import (
        CeilingReached,
        FileNotWritten,
        HoldfastError,
        InvalidFile,
        InvalidInput,
        InvalidMemory,
        InvalidSettings,
        ModelDamaged,
        ModelError,
        ModelGarbled,
        ModelMissing,
        ModelRefused,
        ModelUnreachable,
        NotFound,
        NotInstalled,
        NotPermitted,
        Overtaken,
        StoreBusy,
        StoreClosed,
        StoreDamaged,
        StoreError,
        StoreForeign,
        StoreFull,
        StoreNewer,
        StoreOlder,
        StoreReadOnly,
        StoreReplaced,
        UnknownType,
    )
    from holdfast.core.health import DailyUsage, Health, HealthFinding, HealthLevel, JobRun, Stats, TypeCount
    from holdfast.core.item import ItemChange, StoredItem
    from holdfast.core.memory import ChunkLocation, Memory, Relation, Taint, WorkUnit
    from holdfast.core.memory_description import LoggedOperation, MemoryDescription, MemoryEvent, Operation
    from holdfast.core.memory_types import MemoryType, TypeRegistry
    from holdfast.core.memory_use import MemoryUse, SessionNote, SessionSummary
    from holdfast.core.project_description import ProjectDescription, ProjectSummary
    from holdfast.core.reason import Code, Reason
    from holdfast.core.settings import Settings
    from holdfast.core.type_fields import Field
    from holdfast.documents.clean import CleanReport
    from holdfast.documents.index import IndexReport
    from holdfast.documents.related import RelatedDocument
    from holdfast.documents.validate import Contradiction
    from holdfast.importers.importer import FileImportReport, ImportedFile
    from holdfast.intake.items import ItemKeeper
    from holdfast.models.installed import InstalledModel
    from holdfast.observer.observer import ObserverReport
    from holdfast.observer.prefetch import PredictedFile
    from holdfast.observer.qa import QaFailure
    from holdfast.upkeep.erasure import ErasureReport
    from holdfast.upkeep.survey import ProjectSurvey
    from holdfast.workspace import Workspace, open

__all__ = [
    "Admission",
    "AffectedTest",
    "Arrival",
    "Candidate",
    "CeilingReached",
    "Chunk",
    "ChunkLocation",
    "CleanReport",
    "ClosureRow",
    "CoChange",
    "Code",
    "CodeAnchor",
    "CodeIndexState",
    "CodeModule",
    "CodeReport",
    "ConsolidationReport",
    "Contradiction",
    "DailyUsage",
    "DataFlow",
    "Dependencies",
    "Document",
    "DocumentReport",
    "Entity",
    "EntityProfile",
    "ErasureReport",
    "ErrorFlow",
    "Field",
    "FileImportReport",
    "FileNotWritten",
    "Filters",
    "FlowStep",
    "Freshness",
    "Health",
    "HealthFinding",
    "HealthLevel",
    "Hit",
    "HoldfastError",
    "Impact",
    "ImportReport",
    "ImportedFile",
    "IndexReport",
    "InstalledModel",
    "InvalidFile",
    "InvalidInput",
    "InvalidMemory",
    "InvalidSettings",
    "ItemChange",
    "ItemKeeper",
    "JobRun",
    "LinkedMemory",
    "LoggedOperation",
    "Memory",
    "MemoryDescription",
    "MemoryEvent",
    "MemoryType",
    "MemoryUse",
    "Message",
    "ModelDamaged",
    "ModelError",
    "ModelGarbled",
    "ModelMissing",
    "ModelRefused",
    "ModelUnreachable",
    "ModuleLink",
    "ModuleMap",
    "NotFound",
    "NotInstalled",
    "NotPermitted",
    "ObserverReport",
    "Operation",
    "Outcome",
    "Overtaken",
    "Pack",
    "PredictedFile",
    "ProjectDescription",
    "ProjectSummary",
    "ProjectSurvey",
    "QaFailure",
    "ReachedCode",
    "Reason",
    "Recall",
    "ReflectionReport",
    "RelatedDocument",
    "Relation",
    "RestoredDocuments",
    "ScipReport",
    "Session",
    "SessionNote",
    "SessionReport",
    "SessionState",
    "SessionSummary",
    "Settings",
    "Stats",
    "StoreBusy",
    "StoreClosed",
    "StoreDamaged",
    "StoreError",
    "StoreForeign",
    "StoreFull",
    "StoreNewer",
    "StoreOlder",
    "StoreReadOnly",
    "StoreReplaced",
    "StoredItem",
    "SyncChange",
    "SyncReport",
    "Taint",
    "TypeCount",
    "TypeRegistry",
    "UnknownType",
    "UnresolvedUse",
    "WorkUnit",
    "Workspace",
    "__version__",
    "open",
]  # fmt: skip

_HOMES = {
    "conversation.consolidate": ("ConsolidationReport", "SessionReport"),
    "conversation.memory_files.sync": ("SyncChange", "SyncReport"),
    "conversation.reflect": ("ReflectionReport",),
    "conversation.session": ("Session",),
    "conversation.transcripts.importer": ("ImportReport",),
    "core.admission": ("Admission", "Candidate", "Outcome"),
    "core.anchor": ("CodeAnchor", "Freshness"),
    "core.answer": ("Filters", "Hit", "Pack", "Recall"),
    "core.code": ("CodeIndexState", "CodeReport", "ScipReport"),
    "core.code_analysis": (
        "AffectedTest", "Arrival", "ClosureRow", "CoChange", "CodeModule", "DataFlow", "Dependencies", "ErrorFlow",
        "FlowStep", "Impact", "LinkedMemory", "ModuleLink", "ModuleMap", "ReachedCode", "UnresolvedUse",
    ),
    "core.conversation": ("Message", "SessionState"),
    "core.document": ("Chunk", "Document", "DocumentReport", "RestoredDocuments"),
    "core.entity": ("Entity", "EntityProfile"),
    "core.errors": (
        "CeilingReached", "FileNotWritten", "HoldfastError", "InvalidFile", "InvalidInput", "InvalidMemory",
        "InvalidSettings", "ModelDamaged", "ModelError", "ModelGarbled", "ModelMissing", "ModelRefused",
        "ModelUnreachable",
        "NotFound", "NotInstalled", "NotPermitted", "Overtaken", "StoreBusy", "StoreClosed", "StoreDamaged",
        "StoreError", "StoreForeign", "StoreFull", "StoreNewer", "StoreOlder", "StoreReadOnly", "StoreReplaced",
        "UnknownType",
    ),
    "core.health": ("DailyUsage", "Health", "HealthFinding", "HealthLevel", "JobRun", "Stats", "TypeCount"),
    "core.item": ("ItemChange", "StoredItem"),
    "core.memory": ("ChunkLocation", "Memory", "Relation", "Taint", "WorkUnit"),
    "core.memory_description": ("LoggedOperation", "MemoryDescription", "MemoryEvent", "Operation"),
    "core.memory_types": ("MemoryType", "TypeRegistry"),
    "core.project_description": ("ProjectDescription", "ProjectSummary"),
    "core.reason": ("Code", "Reason"),
    "core.settings": ("Settings",),
    "core.type_fields": ("Field",),
    "documents.clean": ("CleanReport",),
    "documents.index": ("IndexReport",),
    "documents.related": ("RelatedDocument",),
    "documents.validate": ("Contradiction",),
    "importers.importer": ("FileImportReport", "ImportedFile"),
    "intake.items": ("ItemKeeper",),
    "models.installed": ("InstalledModel",),
    "observer.observer": ("ObserverReport",),
    "observer.prefetch": ("PredictedFile",),
    "observer.qa": ("QaFailure",),
    "upkeep.erasure": ("ErasureReport",),
    "upkeep.survey": ("ProjectSurvey",),
    "core.memory_use": ("MemoryUse", "SessionNote", "SessionSummary"),
    "workspace": ("Workspace", "open"),
}  # fmt: skip


def __getattr__(name: str) -> Any:
    """Imports an exported name on first use: a hook imports this package at every tool call and needs few of them."""
    for home, names in _HOMES.items():
        if name in names:
            from importlib import import_module

            return getattr(import_module(f"holdfast.{home}"), name)
    raise AttributeError(f"module 'holdfast' has no attribute {name!r}")


def __dir__() -> list[str]:
    return list(__all__)
