"""Builds the models that the settings name, each on first use."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from holdfast.core.built_once import built_once
from holdfast.core.errors import HoldfastError, ModelError

if TYPE_CHECKING:
    from pathlib import Path

    from holdfast.core.settings import Settings
    from holdfast.models.cached import VectorCache
    from holdfast.models.guarded import GuardedEmbedder
    from holdfast.models.installed import InstalledModel
    from holdfast.models.protocols import Embedder, Reranker, TokenCounter


@dataclass(frozen=True, eq=False)
class ModelComponents:
    """The models of one workspace.

    `cache` returns the vector cache of an embedder, `redact` removes secrets. `known_embedders` returns the ids of the
    embedders whose vectors are stored, the latest first.
    """

    settings: Settings
    data_folder: str
    cache: Callable[[str], VectorCache]
    redact: Callable[[str], str]
    known_embedders: Callable[[], Sequence[str]]

    @built_once
    def uncached(self) -> Embedder | None:
        """The embedder of the settings without a cache; None when they name none.

        Never fails: if the embedder cannot be built, the error is raised when a text is embedded.
        """
        from holdfast.models.unavailable import UnavailableEmbedder

        name = self.settings.embedder
        try:
            return self.choose()
        except HoldfastError as error:
            return UnavailableEmbedder(name, error)
        except (OSError, ImportError) as error:
            return UnavailableEmbedder(name, ModelError(f"it cannot be loaded ({error})"))

    def choose(self) -> Embedder | None:
        """Builds the embedder of the settings; raises HoldfastError if it is not installed or not described in full."""
        if self.settings.embedder == "none":
            return None
        from holdfast.models.choice import choose_embedder

        return choose_embedder(self.settings, self.folder, redact=self.redact, known=self.known_embedders)

    @built_once
    def embedder(self) -> GuardedEmbedder | None:
        """The embedder of the settings. A local model has no cache: the store has the vectors of its passages."""
        if self.uncached is None:
            return None
        from holdfast.models.cached import CachedEmbedder
        from holdfast.models.guarded import GuardedEmbedder
        from holdfast.models.local import LocalEmbedder

        inner = self.uncached
        is_local = isinstance(inner, LocalEmbedder)
        return GuardedEmbedder(inner if is_local else CachedEmbedder(inner, self.cache(inner.id)), inner)

    @property
    def embedder_id(self) -> str | None:
        """The id of the embedder, if there is one."""
        return self.embedder.id if self.embedder else None

    @property
    def is_bundled(self) -> bool:
        """Is the embedder the bundled model?"""
        if self.embedder is None or self.settings.embedder not in ("auto", "bundled"):
            return False
        from holdfast.models.local import LocalEmbedder

        return isinstance(self.uncached, LocalEmbedder)

    @built_once
    def reranker(self) -> Reranker | None:
        """The reranking endpoint of the settings, if any."""
        if not self.settings.rerank_url:
            return None
        from holdfast.models.choice import choose_reranker

        return choose_reranker(self.settings, redact=self.redact)

    @built_once
    def tokens(self) -> TokenCounter:
        """Counts the tokens of prompts."""
        from holdfast.models.tokens import PromptTokens

        return PromptTokens()

    @built_once
    def folder(self) -> Path:
        """The folder of downloaded models."""
        from pathlib import Path

        return Path(self.settings.models_folder or os.path.join(self.data_folder, "models"))

    def installed(self) -> tuple[InstalledModel, ...]:
        """The embedders that can be used without a network."""
        from holdfast.models.installed import list_models

        return list_models(self.folder)

    def pull(self, name: str, progress: Callable[[str, int, int], None]) -> InstalledModel:
        """Downloads an embedder by its hub name."""
        from holdfast.models.hub import pull

        return pull(name, self.folder, hub_url=self.settings.hub_url, progress=progress)
