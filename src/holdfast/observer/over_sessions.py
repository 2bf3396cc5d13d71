"""What only several sessions together show: files that change together, and files that work on a module needs."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, NamedTuple

from holdfast.observer.detect import module_of
from holdfast.observer.history import COMMIT

if TYPE_CHECKING:
    from holdfast.store.writing.observations import ObservedSession

# A session that edits more files than this says little about which of them belong together.
_MOST_EDITED = 40
# Files belong together if they changed together in half of the sessions that changed the rarer one, four at least; or
# in half of those that changed the other one, three at least. Less is mostly chance (docs/decisions/0041-observer.md).
_SUPPORT, _LEAST_SUPPORT, _SHARE = 4, 3, 0.5
_ALWAYS, _OFTEN, _MOST_LISTED = 0.7, 0.4, 6
# How much more often the sessions of a module, or of a file, must use a file than other sessions.
_SPECIAL = 1.5
# How much more often sessions that change a file must use one of another module than other sessions.
_ACROSS = 2.0


# The sessions that show something, with the steps in each.
Evidence = tuple[tuple[str, tuple[int, ...]], ...]
_MOST_EVIDENCE = 10


class Companions(NamedTuple):
    """The files that change together with a file, and in how many of the `of` sessions that changed it."""

    path: str
    others: tuple[tuple[str, int], ...]
    of: int
    evidence: Evidence
    unit: str


class ModuleFiles(NamedTuple):
    """The files that sessions with edits in a module used: nearly always, and often."""

    module: str
    always: tuple[str, ...]
    often: tuple[str, ...]
    sessions: int
    evidence: Evidence
    unit: str


def changing_together(
    sessions: Sequence[ObservedSession], latest: ObservedSession | None = None
) -> Iterator[Companions]:
    """The files that belong to those edited in the latest session, or to any, by all sessions, the latest included."""
    edited = [_edited(session) for session in sessions]
    counts = Counter(path for paths in edited for path in paths)
    found: dict[str, list[tuple[str, int]]] = {}
    now = set(_edited(latest)[:_MOST_EDITED]) if latest else set(counts)
    for (first, second), together in _pairs(edited, now).items():
        rarer, other = sorted((first, second), key=lambda path: (counts[path], path))
        if _belong_together(together, counts[rarer], counts[other]):
            changed, too = (other, rarer) if is_test_of(rarer, other) else (rarer, other)
            # A file that other sessions change as often belongs to all of them, such as a change log.
            elsewhere = (counts[too] - together) / max(len(sessions) - counts[changed], 1)
            if together / counts[changed] >= max(_SHARE, _SPECIAL * elsewhere):
                found.setdefault(changed, []).append((too, together))
    for path in sorted(now & found.keys()):
        others = sorted(found[path], key=lambda other: (-other[1], other[0]))[:_MOST_LISTED]
        evidence = _evidence(sessions, path, [other for other, _ in others])
        yield Companions(path, tuple(others), counts[path], evidence, _unit(sessions))


def _pairs(edited: Sequence[Sequence[str]], now: set[str]) -> Counter[tuple[str, str]]:
    """How many sessions edited two files, one of which is in `now`."""
    pairs: Counter[tuple[str, str]] = Counter()
    for paths in edited:
        here = [path for path in paths if path in now] if len(paths) <= _MOST_EDITED else []
        chosen = ((path, other) for path in here for other in paths if other > path or other not in now)
        pairs.update((min(pair), max(pair)) for pair in chosen)
    return pairs


def needed_across_modules(sessions: Sequence[ObservedSession]) -> Iterator[Companions]:
    """The files of other modules that most sessions use which change a file, and other sessions do not."""
    changed = Counter(path for session in sessions for path in _edited(session))
    used = Counter(file.path for session in sessions for file in session.files)
    pairs: Counter[tuple[str, str]] = Counter()
    for session in sessions:
        edited = [path for path in _edited(session)[:_MOST_EDITED] if changed[path] >= _SUPPORT]
        other = [file.path for file in session.files if used[file.path] >= _SUPPORT]
        pairs.update((path, too) for path in edited for too in other if module_of(path) != module_of(too))
    found: dict[str, list[tuple[str, int]]] = {}
    for (path, too), together in pairs.items():
        elsewhere = (used[too] - together) / max(len(sessions) - changed[path], 1)
        if together >= _SUPPORT and together / changed[path] > max(_ALWAYS, _ACROSS * elsewhere):
            found.setdefault(path, []).append((too, together))
    for path, others in sorted(found.items()):
        chosen = sorted(others, key=lambda other: (-other[1], other[0]))[:_MOST_LISTED]
        evidence = _evidence(sessions, path, [other for other, _ in chosen], used=True)
        yield Companions(path, tuple(chosen), changed[path], evidence, _unit(sessions))


def is_test_of(test: str, path: str) -> bool:
    """Is a file the test of another, by its name: `cart_test.go`, `test_cart.py` or `cart.spec.ts` of `cart`?"""
    stem = os.path.basename(path).split(".")[0]
    name = os.path.basename(test).split(".")
    return name[0] in (f"{stem}_test", f"test_{stem}") or (name[0] == stem and name[1:2] in (["test"], ["spec"]))


def _belong_together(together: int, rarer: int, other: int) -> bool:
    often = together >= _SUPPORT and together / rarer >= _SHARE
    return often or (together >= _LEAST_SUPPORT and together / other >= _SHARE)


def files_of_modules(
    sessions: Sequence[ObservedSession], latest: ObservedSession | None = None
) -> Iterator[ModuleFiles]:
    """The files that work in the modules of the latest session, or in any, needed so far."""
    modules = [{module_of(path) for path in _edited(session)} for session in sessions]
    everywhere = Counter(file.path for session in sessions for file in session.files)
    for module in sorted({module_of(path) for path in _edited(latest)} if latest else set().union(*modules)):
        own = [session for session, changed in zip(sessions, modules, strict=True) if module in changed]
        counts = Counter(file.path for session in own for file in session.files)
        # A file that other sessions use as often says nothing about this module.
        elsewhere = max(len(sessions) - len(own), 1)
        special = [
            path for path in counts
            if module_of(path) == module
            or counts[path] / len(own) >= _SPECIAL * (everywhere[path] - counts[path]) / elsewhere
        ]  # fmt: skip
        ranked = sorted(special, key=lambda path: (-counts[path], path))
        if module == "." or module not in map(module_of, ranked[:_MOST_LISTED]):
            continue
        always = [path for path in ranked if counts[path] >= _ALWAYS * len(own)][:_MOST_LISTED]
        often = [path for path in ranked if path not in always and counts[path] >= _OFTEN * len(own)][:_MOST_LISTED]
        if always and len(always) + len(often) >= 2:
            evidence = _evidence(own, "", [*always, *often])
            yield ModuleFiles(module, tuple(always), tuple(often), len(own), evidence, _unit(own))


def _evidence(sessions: Sequence[ObservedSession], path: str, others: Sequence[str], used: bool = False) -> Evidence:
    """The latest sessions that used a file and one of the others, with the step of the first use of each."""
    found = []
    for session in sessions:
        first = {file.path: file.first for file in session.files if file.edits or used or not path}
        shown = [first[other] for other in others if other in first]
        if shown and (not path or path in first):
            found.append((session.session, tuple(sorted({*shown, *([first[path]] if path else [])}))))
    return tuple(found[-_MOST_EVIDENCE:])


def _unit(sessions: Sequence[ObservedSession]) -> str:
    return "changes" if any(session.session.startswith(COMMIT) for session in sessions) else "sessions"


def _edited(session: ObservedSession) -> list[str]:
    return sorted(file.path for file in session.files if file.edits)
