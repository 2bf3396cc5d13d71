"""One suite for every embedder: the sizes of our model, a foreign one, fake, over HTTP, cached."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

from holdfast.core.vector_size import VectorSize
from holdfast.models.cached import CachedEmbedder
from holdfast.models.endpoint import Endpoint
from holdfast.models.fake import FakeEmbedder
from holdfast.models.http import HttpEmbedder
from holdfast.models.local import LocalEmbedder
from holdfast.models.own_model import OwnModel, open_own
from holdfast.models.protocols import Embedder
from holdfast.models.static import StaticEmbedder
from holdfast.models.transformer import TransformerEmbedder

from .foreign_files import write_foreign
from .servers import ModelServer


class DictCache:
    def __init__(self) -> None:
        self.held: dict[str, bytes] = {}

    def get(self, keys: Sequence[str]) -> dict[str, bytes]:
        return {key: self.held[key] for key in keys if key in self.held}

    def put(self, entries: Mapping[str, bytes]) -> None:
        self.held.update(entries)


@pytest.fixture(scope="module")
def foreign(tmp_path_factory: pytest.TempPathFactory) -> LocalEmbedder:
    return LocalEmbedder(write_foreign(tmp_path_factory.mktemp("model") / "foreign"))


@pytest.fixture(scope="module")
def own() -> OwnModel:
    return open_own()


@pytest.fixture(params=["foreign", "static", "small", "fake", "http", "http with dimensions", "cached"])
def embedder(request: pytest.FixtureRequest, foreign: LocalEmbedder, own: OwnModel) -> Iterator[Embedder]:
    with ModelServer() as server:
        endpoint = Endpoint(server.url + "/v1")
        made: dict[str, Embedder] = {
            "foreign": foreign,
            "static": StaticEmbedder(own),
            "small": TransformerEmbedder(own, VectorSize.SMALL),
            "fake": FakeEmbedder(),
            "http": HttpEmbedder(endpoint, "some-model", batch=2),
            "http with dimensions": HttpEmbedder(endpoint, "some-model", 32),
            "cached": CachedEmbedder(FakeEmbedder(), DictCache()),
        }
        yield made[request.param]
        endpoint.close()


TEXTS = ["the cat sat on the mat", "", "日本語のテキスト 🎉", "half a pair \ud83d", "word " * 3000]


def test_each_text_has_a_row_of_length_one(embedder: Embedder) -> None:
    vectors = embedder.embed(TEXTS)
    assert vectors.shape == (len(TEXTS), embedder.dimensions)
    assert vectors.dtype == np.float32
    assert np.linalg.norm(vectors, axis=1) == pytest.approx(np.ones(len(TEXTS)), abs=1e-4)


def test_no_texts_give_no_rows(embedder: Embedder) -> None:
    assert embedder.embed([]).shape == (0, embedder.dimensions)


def test_rows_follow_the_order_of_the_texts(embedder: Embedder) -> None:
    together, backwards = embedder.embed(TEXTS), embedder.embed(TEXTS[::-1])
    alone = np.concatenate([embedder.embed([text]) for text in TEXTS])
    assert np.array_equal(together, backwards[::-1])
    assert np.array_equal(together, alone)


def test_a_question_lies_nearest_to_its_answer(embedder: Embedder) -> None:
    passages = embedder.embed(["the deploy key expires at midnight", "lunch is at noon", "tests use a real database"])
    query = np.asarray(embedder.embed_query("when does the deploy key expire?"))
    assert query.shape == (embedder.dimensions,)
    assert query.dtype == np.float32
    assert np.linalg.norm(query) == pytest.approx(1, abs=1e-4)
    assert (passages @ query).argmax() == 0


def test_id_is_stable_and_names_the_dimensions(embedder: Embedder) -> None:
    embedder.embed(["x"])
    assert embedder.id == embedder.id
    assert embedder.id.endswith(f":{embedder.dimensions}")


def test_threads_may_share_it(embedder: Embedder) -> None:
    texts = [f"text number {n}" for n in range(12)]
    with ThreadPoolExecutor(4) as pool:
        rows = list(pool.map(lambda text: embedder.embed([text])[0], texts))
    assert np.array_equal(np.array(rows), embedder.embed(texts))
