"""The model that comes with the package."""

from __future__ import annotations

import numpy as np
import pytest

from holdfast.core.vector_size import VectorSize
from holdfast.models.choice import bundled_embedder
from holdfast.models.model_files import sha256
from holdfast.models.own_model import OwnModel, open_own
from holdfast.models.protocols import Embedder
from holdfast.models.wordpiece import WordPiece

PASSAGES = [
    "We rotate the signing certificate every ninety days; the job lives in ops/rotate.",
    "The search page is slow because every keystroke starts a new request.",
    "Marta is allergic to peanuts and asked us to label the snacks.",
    "Postgres runs out of connections when the workers do not share a pool.",
    "The trip to Lisbon was moved from May to the second week of June.",
]
QUESTIONS = [
    "how often are certificates renewed?",
    "why does typing in the search box lag?",
    "what food must Marta avoid?",
    "database refuses new connections",
    "when do we travel to Portugal?",
]


@pytest.fixture(scope="module")
def small() -> Embedder:
    return bundled_embedder("small")


def test_it_finds_the_right_passage_for_each_question(small: Embedder) -> None:
    passages = small.embed(PASSAGES)
    found = [int((passages @ small.embed_query(question)).argmax()) for question in QUESTIONS]
    assert found == [0, 1, 2, 3, 4]


@pytest.fixture(scope="module")
def own() -> OwnModel:
    return open_own()


def test_queries_and_passages_of_different_sizes_can_be_compared(own: OwnModel, small: Embedder) -> None:
    static = bundled_embedder("static")
    assert static.id == small.id
    for queries, passages in ((static, small), (small, static), (static, static)):
        vectors = passages.embed(PASSAGES)
        found = [int((vectors @ queries.embed_query(question)).argmax()) for question in QUESTIONS]
        assert sum(np.array(found) == np.arange(5)) >= 4, (queries.size, passages.size, found)


def test_the_folder_is_what_its_card_says(own: OwnModel) -> None:
    card = own.card
    assert {"LICENSE", "NOTICE", "relations.json", "small.onnx", "tokens.bin", "vocabulary.txt"} <= set(card.files)
    assert {name: sha256(f"{own.folder}/{name}") for name in card.files} == card.files
    assert (card.name, card.dimensions) == ("holdfast-embed", 384)
    assert set(card.sizes) == {VectorSize.STATIC, VectorSize.SMALL, VectorSize.BASE}


def test_the_card_has_the_cosines_of_unrelated_texts_for_all_sizes(own: OwnModel) -> None:
    sizes = (VectorSize.STATIC, VectorSize.SMALL, VectorSize.BASE)
    assert own.card.cosines is not None
    assert set(own.card.cosines.queries) == {(query, passage) for query in sizes for passage in sizes}
    assert set(own.card.cosines.passages) == {(one, other) for one in sizes for other in sizes if one <= other}


def test_the_vocabulary_is_that_of_bert() -> None:
    from .own_files import VOCABULARY

    assert WordPiece(VOCABULARY).ids("[PAD] the zebra [SEP]", 9) == [0, 1996, 29145, 102]
