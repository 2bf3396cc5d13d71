"""Fails a test run that leaves files in the root folder: a test writes under its own temporary folder."""

from __future__ import annotations

import os

import pytest

# The tools that run the tests keep their caches here, and git its state.
_TOOLS = {
    ".bench", ".clients", ".git", ".hypothesis", ".import_linter_cache", ".mypy_cache", ".pytest_cache", ".ruff_cache",
}  # fmt: skip
_names = pytest.StashKey[set[str]]()


def pytest_sessionstart(session: pytest.Session) -> None:
    session.config.stash[_names] = _entries(session)


@pytest.hookimpl(trylast=True)
def pytest_sessionfinish(session: pytest.Session) -> None:
    """Only in the process that started the others: a worker ends while others still run."""
    left = _left(session)
    if left and not hasattr(session.config, "workerinput") and session.exitstatus == pytest.ExitCode.OK:
        session.exitstatus = pytest.ExitCode.TESTS_FAILED


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    session = terminalreporter._session
    if session is not None and (left := _left(session)):
        terminalreporter.write_line(f"ERROR: the tests left files in {session.config.rootpath}: {left}", red=True)


def _left(session: pytest.Session) -> list[str]:
    before = session.config.stash[_names]
    return sorted(_entries(session) - before)


def _entries(session: pytest.Session) -> set[str]:
    return set(os.listdir(session.config.rootpath)) - _TOOLS
