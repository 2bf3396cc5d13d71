"""What the tests of all adapters share."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine
from importlib import import_module
from typing import Any, TypeVar

import pytest

from holdfast import NotInstalled
from tests.clients import without_framework

Result = TypeVar("Result")


def adapter(name: str) -> Any:
    """The adapter of that name; skips the test module if its framework is not installed."""
    try:
        return import_module(f"holdfast.adapters.{name}")
    except NotInstalled as error:
        without_framework(error)


def run(work: Coroutine[Any, Any, Result]) -> Result:
    return asyncio.run(work)


@pytest.fixture(autouse=True)
def _quiet(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing is sent anywhere."""
    for name in ("LANGSMITH_TRACING", "LANGCHAIN_TRACING_V2", "OPENAI_AGENTS_DISABLE_TRACING", "OTEL_SDK_DISABLED"):
        monkeypatch.setenv(name, "true" if "DISABLE" in name else "false")
