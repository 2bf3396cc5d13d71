"""Measures the observer on sessions that public repositories publish with their commits.

    python -m bench.observer.checkpoints REPOSITORY … [--list 20 --seed N]

REPOSITORY is a clone with the branch `entire/checkpoints/v1`, which holds transcripts of agents. The sessions are read
as `holdfast observe` reads them and observed in order; those of the second half are scored, each before it joins the
past.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import tempfile
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from statistics import median
from typing import NamedTuple

from bench.observer.command import PREDICTED, baselines, dependencies, share_found
from bench.observer.pairs import borne_out, random_pairs
from bench.observer.sample import print_some
from bench.observer.streams import EARLY_STEPS, RecordedSession
from holdfast import Settings, Workspace
from holdfast import open as open_workspace
from holdfast.agents import event as kinds
from holdfast.agents.transcripts.agent_events import AgentSession, all_sessions
from holdfast.observer.observe import Observer, ObserverReport
from holdfast.observer.requests import is_request
from holdfast.observer.scratchpad import Scratchpad

_BRANCH, _TRANSCRIPT, _ABOUT = "entire/checkpoints", "full.jsonl", "metadata.json"
# Sessions before this one are too early for the number of memories of a session.
_FIRST_COUNTED = 5


class Measured(NamedTuple):
    """What a replay gave: the reports, the shares of first files found, and the dependencies before the second half."""

    reports: list[ObserverReport]
    shares: list[dict[str, float]]
    pairs: list[tuple[str, ...]]
    slowest: float


def main() -> None:
    parser = argparse.ArgumentParser(description="Measure the observer on published sessions.")
    parser.add_argument("repositories", nargs="+", type=Path, help="clones with a branch of checkpoints")
    parser.add_argument("--list", type=int, default=0, metavar="N", help="print N memories, drawn at random")
    parser.add_argument("--seed", type=int, default=0, metavar="N", help="seed of the memories that --list draws")
    options = parser.parse_args()
    for repository in options.repositories:
        with tempfile.TemporaryDirectory() as folder:
            write_transcripts(repository, Path(folder))
            found = all_sessions(folder)
        if len(found) > _FIRST_COUNTED:
            _measure(repository, found, options)
        else:
            print(f"{_name(repository)}: only {len(found)} sessions")


def _measure(repository: Path, found: Sequence[AgentSession], options: argparse.Namespace) -> None:
    root = Counter(session.folder for session in found).most_common(1)[0][0]
    sessions = list(_recorded(found, root))
    start = len(sessions) // 2
    with tempfile.TemporaryDirectory() as folder:
        settings = Settings(background=False, embedder="none", identity="folder", memory_files=False)
        with open_workspace(db=f"{folder}/m.db", project=folder, settings=settings) as ws:
            measured = _replay(replace(ws.container.observer, root=root, chat=lambda: None), ws, sessions, start)
            print(f"{_name(repository)}: {len(sessions)} sessions, {len(ws.list(limit=10_000))} valid memories")
            _print_figures(sessions, start, measured)
            if options.list:
                print_some(ws, sessions, options.list, options.seed)


def _name(repository: Path) -> str:
    return repository.parent.name if repository.name == "repo" else repository.name


def _replay(observer: Observer, ws: Workspace, sessions: Sequence[RecordedSession], start: int) -> Measured:
    """Observes the sessions in order; predicts the first files of those from `start` on before."""
    reports, shares, seconds, pairs = list[ObserverReport](), list[dict[str, float]](), list[float](), dependencies(ws)
    for number, session in enumerate(sessions):
        if number == start:
            pairs = dependencies(ws)
        if number >= start and session.early:
            ours = {file.path for file in observer.predict(session.prompt, session.branch, PREDICTED)}
            named = {"ours": ours, **baselines(sessions[:number])}
            shares.append({name: share_found(paths, session) for name, paths in named.items()})
        began = time.perf_counter()
        reports.append(observer.observe(session.id, session.events))
        seconds.append(time.perf_counter() - began)
    return Measured(reports, shares, pairs, max(seconds))


def _print_figures(sessions: Sequence[RecordedSession], start: int, measured: Measured) -> None:
    kept = [sum(answer.memory is not None for answer in report.answers) for report in measured.reports]
    scored = kept[max(start, _FIRST_COUNTED) :]
    print(f"  memories per scored session {sum(scored) / len(scored):.2f}, median {median(kept):g}, most {max(kept)}")
    later = [session.edited for session in sessions[start:]]
    counts = Counter(path for session in sessions[:start] for path in session.edited)
    judged = [pair for pair in measured.pairs if any(set(pair) & edited for edited in later)]
    held = sum(any(set(pair) <= edited for edited in later) for pair in judged)
    by_chance = borne_out(random_pairs(measured.pairs, counts), later)
    print(f"  dependencies {len(measured.pairs)}, judged {len(judged)}, borne out {held}, random pairs {by_chance:.2f}")
    names = measured.shares[0] if measured.shares else {}
    means = (f"{name} {sum(one[name] for one in measured.shares) / len(measured.shares):.2f}" for name in names)
    print(f"  first files of {len(measured.shares)} sessions: {', '.join(means)}")
    print(f"  slowest session {measured.slowest:.2f} s")


def _recorded(found: Sequence[AgentSession], root: str) -> Iterator[RecordedSession]:
    """The sessions with the files of the project that they used; those that continue another predict nothing."""
    begun = set()
    for session in found:
        pad = Scratchpad(session.id, root)
        for event in session.events:
            pad.observe(event)
        if not pad.step:
            continue
        prompt = next((e.text for e in session.events if e.kind == kinds.USER and is_request(e.text)), "")
        beginning = (pad.started, prompt)
        early = {path for path, use in pad.files.items() if use["first"] <= EARLY_STEPS}
        yield RecordedSession(
            session.id, session.events, prompt, pad.branches[0] if pad.branches else "", frozenset(),
            frozenset() if beginning in begun else frozenset(early), frozenset(pad.edited()),
        )  # fmt: skip
        begun.add(beginning)


def write_transcripts(repository: Path, folder: Path) -> None:
    """The longest transcript of each session, as a file."""
    longest: dict[str, tuple[int, str]] = {}
    for branch in _git(repository, "for-each-ref", "--format=%(refname)").decode().split():
        if f"/{_BRANCH}" not in branch:
            continue
        files = dict(_files(repository, branch))
        for name, size in files.items():
            if not name.endswith(f"/{_TRANSCRIPT}") or name.replace(_TRANSCRIPT, _ABOUT) not in files:
                continue
            about = json.loads(_git(repository, "show", f"{branch}:{name.replace(_TRANSCRIPT, _ABOUT)}"))
            longest[about["session_id"]] = max(longest.get(about["session_id"], (0, "")), (size, f"{branch}:{name}"))
    for session, (_, file) in longest.items():
        (folder / f"{session}.jsonl").write_bytes(_git(repository, "show", file))


def _files(repository: Path, branch: str) -> Iterator[tuple[str, int]]:
    for line in _git(repository, "ls-tree", "-r", "-l", branch).decode().splitlines():
        about, _, name = line.partition("\t")
        size = about.split()[3]
        if size.isdigit():
            yield name, int(size)


def _git(repository: Path, *arguments: str) -> bytes:
    return subprocess.run(["git", "-C", str(repository), *arguments], check=True, capture_output=True).stdout


if __name__ == "__main__":
    main()
