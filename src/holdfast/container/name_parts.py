"""Builds what finds and keeps names."""

from __future__ import annotations

from typing import TYPE_CHECKING

from holdfast.entities.declared_entities import DeclaredLibraries
from holdfast.entities.registered import RegisteredNames
from holdfast.entities.strategies import FastNames
from holdfast.models.whole_words import whole_words

if TYPE_CHECKING:
    from holdfast.container import Container
    from holdfast.entities.entity_registry import Registry


def names(c: Container) -> FastNames:
    return FastNames(RegisteredNames(c.store.entities, c.project), DeclaredLibraries(c.root, whole_words))


def entities(c: Container) -> Registry:
    from holdfast.entities.entity_registry import Registry

    return Registry(c.store.entities, c.project, c.now, c.ids)
