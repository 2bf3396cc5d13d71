"""`holdfast bench observer`: what is learned from real agents' sessions, how often it holds later, and how fast.

The older 70 % of each stream were used to build the observer; of these, the last 40 % are scored. `--newer` scores the
newer 30 % of each stream, which were put aside.
"""

from __future__ import annotations

import argparse
import gzip
import json
import tempfile
import time
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import replace
from pathlib import Path
from statistics import median
from typing import Any, NamedTuple

from bench.observer.pairs import borne_out, random_pairs
from bench.observer.quality import write_quality
from bench.observer.sample import print_some, resolved
from bench.observer.streams import PROJECTS, RecordedSession, Stream, stream
from holdfast import Settings, Workspace
from holdfast import open as open_workspace
from holdfast.bench.measure import Measurement, quantile
from holdfast.bench.reports import Report, Section
from holdfast.observer.detect import failure_key
from holdfast.observer.injected_instructions import instructs
from holdfast.observer.observe import Observer, ObserverReport
from holdfast.observer.scratchpad import Scratchpad

DATA = Path(__file__).resolve().parents[3] / "shared" / "data"
PREDICTED = 12
_FAILURE = "error_retry"
Times = tuple[float, float]  # Seconds by the clock, and of the processor.
_PREFETCH = {"go-cli": 0.45, "typescript-app": 0.62}
_BORNE_OUT, _TIMES_RANDOM, _LEAST_PAIRS, _TIMES_ERRORS = 0.65, 2.5, 30, 3.0
_TOUCHED, _PER_SESSION, _RECOGNISED, _FALSE = 0.99, 1.0, 0.90, 0.05
# The suite of the injection set that was put aside.
_ASIDE = "slack"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--data", type=Path, default=DATA, help="folder of the data sets")
    parser.add_argument("--newer", action="store_true", help="score the newer 30 %% of each stream, put aside")
    parser.add_argument("--list", type=int, default=0, metavar="N", help="print N memories, drawn at random")
    parser.add_argument("--seed", type=int, default=0, metavar="N", help="seed of the memories that --list draws")


def measure(options: argparse.Namespace) -> Report:
    sections: list[Section] = []
    notes = []
    for name in PROJECTS:
        found = stream(options.data, name, options.newer)
        if found is None:
            notes.append(f"{name}: its data was not found. Use --data to name its folder.")
            continue
        sections += _project(found, options)
    if (options.data / "injection").exists():
        sections.append(_injection(options.data / "injection", options.newer))
    command = "holdfast bench observer" + (" --newer" if options.newer else "")
    return Report("observer", command, tuple(sections), tuple(notes))


def _project(found: Stream, options: argparse.Namespace) -> tuple[Section, Section]:
    with tempfile.TemporaryDirectory() as folder:
        settings = Settings(background=False, embedder="none", identity="folder", memory_files=False)
        with open_workspace(db=f"{folder}/m.db", project=folder, settings=settings) as ws:
            observer = replace(ws.container.observer, redact=str, root="", chat=lambda: None)
            replayed = _replay(observer, found, ws)
            reports = replayed.reports
            if options.list:
                print_some(ws, found.sessions, options.list, options.seed)
            rows = [
                _touched(found),
                *_prefetch(found, replayed.shares),
                *_causal(found, replayed.pairs, options.newer),
                *_errors(found, reports),
                *_promoted(found, reports, ws),
                *_speed(found, replayed.seconds),
            ]
    title = f"{found.name}: {found.start} sessions to learn from, {len(found.scored)} scored one after the other"
    return Section(title, tuple(rows)), write_quality(found.name, found.sessions, reports)


class Replayed(NamedTuple):
    """The reports of all sessions, their times, the shares predicted of the scored ones, and the pairs before these."""

    reports: list[ObserverReport]
    seconds: list[Times]
    shares: list[dict[str, float]]
    pairs: list[tuple[str, ...]]


def _replay(observer: Observer, found: Stream, ws: Workspace) -> Replayed:
    """Observes all sessions in order; for the scored ones, predicts their first files before."""
    reports, shares, seconds = [], [], []
    earlier: list[RecordedSession] = []
    pairs: list[tuple[str, ...]] = []
    for number, session in enumerate(found.sessions):
        if number == found.start:
            pairs = dependencies(ws)
        if number >= found.start and session.early:
            predicted = {file.path for file in observer.predict(session.prompt, session.branch, PREDICTED)}
            shares.append(
                {name: share_found(paths, session) for name, paths in {"ours": predicted, **baselines(earlier)}.items()}
            )
        pad = _scratchpad(session)
        start, worked = time.perf_counter(), time.thread_time()
        reports.append(observer.finish(pad))
        seconds.append((time.perf_counter() - start, time.thread_time() - worked))
        earlier.append(session)
    return Replayed(reports, seconds, shares, pairs)


def dependencies(ws: Workspace) -> list[tuple[str, ...]]:
    """The pairs of files that change together, by the memories that are valid now."""
    memories = ws.list(types=["causal_dependency"], limit=10_000)
    found = (m.fields for m in reversed(memories) if m.attributes["signal"] == "co_access")
    return [(fields["when_changed"], other) for fields in found for other in fields["also_touch"]]


def share_found(paths: Iterable[str], session: RecordedSession) -> float:
    return len(session.early & set(paths)) / len(session.early)


def baselines(earlier: Sequence[RecordedSession]) -> dict[str, set[str]]:
    """The most frequent files, and those that most often changed with the files of the last change."""
    frequent = Counter(path for session in earlier for path in sorted(session.early))
    last = next((session.edited for session in reversed(earlier) if session.edited), frozenset())
    partners = Counter(path for session in earlier if session.edited & last for path in sorted(session.edited))
    return {
        "frequency": {path for path, _ in frequent.most_common(PREDICTED)},
        "co-change": {path for path, _ in partners.most_common(PREDICTED)},
    }


def _touched(found: Stream) -> Measurement:
    changed = recovered = 0
    for session in found.sessions:
        pad = _scratchpad(session)
        changed += len(session.changed)
        recovered += len(session.changed & set(pad.edited()))
    budget = _TOUCHED if found.name == "typescript-app" else None
    return Measurement(f"changed files recovered ({changed})", recovered / changed, None, "share", budget)


def _prefetch(found: Stream, shares: Sequence[dict[str, float]]) -> list[Measurement]:
    def row(label: str, name: str, budget: float | None = None) -> Measurement:
        return Measurement(label, sum(share[name] for share in shares) / len(shares), None, "share", budget)

    return [
        row(f"first files among {PREDICTED} predicted ({len(shares)} sessions)", "ours", _PREFETCH[found.name]),
        row("  the same by frequency", "frequency"),
        row("  the same by co-change", "co-change"),
    ]


def _causal(found: Stream, pairs: Sequence[tuple[str, ...]], newer: bool) -> list[Measurement]:
    """Pairs that are valid after the part to learn from: do they change together again, when either changes?

    How many there must be is asked of the whole older part only.
    """
    later = [session.edited for session in found.scored]
    counts = Counter(path for session in found.sessions[: found.start] for path in session.edited)
    ours, theirs = borne_out(pairs, later), borne_out(random_pairs(pairs, counts), later)
    judged = found.name == "go-cli"
    times = ours / theirs if theirs else 0.0
    least = float(_LEAST_PAIRS) if judged and newer else None
    return [
        Measurement("dependencies promoted and valid", float(len(pairs)), None, "pairs", least),
        Measurement("  borne out later", ours, None, "share", _BORNE_OUT if judged else None),
        Measurement("  random pairs of the same popularity", theirs, None, "share"),
        Measurement("  compared with random pairs", times, None, "times as often", _TIMES_RANDOM if judged else None),
    ]


def _errors(found: Stream, reports: Sequence[ObserverReport]) -> list[Measurement]:
    """How much more often promoted failures are seen again than all failures, and than those that are no slips."""
    learned = reports[: found.start]
    promoted = {key for report in learned for one in report.promoted if one.signal == _FAILURE for key in one.keys}
    failures = [set(map(failure_key, _scratchpad(session).failures.values())) for session in found.sessions]
    kept = [{one.key for one in report.observations if one.signal == _FAILURE} for report in reports]
    ours, every, others = (
        _seen_again(keys, later)
        for keys, later in (
            (promoted, kept[found.start :]),
            (set().union(*failures[: found.start]), failures[found.start :]),
            (set().union(*kept[: found.start]), kept[found.start :]),
        )
    )
    budget = _TIMES_ERRORS if found.name == "go-cli" else None
    unit = "times as often"
    return [
        Measurement(f"error patterns seen again ({len(promoted)})", ours, None, "share"),
        Measurement("  compared with all failures", ours / every if every else 0.0, None, unit, budget),
        Measurement("  compared with those that are no slips", ours / others if others else 0.0, None, unit),
    ]


def _seen_again(keys: set[str], later: Sequence[set[str]]) -> float:
    return len(keys & set().union(*later)) / len(keys or "x")


def _scratchpad(session: RecordedSession) -> Scratchpad:
    pad = Scratchpad(session.id)
    for event in session.events:
        pad.observe(event)
    return pad


def _promoted(found: Stream, reports: Sequence[ObserverReport], ws: Workspace) -> list[Measurement]:
    counts = [sum(answer.memory is not None for answer in report.answers) for report in reports]
    memories = ws.list(limit=10_000)
    contents = [memory.content for memory in memories]
    repeated = sum(count - 1 for count in Counter(contents).values())
    scored = counts[max(found.start, 5) :]
    return [
        Measurement("memories per scored session", sum(scored) / len(scored), None, "of all", _PER_SESSION),
        Measurement("  median of all sessions", float(median(counts)), None, "", 3.01),
        Measurement("  most of one session", float(max(counts)), None, "", 20.01),
        Measurement("  the same text twice", repeated / max(len(contents), 1), None, "", 0.02),
        Measurement("  evidence resolves to events", resolved(memories, found.sessions), None, "share", 1.0),
    ]


def _speed(found: Stream, seconds: Sequence[Times]) -> list[Measurement]:
    pad_times = []
    for session in found.sessions:
        pad = Scratchpad(session.id)
        for event in session.events:
            # CPU time: a p99 of short times is otherwise that of the machine's other work.
            start = time.thread_time()
            pad.observe(event)
            pad_times.append(time.thread_time() - start)
    clock, worked = ([1000 * pair[at] for pair in seconds] for at in (0, 1))
    return [
        Measurement("observe one event, p99 of CPU time", 1000 * quantile(pad_times, 0.99), None, "ms", 0.3),
        Measurement("finish a session, with storing, p99 of CPU time", quantile(worked, 0.99), None, "ms", 100),
        Measurement("  the same by the clock", quantile(clock, 0.5), quantile(clock, 0.95), "ms", 100),
    ]


def _injection(folder: Path, newer: bool) -> Section:
    outputs = _rows(folder / "tool_outputs.jsonl.gz")
    benign = [row["prompt"] for row in _rows(folder / "benign_with_trigger_words.jsonl.gz")]
    chosen = [row for row in outputs if (row["suite"] == _ASIDE) == newer]
    hostile = [row["text"] for row in chosen if row["label"]]
    harmless = [row["text"] for row in chosen if not row["label"]]
    part = benign[1::2] if newer else benign[::2]
    return Section(
        "Instructions in the output of tools" + (f" (suite {_ASIDE}, put aside)" if newer else ""),
        (
            _rate(f"recognised ({len(hostile)})", hostile, "share", _RECOGNISED),
            _rate(f"harmless outputs flagged ({len(harmless)})", harmless, "", _FALSE + 1e-9),
            _rate(f"benign texts with trigger words flagged ({len(part)})", part, "", _FALSE + 1e-9),
        ),
    )


def _rows(path: Path) -> list[dict[str, Any]]:
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        return [json.loads(line) for line in lines]


def _rate(name: str, texts: Sequence[str], unit: str, budget: float) -> Measurement:
    return Measurement(name, sum(map(instructs, texts)) / max(len(texts), 1), None, unit, budget)
