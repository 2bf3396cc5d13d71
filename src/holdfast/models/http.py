"""Models behind an OpenAI-compatible HTTP API: embeddings, chat, and a Cohere-style reranker.

Works with OpenAI, OpenRouter, vLLM, LM Studio and Ollama's /v1. Nothing is sent before the first call.
"""

from __future__ import annotations

import json
import math
import re
import zlib
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, Protocol

from holdfast.core.errors import ModelGarbled, ModelRefused
from holdfast.core.vector_size import VectorSize
from holdfast.models.circuit_breaker import CircuitBreaker
from holdfast.models.endpoint import Endpoint, Refusal
from holdfast.models.probability import logistic
from holdfast.models.protocols import ChatReply

if TYPE_CHECKING:
    from holdfast.models.protocols import Vectors


# Longer texts are clipped: the beginning says what a text is about, and servers refuse what exceeds their context.
_LONGEST = 16_000
# The score of texts that are not sent.
_NEUTRAL = 0.5
# A text that is refused alone is sent once more, clipped to this many characters.
_SHORT = 2_000


class NotSent(ModelRefused):
    """A text with a secret is not sent to a model endpoint."""

    @property
    def of_request(self) -> bool:
        return True


class HttpEmbedder:
    """Embeds over `POST /embeddings`.

    `dimensions` are requested from the server. Without them the server decides: `known_dimensions` are those of its
    earlier vectors, and 0 until the first answer. An answer with another number is an error, because one wrong answer
    must not have every passage embedded again. `id` and `dimensions` send nothing.

    A text from which a secret was removed is not sent. It gets a vector in a random direction, which is near no query.

    The id includes the host, because two servers may use one name for different models.
    `shorten` cuts longer vectors to `dimensions`; correct only for a Matryoshka model.
    A query is sent once and waits at most `query_seconds`; passages are sent again as the endpoint's policy says.
    """

    def __init__(
        self,
        endpoint: Endpoint,
        model: str,
        dimensions: int = 0,
        *,
        known_dimensions: int = 0,
        query_prefix: str = "",
        passage_prefix: str = "",
        shorten: bool = False,
        batch: int = 64,
        query_seconds: float | None = None,
    ) -> None:
        self._endpoint = endpoint
        self._model = model
        self._requested_dimensions = dimensions
        self._dimensions = dimensions or known_dimensions
        self._query_prefix = query_prefix
        self._passage_prefix = passage_prefix
        self._shorten = shorten
        self._batch = batch
        self._query_seconds = query_seconds

    @property
    def id(self) -> str:
        beginning = self.id_without_dimensions(self._endpoint, self._model)
        return f"{beginning}{self.dimensions}" if self.dimensions else beginning.removesuffix(":")

    @staticmethod
    def id_without_dimensions(endpoint: Endpoint, model: str) -> str:
        """The beginning of the id, which is the same for every number of dimensions."""
        return f"http:{model}@{endpoint.host}:"

    @property
    def size(self) -> VectorSize:
        return VectorSize.SINGLE

    @property
    def dimensions(self) -> int:
        return self._dimensions

    def embed(self, texts: Sequence[str]) -> Vectors:
        import numpy as np

        may_send = [self._endpoint.may_send(text) for text in texts]
        sent = [(self._passage_prefix + text)[:_LONGEST] for text, sends in zip(texts, may_send, strict=True) if sends]
        if texts and not sent and not self.dimensions:
            self._embed([" "])  # To know the number of dimensions.
        batches = [self._embed_batch(sent[start : start + self._batch]) for start in range(0, len(sent), self._batch)]
        vectors = np.concatenate(batches) if batches else np.zeros((0, self.dimensions), np.float32)
        if all(may_send):
            return vectors
        found = iter(vectors)
        rows = [next(found) if s else self._unsent(text) for text, s in zip(texts, may_send, strict=True)]
        return np.stack(rows)

    def _unsent(self, text: str) -> Vectors:
        import numpy as np

        seed = zlib.crc32(text.encode("utf-8", "replace"))
        direction = np.random.default_rng(seed).standard_normal((1, self.dimensions)).astype(np.float32)
        vector: Vectors = _unit(direction, self._model)[0]
        return vector

    def embed_query(self, text: str) -> Vectors:
        if not self._endpoint.may_send(text):
            raise NotSent("the query contains a secret", hint="Search by other words.")
        vector: Vectors = self._embed([(self._query_prefix + text)[:_LONGEST]], self._query_seconds)[0]
        return vector

    def _embed_batch(self, texts: Sequence[str]) -> Vectors:
        """Embeds texts. If they are refused, embeds each alone, so that one text does not keep the others waiting."""
        try:
            return self._embed(texts)
        except Refusal as refusal:
            if not refusal.of_request or (len(texts) == 1 and len(texts[0]) <= _SHORT):
                raise
        import numpy as np

        if len(texts) == 1:
            return self._embed([texts[0][:_SHORT]])
        return np.concatenate([self._embed_batch([text]) for text in texts])

    def _embed(self, texts: Sequence[str], within: float | None = None) -> Vectors:
        vectors = self._request(texts, within)
        found, expected = vectors.shape[1], self._dimensions
        if expected and found > expected and self._shorten:
            vectors = vectors[:, :expected]
        elif expected and found != expected:
            raise ModelGarbled(
                f"{self._model} returned {found} dimensions, not {expected}",
                hint=f"If the endpoint has another model now, set embed_dimensions to {found}.",
            )
        unit = _unit(vectors, self._model)
        self._dimensions = unit.shape[1]
        return unit

    def _request(self, texts: Sequence[str], within: float | None) -> Vectors:
        # Servers refuse an empty input.
        payload: dict[str, Any] = {"model": self._model, "input": [text or " " for text in texts]}
        payload["encoding_format"] = "float"
        if self._requested_dimensions:
            payload["dimensions"] = self._requested_dimensions
        return _vectors(self._endpoint.post("/embeddings", payload, within), len(texts), self._model)


class ChatEndpoint(Protocol):
    """What answers the requests of a chat: a server, or a program."""

    def name(self, model: str) -> str: ...
    def post(self, path: str, payload: Mapping[str, Any], within: float | None = None) -> Any: ...


class HttpChat:
    """Answers over `POST /chat/completions`.

    With a schema the answer is JSON text. If the server refuses an optional parameter, the request is repeated without
    it; if it refuses `response_format`, the schema is put into the prompt instead.
    """

    def __init__(self, endpoint: ChatEndpoint, model: str) -> None:
        self._endpoint = endpoint
        self._model = model

    @property
    def id(self) -> str:
        return self._endpoint.name(self._model)

    def complete(
        self, system: str, prompt: str, *, schema: Mapping[str, Any] | None = None, max_tokens: int = 1024
    ) -> ChatReply:
        payload = _conversation(self._model, system, prompt, schema, max_tokens)
        reply = _reply(self._answer(payload), self._model)
        return ChatReply(_json_text(reply.text), reply.prompt_tokens, reply.completion_tokens) if schema else reply

    def _answer(self, payload: dict[str, Any]) -> Any:
        while True:
            try:
                return self._endpoint.post("/chat/completions", payload)
            except Refusal as refusal:
                simpler = _simpler(payload, refusal)
                if simpler is None:
                    raise
                payload = simpler


class HttpReranker:
    """Scores texts with one Cohere-style `POST` to the endpoint's base URL, sent once and for at most `seconds`.

    Without `seconds` the endpoint's policy applies. After a failure it refuses for a while. A text from which a secret
    was removed is not sent and gets the average score.
    """

    def __init__(self, endpoint: Endpoint, model: str, seconds: float | None = None) -> None:
        self._endpoint = endpoint
        self._model = model
        self._seconds = seconds
        self._breaker = CircuitBreaker()

    @property
    def id(self) -> str:
        return f"http:{self._model}@{self._endpoint.host}"

    def rerank(self, query: str, texts: Sequence[str]) -> tuple[float, ...]:
        sent = [text for text in texts if self._endpoint.may_send(text)]
        if not sent:
            return (_NEUTRAL,) * len(texts)
        payload = {"model": self._model, "query": query, "documents": sent, "top_n": len(sent)}
        scores = _as_probabilities(self._breaker.call(lambda: self._request(payload, len(sent))))
        found, average = iter(scores), sum(scores) / len(scores)
        return tuple(next(found) if self._endpoint.may_send(text) else average for text in texts)

    def _request(self, payload: Mapping[str, Any], count: int) -> list[float | None]:
        return _scores(self._endpoint.post("", payload, self._seconds), count, self._model)


def _vectors(answer: Any, count: int, model: str) -> Vectors:
    """Returns the vectors in the order of the texts, whatever the order of the server's answer."""
    import numpy as np

    try:
        rows = sorted(answer["data"], key=lambda row: row["index"])
        indexes = [row["index"] for row in rows]
        vectors = np.array([row["embedding"] for row in rows], np.float32)
    except (KeyError, TypeError, ValueError, OverflowError) as error:
        raise ModelGarbled(f"{model} did not answer with embeddings") from error
    if indexes != list(range(count)):
        raise ModelGarbled(f"{model} returned {len(indexes)} embeddings for {count} texts, or returned one twice")
    if vectors.ndim != 2 or not vectors.shape[1]:
        raise ModelGarbled(f"{model} returned embeddings that are not lists of numbers")
    return vectors


def _unit(vectors: Vectors, model: str) -> Vectors:
    import numpy as np

    lengths = np.linalg.norm(vectors, axis=1, keepdims=True)
    if not np.isfinite(lengths).all() or not lengths.all():
        raise ModelGarbled(f"{model} returned a vector of zeros or not-a-numbers")
    unit: Vectors = vectors / lengths
    return unit


def _conversation(
    model: str, system: str, prompt: str, schema: Mapping[str, Any] | None, max_tokens: int
) -> dict[str, Any]:
    messages = [{"role": "system", "content": system}, {"role": "user", "content": prompt}]
    payload: dict[str, Any] = {"model": model, "messages": messages, "temperature": 0, "max_tokens": max_tokens}
    if schema is not None:
        json_schema = {"name": "answer", "schema": dict(schema), "strict": True}
        payload["response_format"] = {"type": "json_schema", "json_schema": json_schema}
    return payload


def _simpler(payload: Mapping[str, Any], refusal: Refusal) -> dict[str, Any] | None:
    """Returns the request without the parameter the server refused; None if no optional parameter is left."""
    if refusal.status not in (400, 422):
        return None
    optional = [name for name in ("temperature", "max_tokens", "response_format") if name in payload]
    named = [name for name in optional if name in refusal.message]
    refused = named or [name for name in optional if name == "response_format"]
    if not refused:
        return None
    simpler = {name: value for name, value in payload.items() if name != refused[0]}
    if refused[0] == "max_tokens":
        simpler["max_completion_tokens"] = payload["max_tokens"]
    if refused[0] == "response_format":
        simpler["messages"] = with_schema(payload["messages"], payload["response_format"]["json_schema"]["schema"])
    return simpler


def with_schema(messages: Sequence[Mapping[str, str]], schema: Mapping[str, Any]) -> list[dict[str, str]]:
    instruction = f"\n\nAnswer with one JSON object and nothing else. It follows this schema: {json.dumps(schema)}"
    first, *others = messages
    return [{"role": "system", "content": first["content"] + instruction}, *(dict(message) for message in others)]


def _reply(answer: Any, model: str) -> ChatReply:
    try:
        text = answer["choices"][0]["message"]["content"]
        usage = answer.get("usage")
    except (KeyError, IndexError, TypeError, AttributeError) as error:
        raise ModelGarbled(f"{model} did not answer with a message") from error
    if not isinstance(text, str) or not text.strip():
        raise ModelGarbled(f"{model} answered without text")
    # A wrong report of its costs does not spoil an answer.
    spent = [usage.get(name) if isinstance(usage, dict) else 0 for name in ("prompt_tokens", "completion_tokens")]
    return ChatReply(text, *(count if isinstance(count, int) and 0 <= count < 2**31 else 0 for count in spent))


def _json_text(text: str) -> str:
    """Returns the JSON in an answer, without its code fence if it has one."""
    fenced = re.fullmatch(r"\s*```(?:json)?\s*\n(.*?)\n?```\s*", text, re.DOTALL)
    bare = (fenced.group(1) if fenced else text).strip()
    try:
        json.loads(bare)
    except (ValueError, RecursionError):
        raise ModelGarbled("the answer is not the requested JSON, or it was cut off") from None
    return bare


def _scores(answer: Any, count: int, model: str) -> list[float | None]:
    scores: list[float | None] = [None] * count
    try:
        for result in answer["results"]:
            index, score = result["index"], float(result["relevance_score"])
            if not 0 <= index < count or scores[index] is not None or not math.isfinite(score):
                raise ModelGarbled(f"{model} scored text {index} of {count} wrongly or twice")
            scores[index] = score
    except (KeyError, TypeError, ValueError, OverflowError) as error:
        raise ModelGarbled(f"{model} did not answer with scores") from error
    return scores


def _as_probabilities(scores: Sequence[float | None]) -> tuple[float, ...]:
    """Returns scores between 0 and 1: raw scores pass the logistic function, and a text without a score gets 0."""
    raw = any(score is not None and not 0 <= score <= 1 for score in scores)
    return tuple(0.0 if score is None else logistic(score) if raw else score for score in scores)
