"""Builds the components of intake, each on first use."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime
from typing import TYPE_CHECKING

from holdfast.core.built_once import built_once
from holdfast.core.frozen import frozen

if TYPE_CHECKING:
    from holdfast.core.conversation import Said
    from holdfast.core.ids import Ids
    from holdfast.core.memory_types import TypeRegistry
    from holdfast.core.settings import Settings
    from holdfast.intake.admit import BindToCode, EmbedMemory, FindSimilar, Intake
    from holdfast.intake.import_export import ImportExport
    from holdfast.intake.item_intake import ItemKeeper
    from holdfast.intake.message_intake import FindNames, MessageIntake, MessageListener
    from holdfast.intake.teaching import Teaching
    from holdfast.store.protocol import Store
    from holdfast.trust.review import Review


@frozen(slots=False, eq=False)
class IntakeComponents:
    """Intake for one project. `listeners` returns the functions to call after messages are stored."""

    settings: Settings
    store: Store
    review: Callable[[], Review]
    similar: Callable[[], FindSimilar]
    embed: EmbedMemory
    listeners: Callable[[], tuple[MessageListener, ...]]
    types: TypeRegistry
    ids: Ids
    now: Callable[[], datetime]
    project: str
    project_name: str
    root: str
    infer_type: Callable[[str], str]
    bind: BindToCode | None = None
    find_quote: Callable[[str], Said | None] = lambda quote: None
    check_methodology: Callable[[str], None] = lambda id: None

    @built_once
    def intake(self) -> Intake:
        """Stores candidates as memories."""
        from holdfast.intake.admit import Intake

        return Intake(
            memories=self.store.memories,
            find_similar=self.similar(),
            types=self.types,
            ids=self.ids,
            now=self.now,
            project=self.project,
            person=lambda: self.store.projects.person(self.project),
            root=self.root,
            max_characters=self.settings.max_characters,
            near_duplicate=self.settings.near_duplicate,
            infer_type=self.infer_type,
            embed=self.embed if self.settings.embed_when == "now" else None,
            find_names=self._find_names(),
            bind=self.bind,
        )

    @built_once
    def messages(self) -> MessageIntake:
        """Stores messages."""
        from holdfast.intake.message_intake import MessageIntake

        names = self._find_names()
        return MessageIntake(self.store.episodes, self.ids, self.now, self.project, names, self.listeners())

    @property
    def messages_used(self) -> bool:
        """Was `messages` used, so that messages may have been stored?"""
        return IntakeComponents.messages.is_built(self)

    @built_once
    def teaching(self) -> Teaching:
        """Carries out explicit changes: remember, correct, forget."""
        from holdfast.intake.teaching import Teaching

        return Teaching(self.intake, self.review(), self.find_quote, self.check_methodology)

    @built_once
    def items(self) -> ItemKeeper:
        """Keeps values of applications."""
        from holdfast.intake.item_intake import ItemKeeper

        return ItemKeeper(self.store.items, self.project, self.now)

    @built_once
    def import_export(self) -> ImportExport:
        """Exports and imports the project."""
        from holdfast.intake.import_export import ImportExport

        return ImportExport(self.store.transfer, self.intake, self.project_name, self.store.reading.erased_anchors)

    def _find_names(self) -> FindNames | None:
        if self.settings.entities == "none":
            return None
        from holdfast.entities.declared_entities import DeclaredLibraries
        from holdfast.entities.registered import RegisteredNames
        from holdfast.entities.strategies import FastNames
        from holdfast.models.whole_words import whole_words

        declared = DeclaredLibraries(self.root, whole_words)
        return FastNames(RegisteredNames(self.store.entities, self.project), declared)
