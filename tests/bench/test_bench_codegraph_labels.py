"""The names that scip-python gives modules lead to their files, and wrong names are corrected."""

from __future__ import annotations

import pytest
from bench.codegraph.module_labels import ModuleLabels
from bench.codegraph.written_names import WrittenNames

_FILES = ("pkg/__init__.py", "pkg/sub/__init__.py", "pkg/sub/tools.py", "pkg/json.py", "pkg/use.py")
_SOURCES = {
    "pkg/use.py": b"from . import json\nfrom .sub import tools\nfrom pkg.sub import tools\nimport json\n",
    "pkg/sub/tools.py": b"from ..json import load\n",
}


def _symbol(name: str, package: str = "project 1") -> str:
    return f"scip-python python {package} `{name}`/__init__:"


_MODULES = {path: _symbol(path.removesuffix(".py").removesuffix("/__init__").replace("/", ".")) for path in _FILES}


@pytest.mark.parametrize(
    ("symbol", "place", "expected"),
    [
        ("pkg/use.py local 0", ("pkg/use.py", 0, 5), "pkg/__init__.py"),
        (_symbol("json"), ("pkg/use.py", 0, 14), "pkg/json.py"),
        (_symbol("sub"), ("pkg/use.py", 1, 5), "pkg/sub/__init__.py"),
        (_symbol("sub.tools"), ("pkg/use.py", 1, 17), "pkg/sub/tools.py"),
        (_symbol("pkg.sub", "pkg 2.0"), ("pkg/use.py", 2, 5), "pkg/sub/__init__.py"),
        (_symbol("json"), ("pkg/sub/tools.py", 0, 5), "pkg/json.py"),
    ],
)
def test_a_module_has_one_symbol(symbol: str, place: tuple[str, int, int], expected: str) -> None:
    assert ModuleLabels(_MODULES, _SOURCES).defined(symbol, *place) == _MODULES[expected]


@pytest.mark.parametrize("symbol", [_symbol("json", "python-stdlib 3.11"), "pkg/use.py local 3", "other#method()."])
def test_other_symbols_stay(symbol: str) -> None:
    assert ModuleLabels(_MODULES, _SOURCES).defined(symbol, "pkg/use.py", 3, 7) == symbol


_CLIENT, _ASYNC, _MOCK = (
    f"scip-python python project 1 `{name}#" for name in ("pkg.a`/Client", "pkg.a`/AsyncClient", "pkg.b`/Mock")
)
_CALLS = b"pkg.Client()\npkg.Mock()\npkg.Two()\npkg.Client().close()\npkg.Other()\n\xf0\x9f\x98\x80; pkg.Mock()\n"


@pytest.mark.parametrize(
    ("symbol", "place", "expected"),
    [
        (_CLIENT, (0, 4), _CLIENT),
        (_ASYNC, (0, 4), _CLIENT),  # of the same module
        (_ASYNC, (1, 4), _MOCK),  # the only one of this name
        (_ASYNC, (2, 4), None),  # several modules define it
        (f"{_ASYNC}close().", (3, 13), f"{_ASYNC}close()."),  # no top-level name
        (_ASYNC, (4, 4), _ASYNC),  # another name for it
        (_ASYNC, (5, 8), _MOCK),  # columns count UTF-16 units
    ],
)
def test_a_symbol_has_the_written_name(symbol: str, place: tuple[int, int], expected: str | None) -> None:
    two = [f"scip-python python project 1 `pkg.{module}`/Two#" for module in "bc"]
    sources = {"use.py": _CALLS, "pkg/__init__.py": b"from .a import *\nfrom .a import AsyncClient as Other\n"}
    names = WrittenNames([_CLIENT, _ASYNC, _MOCK, *two], sources)
    assert names.meant(symbol, "use.py", *place) == expected
