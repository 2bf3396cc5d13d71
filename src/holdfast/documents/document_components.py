"""Builds the components that index documents, each when it is first used."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

from holdfast.core.answer import Filters
from holdfast.core.built_once import built_once
from holdfast.core.errors import NotFound
from holdfast.core.frozen import frozen

if TYPE_CHECKING:
    from holdfast.core.document import RestoredDocuments
    from holdfast.core.settings import Settings
    from holdfast.documents.clean import DocumentCleaner
    from holdfast.documents.code_files import CodeDocuments, CodeFiles
    from holdfast.documents.document_graph import DocumentGraph
    from holdfast.documents.document_index import Indexer
    from holdfast.documents.library import Library
    from holdfast.documents.related import RelatedDocument
    from holdfast.documents.validate import Contradiction
    from holdfast.intake.intake_components import IntakeComponents
    from holdfast.models.protocols import Embedder
    from holdfast.store.protocol import Store


@frozen(slots=False, eq=False)
class DocumentComponents:
    """The documents of one project."""

    settings: Settings
    store: Store
    intake: IntakeComponents

    @built_once
    def library(self) -> Library:
        """Stores documents by path."""
        from holdfast.documents.library import Library

        intake = self.intake
        return Library(self.store.documents, intake.ids, intake.now, intake.project, intake.root)

    @built_once
    def graph(self) -> DocumentGraph:
        """References, ranks and successors of the documents, and the decisions learned from them."""
        from holdfast.documents.decisions import DecisionRecords
        from holdfast.documents.document_graph import DocumentGraph

        # Records are not compared with similar memories: a record is identified by its document, and records with
        # similar texts decide different things.
        intake = replace(self.intake.intake, find_similar=lambda *_, **__: ())
        decisions = DecisionRecords(self.store.records, self.store.reading, intake.admit_all)
        return DocumentGraph(self.store.links, decisions.refresh)

    def indexer(self, preset: str | None) -> Indexer:
        """Indexes the files that a preset and the settings name."""
        from holdfast.documents.document_index import Indexer
        from holdfast.documents.index_rules import chosen

        rules = chosen(preset or self.settings.index_preset, self.settings.index_roots, self.settings.index_ignore)
        refresh = partial(self.graph.refresh, self.intake.project)
        return Indexer(self.library, self.store.links, rules, self.settings.index_max_bytes, refresh)

    def code(self, files: CodeFiles) -> CodeDocuments:
        """Keeps the project's code searchable."""
        from holdfast.documents.code_files import CodeDocuments

        return CodeDocuments(self.library, files)

    def cleaner(self, embedder: Embedder | None) -> DocumentCleaner:
        """Removes repeated chunks and unused documents; compares the vectors of that embedder."""
        from holdfast.documents.clean import DocumentCleaner

        intake = self.intake
        return DocumentCleaner(
            self.store.cleaning, self.store.reading, intake.ids, intake.now, intake.project, embedder
        )

    def undo_cleaning(self) -> RestoredDocuments:
        """Restores everything the latest cleaning removed. Raises NotFound when there is nothing to undo."""
        restored = self.cleaner(None).undo()
        if restored is None:
            raise NotFound("a `holdfast gc --apply` to undo", hint="Nothing was removed, or it is restored already.")
        return restored

    def validate(self, change: str | None, recipe: str) -> tuple[Contradiction, ...]:
        """Returns the contradictions between a change's delta specs and the current specs, or else among memories."""
        from pathlib import Path

        from holdfast.documents.validate import validate_change, validate_memories

        if change is not None:
            return validate_change(Path(self.intake.root, change), recipe=recipe)
        learned = Filters(types=self.intake.types.comparable)
        return validate_memories(self.store.reading.each(self.intake.project, learned), recipe)

    def related(self, path: str, limit: int) -> tuple[RelatedDocument, ...]:
        """Returns the documents related to the one at a path."""
        from holdfast.documents.related import find_related

        return find_related(self.library, self.store.links, self.store.reading, self.graph, path, limit)
