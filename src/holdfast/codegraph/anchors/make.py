"""Makes the anchors of a memory from its files and from the files and symbols that its text names."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace
from typing import TYPE_CHECKING

from holdfast.codegraph.anchors.branch import MainBranch, other_branch
from holdfast.codegraph.anchors.named_code import NamedCode, named_code
from holdfast.codegraph.anchors.sources import CodeSnippet, CodeSources, FileSizeAndTime, SourceFile
from holdfast.core.anchor import CodeAnchor, CodeBinding
from holdfast.core.frozen import frozen
from holdfast.core.memory_types import UNBOUND, TypeRegistry
from holdfast.system.project import head_commit, relative

if TYPE_CHECKING:
    from holdfast.core.memory import Memory
    from holdfast.store.reading import AnchorReading

_MOST_FILES = _MOST_ANCHORS = 8
# Longer texts are bound by their hash alone.
_LONGEST_TEXT = 100_000


@frozen
class AnchorMaker:
    """Binds new memories of one project to code. `redact` removes secrets from the code that is stored."""

    sources: CodeSources
    reading: AnchorReading
    types: TypeRegistry
    redact: Callable[[str], str]
    project: str
    root: str

    def __call__(self, memory: Memory) -> CodeBinding:
        """Returns what a memory is about: symbols where it names them, else whole files; nothing that is ambiguous.

        Reads the files it names. Looks up other symbols in the index, which may be empty.
        """
        if self.types.get(memory.type).when_code_is_gone == UNBOUND:
            return CodeBinding()
        named = named_code(memory.content)
        files = self._files(memory, named)
        found = self._symbols_in(files, memory, named)
        covered = {path for path, _ in found}
        found += [(path, source.whole) for path, source in files.items() if path not in covered]
        names = [name for name in named.names if not any(_is_called(snippet, name) for _, snippet in found)]
        found += self._indexed(names, frozenset(files))
        return self._bound(dict.fromkeys(found), memory.commit)

    def _files(self, memory: Memory, named: NamedCode) -> dict[str, SourceFile]:
        """The files a memory is about, in order: its own, and those its text names without ambiguity."""
        target = (memory.target_node or "").partition(":")[0]
        paths = [*memory.files, *([target] if target else []), *self._existing(named.paths)]
        sources = ((path, self.sources.read(path)) for path in list(dict.fromkeys(paths))[:_MOST_FILES])
        return {path: source for path, source in sources if source is not None}

    def _existing(self, paths: Iterable[str]) -> Iterable[str]:
        inside = [path for path in paths if relative(path, self.root) == path]
        known = {path for path in inside if self.sources.stamp(path) is not None}
        rest = [path for path in inside if path not in known]
        ends = self.reading.paths_ending(self.project, rest) if rest else ()
        for path in inside:
            whole = [path] if path in known else [end for end in ends if end.endswith(f"/{path}")]
            if len(whole) == 1:
                yield whole[0]

    def _symbols_in(
        self, files: dict[str, SourceFile], memory: Memory, named: NamedCode
    ) -> list[tuple[str, CodeSnippet]]:
        """The symbols of these files that the memory names, each in one of the files only."""
        found: list[tuple[str, CodeSnippet]] = []
        path, _, symbol = (memory.target_node or "").partition(":")
        pairs = [*named.pairs, *([(path, symbol)] if symbol else [])]
        for end, name in pairs:
            places = [place for place in files if place == end or place.endswith(f"/{end}")]
            found += [(place, only) for place in places[:1] if (only := _only(files[place].symbols, name))]
        for name in named.names:
            hits = [(place, only) for place, source in files.items() if (only := _only(source.symbols, name))]
            found += hits if len(hits) == 1 else []
        return found

    def _indexed(self, names: Iterable[str], known: frozenset[str]) -> list[tuple[str, CodeSnippet]]:
        """The symbols of other files, each the only one of its name in the project."""
        wanted = {name: name.rpartition(".")[2] for name in names}
        if not wanted:
            return []
        indexed = self.reading.symbols_named(self.project, set(wanted.values()))
        found = []
        for name in wanted:
            places = {(path, symbol.name) for path, symbol in indexed if _matches(symbol.name, name)}
            if len(places) == 1:
                [(path, symbol)] = places
                source = self.sources.read(path) if path not in known else None
                only = _only(source.symbols, symbol) if source is not None else None
                found += [(path, only)] if only is not None else []
        return found

    def _bound(self, found: Iterable[tuple[str, CodeSnippet]], commit: str | None) -> CodeBinding:
        chosen = list(found)[:_MOST_ANCHORS]
        if not chosen:
            return CodeBinding()
        commit, branch = commit or head_commit(self.root), other_branch(self.root)
        main = MainBranch(self.root) if branch else None
        anchors, texts = [], {}
        for path, snippet in chosen:
            waits = main is not None and main.lacks(path, snippet.symbol, snippet.hash)
            anchor = anchor_of(path, snippet, self.sources.stamp(path))
            anchors.append(replace(anchor, commit=commit, branch=branch if waits else None))
            if len(snippet.text) <= _LONGEST_TEXT and "\0" not in snippet.text:
                texts[snippet.hash] = self.redact(snippet.text)
        return CodeBinding(tuple(anchors), texts)


def anchor_of(path: str, snippet: CodeSnippet, stamp: FileSizeAndTime | None) -> CodeAnchor:
    """Returns the anchor of a text as it is now."""
    made = CodeAnchor(path, snippet.symbol, snippet.hash, line=snippet.line, end_line=snippet.end_line)
    return replace(made, size=stamp[0], mtime_ns=stamp[1]) if stamp else made


def _only(snippets: Iterable[CodeSnippet], name: str) -> CodeSnippet | None:
    """The only one with that name; definitions of one name that exclude each other count as one, the first."""
    found = {snippet.symbol: snippet for snippet in reversed(tuple(snippets)) if _is_called(snippet, name)}
    return next(iter(found.values())) if len(found) == 1 else found.get(name)


def _is_called(snippet: CodeSnippet, name: str) -> bool:
    return _matches(snippet.symbol, name)


def _matches(qualified: str, name: str) -> bool:
    """Is it that symbol, named in full or by its last parts?"""
    return bool(qualified) and (qualified == name or qualified.endswith(f".{name}"))
