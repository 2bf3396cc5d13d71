"""The entry point: prints root help and version without importing click, and runs commands through click."""

from __future__ import annotations

import gc
import os
import sys

_FAILED = 1
_INTERRUPTED = 130
_PIPE_CLOSED = 141
# Objects made between two garbage collections. Importing modules makes many, and none of them is garbage.
_COLLECT_AFTER = 50_000


def main() -> None:
    """`holdfast` on the command line."""
    # One thread: on a busy machine the threads of a small matrix product wait for each other for seconds.
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    if sys.argv[1:2] == ["hook"] and not {"-h", "--help"} & set(sys.argv):
        # Before everything else: an agent waits for this at every tool call.
        from holdfast.interfaces.hooks.hook_main import main as answer_hook

        answer_hook(sys.argv[2:])
    gc.set_threshold(_COLLECT_AFTER)
    sys.unraisablehook = _end_if_interrupted
    code = run(sys.argv[1:])
    # The process ends here: looking for cycles among all its objects would take longer than some commands.
    gc.freeze()
    sys.exit(code)


def _end_if_interrupted(ignored: sys.UnraisableHookArgs) -> None:
    """Ends the program if Python ignored an interrupt, as it does in a callback of a weak reference."""
    if issubclass(ignored.exc_type, KeyboardInterrupt):
        import signal

        signal.signal(signal.SIGINT, signal.SIG_DFL)
        signal.raise_signal(signal.SIGINT)
    sys.__unraisablehook__(ignored)


def run(argv: list[str]) -> int:
    """Runs the program once and returns its exit code."""
    from holdfast.interfaces.language import choose, translate

    try:
        _replace_unprintable()
        choose(_value_of("--lang", argv), os.environ)
        code = _run(argv)
        sys.stdout.flush()
    except KeyboardInterrupt:
        return _INTERRUPTED
    except BrokenPipeError:
        _close_quietly()
        return _PIPE_CLOSED
    except OSError as error:  # All other errors are reported where they occur, unless their traceback is wanted.
        if os.environ.get("HOLDFAST_TRACEBACK"):
            raise
        _close_quietly()
        why = translate("The output cannot be written ({why}).", why=error.strerror)
        sys.stderr.write(f"holdfast: {why}\n")
        return _FAILED
    return code


def _run(argv: list[str]) -> int:
    text = None if "_HOLDFAST_COMPLETE" in os.environ else _help_or_version(argv)
    if text is not None:
        sys.stdout.write(text + "\n")
        return 0
    from holdfast.interfaces.cli.app import call

    return call(argv)


def _help_or_version(argv: list[str]) -> str | None:
    """Returns the root help or the version if only that is requested; None for everything else, errors included."""
    from holdfast.interfaces.cli.command_table import OPTIONS, root_help

    options, command = _before_command(argv, tuple(name for name, takes, _ in OPTIONS if takes))
    if not set(options) <= {name for name, _, _ in OPTIONS} | {"--help", "-h", "--version"}:
        return None
    if "--version" in options:
        from holdfast.version import __version__

        return f"holdfast {__version__}"
    return root_help() if not command or "--help" in options or "-h" in options else None


def _before_command(argv: list[str], with_value: tuple[str, ...]) -> tuple[list[str], str | None]:
    """Splits the options before the command from the command; an option without its value counts as unknown."""
    options: list[str] = []
    words = iter(argv)
    for word in words:
        if not word.startswith("-"):
            return options, word
        name, has_value, _ = word.partition("=")
        options.append(name)
        if name in with_value and not has_value and next(words, None) is None:
            options.append(word + "=")
    return options, None


def _value_of(option: str, argv: list[str]) -> str | None:
    """Returns the last value of an option anywhere on the command line."""
    words = argv[: argv.index("--")] if "--" in argv else argv
    value = None
    for before, word in zip(("", *words), words, strict=False):
        if before == option or word.startswith(option + "="):
            value = word.rpartition("=")[2]
    return value


def _replace_unprintable() -> None:
    """Makes characters that the terminal cannot show print as question marks instead of failing."""
    for name in ("stdout", "stderr"):
        if getattr(sys, name) is None:  # Closed by the caller (`>&-`).
            setattr(sys, name, open(os.devnull, "w", encoding="utf-8"))  # noqa: SIM115 # open until the end
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="replace")


def _close_quietly() -> None:
    """Redirects the rest of the output to nowhere after it failed, so that Python does not report it at exit."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, sys.stdout.fileno())
