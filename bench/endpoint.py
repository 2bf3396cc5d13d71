"""An OpenAI-compatible embeddings endpoint on loopback, with which other programs can use the bundled model."""

from __future__ import annotations

import base64
import json
import threading
from collections.abc import Iterable
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from types import TracebackType
from typing import TYPE_CHECKING, Any, Self

if TYPE_CHECKING:
    from bench.recall.vectors import KeptVectors
    from holdfast.models.protocols import Vectors

_MOST_BYTES = 64 * 1024 * 1024


class EmbeddingsEndpoint:
    """Serves `POST /v1/embeddings` from a thread while the context is open; refuses everything else.

    The protocol does not mark queries, and the model embeds queries differently. The endpoint therefore receives the
    queries beforehand and embeds them as queries, so that other systems get the best results of this model.
    """

    def __init__(self, vectors: KeptVectors, questions: Iterable[str] = ()) -> None:
        self.vectors = vectors
        self._questions = {_plain(question) for question in questions}
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), _Handler)
        self._server.daemon_threads = True
        self._server.endpoint = self  # type: ignore[attr-defined]  # how a request handler reaches the owner of its server
        self._thread = threading.Thread(target=self._server.serve_forever, daemon=True)

    @property
    def url(self) -> str:
        """Up to and including `/v1`."""
        return f"http://127.0.0.1:{self._server.server_address[1]}/v1"

    def embed(self, texts: list[str]) -> Vectors:
        """Embeds each text as a query if it is a known one, else as a passage."""
        import numpy as np

        is_query = np.array([_plain(text) in self._questions for text in texts], bool)
        rows = np.zeros((len(texts), self.vectors.dimensions), np.float32)
        if is_query.any():
            rows[is_query] = self.vectors.questions(
                [text for text, known in zip(texts, is_query, strict=True) if known]
            )
        if not is_query.all():
            rows[~is_query] = self.vectors.passages(
                [text for text, known in zip(texts, is_query, strict=True) if not known]
            )
        return rows

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()


class _Refused(Exception):
    """A request that cannot be answered: the status and the message."""

    def __init__(self, status: int, message: str) -> None:
        super().__init__(message)
        self.status = status


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    # Without it, each small response on a kept connection waits for the acknowledgement of the previous one.
    disable_nagle_algorithm = True

    def do_POST(self) -> None:
        body = self.rfile.read(min(int(self.headers.get("content-length") or 0), _MOST_BYTES))
        try:
            if self.path.rstrip("/") != "/v1/embeddings":
                raise _Refused(404, f"{self.path} is not served here; only POST /v1/embeddings is")
            self._answer(200, self._embeddings(_request(body)))
        except _Refused as refused:
            self._answer(refused.status, {"error": {"message": str(refused), "type": "invalid_request_error"}})

    def do_GET(self) -> None:
        self._answer(404, {"error": {"message": "only POST /v1/embeddings is served here", "type": "not_found"}})

    def _embeddings(self, request: dict[str, Any]) -> dict[str, Any]:
        endpoint: EmbeddingsEndpoint = self.server.endpoint  # type: ignore[attr-defined]  # set where the server is created
        texts = _texts(request)
        _check_dimensions(request, endpoint.vectors.dimensions)
        shape = _as_base64 if request.get("encoding_format") == "base64" else _as_numbers
        data = [
            {"object": "embedding", "index": index, "embedding": shape(row)}
            for index, row in enumerate(endpoint.embed(texts))
        ]
        spent = sum(len(text.split()) for text in texts)
        usage = {"prompt_tokens": spent, "total_tokens": spent}
        return {"object": "list", "data": data, "model": endpoint.vectors.name, "usage": usage}

    def _answer(self, status: int, content: dict[str, Any]) -> None:
        body = json.dumps(content).encode()
        self.send_response(status)
        self.send_header("content-type", "application/json")
        self.send_header("content-length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, format: str, *args: Any) -> None:
        """Logs nothing: thousands of lines would hide the report."""


def _request(body: bytes) -> dict[str, Any]:
    try:
        request = json.loads(body)
    except ValueError as error:
        raise _Refused(400, f"the body is not JSON ({error})") from error
    if not isinstance(request, dict):
        raise _Refused(400, "the body is not a JSON object")
    return request


def _texts(request: dict[str, Any]) -> list[str]:
    value = request.get("input")
    texts = [value] if isinstance(value, str) else value
    if not isinstance(texts, list) or not texts or not all(isinstance(text, str) for text in texts):
        raise _Refused(400, "input must be a text or a list of texts; token numbers are not read here")
    return texts


def _check_dimensions(request: dict[str, Any], own: int) -> None:
    if request.get("dimensions") not in (None, own):
        raise _Refused(400, f"this model has {own} dimensions and no others")


def _as_numbers(row: Vectors) -> list[float]:
    return [float(number) for number in row]


def _as_base64(row: Vectors) -> str:
    return base64.b64encode(row.astype("<f4").tobytes()).decode()


def _plain(text: str) -> str:
    return " ".join(text.split())
