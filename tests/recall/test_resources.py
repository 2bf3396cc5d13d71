"""The models that recipes use in a workspace: a reranker, a language model, and none that is not configured."""

from __future__ import annotations

import math
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import holdfast
from holdfast.recall.query.query_embedding import QueryEmbedder
from holdfast.recall.recall_reasons import RecallCode
from holdfast.recall.search.hyde import VERSION
from holdfast.system import churn
from holdfast.workspace import Workspace
from tests.models.servers import Answer, ModelServer
from tests.recall.test_graph import bind, kept


@pytest.fixture
def server() -> Iterator[ModelServer]:
    with ModelServer() as running:
        yield running


def opened(tmp_path: Path, project: Path, **settings: Any) -> Workspace:
    return holdfast.open(db=str(tmp_path / "m.db"), project=str(project), **settings)


def notes(answer: holdfast.Recall, step: str) -> Any:
    return next(trace.notes for trace in answer.trace.steps if trace.step == step)


def test_the_configured_reranker_reranks_the_best(tmp_path: Path, project: Path, server: ModelServer) -> None:
    with opened(tmp_path, project, rerank_url=f"{server.url}/rerank", rerank_model="judge") as ws:
        ws.remember("The kettle whistles at five")
        ws.remember("The kettle is red")
        answer = ws.recall("when does the kettle whistle")
        assert notes(answer, "rerank")["reranked"] == 2
        assert "rerank" in answer.hits[0].why.factors
        assert [request.path for request in server.requests] == ["/rerank"]


@pytest.mark.integration
def test_a_reranker_that_fails_gives_the_order_without_one(tmp_path: Path, project: Path, server: ModelServer) -> None:
    texts = (
        "The attic window leaks",
        "We clean the windows in May",
        "The window of the attic faces north",
        "Attic: empty",
    )
    question = "which direction does the window of the attic face?"
    with opened(tmp_path, project, embedder="bundled") as ws:
        for text in texts:
            ws.remember(text)
        ws.upkeep("embed")
        without = ws.recall(question, count=False)
    server.script += [Answer(500, {})] * 9
    named = {"rerank_url": f"{server.url}/rerank", "rerank_model": "judge", "http_retries": 0}
    with opened(tmp_path, project, embedder="bundled", **named) as ws:
        failing = ws.recall(question, count=False)
        assert "read" in notes(failing, "answers")
        assert [(hit.text, round(hit.score, 2)) for hit in failing.hits] == [
            (hit.text, round(hit.score, 2)) for hit in without.hits
        ]
    server.script.clear()
    with opened(tmp_path, project, embedder="bundled", **named) as ws:
        assert notes(ws.recall(question), "answers") == {"skipped": RecallCode.RERANKED}


def test_the_language_model_is_called_when_little_is_found(tmp_path: Path, project: Path, server: ModelServer) -> None:
    named = {"llm_url": f"{server.url}/v1", "llm_model": "small", "embedder": "bundled"}
    with opened(tmp_path, project, **named) as ws:
        ws.remember("Connection pooling exhausts the database under load")
        ws.remember("The attic floor creaks")
        ws.upkeep("embed")
        server.chat_text = "The database connection pooling is exhausted under load."
        answer = ws.recall("what happened on Friday?")
        assert notes(answer, "hyde")["hypothetical answer"] == server.chat_text
        assert notes(answer, "hyde")["found"] == 2
        assert notes(answer, "hyde")["prompt"] == VERSION
        assert ws.recall("what happened on Friday?", hyde=False).hits == ()


@pytest.mark.parametrize("recipe", ["default", "rrf", "vector"])
def test_hyde_ranks_again_in_every_recipe(tmp_path: Path, project: Path, server: ModelServer, recipe: str) -> None:
    with opened(tmp_path, project, llm_url=f"{server.url}/v1", llm_model="small") as ws:
        for n in range(5):
            ws.remember(f"The kettle number {n} whistles", files=["tea.py"])
        ws.upkeep("embed")
        server.chat_text = "The kettle number 3 whistles"
        answer = ws.recall("any noise?", recipe=recipe, abstain=False)
        first = next(hit for hit in answer.hits if hit.why.paths["hyde"] == 1)
        assert first.text == server.chat_text
        scores = [hit.score for hit in answer.hits]
        assert scores == sorted(scores, reverse=True)
        assert all(0 <= score <= 1 for score in scores)


def test_context_and_the_keyword_recipe_never_call_the_language_model(
    tmp_path: Path, project: Path, server: ModelServer
) -> None:
    named = {"llm_url": f"{server.url}/v1", "llm_model": "small", "rerank_url": f"{server.url}/rerank"}
    with opened(tmp_path, project, **named) as ws:
        ws.remember("The attic floor creaks")
        ws.remember("The attic is cold")
        ws.upkeep("embed")
        ws.context("why is the attic so slow?")
        assert {request.path for request in server.requests} <= {"/rerank"}
        server.requests.clear()
        ws.recall("attic", recipe="keyword")
        assert server.requests == []


def test_a_language_model_that_fails_changes_nothing(tmp_path: Path, project: Path, server: ModelServer) -> None:
    with opened(tmp_path, project, llm_url=f"{server.url}/v1", llm_model="small") as ws:
        ws.remember("The attic floor creaks")
        ws.upkeep("embed")
        server.script.append(Answer(500, {}))
        answer = ws.recall("the attic floor")
        assert [hit.text for hit in answer.hits] == ["The attic floor creaks"]
        assert "endpoint" in notes(answer, "hyde")["failed"].values["error"]


@pytest.mark.parametrize("answers", [[], [Answer(400, {})], [Answer(500, {})]], ids=["answers", "refuses", "fails"])
@pytest.mark.parametrize("stored", [(), ("The attic floor creaks",)], ids=["empty store", "one memory"])
def test_the_language_model_is_asked_once_per_recall(
    tmp_path: Path, project: Path, server: ModelServer, answers: list[Answer], stored: tuple[str, ...]
) -> None:
    with opened(tmp_path, project, llm_url=f"{server.url}/v1", llm_model="small", http_retries=0) as ws:
        for text in stored:
            ws.remember(text)
        ws.session("s").say("user", "The boiler was serviced in May")
        ws.upkeep("embed")
        server.chat_text = "Endor has a forest moon."
        server.script.extend(answers)
        ws.recall("what colour is the moon of Endor?")
        assert [request.path for request in server.requests] == ["/v1/chat/completions"]
        server.requests.clear()
        if not answers:
            ws.recall("what colour is the moon of Endor?")
            assert len(server.requests) == 1


def test_the_keyword_recipe_does_not_embed_the_query(ws: Workspace, monkeypatch: pytest.MonkeyPatch) -> None:
    ws.remember("The attic floor creaks")
    ws.upkeep("embed")
    monkeypatch.setattr(QueryEmbedder, "__call__", lambda self, text: pytest.fail("a model was asked"))
    assert ws.recall("attic floor", recipe="keyword").hits


def test_memories_of_changed_files_decay_faster_in_the_rrf_recipe(
    tmp_path: Path, project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    run = ["git", "-C", str(project)]
    subprocess.run([*run, "init", "-q"], check=True)
    (project / "busy.py").write_text("x = 1\n")
    subprocess.run([*run, "add", "."], check=True)
    subprocess.run([*run, "commit", "-q", "-m", "one"], check=True)
    with opened(tmp_path, project) as ws:
        ws.remember("The kettle whistles at five", files=["busy.py"])
        monkeypatch.setattr(churn, "SECONDS", 30.0)  # a slow machine is not a wrong answer
        by_rank = ws.recall("kettle", recipe="rrf").hits[0]
        assert by_rank.why.factors["fading"] == pytest.approx(0.5 + 1 / 6)
        assert "fading" not in ws.recall("kettle").hits[0].why.factors


def test_memories_of_a_related_file_are_exempt_from_abstention(ws: Workspace) -> None:
    asked = kept(ws, "The kettle whistles at five", files=["tea.py"])
    bound = kept(ws, "Spouts drip when cold", type="gotcha", files=["pot.py"])
    bind(ws, asked, bound, 9, 1)
    hits = ws.recall("kettle in tea.py").hits
    assert [hit.text for hit in hits] == ["The kettle whistles at five", "Spouts drip when cold"]
    assert hits[1].why.paths["causal"] == 1
    assert hits[1].why.factors["evidence"] < hits[0].why.factors["evidence"]


def test_missing_measures_are_left_out(ws: Workspace) -> None:
    ws.remember("The kettle whistles at five")
    ws.upkeep("embed")
    ws.remember("The kettle is red")
    for hit in ws.recall("kettle").hits:
        assert not any(map(math.isnan, hit.why.factors.values()))


@pytest.mark.integration
def test_a_search_without_remote_models_loads_no_http_client(tmp_path: Path, project: Path) -> None:
    code = (
        "import sys, holdfast\n"
        f"with holdfast.open(db={str(tmp_path / 'm.db')!r}, project={str(project)!r}) as ws:\n"
        "    ws.remember('The kettle whistles')\n"
        "    ws.upkeep('embed')\n"
        "    assert ws.recall('kettle').hits and ws.recall('kettle', recipe='rrf').hits\n"
        "print({'httpx', 'holdfast.models.http', 'holdfast.recall.search.hyde'} & set(sys.modules))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "set()\n"
