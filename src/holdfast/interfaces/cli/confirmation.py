"""Asks the person at the terminal a question that is answered with yes or no."""

from __future__ import annotations

import sys

from holdfast.interfaces.cli.terminal import is_terminal

_YES, _NO = ("y", "yes", "o", "oui"), ("n", "no", "non")


def can_ask() -> bool:
    """Is there a person who reads and answers?"""
    return is_terminal() and sys.stdin is not None and sys.stdin.isatty()


def is_accepted(question: str) -> bool:
    """Asks a question to which Enter means yes, and the end of the input no."""
    answer = _ask(question)
    return bool(answer) and answer.strip().lower() not in _NO


def is_confirmed(question: str) -> bool:
    """Asks a question to which only a yes means yes."""
    return _ask(question).strip().lower() in _YES


def _ask(question: str) -> str:
    sys.stdout.write(question)
    sys.stdout.flush()
    return read_answer()


def read_answer() -> str:
    """The line that the person types; empty at the end of the input."""
    return sys.stdin.readline()
