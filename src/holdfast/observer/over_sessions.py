"""What only several sessions together show: files that change together, and files that work on a module needs."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import combinations
from typing import TYPE_CHECKING, NamedTuple

from holdfast.observer.detect import module_of

if TYPE_CHECKING:
    from holdfast.store.writing.observations import ObservedSession

# A session that edits more files than this says little about which of them belong together.
_MOST_EDITED = 40
# Files belong together if they changed together in half of the sessions that changed the rarer one, four at least; or
# in half of those that changed the other one, three at least. Less is mostly chance (docs/decisions/0041-observer.md).
_SUPPORT, _LEAST_SUPPORT, _SHARE = 4, 3, 0.5
_ALWAYS, _OFTEN, _MOST_LISTED = 0.7, 0.4, 6


class FilePair(NamedTuple):
    """Two files that change together: `a` changed in `of` sessions, in `together` of them with `b`."""

    a: str
    b: str
    together: int
    of: int

    @property
    def weight(self) -> float:
        """The share of the changes of `a` in which `b` changed too."""
        return self.together / self.of


class ModuleFiles(NamedTuple):
    """The files that sessions with edits in a module used: nearly always, and often."""

    module: str
    always: tuple[str, ...]
    often: tuple[str, ...]
    sessions: int


def changing_together(sessions: Sequence[ObservedSession], latest: ObservedSession) -> Iterator[FilePair]:
    """The pairs of files edited in the latest session that belong together, by all sessions, the latest included."""
    edited = [_edited(session) for session in sessions]
    counts = Counter(path for paths in edited for path in paths)
    pairs = Counter(pair for paths in edited if len(paths) <= _MOST_EDITED for pair in combinations(paths, 2))
    for first, second in combinations(_edited(latest)[:_MOST_EDITED], 2):
        together = pairs[first, second]
        rarer, other = sorted((first, second), key=lambda path: (counts[path], path))
        if _belong_together(together, counts[rarer], counts[other]):
            yield FilePair(rarer, other, together, counts[rarer])


def _belong_together(together: int, rarer: int, other: int) -> bool:
    often = together >= _SUPPORT and together / rarer >= _SHARE
    return often or (together >= _LEAST_SUPPORT and together / other >= _SHARE)


def files_of_modules(sessions: Sequence[ObservedSession], latest: ObservedSession) -> Iterator[ModuleFiles]:
    """The files that work in the modules of the latest session needed so far."""
    modules = [{module_of(path) for path in _edited(session)} for session in sessions]
    for module in sorted({module_of(path) for path in _edited(latest)}):
        own = [session for session, changed in zip(sessions, modules, strict=True) if module in changed]
        counts = Counter(file.path for session in own for file in session.files)
        ranked = sorted(counts, key=lambda path: (-counts[path], path))
        always = [path for path in ranked if counts[path] >= _ALWAYS * len(own)][:_MOST_LISTED]
        often = [path for path in ranked if path not in always and counts[path] >= _OFTEN * len(own)][:_MOST_LISTED]
        if always and len(always) + len(often) >= 2:
            yield ModuleFiles(module, tuple(always), tuple(often), len(own))


def _edited(session: ObservedSession) -> list[str]:
    return sorted(file.path for file in session.files if file.edits)
