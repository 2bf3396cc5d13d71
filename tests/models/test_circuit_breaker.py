"""A model that has just failed is not called again, and nobody waits longer than agreed."""

from __future__ import annotations

import threading
import time
from collections.abc import Sequence
from typing import TYPE_CHECKING

import pytest

from holdfast.core.errors import ModelError, ModelGarbled, ModelUnreachable
from holdfast.models.circuit_breaker import CircuitBreaker
from holdfast.models.deadline import in_time
from holdfast.models.endpoint import Refusal
from holdfast.models.fake import FakeEmbedder
from holdfast.models.guarded import GuardedEmbedder

if TYPE_CHECKING:
    from holdfast.models.protocols import Vectors


class Calls:
    """A function that fails while `error` is set, with a clock that stands still."""

    def __init__(self) -> None:
        self.count, self.seconds = 0, 0.0
        self.error: Exception | None = None
        self.breaker = CircuitBreaker(30.0, clock=lambda: self.seconds)

    def __call__(self) -> int:
        self.count += 1
        if self.error is not None:
            raise self.error
        return self.count

    def ask(self) -> int:
        return self.breaker.call(self)


def test_a_failure_is_repeated_until_the_pause_is_over() -> None:
    calls = Calls()
    calls.error = ModelUnreachable("down")
    for _ in range(3):
        with pytest.raises(ModelUnreachable, match="down"):
            calls.ask()
    calls.error, calls.seconds = None, 29.9
    with pytest.raises(ModelUnreachable):
        calls.ask()
    assert calls.count == 1
    calls.seconds = 30.0
    assert [calls.ask(), calls.ask()] == [2, 3]


def test_a_refusal_of_one_request_does_not_stop_the_next() -> None:
    calls = Calls()
    calls.error = Refusal("too long", 413, "")
    with pytest.raises(Refusal):
        calls.ask()
    calls.error = None
    assert calls.ask() == 2
    calls.error = Refusal("no key", 401, "")
    with pytest.raises(Refusal):
        calls.ask()
    calls.error = None
    with pytest.raises(Refusal, match="no key"):
        calls.ask()


def test_other_errors_pass() -> None:
    calls = Calls()
    calls.error = ZeroDivisionError()
    for _ in range(2):
        with pytest.raises(ZeroDivisionError):
            calls.ask()
    assert calls.count == 2


def test_the_result_or_the_error_comes_in_time() -> None:
    def fail() -> int:
        raise ModelGarbled("no")

    assert in_time(5, lambda: 7, ModelUnreachable("late")) == 7
    with pytest.raises(ModelGarbled):
        in_time(5, fail, ModelUnreachable("late"))


def test_nobody_waits_longer_than_the_limit() -> None:
    done = threading.Event()
    started = time.monotonic()
    with pytest.raises(ModelUnreachable, match="late"):
        in_time(0.05, lambda: done.wait(30), ModelUnreachable("late"))
    assert time.monotonic() - started < 10
    done.set()


class Broken(FakeEmbedder):
    """An embedder whose library or file cannot be loaded."""

    def __init__(self, error: Exception) -> None:
        super().__init__()
        self.error = error

    def embed(self, texts: Sequence[str]) -> Vectors:
        raise self.error


@pytest.mark.parametrize("error", [OSError("no such file"), ImportError("onnxruntime"), MemoryError()])
def test_what_prevents_loading_is_a_failure_of_the_model(error: Exception) -> None:
    broken = Broken(error)
    guarded = GuardedEmbedder(broken, broken)
    for call in (lambda: guarded.embed(["x"]), lambda: guarded.embed_query("x"), guarded.check):
        with pytest.raises(ModelError, match="cannot be loaded"):
            call()
