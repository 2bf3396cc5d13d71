"""The nightly job that reads memories with few known names again."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import datetime
from typing import TYPE_CHECKING, Any

from holdfast.core.frozen import frozen

if TYPE_CHECKING:
    from holdfast.core.progress import Progress
    from holdfast.models.protocols import Chat
    from holdfast.store.writing.entities import EntityWriting


@frozen
class Enrichment:
    """Finds names with the language model if there is one, else with the statistical reader alone."""

    setting: str
    entities: EntityWriting
    chat: Callable[[], Chat | None]
    now: Callable[[], datetime]

    def __call__(self, progress: Progress) -> Mapping[str, Any]:
        from holdfast.core.reason import Reason
        from holdfast.entities.enrich import enrich
        from holdfast.entities.entity_reasons import EntityCode
        from holdfast.entities.link_job import NameLinking
        from holdfast.entities.llm import LlmReader
        from holdfast.entities.statistical import StatisticalReader
        from holdfast.entities.strategies import NameExtractor

        if self.setting != "accurate":
            return {"enriched": 0, "skipped": Reason.of(EntityCode.NOT_ACCURATE, value=self.setting)}
        statistical, chat = StatisticalReader(), self.chat()
        extractors = [NameExtractor((statistical, LlmReader(chat)))] if chat else []
        done = enrich(self.entities, [*extractors, NameExtractor((statistical,))], self.now, progress)
        # A name found at night may be in older memories in another form.
        return done if "stopped" in done else {**done, **_linked(NameLinking(self.entities, self.now)(progress))}


def _linked(result: Mapping[str, Any]) -> Mapping[str, Any]:
    return {"older_links": result["links"], **{name: why for name, why in result.items() if name == "stopped"}}
