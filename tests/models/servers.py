"""Real HTTP servers on loopback: a model endpoint and a model hub."""

from __future__ import annotations

import hashlib
import json
import threading
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, Self

from holdfast.models.fake import FakeEmbedder, FakeReranker


@dataclass
class Answer:
    """The answer of a server: a JSON value or bytes. `hang` sends nothing, `drip` never ends, `cut` ends too early."""

    status: int = 200
    body: Any = None
    headers: Mapping[str, str] = field(default_factory=dict)
    hang: bool = False
    drip: bool = False
    cut: int = -1


@dataclass
class Request:
    method: str
    path: str
    headers: Mapping[str, str]
    body: Any


class Server:
    """Answers from `script` first, then by `route`; records every request in `requests`."""

    def __init__(self) -> None:
        self.script: list[Answer] = []
        self.requests: list[Request] = []
        self._done = threading.Event()
        self._http = ThreadingHTTPServer(("127.0.0.1", 0), self._handler())
        self._http.daemon_threads = True
        self._thread = threading.Thread(target=self._http.serve_forever, args=(0.01,), daemon=True)
        self.url = f"http://127.0.0.1:{self._http.server_port}"

    def route(self, request: Request) -> Answer:
        raise NotImplementedError

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._done.set()
        self._http.shutdown()
        self._http.server_close()
        self._thread.join()

    def _handler(self) -> type[BaseHTTPRequestHandler]:
        server = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"
            wbufsize = 65536

            def do_GET(self) -> None:
                self._serve(None)

            def do_POST(self) -> None:
                self._serve(json.loads(self.rfile.read(int(self.headers["content-length"]))))

            def _serve(self, body: Any) -> None:
                request = Request(
                    self.command, self.path, {name.lower(): value for name, value in self.headers.items()}, body
                )
                server.requests.append(request)
                self._send(server.script.pop(0) if server.script else server.route(request))

            def _send(self, answer: Answer) -> None:
                if answer.hang:
                    server._done.wait(10)
                    self.close_connection = True
                    return
                data = answer.body if isinstance(answer.body, bytes) else json.dumps(answer.body).encode()
                self.send_response(answer.status)
                for name, value in answer.headers.items():
                    self.send_header(name, value)
                self.send_header("content-length", str(10**6 if answer.drip else len(data)))
                self.end_headers()
                if answer.drip:
                    self._drip()
                    return
                self.wfile.write(data if answer.cut < 0 else data[: answer.cut])
                self.close_connection = answer.cut >= 0

            def _drip(self) -> None:
                self.close_connection = True
                for _ in range(20):
                    self.wfile.write(b" ")
                    self.wfile.flush()

            def log_message(self, format: str, *args: Any) -> None:
                return

        return Handler


class ModelServer(Server):
    """Embeddings, chat, /rerank and Ollama's list of models."""

    def __init__(self, dimensions: int = 64, ollama: tuple[str, ...] = (), refuses: tuple[str, ...] = ()) -> None:
        super().__init__()
        self.dimensions = dimensions
        self.ollama = ollama
        self.refuses = refuses
        self.chat_text = "hello"

    def route(self, request: Request) -> Answer:
        match request.path:
            case "/v1/embeddings":
                return self._embeddings(request.body)
            case "/v1/chat/completions":
                return self._chat(request.body)
            case "/rerank":
                return _rerank(request.body)
            case "/api/tags":
                return Answer(body={"models": [{"name": name} for name in self.ollama]})
        return Answer(404, {"error": {"message": "no such route"}})

    def _embeddings(self, body: Mapping[str, Any]) -> Answer:
        if "" in body["input"]:
            return Answer(400, {"error": {"message": "input cannot be an empty string"}})
        vectors = FakeEmbedder(body.get("dimensions", self.dimensions)).embed(body["input"]) * 3
        rows = [{"index": row, "embedding": vector.tolist()} for row, vector in enumerate(vectors)]
        return Answer(body={"data": rows[::-1], "usage": {"prompt_tokens": 1}})

    def _chat(self, body: Mapping[str, Any]) -> Answer:
        for name in self.refuses:
            if name in body:
                return Answer(400, {"error": {"message": f"Unsupported parameter: '{name}'"}})
        message = {"role": "assistant", "content": self.chat_text}
        usage = {"prompt_tokens": 11, "completion_tokens": 7}
        return Answer(body={"choices": [{"message": message}], "usage": usage})


def _rerank(body: Mapping[str, Any]) -> Answer:
    scores = FakeReranker().rerank(body["query"], body["documents"])
    ranked = sorted(enumerate(scores), key=lambda pair: -pair[1])
    return Answer(body={"results": [{"index": index, "relevance_score": score} for index, score in ranked]})


class HubServer(Server):
    """One model repository; large files are behind a redirect, as on a real hub."""

    def __init__(self, files: Mapping[str, bytes], name: str = "owner/tiny", commit: str = "a" * 40) -> None:
        super().__init__()
        self.files = dict(files)
        self.name = name
        self.commit = commit
        self.cuts: dict[str, list[int]] = {}
        self.lies: dict[str, str] = {}
        self.location = ""

    def route(self, request: Request) -> Answer:
        path = request.path
        if path == f"/api/models/{self.name}/revision/main":
            return Answer(body={"sha": self.commit})
        if path == f"/api/models/{self.name}/tree/{self.commit}?recursive=true":
            return Answer(body=[self._entry(name) for name in self.files])
        if path.startswith(f"/{self.name}/resolve/{self.commit}/"):
            return self._resolve(path.split(f"/resolve/{self.commit}/")[1])
        if path.startswith("/cdn/"):
            return self._content(path.removeprefix("/cdn/"), request.headers.get("range", ""))
        return Answer(404, {"error": "Repository not found"})

    def fetched(self, name: str) -> list[str]:
        """The Range header of each request for a file's content."""
        requests = [request for request in self.requests if request.path == f"/cdn/{name}"]
        return [request.headers.get("range", "") for request in requests]

    def _entry(self, name: str) -> dict[str, Any]:
        data = self.files[name]
        git, large = _hashes(data)
        entry: dict[str, Any] = {"type": "file", "path": name, "size": len(data), "oid": self.lies.get(name, git)}
        if name.endswith(".onnx"):
            entry["lfs"] = {"oid": self.lies.get(name, large), "size": len(data)}
        return entry

    def _resolve(self, name: str) -> Answer:
        if not name.endswith(".onnx"):
            return Answer(body=self.files[name])
        return Answer(302, b"", {"location": self.location or f"/cdn/{name}"})

    def _content(self, name: str, range_header: str) -> Answer:
        data = self.files[name]
        start = int(range_header.removeprefix("bytes=").rstrip("-") or 0)
        cut = self.cuts.get(name, [])
        headers = {"content-range": f"bytes {start}-{len(data) - 1}/{len(data)}"} if start else {}
        return Answer(206 if start else 200, data[start:], headers, cut=cut.pop(0) if cut else -1)


@cache
def _hashes(data: bytes) -> tuple[str, str]:
    """Returns the git blob hash and the LFS hash; cached because every hub of the tests has the same large model."""
    return hashlib.sha1(b"blob %d\0" % len(data) + data).hexdigest(), hashlib.sha256(data).hexdigest()
