"""Runs git in a folder that may be hostile, so that the repository's own configuration starts no program."""

from __future__ import annotations

import os
import subprocess
import threading

# Git reads the configuration of the repository it runs in, and that file may have come with an unpacked archive.
_ENVIRONMENT = {
    # Why both: a partial clone fetches missing objects with the program that `remote.*.uploadpack`, `remote.*.vcs` or
    # `core.sshCommand` names. Older versions of git know only the second variable, which forbids every transport.
    "GIT_NO_LAZY_FETCH": "1",
    "GIT_ALLOW_PROTOCOL": "none",
    "GIT_TERMINAL_PROMPT": "0",
}
_OPTIONS = (
    "--no-pager",
    *("-c", "log.showSignature=false"),  # Why: git runs `gpg.program` for every signed commit.
    *("-c", "core.fsmonitor=false"),  # Why: git runs the program named there when it refreshes the index.
    *("-c", f"core.hooksPath={os.devnull}"),
)


def run_git(folder: str, *arguments: str, seconds: float) -> bytes | None:
    """Returns what a git command prints, or None if git is missing, fails or takes longer than `seconds`.

    Fetches nothing, asks nothing and runs no pager, hook or other program that the configuration names. A command that
    shows differences must also be given `--no-ext-diff` and `--no-textconv`.
    """
    try:
        done = subprocess.run(
            ["git", "-C", folder, *_OPTIONS, *arguments],  # noqa: S607
            env={**os.environ, **_ENVIRONMENT},
            stdin=subprocess.DEVNULL,
            capture_output=True,
            timeout=seconds,
            check=False,
        )
    except (OSError, subprocess.TimeoutExpired):
        return None
    return done.stdout if done.returncode == 0 else None


def read_git(folder: str, *arguments: str, seconds: float, most: int) -> bytes:
    """Returns what a git command prints until `seconds` have passed or `most` bytes were read; b"" if it fails.

    For long lists of which the beginning is useful. As safe as `run_git`.
    """
    try:
        process = subprocess.Popen(
            ["git", "-C", folder, *_OPTIONS, *arguments],  # noqa: S607
            env={**os.environ, **_ENVIRONMENT},
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
        )
    except OSError:
        return b""
    assert process.stdout is not None
    timer = threading.Timer(seconds, process.kill)
    timer.start()
    try:
        with process.stdout:
            return process.stdout.read(most)
    finally:
        timer.cancel()
        process.kill()
        process.wait()
