from __future__ import annotations

import itertools
import json
from collections.abc import Iterator
from typing import Any

import pytest

from holdfast.core.errors import InvalidSettings, ModelError, ModelGarbled, ModelRefused, ModelUnreachable
from holdfast.models.endpoint import Endpoint, RetryPolicy, _is_nested_deeply
from holdfast.models.http import HttpChat, HttpEmbedder, HttpReranker

from .servers import Answer, ModelServer

KEY = "sk-very-secret-key"


@pytest.fixture
def server() -> Iterator[ModelServer]:
    with ModelServer() as server:
        yield server


class Calls:
    """An endpoint that records how long it would have slept."""

    def __init__(self, url: str, timeout: float = 5, retries: int = 2, key: str = KEY) -> None:
        self.slept: list[float] = []
        policy = RetryPolicy(timeout, retries, sleep=self.slept.append, random=lambda: 0.5)
        self.endpoint = Endpoint(url + "/v1", key, policy)


def embed(calls: Calls, text: str = "x") -> Any:
    return HttpEmbedder(calls.endpoint, "m", 8).embed([text])


def test_asks_with_key_model_and_dimensions(server: ModelServer) -> None:
    HttpEmbedder(Calls(server.url).endpoint, "m", 8, passage_prefix="p: ", query_prefix="q: ").embed(["x", ""])
    [request] = server.requests
    assert request.headers["authorization"] == f"Bearer {KEY}"
    assert request.body == {"model": "m", "input": ["p: x", "p: "], "dimensions": 8, "encoding_format": "float"}


def test_the_first_answer_sets_the_dimensions(server: ModelServer) -> None:
    embedder = HttpEmbedder(Calls(server.url, key="").endpoint, "m")
    assert (embedder.id, embedder.dimensions, server.requests) == ("http:m@localhost", 0, [])
    embedder.embed(["x"])
    assert (embedder.id, embedder.dimensions) == ("http:m@localhost:64", 64)
    assert len(server.requests) == 1
    assert "dimensions" not in server.requests[0].body
    assert "authorization" not in server.requests[0].headers


def test_building_sends_nothing(server: ModelServer) -> None:
    assert HttpEmbedder(Calls(server.url).endpoint, "m", 8).id == "http:m@localhost:8"
    assert server.requests == []


def test_texts_go_in_batches(server: ModelServer) -> None:
    HttpEmbedder(Calls(server.url).endpoint, "m", 8, batch=2).embed(["a", "b", "c", "d", "e"])
    assert [len(request.body["input"]) for request in server.requests] == [2, 2, 1]


def test_requests_are_redacted(server: ModelServer) -> None:
    endpoint = Endpoint(server.url + "/v1", redact=lambda text: text.replace("hunter2", "[secret]"))
    HttpEmbedder(endpoint, "m", 8).embed(["password hunter2"])
    HttpEmbedder(endpoint, "m", 8).embed_query("hunter2?")
    HttpChat(endpoint, "m").complete("system hunter2", "prompt hunter2")
    HttpReranker(Endpoint(server.url + "/rerank", redact=endpoint._redact), "m").rerank("hunter2", ["a hunter2"])
    sent = json.dumps([request.body for request in server.requests])
    assert "hunter2" not in sent
    assert sent.count("[secret]") == 6


@pytest.mark.parametrize("status", [408, 429, 500, 503])
def test_a_passing_failure_is_tried_again(server: ModelServer, status: int) -> None:
    calls = Calls(server.url)
    server.script = [Answer(status), Answer(status)]
    assert embed(calls).shape == (1, 8)
    assert calls.slept == [0.5, 1.0]


def test_gives_up_after_the_last_retry(server: ModelServer) -> None:
    calls = Calls(server.url)
    server.script = [Answer(503, {"error": {"message": "overloaded"}})] * 3
    with pytest.raises(ModelUnreachable, match="answered 503: overloaded"):
        embed(calls)
    assert len(server.requests) == 3


def test_waits_as_long_as_the_server_asks(server: ModelServer) -> None:
    calls = Calls(server.url)
    server.script = [Answer(429, headers={"retry-after": "7"})]
    embed(calls)
    assert calls.slept == [7.0]


def test_does_not_wait_for_hours(server: ModelServer) -> None:
    calls = Calls(server.url)
    server.script = [Answer(429, {"error": {"message": "quota"}}, {"retry-after": "3600"})]
    with pytest.raises(ModelRefused, match="429: quota"):
        embed(calls)
    assert calls.slept == []


def test_a_server_that_says_nothing_is_given_up(server: ModelServer) -> None:
    calls = Calls(server.url, timeout=0.05, retries=1)
    server.script = [Answer(hang=True), Answer(hang=True)]
    with pytest.raises(ModelUnreachable, match=r"longer than 0\.05 s"):
        embed(calls)
    assert len(calls.slept) == 1


def test_a_server_that_never_ends_is_given_up(server: ModelServer) -> None:
    server.script = [Answer(drip=True)]
    seconds = itertools.count(step=10.0)
    policy = RetryPolicy(timeout=5, retries=0, clock=lambda: next(seconds))
    with pytest.raises(ModelUnreachable, match="longer than 5 s"):
        HttpEmbedder(Endpoint(server.url + "/v1", retry_policy=policy), "m", 8).embed(["x"])


def test_a_server_that_is_gone_is_unreachable(server: ModelServer) -> None:
    calls = Calls("http://127.0.0.1:1", retries=1)
    with pytest.raises(ModelUnreachable, match=r"http://127\.0\.0\.1:1/v1"):
        embed(calls)
    assert len(calls.slept) == 1


def test_a_cut_answer_is_tried_again(server: ModelServer) -> None:
    server.script = [Answer(body={"data": []}, cut=3)]
    assert embed(Calls(server.url)).shape == (1, 8)


def test_a_redirect_is_not_followed(server: ModelServer) -> None:
    server.script = [Answer(307, b"", {"location": server.url + "/elsewhere"})]
    with pytest.raises(ModelRefused, match="redirect, which is not followed"):
        embed(Calls(server.url))
    assert len(server.requests) == 1


@pytest.mark.parametrize(
    ("status", "body", "shown"),
    [
        (400, {"error": {"message": "input too long"}}, "400: input too long"),
        (403, {"error": "no access"}, "403: no access"),
        (404, {"message": "model\nnot found"}, "404: model not found"),
        (401, {"error": {"message": f"Incorrect API key provided: {KEY[:6]}***"}}, "401, key not accepted"),
        (403, {"detail": f"key {KEY} may not"}, "403: key … may not"),
        (400, b"<html>oops</html>", "answered 400"),
    ],
)
def test_a_refusal_shows_the_message_of_the_server(server: ModelServer, status: int, body: Any, shown: str) -> None:
    calls = Calls(server.url)
    server.script = [Answer(status, body)]
    with pytest.raises(ModelRefused) as refusal:
        embed(calls)
    assert shown in str(refusal.value)
    assert calls.slept == []


@pytest.mark.parametrize(
    "answer",
    [
        Answer(500, {"error": {"message": f"bad {KEY}"}}),
        Answer(401, {"error": {"message": f"bad {KEY}"}}),
        Answer(400, {"error": {"message": f"bad {KEY}"}}),
        Answer(200, f"not json {KEY}".encode()),
        Answer(302, b"", {"location": f"http://127.0.0.1/?key={KEY}"}),
        Answer(hang=True),
    ],
)
def test_the_key_is_never_shown(server: ModelServer, answer: Answer) -> None:
    calls = Calls(server.url, timeout=0.2, retries=0)
    embedder = HttpEmbedder(calls.endpoint, "m", 8)
    server.script = [answer]
    with pytest.raises(ModelError) as failure:
        embedder.embed(["x"])
    assert KEY not in f"{failure.value} {failure.value!r} {embedder!r} {calls.endpoint!r}"


@pytest.mark.parametrize(
    "body",
    [
        b"not json",
        b"[" * 200_000,
        b'{"a":' * 100_000 + b"1" + b"}" * 100_000,
        {"data": "no"},
        {"data": []},
        [],
        {"data": [{"index": 0, "embedding": ["a"] * 8}]},
        {"data": [{"index": 1, "embedding": [1.0] * 8}]},
        {"data": [{"index": 0, "embedding": [1.0] * 9}]},
        {"data": [{"index": 0, "embedding": []}]},
        {"data": [{"index": 0, "embedding": [0.0] * 8}]},
        {"data": [{"index": 0, "embedding": [float("nan")] * 8}]},
        {"data": [{"index": 0, "embedding": 3.0}]},
        {"data": [{"index": 0, "embedding": [1.0] * 8}, {"index": 0, "embedding": [1.0] * 8}]},
    ],
)
def test_an_answer_that_is_no_embedding_is_garbled(server: ModelServer, body: Any) -> None:
    server.script = [Answer(body=body)]
    with pytest.raises(ModelGarbled):
        embed(Calls(server.url))


def test_a_matryoshka_vector_is_cut_and_made_a_unit_again(server: ModelServer) -> None:
    server.script = [Answer(body={"data": [{"index": 0, "embedding": [3.0, 4.0, 12.0]}]})]
    vector = HttpEmbedder(Calls(server.url).endpoint, "m", 2, shorten=True).embed_query("x")
    assert vector.tolist() == pytest.approx([0.6, 0.8])


def test_chat_answers_and_counts(server: ModelServer) -> None:
    reply = HttpChat(Calls(server.url).endpoint, "m").complete("be kind", "hi", max_tokens=5)
    assert (reply.text, reply.prompt_tokens, reply.completion_tokens) == ("hello", 11, 7)
    body = server.requests[0].body
    assert [message["content"] for message in body["messages"]] == ["be kind", "hi"]
    assert (body["max_tokens"], body["temperature"]) == (5, 0)
    assert "response_format" not in body


SCHEMA = {"type": "object", "properties": {"name": {"type": "string"}}}


def test_chat_asks_for_the_schema(server: ModelServer) -> None:
    server.chat_text = '{"name": "Ada"}'
    assert HttpChat(Calls(server.url).endpoint, "m").complete("s", "p", schema=SCHEMA).text == server.chat_text
    asked = server.requests[0].body["response_format"]
    assert (asked["type"], asked["json_schema"]["schema"]) == ("json_schema", SCHEMA)


@pytest.mark.parametrize("message", ["'response_format' is not supported", "bad request"])
def test_chat_falls_back_to_a_schema_in_the_prompt(server: ModelServer, message: str) -> None:
    server.chat_text = '```json\n{"name": "Ada"}\n```'
    server.script = [Answer(400, {"error": {"message": message}})]
    assert HttpChat(Calls(server.url).endpoint, "m").complete("s", "p", schema=SCHEMA).text == '{"name": "Ada"}'
    second = server.requests[1].body
    assert "response_format" not in second
    assert json.dumps(SCHEMA) in second["messages"][0]["content"]


def test_chat_does_without_what_a_server_refuses() -> None:
    with ModelServer(refuses=("max_tokens", "temperature")) as server:
        assert HttpChat(Calls(server.url).endpoint, "m").complete("s", "p", max_tokens=9).text == "hello"
    last = server.requests[-1].body
    assert last["max_completion_tokens"] == 9
    assert {"max_tokens", "temperature"}.isdisjoint(last)


def test_chat_does_not_ask_for_ever(server: ModelServer) -> None:
    server.script = [Answer(400, {"error": {"message": "response_format and max_tokens and temperature"}})] * 9
    with pytest.raises(ModelRefused):
        HttpChat(Calls(server.url).endpoint, "m").complete("s", "p", schema=SCHEMA)
    assert len(server.requests) == 4


@pytest.mark.parametrize("text", ["", "I think the name is Ada", '{"name": "A'])
def test_chat_that_does_not_answer_in_json_is_garbled(server: ModelServer, text: str) -> None:
    server.chat_text = text
    with pytest.raises(ModelGarbled):
        HttpChat(Calls(server.url).endpoint, "m").complete("s", "p", schema=SCHEMA)


@pytest.mark.parametrize("body", [{}, [], {"choices": []}, {"choices": [{"message": {"content": None}}]}])
def test_chat_without_a_message_is_garbled(server: ModelServer, body: Any) -> None:
    server.script = [Answer(body=body)]
    with pytest.raises(ModelGarbled):
        HttpChat(Calls(server.url).endpoint, "m").complete("s", "p")


def test_reranks_in_the_order_given(server: ModelServer) -> None:
    reranker = HttpReranker(Endpoint(server.url + "/rerank"), "r")
    assert reranker.rerank("red fish", ["none", "a red hat", "a red fish"]) == (0.0, 0.5, 1.0)
    assert reranker.rerank("red fish", []) == ()
    assert len(server.requests) == 1


def test_raw_scores_become_shares_and_a_text_without_score_gets_0(server: ModelServer) -> None:
    results = [{"index": 2, "relevance_score": 0.0}, {"index": 0, "relevance_score": -800}]
    server.script = [Answer(body={"results": results})]
    assert HttpReranker(Endpoint(server.url + "/rerank"), "r").rerank("q", ["a", "b", "c"]) == (0.0, 0.0, 0.5)


@pytest.mark.parametrize(
    "results",
    [
        "no",
        [{"index": 9, "relevance_score": 1}],
        [{"index": 0}],
        [{"index": 0, "relevance_score": 1}] * 2,
        [{"index": "0", "relevance_score": 1}],
        [{"index": 0, "relevance_score": float("nan")}],
    ],
)
def test_scores_that_fit_no_text_are_garbled(server: ModelServer, results: Any) -> None:
    server.script = [Answer(body={"results": results})]
    with pytest.raises(ModelGarbled):
        HttpReranker(Endpoint(server.url + "/rerank"), "r").rerank("q", ["a"])


@pytest.mark.parametrize(
    "url", ["", "ftp://h/v1", "h:80/v1", "http://", "http://u:p@h/v1", "http://h:x/v1", "http://[h"]
)
def test_an_invalid_address_is_refused(url: str) -> None:
    with pytest.raises(InvalidSettings):
        Endpoint(url)


@pytest.mark.parametrize("key", ["two words", "ключ", "line\nbreak"])
def test_a_key_that_no_header_can_carry_is_refused_unseen(key: str) -> None:
    with pytest.raises(InvalidSettings) as refusal:
        Endpoint("http://h/v1", key)
    assert key not in str(refusal.value)


@pytest.mark.integration
@pytest.mark.parametrize(
    ("body", "deep"),
    [
        (b"", False),
        (b"[]", False),
        (b'{"a": ["[[[[", "\\"[["]}', False),
        (b"[" * 50 + b"]" * 50, False),
        (b"[" * 51 + b"]" * 51, True),
        (b"[], " * 100_000, False),
        (b'{"a":' * 51 + b"1" + b"}" * 51, True),
        (b"[" * 1_000_000, True),
        (b"]" * 60, True),
    ],
)
def test_deeply_nested_json_is_recognised_without_parsing(body: bytes, deep: bool) -> None:
    assert _is_nested_deeply(body) is deep
