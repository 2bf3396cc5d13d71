"""Builds what indexes documents."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

from holdfast.documents.decisions import DecisionRecords
from holdfast.documents.document_graph import DocumentGraph
from holdfast.documents.library import Library

if TYPE_CHECKING:
    from holdfast.container import Container
    from holdfast.documents.clean import DocumentCleaner
    from holdfast.documents.document_index import Indexer
    from holdfast.documents.index_rules import DocumentRules


def library(c: Container) -> Library:
    return Library(c.store.documents, c.ids, c.now, c.project, c.root)


def document_graph(c: Container) -> DocumentGraph:
    # Records are not compared with similar memories: a record is identified by its document, and records with
    # similar texts decide different things.
    intake = replace(c.intake, find_similar=lambda *_, **__: ())
    return DocumentGraph(c.store.links, DecisionRecords(c.store.records, c.reading, intake.admit_all).refresh)


def document_rules(c: Container, preset: str | None) -> DocumentRules:
    from holdfast.documents.index_rules import chosen

    return chosen(preset or c.settings.index_preset, c.settings.index_roots, c.settings.index_ignore)


def document_indexer(c: Container, preset: str | None) -> Indexer:
    from holdfast.documents.document_index import Indexer

    refresh = partial(c.document_graph.refresh, c.project)
    return Indexer(c.library, c.store.links, document_rules(c, preset), c.settings.index_max_bytes, refresh)


def cleaner(c: Container) -> DocumentCleaner:
    from holdfast.documents.clean import DocumentCleaner

    return DocumentCleaner(c.store.cleaning, c.reading, c.ids, c.now, c.project, c.models.embedder)
