"""HTTP access to one model server: time-outs, bounded retries, clear errors, and a key that is never shown."""

from __future__ import annotations

import json
import random
import re
import threading
import time
import weakref
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from ipaddress import ip_address
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from holdfast.core.errors import InvalidSettings, ModelGarbled, ModelRefused, ModelUnreachable
from holdfast.core.frozen import frozen
from holdfast.core.local_text import stays_local
from holdfast.models.clean_text import sendable
from holdfast.models.deadline import in_time

if TYPE_CHECKING:
    from http.client import HTTPResponse

    from holdfast.models.http_connections import HttpConnections

LONGEST_WAIT = 30.0
LARGEST_ANSWER = 64 * 1024 * 1024
_DEEPEST, _MOST_BRACKETS = 50, 1_000_000
_STRING = re.compile(rb'"(?:[^"\\]|\\.)*"', re.DOTALL)
_NO_BRACKETS = bytes(byte for byte in range(256) if byte not in b"[]{}")


@frozen
class RetryPolicy:
    """Time-out in seconds and number of retries. Sleep, randomness and clock are fields so that tests can fix them."""

    timeout: float = 30.0
    retries: int = 2
    sleep: Callable[[float], None] = time.sleep
    random: Callable[[], float] = random.random
    clock: Callable[[], float] = time.monotonic


class Refusal(ModelRefused):
    """The model endpoint refused."""

    def __init__(self, detail: str, status: int, message: str) -> None:
        super().__init__(detail)
        self.status = status
        self.message = message

    @property
    def of_request(self) -> bool:
        return self.status in (400, 413, 422)


class Endpoint:
    """Sends JSON requests to one base URL. Thread-safe; connects at the first call; follows no redirect.

    `redact` is applied to every text in a request except the model's name.
    """

    def __init__(
        self,
        base_url: str,
        key: str = "",
        retry_policy: RetryPolicy | None = None,
        redact: Callable[[str], str] = lambda text: text,
    ) -> None:
        check_url(base_url)
        _check_key(key)
        self._base = base_url.rstrip("/")
        self._key = key
        self._retry_policy = retry_policy or RetryPolicy()
        self._redact = redact
        self._client: HttpConnections | None = None
        self._lock = threading.Lock()

    def __repr__(self) -> str:
        return f"Endpoint({self.where})"

    @property
    def host(self) -> str:
        """The server's host name; `localhost` for every name of this machine."""
        return "localhost" if is_loopback(self._base) else urlsplit(self._base).hostname or ""

    @property
    def where(self) -> str:
        """The address without user, password and query, safe to display."""
        return _shown(self._base)

    def name(self, model: str) -> str:
        """The name of a model that it serves."""
        return f"http:{model}@{self.host}"

    def may_send(self, text: str) -> bool:
        """May this text leave the machine? Not if it contains a secret or the place of one that was removed."""
        return not stays_local(self._redact(text))

    def get(self, path: str) -> Any:
        return self._call("GET", path, None, self._retry_policy)

    def post(self, path: str, payload: Mapping[str, Any], within: float | None = None) -> Any:
        """Posts a request. With `within`, waits at most that many seconds in all, and does not retry."""
        redacted = self._redacted(payload)
        if within is None:
            return self._call("POST", path, redacted, self._retry_policy)
        policy = replace(self._retry_policy, timeout=within, retries=0)
        return in_time(within, lambda: self._call("POST", path, redacted, policy), self._too_slow(within))

    def close(self) -> None:
        with self._lock:
            if self._client is not None:
                self._client.close()
                self._client = None

    def _redacted(self, value: Any) -> Any:
        if isinstance(value, str):
            return sendable(self._redact(value))
        if isinstance(value, Mapping):
            return {key: item if key == "model" else self._redacted(item) for key, item in value.items()}
        return [self._redacted(item) for item in value] if isinstance(value, list | tuple) else value

    def _call(self, method: str, path: str, payload: Any, policy: RetryPolicy) -> Any:
        for attempt in range(policy.retries + 1):
            outcome = self._attempt(method, path, payload, policy)
            if not isinstance(outcome, _TransientFailure):
                return outcome
            wait = pause(attempt, outcome.retry_after, policy.random)
            if attempt == policy.retries or wait > LONGEST_WAIT:
                break
            policy.sleep(wait)
        raise outcome.error

    def _attempt(self, method: str, path: str, payload: Any, policy: RetryPolicy) -> Any:
        from holdfast.models.http_connections import ConnectionFailed, TimedOut

        try:
            status, headers, body = self._exchange(method, path, payload, policy)
        except TimedOut:
            return _TransientFailure(self._too_slow(policy.timeout))
        except ConnectionFailed as error:
            return _TransientFailure(ModelUnreachable(f"{self.where} ({error})"))
        if status == 200:
            return self._parsed(body)
        return self._failed(status, headers, body)

    def _exchange(
        self, method: str, path: str, payload: Any, policy: RetryPolicy
    ) -> tuple[int, Mapping[str, str], bytes]:
        body = None if payload is None else json.dumps(payload, ensure_ascii=False).encode()
        target = urlsplit(self._base).path + path
        headers = {"Content-Type": "application/json"} if body else {}
        with self._connected().request(method, target, policy.timeout, body, headers) as response:
            answered = {name.lower(): value for name, value in response.headers.items()}
            return response.status, answered, b"".join(self._bounded(response, policy))

    def _bounded(self, response: HTTPResponse, policy: RetryPolicy) -> Iterator[bytes]:
        """Yields the body; raises if the whole of it takes longer than the time-out or exceeds LARGEST_ANSWER."""
        from holdfast.models.http_connections import TimedOut, chunks

        started, size = policy.clock(), 0
        for data in chunks(response):
            size += len(data)
            if size > LARGEST_ANSWER:
                raise ModelGarbled(f"{self.where} sent more than {LARGEST_ANSWER >> 20} MB")
            if policy.clock() - started > policy.timeout:
                raise TimedOut("the answer did not end within the time-out")
            yield data

    def _parsed(self, body: bytes) -> Any:
        if _is_nested_deeply(body):
            raise ModelGarbled(f"{self.where} sent deeply nested JSON")
        try:
            return json.loads(body)
        except ValueError:
            raise ModelGarbled(f"{self.where} did not answer in JSON") from None

    def _too_slow(self, seconds: float) -> ModelUnreachable:
        return ModelUnreachable(f"{self.where} took longer than {seconds:g} s")

    def _failed(self, status: int, headers: Mapping[str, str], body: bytes) -> _TransientFailure:
        """Returns a failure that is worth a retry and raises any other."""
        message = self._server_message(body)
        shown = f"{self.where} answered {status}" + (f": {message}" if message else "")
        if status == 429:
            return _TransientFailure(Refusal(shown, status, message), _seconds(headers.get("retry-after")))
        if status == 408 or status >= 500:
            return _TransientFailure(ModelUnreachable(shown), _seconds(headers.get("retry-after")))
        if 300 <= status < 400:
            raise Refusal(f"{self.where} answered {status}, a redirect, which is not followed", status, "")
        if status < 300:
            raise ModelGarbled(f"{self.where} answered {status} with an empty body")
        # A server that rejects a key often quotes parts of it, so its message is not shown.
        raise Refusal(f"{self.where} answered 401, key not accepted" if status == 401 else shown, status, message)

    def _server_message(self, body: bytes) -> str:
        """Returns the server's error message on one line, at most 200 characters, without the key."""
        try:
            message = {} if _is_nested_deeply(body) else json.loads(body)
        except ValueError:
            return ""
        for name in ("error", "message", "detail"):
            message = message.get(name, message) if isinstance(message, dict) else message
        if not isinstance(message, str):
            return ""
        line = re.sub(r"[\s\x00-\x1f\x7f]+", " ", message).strip()
        return (line.replace(self._key, "…") if self._key else line)[:200]

    def _connected(self) -> HttpConnections:
        from holdfast.models.http_connections import HttpConnections

        with self._lock:
            if self._client is None:
                headers = {"Authorization": f"Bearer {self._key}"} if self._key else {}
                self._client = HttpConnections(self._base, headers)
                weakref.finalize(self, self._client.close)
            return self._client


@frozen
class _TransientFailure:
    """A failure that may not occur in a later attempt."""

    error: ModelUnreachable | ModelRefused
    retry_after: float | None = None


def pause(attempt: int, retry_after: float | None, random: Callable[[], float]) -> float:
    """Returns the seconds before the next attempt: the server's Retry-After, else about 0.5, 1, 2 … with jitter."""
    return retry_after if retry_after is not None else min(LONGEST_WAIT, 0.5 * 2**attempt) * (0.5 + random())


def is_loopback(url: str) -> bool:
    """Does the URL name this machine?"""
    host = urlsplit(url).hostname or ""
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


def _seconds(retry_after: str | None) -> float | None:
    """Parses Retry-After as seconds; its date form is ignored."""
    return float(retry_after) if retry_after is not None and re.fullmatch(r"\d+(\.\d+)?", retry_after) else None


def _shown(url: str) -> str:
    parts = urlsplit(url)
    host = f"[{parts.hostname}]" if ":" in (parts.hostname or "") else parts.hostname
    return f"{parts.scheme}://{host}" + (f":{parts.port}" if parts.port else "") + parts.path


def _is_nested_deeply(body: bytes) -> bool:
    """Is the JSON nested more deeply than any model's answer? Parsing it would exceed the recursion limit.

    Catching that error is not enough: whatever Python cleans up in that moment fails too.
    """
    brackets = _STRING.sub(b"", body).translate(None, _NO_BRACKETS)
    if len(brackets) > _MOST_BRACKETS:
        return True
    for _ in range(_DEEPEST):
        brackets = brackets.replace(b"[]", b"").replace(b"{}", b"")
    return bool(brackets)


def check_url(url: str) -> None:
    """Raises InvalidSettings if this is not the address of an HTTP server."""
    hint = "Give it as http://host:port/v1 or https://host/v1."
    try:
        parts = urlsplit(url)
        usable = parts.scheme in ("http", "https") and bool(parts.hostname) and (parts.port or 1) > 0
    except ValueError:
        raise InvalidSettings("this is not the address of a model endpoint", hint=hint) from None
    if not usable:
        raise InvalidSettings("the address of a model endpoint begins with http:// or https://", hint=hint)
    if parts.username or parts.password or parts.query or parts.fragment:
        raise InvalidSettings("the address of a model endpoint has no user, password or query", hint=hint)


def _check_key(key: str) -> None:
    # Checked here because the connection would reject the header with an error that quotes the key.
    if not all("!" <= letter <= "~" for letter in key):
        raise InvalidSettings("the key of a model endpoint contains blanks or characters that a key cannot have")
