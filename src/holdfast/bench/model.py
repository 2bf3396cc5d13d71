"""Measures the bundled embedding model on one core: time per query and throughput in the background."""

from __future__ import annotations

from pathlib import Path

from holdfast.bench import corpus as corpus_
from holdfast.bench.measure import (
    Measurement,
    milliseconds,
    rate,
    resident_megabytes,
    seconds_of,
    seconds_of_each,
    show_progress,
)

_LONG_CHARACTERS = 2_000


def measure(folder: Path, samples: int) -> list[Measurement]:
    """Measures loading, a query, short texts (memories) and long texts (2,000 characters)."""
    from holdfast.models.choice import bundled_embedder

    corpus, _ = corpus_.load(folder)
    before = resident_megabytes()
    show_progress("the bundled model")
    embedder = bundled_embedder()
    loaded = seconds_of(lambda: embedder.embed_query("ready?"))
    query_times = seconds_of_each(embedder.embed_query, corpus.questions[:samples])
    short = [note.text for note in corpus.more[:samples]]
    long = [("".join(corpus.messages[at::7]))[:_LONG_CHARACTERS] for at in range(max(1, samples // 10))]
    return [
        milliseconds("load and embed the first text", [loaded]),
        milliseconds("embed a query", query_times),
        rate("embed memories", len(short), seconds_of(lambda: embedder.embed(short)), "texts/s"),
        rate("embed long texts (2,000 characters)", len(long), seconds_of(lambda: embedder.embed(long)), "texts/s"),
        Measurement("resident memory of the model", resident_megabytes() - before, None, "MB"),
    ]
