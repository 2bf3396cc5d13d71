"""Builds intake: what stores memories."""

from __future__ import annotations

from typing import TYPE_CHECKING

from holdfast.core.built_once import later
from holdfast.intake.admit import Intake
from holdfast.intake.teaching import Teaching
from holdfast.recall.similar import SimilarByWords

if TYPE_CHECKING:
    from holdfast.container import Container
    from holdfast.core.events import BeforeWriting
    from holdfast.importers.file_importer import FileImporter
    from holdfast.intake.import_export import ImportExport
    from holdfast.intake.item_intake import ItemKeeper


def similar_by_words(c: Container) -> SimilarByWords:
    return SimilarByWords(c.reading, c.types)


def intake(c: Container) -> Intake:
    return Intake(
        memories=c.store.memories,
        find_similar=c.similar_by_words,
        types=c.types,
        ids=c.ids,
        now=c.now,
        project=c.project,
        person=lambda: c.store.projects.person(c.project),
        root=c.root,
        max_characters=c.settings.max_characters,
        near_duplicate=c.settings.near_duplicate,
        infer_type=_infer_type,
        before_writing=(c.code_memory.bind_new, *names_in_new(c), *_embedded_at_once(c)),
    )


def _infer_type(text: str) -> str:
    # Imported when called: most memories name their type.
    from holdfast.learn.keep.memory_type import infer_type

    return infer_type(text)


def names_in_new(c: Container) -> tuple[BeforeWriting, ...]:
    """Who names what is about to be written, unless the settings want no names."""
    return () if c.settings.entities == "none" else (c.names.name_new,)


def _embedded_at_once(c: Container) -> tuple[BeforeWriting, ...]:
    embedder = c.models.embedder if c.settings.embed_when == "now" else None
    if embedder is None:
        return ()
    from holdfast.upkeep.embed_job import EmbedAtOnce

    return (EmbedAtOnce(c.embedding, embedder.within(c.settings.search_timeout) if c.models.is_remote else embedder),)


def teaching(c: Container) -> Teaching:
    return Teaching(c.intake, c.review, later(lambda: c.quoted), c.settings.methodology)


def items(c: Container) -> ItemKeeper:
    from holdfast.intake.item_intake import ItemKeeper

    return ItemKeeper(c.store.items, c.project, c.now)


def import_export(c: Container) -> ImportExport:
    from holdfast.intake.import_export import ImportExport

    return ImportExport(c.store.transfer, c.intake, str(c.identity.name), c.reading.erased_anchors)


def importer(c: Container) -> FileImporter:
    from holdfast.importers.file_importer import FileImporter

    return FileImporter(c.intake, c.import_export.import_, c.reading, c.project, c.root)
