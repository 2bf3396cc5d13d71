"""The tests that LangGraph has for its own stores, run on ours: every store that they make is one of Holdfast."""

from __future__ import annotations

import asyncio
import functools
import inspect
import sys
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

import holdfast
from tests.adapters.conftest import adapter

adapter("langgraph")

import langgraph.store.memory as framework  # noqa: E402 # the framework, not the adapter

pytest.importorskip("pytest_mock")
pytestmark = pytest.mark.filterwarnings("default")
adapter_module = sys.modules["holdfast.adapters.langgraph"]
_FOLDER = Path(__file__).parent / "vendored"
_opened: list[holdfast.Workspace] = []


class _Store(adapter_module.HoldfastStore):  # type: ignore[name-defined] # known when the framework is installed
    def __init__(self, **options: Any) -> None:
        _opened.append(holdfast.open(":memory:", "graph", embedder="none"))
        super().__init__(_opened[-1], **options)


@pytest.fixture(autouse=True)
def _close() -> Iterator[None]:
    yield
    while _opened:
        _opened.pop().close()


def _loaded(name: str, module_name: str) -> ModuleType:
    path = _FOLDER / name
    module = ModuleType(module_name)
    exec(compile(path.read_text(encoding="utf-8"), str(path), "exec"), module.__dict__)
    return module


def _run(test: Any) -> Any:
    """A test that pytest can call without a plug-in for coroutines."""
    if not inspect.iscoroutinefunction(test):
        return test

    @functools.wraps(test)
    def run(*given: Any, **named: Any) -> None:
        asyncio.run(test(*given, **named))

    return run


sys.modules["tests.embed_test_utils"] = _loaded("langgraph_embed_test_utils.txt", "tests.embed_test_utils")
_original, framework.InMemoryStore = framework.InMemoryStore, _Store
try:
    _own = _loaded("langgraph_test_store.txt", "langgraph_test_store")
finally:
    framework.InMemoryStore = _original
fake_embeddings = _own.fake_embeddings
_tests = {name: _run(value) for name, value in vars(_own).items() if name.startswith("test_")}
globals().update(_tests)


def test_all_of_them_are_run() -> None:
    assert len(_tests) == 24
