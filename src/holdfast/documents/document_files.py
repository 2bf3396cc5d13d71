"""Finds the documents of a project by its rules, without ignored files and never outside the project."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from dataclasses import field
from operator import attrgetter
from typing import NamedTuple

from holdfast.core.frozen import frozen
from holdfast.core.reason import Reason
from holdfast.documents.document_reasons import DocumentCode
from holdfast.documents.index_rules import DocumentRule, DocumentRules, kind_of
from holdfast.intake.secrets import redact
from holdfast.system.files import read_file
from holdfast.text.ignore import IgnoreFile, is_ignored, patterns

_LARGEST_IGNORE = 1_000_000


class DiscoveredFile(NamedTuple):
    """A document on disk: its path in the project, its rule, and the size and time that reveal a change."""

    path: str
    rule: DocumentRule
    size: int
    mtime_ns: int


@frozen
class IndexProblem:
    """A file or folder that was not indexed completely, and the reason."""

    path: str
    reason: Reason

    @property
    def order(self) -> tuple[str, str]:
        """The key by which problems are sorted."""
        return self.path, str(self.reason)


@frozen
class Discovered:
    """The documents by path. `unseen` are files and folders that could not be read; their documents are kept."""

    files: dict[str, DiscoveredFile] = field(default_factory=dict)
    problems: list[IndexProblem] = field(default_factory=list)
    unseen: list[str] = field(default_factory=list)


def discover(root: str, rules: DocumentRules, within: Sequence[str] = (), largest: int = 0) -> Discovered:
    """Finds all documents below the roots of the rules; `within` limits the search to some paths of the project.

    A file of more than `largest` bytes is reported and left out; 0 means no limit. Links are not followed: the target
    of a link inside the project is found at its own path, and a link that leads out of the project is reported.
    """
    found = Discovered()
    walk = _Walk(root, rules, tuple(within), largest, found)
    for folder in _outermost(rules.roots):
        walk.into(folder)
    found.problems.sort(key=attrgetter("order"))
    return found


def is_within(path: str, folders: Sequence[str]) -> bool:
    """Is the path one of the folders or below one? Without folders, every path is."""
    return not folders or any(f in (".", path) or path.startswith(f"{f}/") for f in folders)


def _outermost(roots: Sequence[str]) -> list[str]:
    """Returns the roots that are not inside another root, so that no file is found twice."""
    clean = ["." if root in ("", ".") else root for root in roots]
    return [root for root in dict.fromkeys(clean) if not any(is_within(root, [r]) for r in clean if r != root)]


class _Walk:
    """One walk through the folders of a project."""

    def __init__(
        self, root: str, rules: DocumentRules, within: tuple[str, ...], largest: int, found: Discovered
    ) -> None:
        self._root = root
        self._rules = rules
        self._within = within
        self._largest = largest
        self._found = found

    def into(self, folder: str) -> None:
        """Finds the documents below a root; none if it does not exist."""
        stack: list[IgnoreFile] = [patterns(self._rules.ignore), *self._ignore_file(".git/info/exclude", "")]
        parts = [] if folder == "." else folder.split("/")
        for depth in range(len(parts)):
            stack += self._ignored_in("/".join(parts[:depth]))
            path = "/".join(parts[: depth + 1])
            if is_ignored(path, True, stack):
                return
            if os.path.islink(self._full(path)):
                self._link(path)
                return
        if os.path.isdir(self._full(folder)):
            self._folder("" if folder == "." else folder, stack)

    def _folder(self, folder: str, above: Sequence[IgnoreFile]) -> None:
        pending = [(folder, tuple(above))]
        while pending:
            at, stack = pending.pop()
            stack = (*stack, *self._ignored_in(at))
            for entry in self._entries(at):
                path = f"{at}/{entry.name}" if at else entry.name
                if not _is_storable(entry.name):
                    self._report_name(path)
                elif entry.is_symlink():
                    self._link(path)
                elif entry.is_dir(follow_symlinks=False):
                    if self._is_relevant(path) and not is_ignored(path, True, stack):
                        pending.append((path, stack))
                elif kind_of(path) and not is_ignored(path, False, stack):
                    self._file(path, entry)

    def _entries(self, folder: str) -> list[os.DirEntry[str]]:
        try:
            with os.scandir(self._full(folder)) as entries:
                return [entry for entry in entries if not entry.name.startswith(".")]
        except FileNotFoundError:
            return []  # The folder was removed during the walk, with all its files.
        except OSError as error:
            reason = Reason.of(DocumentCode.FOLDER_UNREADABLE, error=error.strerror)
            self._report(folder or ".", reason, unseen=True)
            return []

    def _file(self, path: str, entry: os.DirEntry[str]) -> None:
        rule = self._rules.of(path) if is_within(path, self._within) else None
        if rule is None:
            return
        try:
            stat = entry.stat(follow_symlinks=False)
        except FileNotFoundError:
            return
        except OSError as error:
            self._report(path, Reason.of(DocumentCode.STAT_FAILED, error=error.strerror), unseen=True)
            return
        if not entry.is_file(follow_symlinks=False):
            self._report(path, Reason.of(DocumentCode.NOT_A_FILE))
        elif self._largest and stat.st_size > self._largest:
            self._report(path, Reason.of(DocumentCode.TOO_LARGE, bytes=stat.st_size, limit=self._largest))
        elif (clean := redact(path)) != path:
            self._report(clean, Reason.of(DocumentCode.CONFIDENTIAL_NAME))
        else:
            self._found.files[path] = DiscoveredFile(path, rule, stat.st_size, stat.st_mtime_ns)

    def _link(self, path: str) -> None:
        """Reports a link to a document or a folder outside the project."""
        try:
            target = os.path.realpath(self._full(path))
        except OSError:
            return  # The link was removed during the walk.
        inside = target == self._root or target.startswith(self._root.rstrip(os.sep) + os.sep)
        if not inside and is_within(path, self._within) and (kind_of(path) or os.path.isdir(target)):
            self._report(path, Reason.of(DocumentCode.LINK_OUTSIDE))

    def _report_name(self, path: str) -> None:
        if kind_of(path) and is_within(path, self._within):
            self._report(ascii(path)[1:-1], Reason.of(DocumentCode.BAD_NAME))

    def _is_relevant(self, folder: str) -> bool:
        """Is the folder inside the paths to search, or does it contain one of them?"""
        return is_within(folder, self._within) or any(path.startswith(f"{folder}/") for path in self._within)

    def _ignored_in(self, folder: str) -> Iterator[IgnoreFile]:
        yield from self._ignore_file(f"{folder}/.gitignore" if folder else ".gitignore", folder)

    def _ignore_file(self, file: str, folder: str) -> Iterator[IgnoreFile]:
        try:
            yield IgnoreFile.of(read_file(self._full(file), _LARGEST_IGNORE).decode("utf-8-sig", "replace"), folder)
        except OSError:
            return  # The file does not exist or cannot be read.

    def _report(self, path: str, reason: Reason, *, unseen: bool = False) -> None:
        self._found.problems.append(IndexProblem(path, reason))
        if unseen:
            self._found.unseen.append(path)

    def _full(self, path: str) -> str:
        return os.path.join(self._root, *path.split("/")) if path else self._root


def _is_storable(name: str) -> bool:
    """Can a name be stored and displayed? It must be UTF-8 and must not contain a backslash."""
    return name.isprintable() and "\\" not in name
