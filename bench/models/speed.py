"""Texts per second, the time of a query, and of the first vector in a new process, on one core."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from bench import ROOT
from bench.models.variants import OLD, SMALL, STATIC, ModelVariant
from holdfast.bench.measure import Measurement, milliseconds, quantile, seconds_of_each, show_progress
from holdfast.bench.reports import Section

if TYPE_CHECKING:
    from holdfast.models.protocols import Embedder

TEXTS = 300
# The least speed relative to the old model, and the most milliseconds.
TIMES_AS_FAST = {SMALL: 1.9, STATIC: 100.0}
QUERY = {STATIC: 0.3}
FIRST_USE = 15.0
_AT_A_TIME = 30
_QUERIES = 100


@dataclass(frozen=True, slots=True)
class ModelSpeed:
    """The figures of one model. `times_as_fast` is relative to the old model; None without it.

    `first` is the time of the first vector in a new process, with all imports.
    """

    texts: Measurement
    times_as_fast: Measurement | None
    query: Measurement
    first: Measurement
    after_numpy: Measurement | None


def measure(
    variants: Mapping[str, ModelVariant], texts: Sequence[str], questions: Sequence[str], starts: int
) -> dict[str, ModelSpeed]:
    """Measures each model; `starts` is the number of processes in which each makes its first vector."""
    models = {name: variant.open(1) for name, variant in variants.items()}
    for model in models.values():
        model.embed(texts[:3])
    rounds = _in_turns(models, texts)
    return {
        name: ModelSpeed(
            Measurement(f"texts, {name}", 1 / quantile(seconds, 0.5), None, "texts/s"),
            _relative(name, seconds, rounds.get(OLD)),
            milliseconds(f"query to vector, {name}", _queries(models[name], questions), QUERY.get(name)),
            _first_use(f"first vector in a new process, {name}", variants[name], starts),
            _after_numpy(variants[name], starts),
        )
        for name, seconds in rounds.items()
    }


def section(found: Mapping[str, ModelSpeed]) -> Section:
    rows = [speed.texts for speed in found.values()]
    rows += [speed.times_as_fast for speed in found.values() if speed.times_as_fast is not None]
    rows += [speed.query for speed in found.values()]
    rows += [speed.first for speed in found.values()]
    rows += [speed.after_numpy for speed in found.values() if speed.after_numpy is not None]
    return Section(f"Speed on one core, {TEXTS} chat turns", tuple(rows))


def _in_turns(models: Mapping[str, Embedder], texts: Sequence[str]) -> dict[str, list[float]]:
    """The processor seconds per text of each round. All models embed the same texts one after the other."""
    seconds: dict[str, list[float]] = {name: [] for name in models}
    for at in range(0, len(texts), _AT_A_TIME):
        show_progress(f"speed: {at:,} of {len(texts):,} texts")
        some = texts[at : at + _AT_A_TIME]
        for name, model in models.items():
            started = time.process_time()
            model.embed(some)
            seconds[name].append((time.process_time() - started) / len(some))
    return seconds


def _relative(name: str, seconds: Sequence[float], old: Sequence[float] | None) -> Measurement | None:
    if name == OLD or old is None:
        return None
    ratios = [theirs / ours for ours, theirs in zip(seconds, old, strict=True)]
    title = f"{name} relative to {OLD}"
    return Measurement(title, quantile(ratios, 0.5), None, "times as fast", TIMES_AS_FAST.get(name))


def _queries(model: Embedder, questions: Sequence[str]) -> list[float]:
    embed: Callable[[str], Any] = model.embed_query
    return seconds_of_each(embed, questions[:_QUERIES])


def _after_numpy(variant: ModelVariant, starts: int) -> Measurement | None:
    if variant.name != STATIC:
        return None
    first = _first_use(f"the same, {STATIC}, numpy imported before", variant, starts, "numpy")
    return replace(first, budget=FIRST_USE)


def _first_use(title: str, variant: ModelVariant, starts: int, *modules: str) -> Measurement:
    show_progress(title)
    argv = [sys.executable, "-m", "bench.models.first_use", variant.name, str(variant.folder), *modules]
    # Bytecode is written; otherwise every start would compile. The first start writes it and does not count.
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    _, *elapsed = (
        float(subprocess.run(argv, cwd=ROOT, env=environment, stdout=subprocess.PIPE, text=True, check=True).stdout)
        for _ in range(starts + 1)
    )
    return milliseconds(title, [one / 1000 for one in elapsed])
