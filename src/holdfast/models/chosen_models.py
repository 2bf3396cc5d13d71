"""The models that the settings name, each built on first use."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from holdfast.core.built_once import built_once
from holdfast.core.errors import HoldfastError, ModelError
from holdfast.core.frozen import frozen

if TYPE_CHECKING:
    from pathlib import Path

    from holdfast.core.cosine_scale import CosineScales
    from holdfast.core.settings import Settings
    from holdfast.models.cached import VectorCache
    from holdfast.models.code_map import CodeMap
    from holdfast.models.guarded import GuardedEmbedder
    from holdfast.models.installed import InstalledModel
    from holdfast.models.own_model import OwnModel
    from holdfast.models.protocols import Embedder, Reranker, TextReader, TokenCounter
    from holdfast.models.static import StaticEmbedder

_OUR_NAMES = frozenset({"auto", "bundled", "static", "small", "base"})


@frozen(slots=False, eq=False)
class ChosenModels:
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

        return choose_embedder(
            self.settings, self.folder, redact=self.redact, known=self.known_embedders, own=self._own
        )

    @built_once
    def embedder(self) -> GuardedEmbedder | None:
        """The embedder of the settings. A local model has no cache: the store has the vectors of its passages."""
        if self.uncached is None:
            return None
        from holdfast.models.cached import CachedEmbedder
        from holdfast.models.guarded import GuardedEmbedder

        inner = self.uncached
        return GuardedEmbedder(inner if _is_local(inner) else CachedEmbedder(inner, self.cache(inner.id)), inner)

    @built_once
    def static(self) -> StaticEmbedder | None:
        """The static size of our model, which needs no loading. None if another model embeds, or its files are damaged.

        Damage that shows only in use is raised as ModelError when a text is embedded.
        """
        try:
            own = self._own
        except ModelError:
            return None  # `embedder` tells why
        if own is None or self._is_ollama_chosen():
            return None
        from holdfast.models.static import StaticEmbedder

        return StaticEmbedder(own)

    @built_once
    def code_map(self) -> CodeMap | None:
        """Moves vectors of code towards the queries for it. None if another model embeds."""
        if self.static is None or self._own is None:
            return None
        from holdfast.models.code_map import CodeMap

        return CodeMap(self._own)

    def load(self) -> None:
        """Loads the embedder and the reader of answers now instead of at first use; raises ModelError."""
        for each in (self.uncached, self.reader()):
            load = getattr(each, "load", None)
            if load is not None:
                load()

    def check(self) -> None:
        """Embeds a text and verifies the files of our models; raises ModelError if something is wrong."""
        from holdfast.models.reader import bundled_reader, bundled_relation_reader

        bundled_reader().verify()
        bundled_relation_reader().verify()
        if self.embedder is not None:
            self.embedder.check()
        for each in (self.uncached, self.static, self.code_map):
            verify = getattr(each, "verify", None)
            if verify is not None:
                verify()

    @property
    def card_scales(self) -> CosineScales | None:
        """The scales of the embedder's cosines, if its card has them."""
        if self.static is not None and self._own is not None:
            return self._own.card.cosines  # Without building the larger size, which a command may not need.
        scales: CosineScales | None = getattr(self.uncached, "scales", None)
        return scales

    @property
    def is_remote(self) -> bool:
        """Does the embedder run elsewhere, so that a call may take long?"""
        return self.uncached is not None and not _is_local(self.uncached)

    @property
    def is_bundled(self) -> bool:
        """Is the embedder the bundled model, in any size?"""
        return self.settings.embedder in _OUR_NAMES and self.uncached is not None and _is_local(self.uncached)

    @built_once
    def reranker(self) -> Reranker | None:
        """The reranking endpoint or cross-encoder of the settings, if any."""
        if not (self.settings.rerank_url or self.settings.rerank_model):
            return None
        from holdfast.models.choice import choose_reranker

        return choose_reranker(self.settings, redact=self.redact)

    def reader(self) -> TextReader | None:
        """Reads two texts together. None if no model is to be used or loaded."""
        if self.settings.embedder == "none":
            return None
        from holdfast.models.reader import BundledReaders

        return BundledReaders()

    @built_once
    def tokens(self) -> TokenCounter:
        """Counts the tokens of prompts."""
        from holdfast.models.token_counts import PromptTokens

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
        from holdfast.models.endpoint import RetryPolicy
        from holdfast.models.hub import pull

        retry = RetryPolicy(self.settings.http_timeout, self.settings.http_retries)
        return pull(name, self.folder, hub_url=self.settings.hub_url, progress=progress, retry_policy=retry)

    @built_once
    def _own(self) -> OwnModel | None:
        """Our model, if the settings name it or one of its sizes; raises ModelError."""
        if self.settings.embedder not in _OUR_NAMES:
            return None
        from holdfast.models.own_model import open_own

        return open_own()

    def _is_ollama_chosen(self) -> bool:
        is_asked = self.settings.embedder == "auto" and self.settings.allow_ollama
        return is_asked and self.uncached is not None and not _is_local(self.uncached)


def _is_local(embedder: Embedder) -> bool:
    from holdfast.models.local import LocalEmbedder
    from holdfast.models.static import StaticEmbedder
    from holdfast.models.transformer import TransformerEmbedder

    return isinstance(embedder, LocalEmbedder | StaticEmbedder | TransformerEmbedder)
