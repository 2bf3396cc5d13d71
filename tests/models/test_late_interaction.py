"""Late interaction with the bundled model."""

from __future__ import annotations

import warnings

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from holdfast.models.fake import FakeEmbedder
from holdfast.models.late_interaction import LateInteraction, compare_tokens, compare_views, pack_views
from holdfast.models.late_interaction import _load_directions as directions
from holdfast.models.local import LocalEmbedder
from tests.models.test_local import PASSAGES, QUESTIONS

SENTENCES = (
    "I have been planning the garden all week and want to plant tomatoes along the fence.",
    "The soil is heavy clay, so I bought compost.",
    "By the way, my sister Clara got a new job as a pilot in Lisbon.",
    "What should I plant between the tomatoes to keep the slugs away?",
)
TURN = " ".join(SENTENCES)


@pytest.fixture(scope="module")
def local() -> LocalEmbedder:
    return LocalEmbedder()


@pytest.fixture(scope="module")
def late(local: LocalEmbedder) -> LateInteraction:
    return LateInteraction(local)


def test_a_sentence_said_in_passing_is_nearer_than_the_whole_message(late: LateInteraction) -> None:
    query, passage = late.encode_query("Where does Clara work as a pilot?"), late.encode_passage(TURN, SENTENCES)
    [nearest] = compare_views(query, [passage.views])
    assert nearest > float(query.vector @ passage.vector) + 0.1


def test_the_nearest_view_counts(late: LateInteraction, local: LocalEmbedder) -> None:
    query = late.encode_query("Where does Clara work as a pilot?")
    exact = local.embed(SENTENCES) @ query.vector
    scores = compare_views(
        query, [pack_views(local.embed(SENTENCES[:2])), b"", late.encode_passage("", SENTENCES).views]
    )
    assert int(exact.argmax()) == 2
    assert scores == pytest.approx([exact[:2].max(), -1, exact.max()], abs=0.01)


def test_the_vector_is_the_embedders_own(late: LateInteraction, local: LocalEmbedder) -> None:
    assert np.array_equal(late.encode_passage(TURN).vector, local.embed([TURN])[0])
    assert np.array_equal(late.encode_query("who?").vector, local.embed_query("who?"))


def test_an_informative_token_takes_32_bytes(late: LateInteraction, local: LocalEmbedder) -> None:
    _, tokens, ids = local.embed_whole(TURN)
    informative = int(directions().informative[ids].sum())
    assert 0 < informative < len(tokens)
    assert len(late.encode_passage(TURN).tokens) == 32 * informative
    assert len(late.encode_passage("kettle").tokens) == 32
    assert len(late.encode_passage(TURN, SENTENCES).views) == 4 * (4 + 384)


def test_codes_lose_little_of_the_directions_kept(late: LateInteraction, local: LocalEmbedder) -> None:
    known = directions()
    for question in QUESTIONS:
        _, query_tokens, query_ids = local.embed_query_whole(question)
        query_tokens = query_tokens[known.informative[query_ids]]
        scores = compare_tokens(
            late.encode_query(question), [late.encode_passage(passage).tokens for passage in PASSAGES]
        )
        for passage, score in zip(PASSAGES, scores, strict=True):
            _, tokens, ids = local.embed_whole(passage)
            kept = (tokens[known.informative[ids]] - known.mean) @ known.basis @ known.basis.T + known.mean
            assert score == pytest.approx((query_tokens @ kept.T).max(1).mean(), abs=0.02)


def test_codes_rank_as_the_whole_vectors_do(late: LateInteraction, local: LocalEmbedder) -> None:
    tokens = [local.embed_whole(passage)[1] for passage in PASSAGES]
    codes = [late.encode_passage(passage).tokens for passage in PASSAGES]
    coded = np.stack([compare_tokens(late.encode_query(question), codes) for question in QUESTIONS])
    queries = [local.embed_query_whole(question)[1] for question in QUESTIONS]
    exact = np.array([[(query @ passage.T).max(1).mean() for passage in tokens] for query in queries])
    assert coded.argmax(axis=1).tolist() == exact.argmax(axis=1).tolist() == [0, 1, 2, 3, 4]
    assert np.corrcoef(coded.ravel(), exact.ravel())[0, 1] > 0.9


@pytest.mark.parametrize("text", ["", "   ", "the of and is to", "数据库", "\ud800\0", "a " * 2000])
def test_any_text_can_be_encoded_and_compared(late: LateInteraction, text: str) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        passage, query = late.encode_passage(text), late.encode_query(text)
        scores = compare_tokens(query, [passage.tokens, b"", late.encode_passage(TURN).tokens])
    assert passage.views == b""
    assert np.isfinite(scores).all()
    assert np.isfinite(query.common)
    assert scores[1] == 0


def test_stop_words_have_no_codes_but_work_as_a_query(late: LateInteraction) -> None:
    assert late.encode_passage("the of and is to").tokens == b""
    assert compare_tokens(late.encode_query("the of and is to"), [late.encode_passage(TURN).tokens])[0] > 0


def test_nothing_is_compared_with_nothing(late: LateInteraction) -> None:
    query = late.encode_query("who?")
    assert compare_tokens(query, []).shape == compare_views(query, []).shape == (0,)
    assert compare_tokens(query, [b"", b""]).tolist() == [0, 0]
    assert compare_views(query, [b"", b""]).tolist() == [-1, -1]
    assert pack_views(np.zeros((0, 384), np.float32)) == b""


def test_only_the_model_it_was_fitted_to_fits(local: LocalEmbedder) -> None:
    assert LateInteraction.fits(local.id)
    assert not LateInteraction.fits(FakeEmbedder().id)
    assert not LateInteraction.fits("")


@given(st.lists(st.lists(st.floats(-1, 1, width=32), min_size=3, max_size=3), min_size=1, max_size=5))
def test_packing_a_view_loses_at_most_half_a_step(rows: list[list[float]]) -> None:
    vectors = np.array(rows, np.float32)
    packed = np.frombuffer(pack_views(vectors), np.uint8).reshape(len(rows), 7)
    scales = packed[:, :4].copy().view("<f4")
    kept = packed[:, 4:].view(np.int8) * scales
    assert np.abs(kept - vectors).max() <= scales.max() * 0.5 + 1e-6
