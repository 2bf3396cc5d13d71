"""Runs git in a folder that may be hostile, so that the repository's own configuration starts no program."""

from __future__ import annotations

import os
import stat
import subprocess
import threading
import time

from holdfast.system.project import find_up, git_folders, head_commit

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
# Where git opens files without looking whether a named pipe took their place.
_OPENED_IN = ("", "info", os.path.join("objects", "info"))
# Files of the project that it opens in the same way, in any folder. A command that takes longer than this is given up
# if one of them is a pipe; to look for them before each command would take longer than most commands.
_OPENED = frozenset([".gitignore", ".gitattributes", ".gitmodules", ".mailmap"])
_PATIENCE = 2.0


def run_git(folder: str, *arguments: str, seconds: float) -> bytes | None:
    """Returns what a git command prints, or None if git is missing, fails, would wait or takes longer than `seconds`.

    Fetches nothing, asks nothing and runs no pager, hook or other program that the configuration names. A command that
    shows differences must also be given `--no-ext-diff` and `--no-textconv`.
    """
    if _would_wait(folder):
        return None
    try:
        process = subprocess.Popen(
            ["git", "-C", folder, *_OPTIONS, *arguments],  # noqa: S607
            env={**os.environ, **_ENVIRONMENT},
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
        )
    except OSError:
        return None
    with process:
        try:
            printed = _printed(process, folder, seconds)
        except subprocess.TimeoutExpired:
            process.kill()
            return None
        except BaseException:  # The person interrupts; git must not outlive that.
            process.kill()
            raise
    return printed if process.returncode == 0 else None


def may_be_in_git(folder: str) -> bool:
    """Whether a folder above has a `.git`, or the environment names one. If not, git would fail, which takes long."""
    return "GIT_DIR" in os.environ or find_up(os.path.realpath(folder), ".git") is not None


def is_tracked(folder: str, path: str) -> bool:
    """Does git track a file of the folder, in any case of letters? True also where a repository gives no answer."""
    if not may_be_in_git(folder):
        return False
    found = run_git(folder, "ls-files", "--", f":(icase){path}", seconds=5)
    return found is None or bool(found.strip())


def root_commit(folder: str) -> str | None:
    """The first commit of the repository, or None. Call it only if nothing else identifies the project."""
    if head_commit(folder) is None and not _has_reftable(folder):
        return None  # Before the first commit; not asking git saves most of the time of a command.
    commits = (run_git(folder, "rev-list", "--max-parents=0", "HEAD", seconds=5) or b"").split()
    return commits[-1].decode("ascii") if commits else None


def read_git(folder: str, *arguments: str, seconds: float, most: int) -> bytes:
    """Returns what a git command prints until `seconds` have passed or `most` bytes were read; b"" if it fails.

    For long lists whose beginning is enough. As safe as `run_git`.
    """
    if _would_wait(folder):
        return b""
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


def _printed(process: subprocess.Popen[bytes], folder: str, seconds: float) -> bytes:
    """Returns what a command prints. Raises TimeoutExpired, early if the command waits for a pipe of the project."""
    try:
        return process.communicate(timeout=min(seconds, _PATIENCE))[0]
    except subprocess.TimeoutExpired:
        root = find_up(os.path.realpath(folder), ".git")
        if seconds <= _PATIENCE or (root is not None and _has_pipe_below(root, time.monotonic() + seconds)):
            raise
        return process.communicate(timeout=seconds - _PATIENCE)[0]


def _has_pipe_below(root: str, until: float) -> bool:
    """Is a file that git opens a pipe, in any folder of a project?"""
    for folder, _, files in os.walk(root):
        if any(_waits(os.path.join(folder, name)) for name in _OPENED.intersection(files)):
            return True
        if time.monotonic() > until:
            break
    return False


def _has_reftable(folder: str) -> bool:
    """Whether git keeps the refs of this repository in its binary format, which only git can read."""
    return any(os.path.exists(os.path.join(git, "reftable")) for git in git_folders(folder))


def _would_wait(folder: str) -> bool:
    """Would git open a named pipe or a device of the repository, and wait for what nobody writes?"""
    if any(_holds_pipe(os.path.join(git, inner)) for git in git_folders(folder) for inner in _OPENED_IN):
        return True
    root = find_up(os.path.realpath(folder), ".git")
    return root is not None and any(_waits(os.path.join(root, name)) for name in _OPENED)


def _holds_pipe(folder: str) -> bool:
    try:
        with os.scandir(folder) as entries:
            return any(_is_pipe(entry) for entry in entries)
    except OSError:
        return False  # It does not exist or cannot be read, and git cannot read it either.


def _is_pipe(entry: os.DirEntry[str]) -> bool:
    return not (entry.is_file(follow_symlinks=False) or entry.is_dir(follow_symlinks=False)) and _waits(entry.path)


def _waits(path: str) -> bool:
    """Would it take forever to open or read this file?"""
    try:
        mode = os.stat(path).st_mode
    except OSError:
        return False  # A link that leads nowhere.
    return stat.S_ISFIFO(mode) or stat.S_ISCHR(mode)
