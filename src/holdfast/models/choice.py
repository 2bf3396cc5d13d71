"""Chooses the models named by the settings. Cheap: loads nothing and sends nothing, except to a local Ollama."""

from __future__ import annotations

import os
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING, Any

from holdfast.core.errors import InvalidSettings, ModelError
from holdfast.models.endpoint import Endpoint, RetryPolicy, is_loopback
from holdfast.models.free_memory import free_memory
from holdfast.models.prefixes import prefixes

if TYPE_CHECKING:
    from holdfast.core.settings import Settings
    from holdfast.models.protocols import Embedder, Reranker

Redact = Callable[[str], str]

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


def choose_embedder(
    settings: Settings,
    models_folder: Path,
    *,
    redact: Redact = lambda text: text,
    free: Callable[[], int] = free_memory,
) -> Embedder | None:
    """Returns the embedder named by the settings, or None to search by words only.

    `auto` chooses a model of the Ollama on this machine if the settings allow it and a model fits the free memory,
    otherwise the bundled model. A remote endpoint is used only if the settings name it; a key alone is not enough.
    """
    if settings.embedder == "none":
        return None
    if settings.embedder == "auto":
        return _ollama_on_this_machine(settings, redact, free) or _local(settings)
    return _named(settings, models_folder, redact)


def choose_reranker(settings: Settings, *, redact: Redact = lambda text: text) -> Reranker | None:
    """Returns the reranker named by the settings, or None."""
    from holdfast.models.http import HttpReranker

    if not settings.rerank_url:
        return None
    return HttpReranker(_endpoint(settings, settings.rerank_url, settings.rerank_key, redact), settings.rerank_model)


def _named(settings: Settings, models_folder: Path, redact: Redact) -> Embedder:
    match settings.embedder:
        case "bundled":
            return _local(settings)
        case "fake":
            from holdfast.models.fake import FakeEmbedder

            return FakeEmbedder()
        case "http":
            return _http(settings, redact)
        case name if name.startswith("ollama:"):
            return _ollama(settings, name.removeprefix("ollama:"), redact)
        case name:
            return _local(settings, _folder(name, models_folder))


def _ollama_on_this_machine(settings: Settings, redact: Redact, free: Callable[[], int]) -> Embedder | None:
    if not settings.allow_ollama or not is_loopback(settings.ollama_url):
        return None
    model = _best_ollama_model(_ollama_models(settings.ollama_url), free())
    return _ollama(settings, model, redact) if model else None


def _ollama_models(url: str) -> frozenset[str]:
    """Returns the models installed in an Ollama; none if it does not answer within OLLAMA_SECONDS."""
    with closing(Endpoint(url, retry_policy=RetryPolicy(OLLAMA_SECONDS, retries=0))) as endpoint:
        try:
            answer = endpoint.get("/api/tags")
        except ModelError:
            return frozenset()
    return frozenset(_names(answer))


def _names(answer: Any) -> list[str]:
    models = answer.get("models") if isinstance(answer, dict) else None
    entries = models if isinstance(models, list) else []
    return [entry["name"] for entry in entries if isinstance(entry, dict) and isinstance(entry.get("name"), str)]


def _best_ollama_model(installed: frozenset[str], free: int) -> str | None:
    return next((model for model, required in OLLAMA_MODELS if model in installed and free > required), None)


def _ollama(settings: Settings, model: str, redact: Redact) -> Embedder:
    from holdfast.models.http import HttpEmbedder

    matryoshka = model.startswith("qwen3-embedding")
    query, passage = prefixes(model)
    return HttpEmbedder(
        _endpoint(settings, settings.ollama_url.rstrip("/") + "/v1", "", redact),
        model,
        MATRYOSHKA_DIMENSIONS if matryoshka else 0,
        query_prefix=query,
        passage_prefix=passage,
        shorten=matryoshka,
    )


def _http(settings: Settings, redact: Redact) -> Embedder:
    from holdfast.models.http import HttpEmbedder

    if not settings.embed_url or not settings.embed_model:
        raise InvalidSettings("embedder = http", hint="Set embed_url and embed_model too.")
    query, passage = prefixes(settings.embed_model)
    return HttpEmbedder(
        _endpoint(settings, settings.embed_url, settings.embed_key, redact),
        settings.embed_model,
        settings.embed_dimensions,
        query_prefix=query,
        passage_prefix=passage,
    )


def _local(settings: Settings, folder: Path | None = None) -> Embedder:
    from holdfast.models.local import BUNDLED, LocalEmbedder

    threads = settings.embed_threads or max(1, (os.cpu_count() or 2) // 2)
    return LocalEmbedder(folder or BUNDLED, threads=threads)


def _folder(name: str, models_folder: Path) -> Path:
    """Returns an absolute path itself, otherwise the folder of the pulled model of that name.

    A relative path is read as a name, because its meaning would depend on the working directory.
    """
    from holdfast.models.installed import find

    path = Path(name)
    return path if path.is_absolute() else find(name, models_folder)


def _endpoint(settings: Settings, url: str, key: str, redact: Redact) -> Endpoint:
    return Endpoint(url, key, RetryPolicy(settings.http_timeout, settings.http_retries), redact)
