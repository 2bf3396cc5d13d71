"""Reranking with a model over real HTTP."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from holdfast.core.settings import Settings
from holdfast.intake.secrets import redact
from holdfast.models.choice import choose_reranker
from holdfast.recall.evidence.rerank import Rerank
from holdfast.recall.question import RecallCandidate
from holdfast.recall.recall_reasons import RecallCode
from tests.models.servers import Answer, ModelServer
from tests.recall.test_steps import factors, question


@pytest.fixture
def server() -> Iterator[ModelServer]:
    with ModelServer() as running:
        yield running


def reranker(server: ModelServer) -> Any:
    settings = Settings(rerank_url=f"{server.url}/rerank", rerank_model="judge", search_timeout=0.3, http_retries=0)
    return choose_reranker(settings, redact=redact)


def candidates(*texts: str) -> tuple[RecallCandidate, ...]:
    return tuple(
        RecallCandidate(n, {"words": n}, {}, 1 - n / 100, {"phase": 1.0}, factors(passage=n, searched=text))
        for n, text in enumerate(texts, start=1)
    )


def test_reranker_and_score_count_half_each(server: ModelServer) -> None:
    before = candidates("nothing of the sort", "where the kettle is")
    after, notes = Rerank(reranker(server))(question("where is the kettle"), before)
    assert [one.passage for one in after] == [2, 1]
    # words in common: 4 of 4 and 1 of 4
    assert [one.score for one in after] == [pytest.approx(0.5 + 0.98 / 2), pytest.approx(0.25 / 2 + 0.99 / 2)]
    assert dict(after[0].factors) == {"phase": 1.0, "rerank": 1.0}
    assert after[0].raw["rerank"] == 1.0
    assert notes == {"reranker": "http:judge@localhost", "reranked": 2}


@pytest.mark.parametrize(("limit", "looked_at"), [(1, 20), (8, 20), (12, 30)])
def test_only_the_best_are_reranked_and_the_rest_stays_behind(server: ModelServer, limit: int, looked_at: int) -> None:
    before = candidates(*(f"the note {n}" for n in range(40)))
    asked = question("kettle")
    after, _ = Rerank(reranker(server))(type(asked)(asked.text, "p", asked.filters, limit, asked.now), before)
    assert len(server.requests[0].body["documents"]) == looked_at
    assert [one.passage for one in after] == list(range(1, 41))
    assert [one.score for one in after] == sorted((one.score for one in after), reverse=True)


def test_no_secret_is_sent(server: ModelServer) -> None:
    token = "ghp_" + "a1B2" * 9
    Rerank(reranker(server))(question(f"is {token} old?"), candidates(f"use {token}", "tea"))
    assert token not in str(server.requests[0].body)


@pytest.mark.parametrize(
    "answer", [Answer(500, {}), Answer(403, {}), Answer(body={"results": [{"index": 9}]}), Answer(hang=True)]
)
def test_an_endpoint_that_fails_leaves_the_order(server: ModelServer, answer: Answer) -> None:
    server.script.append(answer)
    before = candidates("nothing of the sort", "where the kettle is")
    after, notes = Rerank(reranker(server))(question("where is the kettle"), before)
    assert after is before
    assert "endpoint" in notes["failed"].values["error"]


def test_no_request_without_need(server: ModelServer) -> None:
    alone = candidates("tea")
    assert Rerank(reranker(server))(question("tea"), alone)[0] is alone
    assert Rerank(None)(question("tea"), candidates("a", "b"))[1] == {"skipped": RecallCode.NO_RERANKER}
    assert server.requests == []
