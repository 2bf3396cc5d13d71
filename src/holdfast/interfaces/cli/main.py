"""The program: root help and version at once, everything else through click."""

from __future__ import annotations

import os
import sys

from holdfast.interfaces import language
from holdfast.interfaces.cli.commands import OPTIONS, root_help
from holdfast.version import __version__

_INTERRUPTED = 130
_PIPE_CLOSED = 141
_TAKING_A_VALUE = tuple(name for name, takes, _ in OPTIONS if takes)
_KNOWN = {name for name, _, _ in OPTIONS} | {"--help", "-h", "--version"}


def main() -> None:
    """`holdfast` on the command line."""
    sys.exit(run(sys.argv[1:]))


def run(argv: list[str]) -> int:
    """One call of the program: prints its answer and returns its exit code."""
    try:
        _never_fail_to_print()
        language.choose(_value_of("--lang", argv), os.environ)
        code = _answer(argv)
        sys.stdout.flush()
    except KeyboardInterrupt:
        return _INTERRUPTED
    except BrokenPipeError:
        _close_quietly()
        return _PIPE_CLOSED
    return code


def _answer(argv: list[str]) -> int:
    at_once = None if "_HOLDFAST_COMPLETE" in os.environ else _at_once(argv)
    if at_once is not None:
        sys.stdout.write(at_once + "\n")
        return 0
    from holdfast.interfaces.cli.app import call

    return call(argv)


def _at_once(argv: list[str]) -> str | None:
    """The root help or the version, if that is all that is asked; None for all else, mistakes too."""
    given, command = _before_command(argv)
    if not set(given) <= _KNOWN:
        return None
    if "--version" in given:
        return f"holdfast {__version__}"
    return root_help() if not command or "--help" in given or "-h" in given else None


def _before_command(argv: list[str]) -> tuple[list[str], str | None]:
    """The names of the options before the command, and the command; an option without its value is a stranger."""
    given: list[str] = []
    words = iter(argv)
    for word in words:
        if not word.startswith("-"):
            return given, word
        name, has_value, _ = word.partition("=")
        given.append(name)
        if name in _TAKING_A_VALUE and not has_value and next(words, None) is None:
            given.append(word + "=")
    return given, None


def _value_of(option: str, argv: list[str]) -> str | None:
    """The last value an option has anywhere on the line."""
    given = argv[: argv.index("--")] if "--" in argv else argv
    value = None
    for before, word in zip(("", *given), given, strict=False):
        if before == option or word.startswith(option + "="):
            value = word.rpartition("=")[2]
    return value


def _never_fail_to_print() -> None:
    """A character that the terminal cannot show becomes a question mark."""
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="replace")


def _close_quietly() -> None:
    """Nobody reads on: what is still unwritten goes nowhere, so that Python does not complain at its end."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, sys.stdout.fileno())
