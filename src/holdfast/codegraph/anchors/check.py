"""Compares anchors with the files: unchanged, changed, moved or gone."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from holdfast.codegraph.anchors.sources import CodeSnippet, CodeSources, SourceFile, unchanged_share
from holdfast.core.anchor import CHANGED, FRESH, GONE, CodeAnchor
from holdfast.core.frozen import frozen

if TYPE_CHECKING:
    from holdfast.codegraph.anchors.follow import MovedCode
    from holdfast.store.reading import AnchorReading

# The share that is taken to be left of a changed text that was too long to store.
_UNKNOWN_SHARE = 0.5
# A text that still has this share of its lines is the same one under another name.
SAME_TEXT = 0.5


@frozen
class AnchorCheck:
    """Checks the anchors of one project. `moved` finds code that is no longer where it was; without it, it is gone."""

    sources: CodeSources
    reading: AnchorReading
    project: str
    moved: MovedCode | None = None

    def check(self, anchors: Sequence[CodeAnchor]) -> tuple[CodeAnchor, ...]:
        """Returns the anchors with their present states and places. Reads only files that changed since the last check.

        Two anchors that lead to the same place become one.
        """
        checked = {(anchor.path, anchor.symbol): anchor for anchor in reversed([self._check(a) for a in anchors])}
        return tuple(reversed(checked.values()))

    def _check(self, anchor: CodeAnchor) -> CodeAnchor:
        stamp = self.sources.stamp(anchor.path)
        if stamp is not None and stamp == (anchor.size, anchor.mtime_ns):
            return anchor if anchor.state != GONE else self._elsewhere(anchor)
        source = self.sources.read(anchor.path) if stamp is not None else None
        here = self._in(source, anchor) if source is not None else None
        if here is not None:
            return here
        stamped = replace(anchor, size=stamp[0] if stamp else None, mtime_ns=stamp[1] if stamp else None)
        return self._elsewhere(stamped)

    def _elsewhere(self, anchor: CodeAnchor) -> CodeAnchor:
        for path, symbol in self.moved.places(anchor) if self.moved is not None else ():
            source = self.sources.read(path)
            found = self._in(source, replace(anchor, path=path, symbol=symbol)) if source is not None else None
            if found is not None and (found.state == FRESH or found.unchanged >= SAME_TEXT):
                return found
        return replace(anchor, state=GONE, unchanged=0.0)

    def _in(self, source: SourceFile, anchor: CodeAnchor) -> CodeAnchor | None:
        """The anchor in this file: at its symbol, at the same text under another name, or at the most similar text."""
        if not anchor.symbol:
            return self._compared(source, anchor, source.whole)
        named = [snippet for snippet in source.symbols if snippet.symbol == anchor.symbol]
        alike = [snippet for snippet in source.symbols if snippet.hash == anchor.hash]
        best = next((s for s in named if s.hash == anchor.hash), None) or (named[0] if named else None)
        if best is None and len(alike) == 1 and (alike[0].lines > 2 or _short(alike[0]) == _short(anchor)):
            best = alike[0]
        if best is None:
            best = self._similar(source, anchor)
        return self._compared(source, anchor, best) if best is not None else None

    def _similar(self, source: SourceFile, anchor: CodeAnchor) -> CodeSnippet | None:
        """The symbol with the largest share of the old text, if that is enough; first among those of the same name."""
        old = self.reading.code_text(self.project, anchor.hash)
        if old is None:
            return None
        old = _unnamed(old, anchor)
        texts = {snippet: _unnamed(snippet.text, snippet) for snippet in source.symbols}
        shares = {snippet: unchanged_share(old, text) for snippet, text in texts.items()}
        # Of both texts: a class still has all lines of a method that was moved into it.
        same = [s for s, text in texts.items() if shares[s] >= SAME_TEXT and unchanged_share(text, old) >= SAME_TEXT]
        ranked = sorted(same, key=lambda snippet: (_short(snippet) != _short(anchor), -shares[snippet]))
        return ranked[0] if ranked else None

    def _compared(self, source: SourceFile, anchor: CodeAnchor, now: CodeSnippet) -> CodeAnchor:
        place = replace(
            anchor, symbol=now.symbol, line=now.line, end_line=now.end_line, size=source.stamp[0],
            mtime_ns=source.stamp[1],
        )  # fmt: skip
        if now.hash == anchor.hash:
            return replace(place, state=FRESH, unchanged=1.0)
        old = self.reading.code_text(self.project, anchor.hash)
        share = _UNKNOWN_SHARE if old is None else unchanged_share(_unnamed(old, anchor), _unnamed(now.text, place))
        return replace(place, state=CHANGED, unchanged=round(share, 3))


def _unnamed(text: str, named: CodeAnchor | CodeSnippet) -> str:
    """A text without its own name, so that only other changes count."""
    short = _short(named)
    return text.replace(short, "\0") if short else text


def _short(anchor: CodeAnchor | CodeSnippet) -> str:
    return anchor.symbol.rpartition(".")[2]
