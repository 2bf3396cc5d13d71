from __future__ import annotations

import base64
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx2
import numpy as np
import pytest
from bench.endpoint import EmbeddingsEndpoint
from bench.recall.vectors import KeptVectors, bundled

from holdfast.core.vector_size import VectorSize


@pytest.fixture(scope="module")
def endpoint(tmp_path_factory: pytest.TempPathFactory) -> Iterator[EmbeddingsEndpoint]:
    """The endpoint with the bundled model and one known query."""
    vectors = bundled(tmp_path_factory.mktemp("vectors") / "vectors.db")
    with EmbeddingsEndpoint(vectors, ["Where is the key?"]) as serving:
        yield serving
    vectors.close()


def test_it_embeds_a_batch_in_order(endpoint: EmbeddingsEndpoint) -> None:
    told = _post(endpoint, {"input": ["a red door", "a blue car"], "model": "any"}).json()

    assert [row["index"] for row in told["data"]] == [0, 1]
    rows = np.array([row["embedding"] for row in told["data"]])
    assert np.allclose(np.linalg.norm(rows, axis=1), 1, atol=1e-2)
    assert np.allclose(rows, endpoint.vectors.passages(["a red door", "a blue car"]), atol=1e-6)


def test_numbers_and_base64_say_the_same(endpoint: EmbeddingsEndpoint) -> None:
    numbers = _post(endpoint, {"input": "a red door"}).json()["data"][0]["embedding"]
    packed = _post(endpoint, {"input": "a red door", "encoding_format": "base64"}).json()["data"][0]["embedding"]

    assert np.allclose(np.frombuffer(base64.b64decode(packed), "<f4"), numbers)


def test_a_known_question_is_embedded_as_a_query(endpoint: EmbeddingsEndpoint) -> None:
    told = _post(endpoint, {"input": ["Where is\nthe key?", "The key is here."]}).json()["data"]

    assert np.allclose(told[0]["embedding"], endpoint.vectors.questions(["Where is the key?"])[0], atol=1e-6)
    assert np.allclose(told[1]["embedding"], endpoint.vectors.passages(["The key is here."])[0], atol=1e-6)


@pytest.mark.parametrize("body", [{}, {"input": []}, {"input": [1, 2]}, {"input": "a", "dimensions": 7}])
def test_an_unreadable_request_is_refused_with_a_reason(endpoint: EmbeddingsEndpoint, body: dict[str, Any]) -> None:
    answer = _post(endpoint, body)

    assert answer.status_code == 400
    assert answer.json()["error"]["message"]


def test_nothing_else_is_served(endpoint: EmbeddingsEndpoint) -> None:
    chat = httpx2.post(f"{endpoint.url}/chat/completions", json={"messages": []})
    models = httpx2.get(f"{endpoint.url}/models")

    assert (chat.status_code, models.status_code) == (404, 404)
    assert "only POST /v1/embeddings" in chat.json()["error"]["message"]


def test_no_text_is_embedded_twice(tmp_path: Path) -> None:
    first = KeptVectors(tmp_path / "v.db", _Once())
    rows = first.passages(["a b", "a  b", "c"])
    first.close()

    again = KeptVectors(tmp_path / "v.db", _Once(spent=True))

    assert np.array_equal(again.passages(["a b", "a\nb", "c"]), rows)
    again.close()


class _Once:
    """An embedding model that accepts each text once, or no text at all."""

    id = "once"
    size = VectorSize.SINGLE
    dimensions = 2

    def __init__(self, spent: bool = False) -> None:
        self._spent = spent
        self._seen: set[str] = set()

    def embed(self, texts: Any) -> Any:
        assert not self._spent
        assert not self._seen & set(texts)
        self._seen |= set(texts)
        return np.array([[len(text), 1] for text in texts], np.float32)

    def embed_query(self, text: str) -> Any:
        return self.embed([text])[0]


def _post(endpoint: EmbeddingsEndpoint, body: dict[str, Any]) -> httpx2.Response:
    return httpx2.post(f"{endpoint.url}/embeddings", json=body)
