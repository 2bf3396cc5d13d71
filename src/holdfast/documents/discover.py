"""Finds the documents of a project: by its rules, without what it ignores, never outside of it."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from holdfast.documents.ignore import IgnoreFile, is_ignored, patterns
from holdfast.documents.rules import DocumentRule, DocumentRules, kind_of


class DiscoveredFile(NamedTuple):
    """A document as it lies on disk: its path in the project, and what tells whether it changed."""

    path: str
    rule: DocumentRule
    size: int
    mtime_ns: int


@dataclass(frozen=True, slots=True, order=True)
class IndexProblem:
    """What was not indexed as it should be, and why."""

    path: str
    why: str


@dataclass(frozen=True, slots=True)
class Discovered:
    """The documents by path. `unseen` are files and folders that could not be looked at: what was known there stays."""

    files: dict[str, DiscoveredFile] = field(default_factory=dict)
    problems: list[IndexProblem] = field(default_factory=list)
    unseen: list[str] = field(default_factory=list)


def discover(root: str, rules: DocumentRules, within: Sequence[str] = (), largest: int = 0) -> Discovered:
    """All documents below the roots of the rules; `within` are the paths of the project to keep to, if any.

    A file of more than `largest` bytes is reported and left out; 0: no limit. Links are not followed: what a link
    inside the project leads to is found where it lies, and one that leads out of it is reported.
    """
    found = Discovered()
    walk = _Walk(root, rules, tuple(within), largest, found)
    for folder in _outermost(rules.roots):
        walk.into(folder)
    found.problems.sort()
    return found


def is_within(path: str, folders: Sequence[str]) -> bool:
    """Is it one of them, or below one? No folders: everything is."""
    return not folders or any(f in (".", path) or path.startswith(f"{f}/") for f in folders)


def _outermost(roots: Sequence[str]) -> list[str]:
    """The roots without those that lie in another, so that nothing is found twice."""
    clean = ["." if root in ("", ".") else root for root in roots]
    return [root for root in dict.fromkeys(clean) if not any(is_within(root, [r]) for r in clean if r != root)]


class _Walk:
    """One look through the folders of a project."""

    def __init__(
        self, root: str, rules: DocumentRules, within: tuple[str, ...], largest: int, found: Discovered
    ) -> None:
        self._root = root
        self._rules = rules
        self._within = within
        self._largest = largest
        self._found = found

    def into(self, folder: str) -> None:
        """Finds the documents below a root. A root that is not there has none."""
        stack: list[IgnoreFile] = [patterns(self._rules.ignore), *self._read_ignored(".git/info/exclude", "")]
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
        waiting = [(folder, tuple(above))]
        while waiting:
            at, stack = waiting.pop()
            stack = (*stack, *self._ignored_in(at))
            for entry in self._entries(at):
                path = f"{at}/{entry.name}" if at else entry.name
                if not _is_text(entry.name):
                    self._unnamed(path)
                elif entry.is_symlink():
                    self._link(path)
                elif entry.is_dir(follow_symlinks=False):
                    if self._leads_on(path) and not is_ignored(path, True, stack):
                        waiting.append((path, stack))
                elif kind_of(path) and not is_ignored(path, False, stack):
                    self._file(path, entry)

    def _entries(self, folder: str) -> list[os.DirEntry[str]]:
        try:
            with os.scandir(self._full(folder)) as entries:
                return [entry for entry in entries if not entry.name.startswith(".")]
        except FileNotFoundError:
            return []  # Why no problem: it went while we looked, and what was in it went with it.
        except OSError as error:
            self._report(folder or ".", f"this folder cannot be read ({error.strerror})", unseen=True)
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
            self._report(path, f"it cannot be looked at ({error.strerror})", unseen=True)
            return
        if not entry.is_file(follow_symlinks=False):
            self._report(path, "it is not a file")
        elif self._largest and stat.st_size > self._largest:
            self._report(path, f"it has {stat.st_size:,} bytes, and index_max_bytes is {self._largest:,}")
        else:
            self._found.files[path] = DiscoveredFile(path, rule, stat.st_size, stat.st_mtime_ns)

    def _link(self, path: str) -> None:
        """Reports a link to a document or a folder outside of the project."""
        full = self._full(path)
        target = os.path.realpath(full)
        inside = target == self._root or target.startswith(self._root.rstrip(os.sep) + os.sep)
        if not inside and is_within(path, self._within) and (kind_of(path) or os.path.isdir(target)):
            self._report(path, "it is a link that leads out of the project")

    def _unnamed(self, path: str) -> None:
        if kind_of(path) and is_within(path, self._within):
            self._report(ascii(path)[1:-1], "its name cannot be kept")

    def _leads_on(self, folder: str) -> bool:
        """Is it, or does it lie above or below, what is to be looked at?"""
        return is_within(folder, self._within) or any(path.startswith(f"{folder}/") for path in self._within)

    def _ignored_in(self, folder: str) -> Iterator[IgnoreFile]:
        yield from self._read_ignored(f"{folder}/.gitignore" if folder else ".gitignore", folder)

    def _read_ignored(self, file: str, folder: str) -> Iterator[IgnoreFile]:
        try:
            with open(self._full(file), encoding="utf-8-sig", errors="replace") as opened:
                yield IgnoreFile.of(opened.read(), folder)
        except OSError:
            return  # Why let go: there is none, or none for us.

    def _report(self, path: str, why: str, *, unseen: bool = False) -> None:
        self._found.problems.append(IndexProblem(path, why))
        if unseen:
            self._found.unseen.append(path)

    def _full(self, path: str) -> str:
        return os.path.join(self._root, *path.split("/")) if path else self._root


def _is_text(name: str) -> bool:
    """Can a name be kept and shown? Not one that is not UTF-8, nor one with what other systems part folders by."""
    return name.isprintable() and "\\" not in name
