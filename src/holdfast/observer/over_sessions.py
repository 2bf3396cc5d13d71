"""What only several sessions together show: files that change together, and files that work on a module needs."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

from holdfast.observer.cold_start import COMMIT, MAIN_BRANCHES
from holdfast.observer.detect import module_of
from holdfast.observer.tool_actions import is_document, is_instruction
from holdfast.text.patterns import compiled

if TYPE_CHECKING:
    from holdfast.store.writing.observations import ObservedSession

# A session that edits more files than this does not say which of them belong together.
_MOST_TOGETHER = 20
# How strong the evidence must be that two files belong together, and how much more it counts if their names say so.
# Less is mostly chance (docs/research/file-dependencies.md).
_STRONG, _NAMED_ALIKE, _LEAST_ALIKE = 5.5, 2.5, 3
# A dependency lapses if its files did not change together in this many sessions, until they do again.
LAPSES = 30
# Below these shares of the sessions that changed a file, a known companion of it follows less than often, or rarely.
_FOLLOWS, RARELY = 0.4, 0.2
_MODULE_TASKS, _ALWAYS, _OFTEN, _LEAST_FILES, _MOST_LISTED, _MOST_OTHERS = 3, 0.7, 0.4, 2, 6, 3
# How much more often sessions of a module, or that change a file, must use one of another module than other sessions.
_ACROSS, _ACROSS_SESSIONS, _ACROSS_FILES = 2.0, 4, 40


# The sessions that show something, with the steps in each.
Evidence = tuple[tuple[str, tuple[int, ...]], ...]
_MOST_EVIDENCE = 10
_RECORDS = (
    r"(?i)(?:^|/)(?:change-?log|changes|history|news|release[-_]?notes)[\w.-]*$"
    r"|\.lock$|-lock\.(?:json|yaml)$|(?:^|/)go\.sum$"
)
# Folders that say nothing about what a test is for.
_PLAIN_FOLDERS = frozenset(("tests", "test", "__tests__", "spec", "src", "lib"))
_WORDS_OF_TESTS = frozenset(("test", "tests", "spec"))
_TESTS = r"(?:^|/)test_[\w.-]+$|_test\.\w+$|\.(?:test|spec)\.\w+$"
Pair = tuple[str, str]
# By file, the files that belong to it, and in how many sessions.
Found = dict[str, dict[str, int]]


class Companions(NamedTuple):
    """The files that change together with a file, and in how many of the `of` sessions that changed it.

    `left` are those that no longer do.
    """

    path: str
    others: tuple[tuple[str, int], ...]
    of: int
    evidence: Evidence
    unit: str
    taint: tuple[str, int] | None = None
    left: tuple[str, ...] = ()


class ModuleFiles(NamedTuple):
    """The files that sessions with edits in a module used: nearly always, and often."""

    module: str
    always: tuple[str, ...]
    often: tuple[str, ...]
    sessions: int
    evidence: Evidence
    unit: str
    taint: tuple[str, int] | None = None


class ModuleFacts(NamedTuple):
    """What memories say about a module that has reached a milestone of sessions, and the sessions that show it."""

    module: str
    facts: tuple[str, ...]
    sessions: int
    evidence: Evidence


def changing_together(
    sessions: Sequence[ObservedSession], latest: ObservedSession | None = None
) -> Iterator[Companions]:
    """The files that belong to those edited in the latest session, or to any, by all sessions, the latest included.

    Files that sessions edited together only after they had read something from outside are tainted.
    """
    sessions = _telling(sessions)
    now = {path for session in (_telling([latest]) if latest else sessions) for path in _edited(session)}
    found = _without_lapsed(sessions, _belonging(sessions, now))
    trusted = _trusted(sessions, _edited)
    for path in sorted(now & found.keys()):
        of = sum(path in _edited(session) for session in sessions)
        yield from _companions(sessions, path, found[path], trusted, of)


def lapsed(sessions: Sequence[ObservedSession], pairs: Collection[Pair]) -> set[Pair]:
    """The pairs of files that changed in these sessions, but not together in the latest ones.

    Sessions that edited nothing or very many files do not count.
    """
    edited = [paths for session in _telling(sessions) if (paths := set(_edited(session)))]
    if len(edited) <= LAPSES:
        return set()
    known, latest = set().union(*edited), edited[-LAPSES:]
    return {pair for pair in pairs if known.issuperset(pair) and not any(map(set(pair).issubset, latest))}


def _without_lapsed(sessions: Sequence[ObservedSession], found: Found) -> Found:
    gone = lapsed(sessions, {(path, other) for path, others in found.items() for other in others})
    return {
        path: kept
        for path, others in found.items()
        if (kept := {other: n for other, n in others.items() if (path, other) not in gone})
    }


def weakened(
    sessions: Sequence[ObservedSession], latest: ObservedSession, known: Collection[Pair], held: Collection[Pair]
) -> Iterator[Companions]:
    """The known companions of files, if the latest session makes one of them clearly less usual, or lets it lapse.

    Only what sessions edited before they read anything from outside makes one less usual. A file all of whose
    companions have lapsed is left out. Those of `held` do not lapse.
    """
    changed = {path for session in _telling([latest]) for path in _edited(_before_untrusted(session))}
    gone, gone_before = (lapsed(some, known) - set(held) for some in (sessions, _without(sessions, latest)))
    now = (changed & {path for path, _ in known}) | {path for path, _ in gone - gone_before}
    sessions = [_before_untrusted(session) for session in _telling(sessions)] if now else []
    before = _without(sessions, latest)
    for path in sorted(now):
        others = sorted(other for first, other in known if first == path)
        counts, of = _followed(path, others, sessions)
        left = tuple(other for other in others if (path, other) in gone)
        less = _is_less_usual(counts, of, *_followed(path, others, before))
        if len(left) < len(others) and (less or any((path, other) not in gone_before for other in left)):
            ranked = tuple(sorted(counts.items(), key=lambda pair: (-pair[1], pair[0])))
            stay = tuple(pair for pair in ranked if pair[0] not in left)
            yield Companions(path, stay, of, _evidence(sessions, path, others), _unit(sessions), left=left)


def _without(sessions: Sequence[ObservedSession], latest: ObservedSession) -> list[ObservedSession]:
    return [session for session in sessions if session.session != latest.session]


def _telling(sessions: Sequence[ObservedSession]) -> list[ObservedSession]:
    """The sessions that say which files belong together: those that edited few."""
    return [session for session in sessions if len(_edited(session)) <= _MOST_TOGETHER]


def _followed(path: str, others: Sequence[str], sessions: Sequence[ObservedSession]) -> tuple[dict[str, int], int]:
    """In how many of the sessions that changed a file each of the others changed too, and how many these are."""
    changed = [edited for session in sessions if path in (edited := set(_edited(session)))]
    return {other: sum(other in edited for edited in changed) for other in others}, len(changed)


def _is_less_usual(counts: Mapping[str, int], of: int, past: Mapping[str, int], of_past: int) -> bool:
    return any(_usual(counts[other], of) < _usual(past[other], of_past) for other in counts)


def _usual(together: int, of: int) -> int:
    return sum(together >= least * of for least in (RARELY, _FOLLOWS)) if of else 0


def _belonging(sessions: Sequence[ObservedSession], now: set[str]) -> Found:
    """By file, the files that belong to it and in how many sessions both were edited; one of them is in `now`."""
    edited = [_edited(session) for session in sessions]
    counts = Counter(path for paths in edited for path in paths)
    found: Found = {}
    for (first, second), together in _pairs(edited, now).items():
        rarer, other = sorted((first, second), key=lambda path: (counts[path], path))
        changed, too = _order(rarer, other)
        # The more sessions changed both, the smaller their share may be of those that changed either.
        strength = together**3 / (counts[first] + counts[second] - together)
        alike = is_test_of(too, changed) or (together >= _LEAST_ALIKE and are_named_alike(first, second))
        if strength * (_NAMED_ALIKE if alike else 1.0) >= _STRONG:
            found.setdefault(changed, {})[too] = together
    return found


def _pairs(edited: Sequence[Sequence[str]], now: set[str]) -> Counter[tuple[str, str]]:
    """In how many sessions two files were edited, one of which is in `now`."""
    pairs: Counter[tuple[str, str]] = Counter()
    for paths in edited:
        for path in now.intersection(paths):
            pairs.update((min(path, other), max(path, other)) for other in paths if other > path or other not in now)
    return pairs


def _order(rarer: str, other: str) -> tuple[str, str]:
    """The file whose change asks for that of the other: the rarer one, but code before tests, documents and records."""
    kinds = (is_record, is_test, is_document)
    follows = any(is_kind(rarer) and not is_kind(other) for is_kind in kinds)
    return (other, rarer) if follows else (rarer, other)


def is_record(path: str) -> bool:
    """Does a file record what changed elsewhere, such as a change log or a lock file? It needs nothing itself."""
    return compiled(_RECORDS).search(path) is not None


def is_test(path: str) -> bool:
    """Is a file a test, by its name?"""
    return compiled(_TESTS).search(path) is not None


def task_of(session: ObservedSession) -> str:
    """What a session worked on: its branch, which may take several sessions; on a main branch, the session itself."""
    own = (branch for branch in reversed(session.branches) if branch not in MAIN_BRANCHES)
    return next(own, f"\n{session.session}")


def _trusted(
    sessions: Sequence[ObservedSession], others: Callable[[ObservedSession], Iterable[str]]
) -> list[tuple[set[str], set[str]]]:
    """What each session edited, and the files that may belong to it, before it had read something from outside.

    What one session did so does not rest on such a text, however many others did it afterwards.
    """
    clean = [_before_untrusted(session) for session in sessions]
    return [(set(_edited(session)), set(others(session))) for session in clean]


def _before_untrusted(session: ObservedSession) -> ObservedSession:
    if session.untrusted is None:
        return session
    kept = tuple(file for file in session.files if (file.edit or file.first) <= session.untrusted[1])
    return replace(session, files=kept)


def _companions(
    sessions: Sequence[ObservedSession],
    path: str,
    others: Mapping[str, int],
    trusted: Sequence[tuple[set[str], set[str]]],
    of: int,
    used: bool = False,
) -> Iterator[Companions]:
    """The companions of a file, those that are tainted by themselves."""
    clean = {other for other in others if any(path in edited and other in near for edited, near in trusted)}
    for group in (clean, others.keys() - clean):
        chosen = sorted(group, key=lambda other: (-others[other], other))[:_MOST_LISTED]
        if chosen:
            evidence = _evidence(sessions, path, chosen, used)
            taint = None if group is clean else _taint(sessions, evidence)
            counted = tuple((other, others[other]) for other in chosen)
            yield Companions(path, counted, of, evidence, _unit(sessions), taint)


def _taint(sessions: Sequence[ObservedSession], evidence: Evidence) -> tuple[str, int] | None:
    """What the latest session of the evidence had read from outside."""
    shown = {session for session, _ in evidence}
    read = (one.untrusted for one in reversed(sessions) if one.session in shown and one.untrusted)
    return next(read, None)


def needed_across_modules(sessions: Sequence[ObservedSession]) -> Iterator[Companions]:
    """The files of other modules that most sessions use which change a file, and other sessions do not."""
    found = _across(sessions)
    trusted = _trusted(sessions, lambda session: (file.path for file in session.files))
    for path, others in sorted(found.items()):
        of = sum(path in _edited(session) for session in sessions)
        yield from _companions(sessions, path, others, trusted, of, used=True)


def _across(sessions: Sequence[ObservedSession]) -> Found:
    changed = Counter(path for session in sessions for path in _edited(session))
    used = Counter(file.path for session in sessions for file in session.files)
    pairs: Counter[tuple[str, str]] = Counter()
    for session in sessions:
        edited = [path for path in _edited(session)[:_ACROSS_FILES] if changed[path] >= _ACROSS_SESSIONS]
        other = [file.path for file in session.files if used[file.path] >= _ACROSS_SESSIONS]
        pairs.update((path, too) for path in edited for too in other if module_of(path) != module_of(too))
    found: Found = {}
    for (path, too), together in pairs.items():
        elsewhere = (used[too] - together) / max(len(sessions) - changed[path], 1)
        if together >= _ACROSS_SESSIONS and together / changed[path] > max(_ALWAYS, _ACROSS * elsewhere):
            found.setdefault(path, {})[too] = together
    return found


def is_test_of(test: str, path: str) -> bool:
    """Is a file the test of another, by its name: `cart_test.go`, `test_cart.py` or `cart.spec.ts` of `cart`?

    It is in the same folder, or in that of all tests: `tests/shop/test_cart.py` is the test of `src/shop/cart.py`.
    """
    stem = os.path.basename(path).split(".")[0]
    name = os.path.basename(test).split(".")
    named = name[0] in (f"{stem}_test", f"test_{stem}") or (name[0] == stem and name[1:2] in (["test"], ["spec"]))
    return named and _folders(path).endswith(_folders(test))


def are_named_alike(path: str, other: str) -> bool:
    """Have two files of one folder a word of their names in common: `hooks_claude.go` and `hooks_gemini.go`?"""
    return module_of(path) == module_of(other) and not _words(path).isdisjoint(_words(other))


def _words(path: str) -> set[str]:
    name = os.path.basename(path).split(".")[0].lower()
    return set(compiled(r"[a-z]{3,}").findall(name)) - _WORDS_OF_TESTS


def _folders(path: str) -> str:
    return "".join(f"/{name}" for name in module_of(path).split("/") if name not in (".", *_PLAIN_FOLDERS))


def files_of_modules(
    sessions: Sequence[ObservedSession], latest: ObservedSession | None = None
) -> Iterator[ModuleFiles]:
    """The files that work in the modules of the latest session, or in any, needed so far; by three tasks at least.

    Only files count that some session used before it read something from outside. Where these are too few, the memory
    of the module is tainted.
    """
    chosen = [latest] if latest else sessions
    names = sorted({module_of(path) for session in chosen for path in _edited(session)})
    found = list(_files_of(sessions, names))
    if not found or all(session.untrusted is None for session in sessions):
        yield from found
        return
    trusted = {file.path for session in sessions for file in _before_untrusted(session).files}
    for one in found:
        always, often = (tuple(path for path in paths if path in trusted) for paths in (one.always, one.often))
        is_enough = len(always) + len(often) >= _LEAST_FILES
        taint = _taint(sessions, one.evidence)
        yield one._replace(always=always, often=often) if is_enough else one._replace(taint=taint)


def sessions_of_modules(sessions: Sequence[ObservedSession], latest: ObservedSession) -> Counter[str]:
    """In how many sessions files of each module were edited that the latest session edits."""
    own = {module_of(path) for path in _edited(latest)}
    return Counter(module for one in sessions for module in own & {module_of(path) for path in _edited(one)})


def modules_with_files(sessions: Sequence[ObservedSession], names: Sequence[str]) -> set[str]:
    """The modules of which sessions still use the same files."""
    return {one.module for one in _files_of(sessions, names)}


def _files_of(sessions: Sequence[ObservedSession], names: Sequence[str]) -> Iterator[ModuleFiles]:
    modules = [{module_of(path) for path in _edited(session)} for session in sessions]
    everywhere = Counter(file.path for session in sessions for file in session.files)
    for module in names:
        own = [session for session, changed in zip(sessions, modules, strict=True) if module in changed]
        if module == "." or len({task_of(session) for session in own}) < _MODULE_TASKS:
            continue
        counts = Counter(file.path for session in own for file in session.files)
        ranked = _ranked(module, counts, everywhere, len(own), len(sessions))
        if not ranked or module_of(ranked[0]) != module:
            continue
        always = [path for path in ranked if counts[path] >= _ALWAYS * len(own)]
        often = [path for path in ranked if path not in always]
        if len(ranked) >= _LEAST_FILES:
            evidence = _evidence(own, "", ranked)
            yield ModuleFiles(module, tuple(always), tuple(often), len(own), evidence, _unit(own))


def _ranked(module: str, counts: Mapping[str, int], everywhere: Mapping[str, int], own: int, all: int) -> list[str]:
    """The files that the sessions of a module often use, its own first.

    Those of other modules are listed only if at least three sessions use them, and other sessions rarely do.
    """
    used = (path for path in counts if not is_record(path) and (is_instruction(module) or not is_instruction(path)))
    often = [path for path in used if counts[path] >= _OFTEN * own]
    often.sort(key=lambda path: (-counts[path], path))
    elsewhere = max(all - own, 1)
    others = [
        path
        for path in often
        if module_of(path) != module
        and counts[path] >= _MODULE_TASKS
        and counts[path] / own >= _ACROSS * (everywhere[path] - counts[path]) / elsewhere
    ]
    return [*[path for path in often if module_of(path) == module][:_MOST_LISTED], *others[:_MOST_OTHERS]]


def _evidence(sessions: Sequence[ObservedSession], path: str, others: Sequence[str], used: bool = False) -> Evidence:
    """The latest sessions that used a file and one of the others, with the step of the first use of each."""
    found = []
    for session in sessions:
        first = {
            file.path: (file.first if used or not path else file.edit or file.first)
            for file in session.files
            if file.edits or used or not path
        }
        shown = [first[other] for other in others if other in first]
        if shown and (not path or path in first):
            found.append((session.session, tuple(sorted({*shown, *([first[path]] if path else [])}))))
    return tuple(found[-_MOST_EVIDENCE:])


def _unit(sessions: Sequence[ObservedSession]) -> str:
    return "changes" if any(session.session.startswith(COMMIT) for session in sessions) else "sessions"


def _edited(session: ObservedSession) -> list[str]:
    return sorted(file.path for file in session.files if file.edits)
