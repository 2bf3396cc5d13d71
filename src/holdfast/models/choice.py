"""Chooses the models named by the settings. Cheap: loads nothing and sends nothing, except to a local Ollama."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING, Any

from holdfast.core.errors import InvalidSettings, ModelError
from holdfast.core.suggestion import did_you_mean
from holdfast.models.endpoint import Endpoint, RetryPolicy, is_loopback
from holdfast.models.free_memory import free_memory
from holdfast.models.prefixes import prefixes

if TYPE_CHECKING:
    from holdfast.core.settings import Settings
    from holdfast.models.own_model import OwnModel
    from holdfast.models.protocols import Embedder, Reranker

Redact = Callable[[str], str]
KnownEmbedders = Callable[[], Sequence[str]]

GIGABYTE = 1024**3
OLLAMA_SECONDS = 0.3

# The Ollama models that `auto` may choose, best first, with the free memory each requires.
OLLAMA_MODELS = (
    ("qwen3-embedding:8b", 32 * GIGABYTE),
    ("qwen3-embedding:latest", 32 * GIGABYTE),
    ("qwen3-embedding:4b", 8 * GIGABYTE),
    ("qwen3-embedding:0.6b", 0),
)
MATRYOSHKA_DIMENSIONS = 1024
_BUNDLED_SIZES = {"auto": "small", "bundled": "small", "static": "static", "small": "small", "base": "base"}


def choose_embedder(
    settings: Settings,
    models_folder: Path,
    *,
    redact: Redact = lambda text: text,
    free: Callable[[], int] = free_memory,
    known: KnownEmbedders = tuple,
    own: OwnModel | None = None,
) -> Embedder | None:
    """Returns the embedder named by the settings, or None to search by words only.

    `auto` chooses a model of the Ollama on this machine if the settings allow it and a model fits the free memory,
    otherwise the bundled model. A remote endpoint is used only if the settings name it; a key alone is not enough.
    `known` returns the ids of the embedders whose vectors are stored, the latest first. `own` is our model, if it was
    opened before.
    """
    if settings.embedder == "none":
        return None
    ollama = _ollama_on_this_machine(settings, redact, free, known) if settings.embedder == "auto" else None
    if ollama is not None:
        return ollama
    if settings.embedder in _BUNDLED_SIZES:
        return bundled_embedder(_BUNDLED_SIZES[settings.embedder], _threads(settings), own)
    return _named(settings, models_folder, redact, known)


def check_embedder(name: str) -> None:
    """Raises InvalidSettings for a name that no embedder can have. Whether it is installed shows when it is used."""
    known = (*_BUNDLED_SIZES, "none", "fake", "http")
    if name not in known and not name.startswith("ollama:") and "/" not in name and not os.path.isabs(name):
        values = ", ".join((*known, "ollama:MODEL", "/FOLDER", "OWNER/NAME"))
        hint = did_you_mean(name, known) + InvalidSettings.hint
        raise InvalidSettings(f"embedder = {name!r} must be one of: {values}", hint=hint)


def bundled_embedder(size: str = "small", threads: int = 1, own: OwnModel | None = None) -> Embedder:
    """Returns the bundled model in one of its sizes: static, small or base."""
    from holdfast.models.own_model import SIZES, open_own

    own = own or open_own()
    if size == "static":
        from holdfast.models.static import StaticEmbedder

        return StaticEmbedder(own)
    from holdfast.models.transformer import TransformerEmbedder

    return TransformerEmbedder(own, SIZES[size], threads=threads)


def choose_reranker(settings: Settings, *, redact: Redact = lambda text: text) -> Reranker | None:
    """Returns the reranker named by the settings, an endpoint or else a local cross-encoder, or None.

    A model that is not installed raises ModelError when it is used.
    """
    if not settings.rerank_url:
        return _cross_encoder(settings) if settings.rerank_model else None
    from holdfast.models.http import HttpReranker

    endpoint = _endpoint(settings, settings.rerank_url, settings.rerank_key, redact)
    return HttpReranker(endpoint, settings.rerank_model, settings.search_timeout)


def _cross_encoder(settings: Settings) -> Reranker:
    from holdfast.models.cross_encoder import CrossEncoder

    return CrossEncoder(settings.rerank_model, threads=_threads(settings))


def _named(settings: Settings, models_folder: Path, redact: Redact, known: KnownEmbedders) -> Embedder:
    match settings.embedder:
        case "fake":
            from holdfast.models.fake import FakeEmbedder

            return FakeEmbedder()
        case "http":
            return _http(settings, redact, known)
        case name if name.startswith("ollama:"):
            return _ollama(settings, name.removeprefix("ollama:"), redact, known)
        case name:
            from holdfast.models.local import LocalEmbedder

            return LocalEmbedder(_folder(name, models_folder), threads=_threads(settings))


def _ollama_on_this_machine(
    settings: Settings, redact: Redact, free: Callable[[], int], known: KnownEmbedders
) -> Embedder | None:
    if not settings.allow_ollama or not is_loopback(settings.ollama_url):
        return None
    installed = _ollama_models(settings.ollama_url)
    # An Ollama that does not answer now keeps its vectors: otherwise every passage would be embedded again, twice.
    model = _ollama_model_of(known()) if installed is None else _best_ollama_model(installed, free())
    return _ollama(settings, model, redact, known) if model else None


def _ollama_models(url: str) -> frozenset[str] | None:
    """Returns the models installed in an Ollama; None if it does not answer within OLLAMA_SECONDS."""
    with closing(Endpoint(url, retry_policy=RetryPolicy(OLLAMA_SECONDS, retries=0))) as endpoint:
        try:
            answer = endpoint.get("/api/tags")
        except ModelError:
            return None
    return frozenset(_names(answer))


def _ollama_model_of(known: Sequence[str]) -> str | None:
    """Returns the Ollama model whose vectors are the latest in the store; None if those are of another model."""
    latest = known[0] if known else ""
    return next((model for model, _ in OLLAMA_MODELS if latest.startswith(f"http:{model}@localhost:")), None)


def _names(answer: Any) -> list[str]:
    models = answer.get("models") if isinstance(answer, dict) else None
    entries = models if isinstance(models, list) else []
    return [entry["name"] for entry in entries if isinstance(entry, dict) and isinstance(entry.get("name"), str)]


def _best_ollama_model(installed: frozenset[str], free: int) -> str | None:
    return next((model for model, required in OLLAMA_MODELS if model in installed and free > required), None)


def _ollama(settings: Settings, model: str, redact: Redact, known: KnownEmbedders) -> Embedder:
    endpoint = _endpoint(settings, settings.ollama_url.rstrip("/") + "/v1", "", redact)
    matryoshka = model.startswith("qwen3-embedding")
    dimensions = MATRYOSHKA_DIMENSIONS if matryoshka else 0
    return _http_embedder(settings, endpoint, model, dimensions, known, shorten=matryoshka)


def _http(settings: Settings, redact: Redact, known: KnownEmbedders) -> Embedder:
    if not settings.embed_url or not settings.embed_model:
        raise InvalidSettings("embedder = http", hint="Set embed_url and embed_model too.")
    endpoint = _endpoint(settings, settings.embed_url, settings.embed_key, redact)
    return _http_embedder(settings, endpoint, settings.embed_model, settings.embed_dimensions, known)


def _http_embedder(
    settings: Settings,
    endpoint: Endpoint,
    model: str,
    dimensions: int,
    known: KnownEmbedders,
    *,
    shorten: bool = False,
) -> Embedder:
    from holdfast.models.http import HttpEmbedder

    query, passage = prefixes(model)
    return HttpEmbedder(
        endpoint,
        model,
        dimensions,
        known_dimensions=0 if dimensions else _known_dimensions(endpoint, model, known()),
        query_prefix=query,
        passage_prefix=passage,
        shorten=shorten,
        query_seconds=settings.search_timeout,
    )


def _known_dimensions(endpoint: Endpoint, model: str, known: Sequence[str]) -> int:
    """Returns the dimensions of the latest stored vectors of a model; 0 if there are none."""
    from holdfast.models.http import HttpEmbedder

    beginning = HttpEmbedder.id_without_dimensions(endpoint, model)
    numbers = (id.removeprefix(beginning) for id in known if id.startswith(beginning))
    return next((int(number) for number in numbers if number.isdecimal()), 0)


def _threads(settings: Settings) -> int:
    return settings.embed_threads or max(1, (os.cpu_count() or 2) // 2)


def _folder(name: str, models_folder: Path) -> Path:
    """Returns an absolute path itself, otherwise the folder of the pulled model of that name.

    A relative path is read as a name, because its meaning would depend on the working directory.
    """
    from holdfast.models.installed import find

    path = Path(name)
    return path if path.is_absolute() else find(name, models_folder)


def _endpoint(settings: Settings, url: str, key: str, redact: Redact) -> Endpoint:
    return Endpoint(url, key, RetryPolicy(settings.http_timeout, settings.http_retries), redact)
