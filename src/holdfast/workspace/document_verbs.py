"""The operations on documents."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from datetime import datetime
from typing import TYPE_CHECKING

from holdfast.core.arguments import several
from holdfast.core.filters import check_limit
from holdfast.workspace.operation_verbs import Operations

if TYPE_CHECKING:
    from holdfast.core.document import Document, DocumentReport, RestoredDocuments
    from holdfast.documents.clean import CleanReport
    from holdfast.documents.document_index import IndexReport
    from holdfast.documents.related import RelatedDocument
    from holdfast.documents.validate import Contradiction


class DocumentOperations(Operations):
    """Indexes, lists and cleans the documents of a project."""

    def add_document(
        self,
        path: str,
        text: str,
        kind: str = "markdown",
        *,
        title: str | None = None,
        label: str | None = None,
        doc_type: str | None = None,
        modified: datetime | None = None,
    ) -> DocumentReport:
        """Indexes a text (`markdown`, `text` or `code`) as the document at a path. Unchanged chunks keep their ids."""
        about = {"title": title, "label": label, "doc_type": doc_type}
        return self._then_wake(self.container.library.add(path, text, kind, modified=modified, **about))

    def index(
        self,
        paths: Iterable[str] | None = None,
        rehash: bool = False,
        watch: Callable[[IndexReport], None] | None = None,
        preset: str | None = None,
        progress: Callable[[int, int, str], None] = lambda done, total, path: None,
        docs: bool = True,
        code: bool | None = None,
    ) -> IndexReport:
        """Indexes the documents and the code of the project, or only the files and folders named.

        Skips files whose size and time are unchanged, unless `rehash`. With `watch` it continues until interrupted
        and reports every run, including the first. `docs` and `code` choose what to index; by default the setting
        `index_code` decides about code.
        """
        from holdfast.indexing.project_index import IndexRequest, ProjectIndexer

        code = self.container.settings.index_code if code is None else code
        request = IndexRequest(None if paths is None else [*several(paths)], rehash, preset, docs, code)
        indexer = ProjectIndexer(self.container, self._then_wake)
        return indexer.index(request, watch, progress)

    def remove_document(self, path: str) -> int:
        """Removes a document from the index; returns the number of its chunks."""
        return self.container.library.remove(path)

    def documents(self) -> tuple[Document, ...]:
        """All indexed documents, by path."""
        return self._counted().reading.documents(self.project)

    def related(self, path: str, limit: int = 5) -> tuple[RelatedDocument, ...]:
        """The documents most often found together with one, then those linked with it."""
        from holdfast.documents.related import find_related

        c = self._counted()
        return find_related(c.library, c.store.links, c.reading, c.document_graph, path, check_limit(limit))

    def validate(self, change: str | None = None, recipe: str = "default") -> tuple[Contradiction, ...]:
        """Finds contradictions: between a change's delta specs and the current specs, or else among memories.

        A finding of level `reject` is certain enough to fail a check; `warn` needs a person's judgement.
        """
        from pathlib import Path

        from holdfast.core.answer import Filters
        from holdfast.documents.validate import validate_change, validate_memories

        if change is not None:
            return validate_change(Path(self.container.root, change), recipe=recipe)
        learned = Filters(types=self.container.types.comparable)
        return validate_memories(self.container.reading.each(self.project, learned), recipe)

    def gc(self, dry_run: bool = True) -> CleanReport:
        """Removes chunks that newer documents repeat, and documents not found for a month.

        By default it only reports them. `undo_gc` restores them; until then they are not indexed again while unchanged.
        """
        return self._counted().cleaner.clean(dry_run)

    def undo_gc(self) -> RestoredDocuments:
        """Undoes the latest `gc`; called again, the one before it."""
        return self._then_wake(self.container.cleaner.undo())
