"""A memory from which a secret was removed is sent to no model endpoint until a person releases it."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import holdfast
from holdfast import Workspace
from tests.models.servers import ModelServer

SECRET = "gh" + "p_" + "a1B2c3D4e5F6g7H8" * 2 + "i9J0"
PRIVATE = f"The lighthouse keeper logs in with {SECRET} at midnight."


@pytest.fixture
def server() -> Iterator[ModelServer]:
    with ModelServer() as server:
        yield server


@pytest.fixture
def ws(tmp_path: Path, server: ModelServer) -> Iterator[Workspace]:
    endpoints: dict[str, Any] = {
        "embed_url": f"{server.url}/v1",
        "llm_url": f"{server.url}/v1",
        "rerank_url": f"{server.url}/rerank",
    }
    models: dict[str, Any] = {
        "embedder": "http",
        "embed_model": "m",
        "llm_model": "m",
        "rerank_model": "m",
        "entities": "accurate",
    }
    (tmp_path / "p").mkdir()
    with holdfast.open(db=str(tmp_path / "m.db"), project=str(tmp_path / "p"), **endpoints, **models) as ws:
        yield ws


def sent(server: ModelServer) -> str:
    return json.dumps([request.body for request in server.requests])


def test_neither_embedder_nor_language_model_nor_reranker_sees_it(ws: Workspace, server: ModelServer) -> None:
    ws.remember(PRIVATE)
    ws.remember("The lighthouse has a red roof.")
    session = ws.session("s")
    session.say("user", f"From now on always give the lighthouse keeper {SECRET}.")
    session.say("user", "From now on always paint the roof red.")
    session.end()
    ws.add_document("docs/a.md", f"# Keys\n\nThe lighthouse keeper has {SECRET}.\n\n# Roof\n\nThe roof is red.\n")
    ws.upkeep("embed")
    ws.consolidate()
    ws.reflect(force=True)
    ws.upkeep("enrich")
    assert [hit.text for hit in ws.recall("who is the lighthouse keeper?").hits]
    ws.context("Tell me about the lighthouse.")
    paths = {request.path for request in server.requests}
    assert paths == {"/v1/embeddings", "/v1/chat/completions", "/rerank"}
    assert "red" in sent(server)
    assert SECRET not in sent(server)
    assert "keeper logs in" not in sent(server)
    assert "always give the lighthouse" not in sent(server)
    assert "lighthouse keeper has" not in sent(server)
    ws.upkeep("embed")
    assert "lighthouse keeper" not in sent(server).replace("who is the lighthouse keeper?", "")
    assert ws.stats().waiting == 0


def test_it_is_sent_once_a_person_released_it(ws: Workspace, server: ModelServer) -> None:
    memory = ws.remember(PRIVATE).memory
    assert memory is not None
    assert memory.redacted
    ws.upkeep("embed")
    assert "keeper logs in" not in sent(server)
    free = ws.release(memory.id)
    assert free.content == "The lighthouse keeper logs in with [removed github-token] at midnight."
    assert not free.redacted
    ws.upkeep("embed")
    assert "keeper logs in" in sent(server)
    assert [event.verb for event in ws.history(memory.id)] == ["remember", "release"]


def test_a_query_with_a_secret_is_not_sent(ws: Workspace, server: ModelServer) -> None:
    ws.remember("The lighthouse has a red roof.")
    ws.upkeep("embed")
    server.requests.clear()
    assert ws.recall(f"which roof has the lighthouse of {SECRET}?", abstain=False).hits
    assert SECRET not in sent(server)


def test_nothing_is_released_that_was_never_kept(ws: Workspace) -> None:
    memory = ws.remember("The lighthouse has a red roof.").memory
    assert memory is not None
    with pytest.raises(holdfast.InvalidInput, match="no secret"):
        ws.release(memory.id)
