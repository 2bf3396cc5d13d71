"""One model server over HTTP: time-outs, bounded retries, clear errors, and a key that is never shown."""

from __future__ import annotations

import json
import random
import re
import threading
import time
import weakref
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from ipaddress import ip_address
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from holdfast.core.errors import InvalidSettings, ModelGarbled, ModelRefused, ModelUnreachable
from holdfast.models.clean_text import sendable

if TYPE_CHECKING:
    import httpx

LONGEST_WAIT = 30.0
LARGEST_ANSWER = 64 * 1024 * 1024


@dataclass(frozen=True, slots=True)
class RetryPolicy:
    """How long an endpoint is waited for and how often it is asked again; what a test holds still is passed in."""

    timeout: float = 30.0
    retries: int = 2
    sleep: Callable[[float], None] = time.sleep
    random: Callable[[], float] = random.random
    clock: Callable[[], float] = time.monotonic


class Refusal(ModelRefused):
    """The model endpoint refused."""

    def __init__(self, detail: str, status: int, said: str) -> None:
        super().__init__(detail)
        self.status = status
        self.said = said


class Endpoint:
    """Speaks JSON to one base URL. Safe in several threads; connects at the first call; follows no redirect.

    `redact` is applied to every text inside what is sent; only the model's name is sent as it is.
    """

    def __init__(
        self,
        base_url: str,
        key: str = "",
        patience: RetryPolicy | None = None,
        redact: Callable[[str], str] = lambda text: text,
    ) -> None:
        _check_url(base_url)
        _check_key(key)
        self._base = base_url.rstrip("/")
        self._key = key
        self._patience = patience or RetryPolicy()
        self._redact = redact
        self._client: httpx.Client | None = None
        self._lock = threading.Lock()

    def __repr__(self) -> str:
        return f"Endpoint({self.where})"

    @property
    def host(self) -> str:
        """The server's name; every name of this machine reads `localhost`."""
        return "localhost" if is_loopback(self._base) else urlsplit(self._base).hostname or ""

    @property
    def where(self) -> str:
        """The address as people may see it: no user, no password, no query."""
        return _shown(self._base)

    def get(self, path: str) -> Any:
        return self._call("GET", path, None)

    def post(self, path: str, payload: Mapping[str, Any]) -> Any:
        return self._call("POST", path, self._ready(payload))

    def close(self) -> None:
        with self._lock:
            if self._client is not None:
                self._client.close()
                self._client = None

    def _ready(self, value: Any) -> Any:
        if isinstance(value, str):
            return sendable(self._redact(value))
        if isinstance(value, Mapping):
            return {key: item if key == "model" else self._ready(item) for key, item in value.items()}
        return [self._ready(item) for item in value] if isinstance(value, list | tuple) else value

    def _call(self, method: str, path: str, payload: Any) -> Any:
        patience = self._patience
        for attempt in range(patience.retries + 1):
            outcome = self._attempt(method, path, payload)
            if not isinstance(outcome, _TransientFailure):
                return outcome
            wait = pause(attempt, outcome.retry_after, patience.random)
            if attempt == patience.retries or wait > LONGEST_WAIT:
                break
            patience.sleep(wait)
        raise outcome.error

    def _attempt(self, method: str, path: str, payload: Any) -> Any:
        import httpx

        try:
            status, headers, body = self._exchange(method, path, payload)
        except httpx.TimeoutException:
            return _TransientFailure(ModelUnreachable(f"{self.where} took longer than {self._patience.timeout:g} s"))
        except httpx.TransportError as error:
            return _TransientFailure(ModelUnreachable(f"{self.where} ({error or type(error).__name__})"))
        except httpx.DecodingError as error:
            raise ModelGarbled(f"{self.where} sent a body that cannot be unpacked") from error
        if status == 200:
            return self._parsed(body)
        return self._failed(status, headers, body)

    def _exchange(self, method: str, path: str, payload: Any) -> tuple[int, Mapping[str, str], bytes]:
        with self._connected().stream(method, self._base + path, json=payload) as response:
            return response.status_code, response.headers, b"".join(self._bounded(response))

    def _bounded(self, response: httpx.Response) -> Iterator[bytes]:
        """The body, as long as it stays within the time-out as a whole and within a sane size."""
        import httpx

        started, size = self._patience.clock(), 0
        for piece in response.iter_bytes():
            size += len(piece)
            if size > LARGEST_ANSWER:
                raise ModelGarbled(f"{self.where} sent more than {LARGEST_ANSWER >> 20} MB")
            if self._patience.clock() - started > self._patience.timeout:
                raise httpx.ReadTimeout("the answer kept dripping")
            yield piece

    def _parsed(self, body: bytes) -> Any:
        try:
            return json.loads(body)
        except ValueError:
            raise ModelGarbled(f"{self.where} did not answer in JSON") from None

    def _failed(self, status: int, headers: Mapping[str, str], body: bytes) -> _TransientFailure:
        """A failure worth another try is returned, any other raised."""
        said = self._said(body)
        shown = f"{self.where} answered {status}" + (f": {said}" if said else "")
        if status == 429:
            return _TransientFailure(Refusal(shown, status, said), _seconds(headers.get("retry-after")))
        if status == 408 or status >= 500:
            return _TransientFailure(ModelUnreachable(shown), _seconds(headers.get("retry-after")))
        if 300 <= status < 400:
            raise Refusal(f"{self.where} answered {status}, a redirect, which is not followed", status, "")
        if status < 300:
            raise ModelGarbled(f"{self.where} answered {status} with nothing to read")
        # Why: a server that rejects a key likes to quote parts of it.
        raise Refusal(f"{self.where} answered 401, key not accepted" if status == 401 else shown, status, said)

    def _said(self, body: bytes) -> str:
        """The server's own words, short, on one line, without the key."""
        try:
            said = json.loads(body)
        except ValueError:
            return ""
        for name in ("error", "message", "detail"):
            said = said.get(name, said) if isinstance(said, dict) else said
        if not isinstance(said, str):
            return ""
        line = re.sub(r"[\s\x00-\x1f\x7f]+", " ", said).strip()
        return (line.replace(self._key, "…") if self._key else line)[:200]

    def _connected(self) -> httpx.Client:
        with self._lock:
            if self._client is None:
                headers = {"Authorization": f"Bearer {self._key}"} if self._key else {}
                self._client = client_for(self._base, self._patience.timeout, headers)
                weakref.finalize(self, self._client.close)
            return self._client


@dataclass(frozen=True, slots=True)
class _TransientFailure:
    """A failure that may have passed by the next attempt."""

    error: ModelUnreachable | ModelRefused
    retry_after: float | None = None


def pause(attempt: int, retry_after: float | None, random: Callable[[], float]) -> float:
    """Seconds before the next attempt: what the server asked for, else about 0.5, 1, 2 … with jitter."""
    return retry_after if retry_after is not None else min(LONGEST_WAIT, 0.5 * 2**attempt) * (0.5 + random())


def client_for(url: str, timeout: float, headers: Mapping[str, str] | None = None) -> httpx.Client:
    import httpx

    # Why verify: loading certificates takes 30 ms, and plain http, as Ollama speaks it, has no use for them.
    # Why trust_env: proxies and .netrc of the environment would see texts that nobody meant for them.
    return httpx.Client(headers=headers, timeout=timeout, verify=url.startswith("https:"), trust_env=False)


def is_loopback(url: str) -> bool:
    host = urlsplit(url).hostname or ""
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


def _seconds(retry_after: str | None) -> float | None:
    """Retry-After in seconds; its date form counts as not given."""
    return float(retry_after) if retry_after is not None and re.fullmatch(r"\d+(\.\d+)?", retry_after) else None


def _shown(url: str) -> str:
    parts = urlsplit(url)
    host = f"[{parts.hostname}]" if ":" in (parts.hostname or "") else parts.hostname
    return f"{parts.scheme}://{host}" + (f":{parts.port}" if parts.port else "") + parts.path


def _check_url(url: str) -> None:
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
    # Why: a header cannot carry it, and the library's own complaint would show it.
    if not all("!" <= letter <= "~" for letter in key):
        raise InvalidSettings("the key of a model endpoint has blanks or letters that a key cannot have")
