"""Recognises tests by the conventions of test runners."""

from __future__ import annotations

import re
from functools import lru_cache

# Files that test runners collect: pytest, unittest, go test, vitest, jest, mocha, JUnit, cargo.
_TEST_FILE = re.compile(
    r"""(^|/)test_[^/]*\.pyw?$ | _test\.(py|go|rs)$ | (^|/)tests?/[^/]+\.rs$
    | [._-](test|spec|cy)\.[cm]?[jt]sx?$ | (^|/)__tests__/[^/]+\.[cm]?[jt]sx?$
    | (^|/)(test|spec)s?/(.*/)?[^/]*(test|spec)[^/]*\.[cm]?[jt]sx?$
    | (Test|Tests|IT)\.(java|kt)$ | (^|/)Test[A-Z]\w*\.java$""",
    re.VERBOSE,
)
# Folders whose files only exist for tests, helpers included.
_TEST_FOLDER = re.compile(r"(^|/)(tests?|__tests__|spec|e2e|testing|testdata|fixtures)/")


@lru_cache(maxsize=20_000)
def is_test_file(path: str) -> bool:
    """Does a test runner collect this file?"""
    return _TEST_FILE.search(path) is not None


def belongs_to_tests(path: str) -> bool:
    """Is this file a test or a helper of tests?"""
    return is_test_file(path) or _TEST_FOLDER.search(path) is not None


def test_folder(path: str) -> str | None:
    """Returns the outermost folder of tests that a file is in."""
    found = _TEST_FOLDER.search(path)
    return path[: found.end() - 1] if found else None


def can_be_run(path: str, symbol: str) -> bool:
    """Can a test runner run this part of a test file? Pytest runs single functions, others whole files."""
    return not path.endswith(".py") or not symbol or _is_pytest_name(symbol)


def test_id(path: str, symbol: str) -> str:
    """Returns what a test runner accepts for a test: `file::Class::test` for pytest, else the file."""
    return f"{path}::{symbol.replace('.', '::')}" if symbol and path.endswith(".py") else path


def _is_pytest_name(symbol: str) -> bool:
    return symbol.rpartition(".")[2].startswith("test") and "<" not in symbol
