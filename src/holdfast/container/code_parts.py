"""Builds the code graph and what asks it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from holdfast.codegraph.closeness import CodeCloseness
from holdfast.codegraph.history.companions import CodeCompanions

if TYPE_CHECKING:
    from collections.abc import Mapping

    from holdfast.codegraph.analysis.graph_questions import CodeAnalysis
    from holdfast.codegraph.code_index import CodeIndexer, Progress
    from holdfast.container import Container


def code_analysis(c: Container) -> CodeAnalysis:
    from holdfast.codegraph.analysis.graph_questions import CodeAnalysis

    return CodeAnalysis(c.reading, lambda: c.code_indexer, c.project, c.root, c.companions.usual)


def companions(c: Container) -> CodeCompanions:
    return CodeCompanions(c.reading, c.project)


def closeness(c: Container) -> CodeCloseness:
    return CodeCloseness(c.code_analysis.graph, c.companions, c.reading, c.project)


def code_indexer(c: Container) -> CodeIndexer:
    from holdfast.codegraph.code_index import CodeIndexer

    patterns = tuple(filter(None, map(str.strip, c.settings.index_ignore.split(","))))
    return CodeIndexer(c.store.graph, c.now, c.project, c.root, patterns, lambda progress: _finish_index(c, progress))


def _finish_index(c: Container, progress: Progress) -> Mapping[str, int]:
    """Reads the history, makes changed code searchable or removes it if the settings say so, and checks memories."""
    from holdfast.codegraph.history.git_history import ProjectHistory
    from holdfast.codegraph.passages.texts import CodeTexts
    from holdfast.documents.code_files import CodeDocuments

    ProjectHistory(c.reading, c.store.graph, c.project, c.root).refresh()
    documents = CodeDocuments(c.library, CodeTexts(c.store.graph, c.project, c.root))
    if c.settings.index_code_chunks:
        documents.refresh(progress)
    else:
        documents.clear()
    return c.code_memory.check_all()
