"""The closer look, with the model that comes with the package."""

from __future__ import annotations

import warnings

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from holdfast.models.fake import FakeEmbedder
from holdfast.models.late_interaction import LateInteraction, compare_tokens, compare_views, pack_views
from holdfast.models.late_interaction import _directions as directions
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
def closer(local: LocalEmbedder) -> LateInteraction:
    return LateInteraction(local)


def test_a_sentence_said_in_passing_is_nearer_than_the_whole_turn(closer: LateInteraction) -> None:
    asked, looked = closer.ask("Where does Clara work as a pilot?"), closer.look(TURN, SENTENCES)
    [nearest] = compare_views(asked, [looked.views])
    assert nearest > float(asked.vector @ looked.vector) + 0.1


def test_the_nearest_view_counts(closer: LateInteraction, local: LocalEmbedder) -> None:
    asked = closer.ask("Where does Clara work as a pilot?")
    exact = local.embed(SENTENCES) @ asked.vector
    scores = compare_views(asked, [pack_views(local.embed(SENTENCES[:2])), b"", closer.look("", SENTENCES).views])
    assert int(exact.argmax()) == 2
    assert scores == pytest.approx([exact[:2].max(), -1, exact.max()], abs=0.01)


def test_the_vector_is_the_embedders_own(closer: LateInteraction, local: LocalEmbedder) -> None:
    assert np.array_equal(closer.look(TURN).vector, local.embed([TURN])[0])
    assert np.array_equal(closer.ask("who?").vector, local.embed_query("who?"))
    assert closer.id == local.id


def test_a_telling_token_takes_32_bytes(closer: LateInteraction, local: LocalEmbedder) -> None:
    _, tokens, ids = local.embed_whole(TURN)
    telling = int(directions().telling[ids].sum())
    assert 0 < telling < len(tokens)
    assert len(closer.look(TURN).tokens) == 32 * telling
    assert len(closer.look("kettle").tokens) == 32
    assert len(closer.look(TURN, SENTENCES).views) == 4 * (4 + 384)


def test_codes_lose_little_of_the_directions_kept(closer: LateInteraction, local: LocalEmbedder) -> None:
    known = directions()
    for question in QUESTIONS:
        _, asked, numbers = local.embed_query_whole(question)
        told = asked[known.telling[numbers]]
        scores = compare_tokens(closer.ask(question), [closer.look(passage).tokens for passage in PASSAGES])
        for passage, score in zip(PASSAGES, scores, strict=True):
            _, tokens, ids = local.embed_whole(passage)
            kept = (tokens[known.telling[ids]] - known.mean) @ known.basis @ known.basis.T + known.mean
            assert score == pytest.approx((told @ kept.T).max(1).mean(), abs=0.02)


def test_codes_rank_as_the_whole_vectors_do(closer: LateInteraction, local: LocalEmbedder) -> None:
    tokens = [local.embed_whole(passage)[1] for passage in PASSAGES]
    codes = [closer.look(passage).tokens for passage in PASSAGES]
    coded = np.stack([compare_tokens(closer.ask(question), codes) for question in QUESTIONS])
    asked = [local.embed_query_whole(question)[1] for question in QUESTIONS]
    exact = np.array([[(one @ passage.T).max(1).mean() for passage in tokens] for one in asked])
    assert coded.argmax(axis=1).tolist() == exact.argmax(axis=1).tolist() == [0, 1, 2, 3, 4]
    assert np.corrcoef(coded.ravel(), exact.ravel())[0, 1] > 0.9


@pytest.mark.parametrize("text", ["", "   ", "the of and is to", "数据库", "\ud800\0", "a " * 2000])
def test_any_text_may_be_looked_at_and_asked(closer: LateInteraction, text: str) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        looked, asked = closer.look(text), closer.ask(text)
        scores = compare_tokens(asked, [looked.tokens, b"", closer.look(TURN).tokens])
    assert looked.views == b""
    assert np.isfinite(scores).all()
    assert np.isfinite(asked.common)
    assert scores[1] == 0


def test_small_words_have_no_codes_but_may_be_asked(closer: LateInteraction) -> None:
    assert closer.look("the of and is to").tokens == b""
    assert compare_tokens(closer.ask("the of and is to"), [closer.look(TURN).tokens])[0] > 0


def test_nothing_is_compared_with_nothing(closer: LateInteraction) -> None:
    asked = closer.ask("who?")
    assert compare_tokens(asked, []).shape == compare_views(asked, []).shape == (0,)
    assert compare_tokens(asked, [b"", b""]).tolist() == [0, 0]
    assert compare_views(asked, [b"", b""]).tolist() == [-1, -1]
    assert pack_views(np.zeros((0, 384), np.float32)) == b""


def test_only_the_model_it_was_fitted_to_fits(local: LocalEmbedder) -> None:
    assert LateInteraction.fits(local.id)
    assert not LateInteraction.fits(FakeEmbedder().id)
    assert not LateInteraction.fits("")


@given(st.lists(st.lists(st.floats(-1, 1, width=32), min_size=3, max_size=3), min_size=1, max_size=5))
def test_a_view_is_kept_within_half_a_step(rows: list[list[float]]) -> None:
    vectors = np.array(rows, np.float32)
    packed = np.frombuffer(pack_views(vectors), np.uint8).reshape(len(rows), 7)
    scales = packed[:, :4].copy().view("<f4")
    kept = packed[:, 4:].view(np.int8) * scales
    assert np.abs(kept - vectors).max() <= scales.max() * 0.5 + 1e-6
