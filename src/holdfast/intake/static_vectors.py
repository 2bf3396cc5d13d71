"""The vectors that are stored together with new texts, so that search by meaning finds them at once."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from holdfast.core.errors import ModelError

if TYPE_CHECKING:
    from holdfast.core.document import Chunk
    from holdfast.core.embedding import Embedding
    from holdfast.core.memory import Memory
    from holdfast.models.protocols import StaticModel


class StaticVectors:
    """Embeds new passages with the static size of the embedder; a store calls it inside its transactions.

    Makes no vectors if there is no such size or if its files are missing or damaged: storing a text must not fail
    because of them. The background makes the vectors later, and `holdfast doctor` reports the error.
    """

    def __init__(self) -> None:
        # Set by the container, because the models need the open store, and change with the settings.
        self.model: Callable[[], StaticModel | None] = lambda: None

    def __call__(self, owners: Sequence[Memory | Chunk]) -> Sequence[Embedding]:
        if not owners:
            return ()
        try:
            model = self.model()
            return _embedded(model, owners) if model is not None else ()
        except (ModelError, OSError, MemoryError):
            return ()


def _embedded(model: StaticModel, owners: Sequence[Memory | Chunk]) -> Sequence[Embedding]:
    # Imported here: most calls of most commands store nothing.
    from holdfast.core.embedding import Embedding
    from holdfast.models.contextual import passage_text

    packed = model.pack([passage_text(owner) for owner in owners])
    return [Embedding(model.id, model.dimensions, data, size=model.size) for data in packed]
