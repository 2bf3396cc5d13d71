"""Builds what agents are given during their work, each part on first use."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime
from typing import TYPE_CHECKING

from holdfast.core.built_once import built_once
from holdfast.core.frozen import frozen

if TYPE_CHECKING:
    from holdfast.core.memory_types import TypeRegistry
    from holdfast.core.methodology import Methodology
    from holdfast.core.settings import Settings
    from holdfast.inject.opening import Opening
    from holdfast.models.components import ModelComponents
    from holdfast.recall.usage import UsageCounter
    from holdfast.store.protocol import Store


@frozen(slots=False, eq=False)
class InjectComponents:
    """Injection for one project."""

    settings: Settings
    store: Store
    usage: UsageCounter
    models: ModelComponents
    types: TypeRegistry
    methodology: Callable[[], Methodology]
    now: Callable[[], datetime]
    project: str

    @built_once
    def opening(self) -> Opening:
        """What a session starts with."""
        from holdfast.inject.opening import Opening

        return Opening(
            reading=self.store.reading,
            usage=self.usage,
            tokens=self.models.tokens,
            types=self.types,
            format_work_state=self.methodology().format_work_state,
            now=self.now,
            project=self.project,
            trust_level=self.settings.trust_level,
            near_duplicate=self.settings.near_duplicate,
        )
