"""Asks every system the questions of a set: recall in several ways, plain searches, and other memory systems."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from bench.endpoint import EmbeddingsEndpoint
from bench.recall import peers
from bench.recall.learned import build_learned
from bench.recall.ours import DEFAULT, TYPED, UNCUT, Built, Call, Holdfast
from bench.recall.plain import plain
from bench.recall.pool import Answer, Answers, Pool, ask_all
from bench.recall.vectors import KeptVectors
from holdfast.bench.measure import show_progress

# The part of the set that each store contains, and the store.
Stores = Sequence[tuple[Pool, Built]]


def stores(pool: Pool, folder: Path, vectors: KeptVectors) -> Stores:
    """Builds the stores of a set, unless they exist."""
    return [(part, build_learned(part, folder, vectors)) for part in pool.stores]


def ours(stores: Stores) -> Mapping[str, Answers]:
    """The answers of recall: called by default, and with the types of the set."""
    show_progress(f"{stores[0][0].name}: searching")
    answers = {DEFAULT.name: ask_stores(stores, timed=True)}
    return answers | {call.name: ask_stores(stores, call) for call in (TYPED, UNCUT)}


def ask_stores(stores: Stores, call: Call = DEFAULT, **options: Any) -> Answers:
    """Asks each store the questions about its part."""
    answers: dict[str, Answer] = {}
    for part, built in stores:
        with Holdfast(part, built, call, **options) as holdfast:
            answers |= ask_all(holdfast, part)
    return answers


def plain_searches(pool: Pool, vectors: KeptVectors) -> Mapping[str, Answers]:
    """The answers of the baselines."""
    answers: dict[str, dict[str, Answer]] = {}
    for part in pool.stores:
        for way in plain(part, vectors):
            answers.setdefault(way.name, {}).update(ask_all(way, part))
    return answers


def others(
    pool: Pool, systems: Sequence[peers.Peer], folder: Path, vectors: KeptVectors
) -> tuple[Mapping[str, Answers], Sequence[str]]:
    """The answers of other memory systems, and notes on what failed."""
    found: dict[str, Answers] = {}
    notes: list[str] = []
    for peer in systems:
        answers: dict[str, Answer] = {}
        for part in pool.stores:
            with EmbeddingsEndpoint(vectors, (question.text for question in part.questions)) as endpoint:
                theirs, note = peers.ask_peer(peer, part, endpoint, folder)
            answers |= theirs
            notes += [note] if note else []
        if len(answers) == len(pool.asked):
            found[peer.name] = answers
    return found, list(dict.fromkeys(notes))
