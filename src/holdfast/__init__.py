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
    from holdfast.core.reason import Code, Reason
    from holdfast.core.settings import Settings
    from holdfast.core.type_fields import Field
    from holdfast.documents.clean import CleanReport
    from holdfast.documents.document_index import IndexReport
    from holdfast.documents.related import RelatedDocument
    from holdfast.documents.validate import Contradiction
    from holdfast.importers.file_importer import FileImportReport, ImportedFile
    from holdfast.intake.item_intake import ItemKeeper
    from holdfast.learn.consolidate import ConsolidationReport, SessionReport
    from holdfast.learn.reflect import ReflectionReport
    from holdfast.models.installed import InstalledModel
    from holdfast.observer.file_prediction import PredictedFile
    from holdfast.observer.observe import ObserverReport
    from holdfast.observer.qa import QaFailure
    from holdfast.sessions.memory_files.sync import SyncChange, SyncReport
    from holdfast.sessions.session import Session
    from holdfast.sessions.session_import import ImportReport
    from holdfast.system.project_description import ProjectDescription, ProjectSummary
    from holdfast.upkeep.erase import ErasureReport
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
    "learn.consolidate": ("ConsolidationReport", "SessionReport"),
    "sessions.memory_files.sync": ("SyncChange", "SyncReport"),
    "learn.reflect": ("ReflectionReport",),
    "sessions.session": ("Session",),
    "sessions.session_import": ("ImportReport",),
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
    "system.project_description": ("ProjectDescription", "ProjectSummary"),
    "core.reason": ("Code", "Reason"),
    "core.settings": ("Settings",),
    "core.type_fields": ("Field",),
    "documents.clean": ("CleanReport",),
    "documents.document_index": ("IndexReport",),
    "documents.related": ("RelatedDocument",),
    "documents.validate": ("Contradiction",),
    "importers.file_importer": ("FileImportReport", "ImportedFile"),
    "intake.item_intake": ("ItemKeeper",),
    "models.installed": ("InstalledModel",),
    "observer.observe": ("ObserverReport",),
    "observer.file_prediction": ("PredictedFile",),
    "observer.qa": ("QaFailure",),
    "upkeep.erase": ("ErasureReport",),
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
