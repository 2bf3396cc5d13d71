"""Builds what finds and keeps names."""

from __future__ import annotations

from typing import TYPE_CHECKING

from holdfast.entities.declared_entities import DeclaredLibraries
from holdfast.entities.registered import RegisteredNames
from holdfast.entities.strategies import FastNames
from holdfast.models.whole_words import whole_words

if TYPE_CHECKING:
    from holdfast.container import Container
    from holdfast.entities.enrich_job import Enrichment
    from holdfast.entities.entity_registry import Registry
    from holdfast.entities.link_job import NameLinking


def names(c: Container) -> FastNames:
    return FastNames(RegisteredNames(c.store.entities, c.project), DeclaredLibraries(c.root, whole_words))


def entities(c: Container) -> Registry:
    from holdfast.entities.entity_registry import Registry

    return Registry(c.store.entities, c.project, c.now, c.ids)


def enrichment(c: Container) -> Enrichment:
    from holdfast.entities.enrich_job import Enrichment
    from holdfast.entities.llm import FIELDS

    return Enrichment(c.settings.entities, c.store.entities, lambda: c.chats.chat("entities", FIELDS), c.now)


def name_linking(c: Container) -> NameLinking:
    from holdfast.entities.link_job import NameLinking

    return NameLinking(c.store.entities, c.now)
