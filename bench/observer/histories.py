"""Measures on the commits of any repositories how often dependencies hold: more projects than there are sessions of.

    python -m bench.observer.histories FOLDER …

Each commit of the main line counts as a session. Stretches of each history are learned from (107 commits, as many as
there are older sessions of go-cli) and judged on the 50 commits after them, as `holdfast bench observer` does it.
"""

from __future__ import annotations

import random
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from pathlib import Path

from bench.observer.pairs import borne_out, random_pairs
from holdfast.observer.over_sessions import changing_together, lapsed
from holdfast.store.writing.observations import ObservedFile, ObservedSession

_LEARNED, _JUDGED, _STRETCHES = 107, 50, 25
_MOST_FILES = 60
Counts = tuple[int, int, int, float, int]


def main(folders: Sequence[str]) -> None:
    print("repository                stretches  pairs  judged  borne out  times random")
    totals: list[Counts] = []
    for folder in folders:
        found = [stretch(one) for one in _stretches(_commits(folder))]
        totals += found
        _print(Path(folder.rstrip("/").removesuffix("/repo")).name, found)
    _print("all", totals)


def _commits(folder: str) -> list[frozenset[str]]:
    """The files of each commit of the main line, oldest first; a merge has those of its whole branch."""
    form = ["--first-parent", "--diff-merges=first-parent", "--name-only", "--no-renames", "--format=%x01"]
    printed = subprocess.run(
        ["git", "-C", folder, "log", *form], capture_output=True, text=True, errors="replace", check=True
    ).stdout
    commits = [frozenset(filter(None, block.split("\n"))) for block in printed.split("\x01")[1:]]
    return [files for files in reversed(commits) if 0 < len(files) <= _MOST_FILES]


def _stretches(commits: Sequence[frozenset[str]]) -> Iterator[Sequence[frozenset[str]]]:
    starts = list(range(0, len(commits) - _LEARNED - _JUDGED, 60))
    random.Random(0).shuffle(starts)
    yield from (commits[start : start + _LEARNED + _JUDGED] for start in starts[:_STRETCHES])


def stretch(commits: Sequence[frozenset[str]]) -> Counts:
    """How many promoted pairs hold at the end, could be judged and were borne out; the same of random pairs."""
    sessions = [_session(number, files) for number, files in enumerate(commits[:_LEARNED])]
    pairs: dict[frozenset[str], tuple[str, str]] = {}
    for number, latest in enumerate(sessions, 1):
        for found in changing_together(sessions[:number], latest):
            for other, _ in found.others:
                pairs.setdefault(frozenset((found.path, other)), (found.path, other))
    gone = {frozenset(pair) for pair in lapsed(sessions, set(pairs.values()))}
    pairs = {files: pair for files, pair in pairs.items() if files not in gone}
    later, counts = commits[_LEARNED:], Counter(path for files in commits[:_LEARNED] for path in files)
    judged = [pair for pair in pairs if any(pair & files for files in later)]
    kept = sum(any(pair <= files for files in later) for pair in judged)
    theirs = borne_out(random_pairs(list(pairs.values()), counts), later)
    return len(pairs), len(judged), kept, theirs * len(judged), 1


def _session(number: int, files: frozenset[str]) -> ObservedSession:
    edited = tuple(ObservedFile(path, 1, 0, 1, 1) for path in sorted(files))
    return ObservedSession(f"c{number}", datetime.fromtimestamp(3_600 * number, UTC), 1, (), "", "", edited)


def _print(name: str, found: Sequence[Counts]) -> None:
    pairs, judged, kept, theirs, stretches = (sum(column) for column in zip(*found, strict=True))
    share = kept / max(judged, 1)
    times = kept / theirs if theirs else 0.0
    print(f"{name:25} {stretches:9} {pairs:6} {judged:7} {share:10.3f} {times:13.1f}")


if __name__ == "__main__":
    main(sys.argv[1:])
