"""Reads code as the main branch has it, so that a memory made on another branch is confirmed when that is merged.

Never compares with the files on disk by git: that would run the filters of a hostile configuration.
"""

from __future__ import annotations

from holdfast.codegraph.anchors.sources import SourceFile
from holdfast.codegraph.code_files import LARGEST
from holdfast.system.git import run_git
from holdfast.system.project import checked_out_branch

_SECONDS = 1.0
_USUAL_NAMES = ("main", "master", "trunk", "develop")


class MainBranch:
    """The main branch of a repository: that of the remote, else the first of the usual names that exists."""

    def __init__(self, root: str) -> None:
        self._root = root
        self._ref = _main_ref(root)
        self._files: dict[str, SourceFile | None] = {}

    def lacks(self, path: str, symbol: str, hash: str) -> bool:
        """Is this text not, or not yet, on the main branch? False without a main branch."""
        if self._ref is None:
            return False
        if path not in self._files:
            self._files[path] = self._read(path)
        file = self._files[path]
        if file is None:
            return True
        texts = file.symbols if symbol else (file.whole,)
        return all(text.hash != hash for text in texts if text.symbol == symbol)

    def _read(self, path: str) -> SourceFile | None:
        named = f"{self._ref}:{path}"
        size = run_git(self._root, "cat-file", "-s", named, seconds=_SECONDS)
        if size is None or not size.strip().isdigit() or int(size) > LARGEST:
            return None
        blob = run_git(self._root, "cat-file", "blob", named, seconds=_SECONDS)
        return SourceFile(path, (len(blob), 0), blob) if blob is not None else None


def other_branch(root: str) -> str | None:
    """Returns the checked-out branch, or None if it is the main one, no branch, or there is no git."""
    branch = checked_out_branch(root)
    main = _main_ref(root) if branch is not None else None
    if main is None or main.removeprefix("refs/remotes/origin/").removeprefix("refs/heads/") == branch:
        return None
    return branch


def _main_ref(root: str) -> str | None:
    named = run_git(root, "symbolic-ref", "-q", "refs/remotes/origin/HEAD", seconds=_SECONDS)
    if named:
        return named.decode("utf-8", "replace").strip()
    refs = [f"refs/heads/{name}" for name in _USUAL_NAMES]
    listed = run_git(root, "for-each-ref", "--format=%(refname)", *refs, seconds=_SECONDS) or b""
    known = listed.decode("utf-8", "replace").split("\n")
    return next((ref for ref in refs if ref in known), None)
