"""`holdfast bench models`: the three sizes of our embedding model and the old model in one table."""

from __future__ import annotations

import argparse
import os
from collections.abc import Mapping, Sequence
from pathlib import Path

from bench import ROOT
from bench.models import quality, speed
from bench.models.pools import CHATS, CODE, FRIENDS, MARKDOWN, MEETINGS, RetrievalPool, load, sizes
from bench.models.variants import NAMES, OLD_FOLDER, ModelVariant, find_variants
from bench.recall.command import cache_folder
from holdfast.bench import corpus
from holdfast.bench.measure import Measurement, bytes_under
from holdfast.bench.reports import Report, Section

MEGABYTES = 40.0
_TURN_CHARACTERS = (20, 600)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--full", action="store_true", help="search all passages; takes an hour")
    parser.add_argument("--data", type=Path, default=ROOT.parent / "shared" / "data", help="folder of the data sets")
    parser.add_argument("--model", type=Path, default=None, help="folder of our model (default: the bundled one)")
    parser.add_argument("--old-model", type=Path, default=OLD_FOLDER, help="folder of the old model")
    parser.add_argument("--repeat", type=int, default=5, help="number of starts per model")
    parser.add_argument(
        "--folder", type=Path, default=None, help="folder that keeps the vectors for the next run (default: cache)"
    )


def measure(options: argparse.Namespace) -> Report:
    """Measures the models that are installed; notes name what is missing."""
    folder = options.folder or cache_folder(os.environ) / "bench"
    variants, notes = find_variants(options.model, options.old_model, folder)
    pools, missing = _pools(options)
    notes += missing
    speeds = speed.measure(variants, *_texts(pools), options.repeat)
    figures = quality.measure(pools, variants, folder / "vectors.db")
    megabytes = {name: _megabytes(variant) for name, variant in variants.items()}
    sections = [
        Section("Recall@10, speed and size of each model", (), cells=_all_in_one(variants, figures, speeds, megabytes))
    ]
    sections += [quality.by_pair(figures)] if figures else []
    sections += [found for found in (quality.differences(figures),) if found.rows]
    sections += [speed.section(speeds), _size(megabytes)]
    command = "holdfast bench models" + (" --full" if options.full else "")
    return Report("models", command, tuple(sections), (*_NOTES, *_counts(pools), *notes))


def _pools(options: argparse.Namespace) -> tuple[list[RetrievalPool], list[str]]:
    why = "so recall was not measured"
    try:
        return load(options.data, options.full), []
    except FileNotFoundError as error:
        return [], [f"{error.filename} was not found, {why}. Use --data to name the folder of the data sets."]


def _texts(pools: Sequence[RetrievalPool]) -> tuple[Sequence[str], Sequence[str]]:
    """Chat turns of the data sets and questions about them; without data sets, generated ones."""
    least, most = _TURN_CHARACTERS
    chats = [pool for pool in pools if pool.set in (FRIENDS, MEETINGS, CHATS)]
    turns = [text for pool in chats for text in pool.passages if least <= len(text) <= most]
    questions = [question for pool in chats for question in pool.questions]
    if len(turns) >= speed.TEXTS and questions:
        return turns[:: len(turns) // speed.TEXTS][: speed.TEXTS], questions
    generated = corpus.build(speed.TEXTS, 0, speed.TEXTS)
    return generated.messages, generated.questions


def _all_in_one(
    variants: Mapping[str, ModelVariant],
    figures: quality.Figures,
    speeds: Mapping[str, speed.ModelSpeed],
    megabytes: Mapping[str, float],
) -> tuple[tuple[str, ...], ...]:
    header = ("", "chats", CHATS, CODE, MARKDOWN, "texts/s", "× old", "query ms", "first use ms", "MB")
    lines = [
        (name, *quality.shown(figures, name), *_shown(speeds[name]), f"{megabytes[name]:.1f}")
        if name in variants
        else (f"{name} (not installed)", *[""] * (len(header) - 1))
        for name in NAMES
    ]
    return (header, *lines)


def _shown(measured: speed.ModelSpeed) -> tuple[str, ...]:
    times = "" if measured.times_as_fast is None else f"{measured.times_as_fast.p50:.1f}"
    return f"{measured.texts.p50:,.0f}", times, f"{measured.query.p50:.2f}", f"{measured.first.p50:.0f}"


def _megabytes(variant: ModelVariant) -> float:
    return sum(file.stat().st_size for file in variant.files) / 1e6


def _size(megabytes: Mapping[str, float]) -> Section:
    """The files that each model reads, and the download: the wheel, or the model files in it if there is none."""
    from holdfast.models.own_model import OWN

    wheels = sorted((ROOT / "dist").glob("holdfast-*.whl"), key=lambda wheel: wheel.stat().st_mtime)
    bundled = bytes_under(Path(OWN).parent)
    total, name = (wheels[-1].stat().st_size, "wheel") if wheels else (bundled, "bundled model files, uncompressed")
    rows = [Measurement(f"files of {model}", size, None, "MB") for model, size in megabytes.items()]
    return Section("Size", (*rows, Measurement(name, total / 1e6, None, "MB", MEGABYTES)))


def _counts(pools: Sequence[RetrievalPool]) -> list[str]:
    return [
        f"{name}: {questions:,} questions, {passages:,} passages in {number} pool{'s' if number > 1 else ''}."
        for name, (number, passages, questions) in sizes(pools).items()
    ]


_NOTES = (
    "chats: the questions of FriendsQA and QMSum together, about dialogues that were not trained on.",
    "Speed is in processor time: all models embed the same texts in turns, and the ratio is the median of the rounds.",
    "first use: the first vector in a new process, with all imports.",
    "MB: all files that a model reads; the sizes share some of them.",
)
