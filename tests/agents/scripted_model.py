"""A model endpoint on loopback that answers by a script, in the wire formats of four agent programs.

The step is chosen from the request itself: by the number of tool calls that the conversation already contains. So the
server keeps no state, and side requests (titles, summaries: those without tools) do not disturb the script.
"""

from __future__ import annotations

import json
import threading
import uuid
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

Step = dict[str, Any]
_USAGE = {"input_tokens": 20, "output_tokens": 20}


class ScriptedModel:
    """The running endpoint: its address, and the bodies of the requests so far, in order."""

    def __init__(self, server: ThreadingHTTPServer, requests: list[dict[str, Any]]) -> None:
        self.url = f"http://127.0.0.1:{server.server_address[1]}"
        self.requests = requests

    def text(self, number: int) -> str:
        """A request of the conversation as text, with plain characters; negative numbers count from the last."""
        asked = [body for body in self.requests if body.get("tools")]
        return json.dumps(asked[number], ensure_ascii=False)


@contextmanager
def scripted_model(steps: Sequence[Step], alone: str = "ok") -> Iterator[ScriptedModel]:
    """Runs an endpoint whose model makes these steps: `{"tool": NAME, "input": {…}}`, and at last `{"text": …}`.

    `alone` is its answer to requests without tools.
    """
    requests: list[dict[str, Any]] = []

    handler = type("Handler", (_Handler,), {"script": list(steps), "log": requests, "alone": alone})
    server = ThreadingHTTPServer(("127.0.0.1", 0), handler)
    server.daemon_threads = True
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield ScriptedModel(server, requests)
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    script: list[Step]
    alone: str
    log: list[dict[str, Any]]

    def log_message(self, format: str, *arguments: Any) -> None:
        return

    def do_HEAD(self) -> None:
        self._json({})

    def do_GET(self) -> None:
        self._json({"object": "list", "data": [{"id": "scripted", "object": "model"}], "models": []})

    def do_POST(self) -> None:
        body = json.loads(self._body() or b"{}")
        self.log.append(body)
        path = self.path.split("?")[0]
        if path.endswith("/count_tokens") or path.endswith(":countTokens"):
            self._json({"input_tokens": 10, "totalTokens": 10})
        elif path.endswith("/messages"):
            self._anthropic(body)
        elif path.endswith("/responses"):
            self._responses(body)
        elif path.endswith("/chat/completions"):
            self._chat(body)
        else:
            self._gemini(body, stream="stream" in path)

    def _body(self) -> bytes:
        if (self.headers.get("transfer-encoding") or "").lower() != "chunked":
            return self.rfile.read(int(self.headers.get("content-length") or 0))
        raw = b""
        while size := int(self.rfile.readline().split(b";")[0], 16):
            raw += self.rfile.read(size)
            self.rfile.readline()
        self.rfile.readline()
        return raw

    def _step(self, body: dict[str, Any], calls: int) -> Step:
        if not body.get("tools"):
            return {"text": self.alone}
        return self.script[min(calls, len(self.script) - 1)]

    def _json(self, value: Any) -> None:
        content = json.dumps(value).encode()
        self.send_response(200)
        self.send_header("content-type", "application/json")
        self.send_header("content-length", str(len(content)))
        self.end_headers()
        self.wfile.write(content if self.command != "HEAD" else b"")

    def _events(self, events: Sequence[tuple[str | None, Any]]) -> None:
        self.send_response(200)
        self.send_header("content-type", "text/event-stream")
        self.send_header("connection", "close")
        self.end_headers()
        for name, data in events:
            text = data if isinstance(data, str) else json.dumps(data)
            self.wfile.write((f"event: {name}\n" if name else "").encode() + f"data: {text}\n\n".encode())
        self.wfile.flush()
        self.close_connection = True

    # -- Anthropic Messages: Claude Code

    def _anthropic(self, body: dict[str, Any]) -> None:
        said = [m["content"] for m in body.get("messages", []) if m["role"] == "assistant"]
        calls = sum(any(block.get("type") == "tool_use" for block in c) for c in said if isinstance(c, list))
        step = self._step(body, calls)
        block: dict[str, Any] = {"type": "text", "text": step.get("text", "")}
        if "tool" in step:
            block = {"type": "tool_use", "id": f"toolu_{_id()}", "name": step["tool"], "input": step["input"]}
        stop = "tool_use" if "tool" in step else "end_turn"
        message: dict[str, Any] = {
            "id": f"msg_{_id()}", "type": "message", "role": "assistant", "model": body.get("model"), "content": [],
            "stop_reason": None, "stop_sequence": None, "usage": _USAGE,
        }  # fmt: skip
        if not body.get("stream"):
            return self._json({**message, "content": [block], "stop_reason": stop})
        if "tool" in step:
            begun, delta = (
                {**block, "input": {}},
                {"type": "input_json_delta", "partial_json": json.dumps(block["input"])},
            )
        else:
            begun, delta = {"type": "text", "text": ""}, {"type": "text_delta", "text": block["text"]}
        events: list[dict[str, Any]] = [
            {"type": "message_start", "message": message},
            {"type": "content_block_start", "index": 0, "content_block": begun},
            {"type": "content_block_delta", "index": 0, "delta": delta},
            {"type": "content_block_stop", "index": 0},
            {"type": "message_delta", "delta": {"stop_reason": stop, "stop_sequence": None}, "usage": _USAGE},
            {"type": "message_stop"},
        ]
        return self._events([(event["type"], event) for event in events])

    # -- OpenAI Responses: Codex

    def _responses(self, body: dict[str, Any]) -> None:
        items = body.get("input") if isinstance(body.get("input"), list) else []
        calls = sum(item.get("type") in ("function_call", "custom_tool_call") for item in items or [])
        step = self._step(body, calls)
        item: dict[str, Any]
        if "tool" not in step:
            content = [{"type": "output_text", "text": step["text"], "annotations": []}]
            item = {"type": "message", "id": f"msg_{_id()}", "role": "assistant", "content": content}
        elif step.get("custom"):
            item = {"type": "custom_tool_call", "id": f"ctc_{_id()}", "call_id": f"call_{_id()}", "name": step["tool"],
                    "input": step["input"]}  # fmt: skip
        else:
            item = {"type": "function_call", "id": f"fc_{_id()}", "call_id": f"call_{_id()}", "name": step["tool"],
                    "arguments": json.dumps(step["input"])}  # fmt: skip
            item |= {"namespace": step["namespace"]} if "namespace" in step else {}
        item["status"] = "completed"
        usage = {**_USAGE, "input_tokens_details": {"cached_tokens": 0}, "total_tokens": 40,
                 "output_tokens_details": {"reasoning_tokens": 0}}  # fmt: skip
        response: dict[str, Any] = {
            "id": f"resp_{_id()}", "object": "response", "created_at": 1, "status": "completed", "output": [item],
            "model": body.get("model"), "parallel_tool_calls": False, "tools": [], "usage": usage,
        }  # fmt: skip
        begun = {**response, "status": "in_progress", "output": [], "usage": None}
        events: list[dict[str, Any]] = [
            {"type": "response.created", "response": begun},
            {"type": "response.output_item.added", "output_index": 0, "item": {**item, "status": "in_progress"}},
            {"type": "response.output_item.done", "output_index": 0, "item": item},
            {"type": "response.completed", "response": response},
        ]
        self._events([(event["type"], {**event, "sequence_number": n}) for n, event in enumerate(events)])

    # -- OpenAI Chat Completions: opencode

    def _chat(self, body: dict[str, Any]) -> None:
        calls = sum(bool(m["role"] == "assistant" and m.get("tool_calls")) for m in body.get("messages", []))
        step = self._step(body, calls)
        delta: dict[str, Any] = {"role": "assistant", "content": step.get("text")}
        if "tool" in step:
            function = {"name": step["tool"], "arguments": json.dumps(step["input"])}
            delta["tool_calls"] = [{"index": 0, "id": f"call_{_id()}", "type": "function", "function": function}]
        finish = "tool_calls" if "tool" in step else "stop"
        shared = {
            "id": f"chatcmpl-{_id()}",
            "created": 1,
            "model": body.get("model"),
            "object": "chat.completion.chunk",
        }
        usage = {"prompt_tokens": 20, "completion_tokens": 20, "total_tokens": 40}
        if not body.get("stream"):
            choice = {"index": 0, "message": delta, "finish_reason": finish}
            return self._json({**shared, "object": "chat.completion", "usage": usage, "choices": [choice]})
        chunks = [
            {**shared, "choices": [{"index": 0, "delta": delta, "finish_reason": None}]},
            {**shared, "choices": [{"index": 0, "delta": {}, "finish_reason": finish}], "usage": usage},
        ]
        return self._events([*((None, chunk) for chunk in chunks), (None, "[DONE]")])

    # -- Gemini: Gemini CLI

    def _gemini(self, body: dict[str, Any], stream: bool) -> None:
        turns = [turn for turn in body.get("contents", []) if turn.get("role") == "model"]
        calls = sum(any("functionCall" in part for part in turn.get("parts", [])) for turn in turns)
        step = self._step(body, calls)
        part = {"text": step.get("text")} if "tool" not in step else {
            "functionCall": {"name": step["tool"], "args": step["input"]}
        }  # fmt: skip
        answer = {
            "candidates": [{"content": {"role": "model", "parts": [part]}, "finishReason": "STOP", "index": 0}],
            "usageMetadata": {"promptTokenCount": 20, "candidatesTokenCount": 20, "totalTokenCount": 40},
        }
        self._events([(None, answer)]) if stream else self._json(answer)


def _id() -> str:
    return uuid.uuid4().hex[:16]
