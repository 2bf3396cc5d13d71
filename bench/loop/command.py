"""`holdfast bench loop`: replays real agents' sessions through the hooks: speed, failures, what memory would answer.

The older 70 % of each stream may be used to build; of these, the last 40 % are scored. `--newer` scores the newer 30 %,
which were put aside.
"""

from __future__ import annotations

import argparse
from pathlib import Path

from bench.loop.hooks import hook_section
from bench.loop.replay import replay_section
from bench.observer.command import DATA
from bench.observer.streams import PROJECTS, stream
from holdfast.bench.reports import Report


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--data", type=Path, default=DATA, help="folder of the data sets")
    parser.add_argument("--events", type=int, default=10_000, help="number of events to replay through the hooks")
    parser.add_argument("--processes", type=int, default=60, help="number of hooks to start as processes")
    parser.add_argument("--sessions", type=int, default=0, help="score only this many sessions; 0: all")
    parser.add_argument("--newer", action="store_true", help="score the newer 30 %% of each stream, put aside")


def measure(options: argparse.Namespace) -> Report:
    sections, notes = [], []
    found = [one for name in PROJECTS if (one := stream(options.data, name, options.newer)) is not None]
    if found:
        sections.append(hook_section(found, options.events, options.processes))
    else:
        notes.append("The recorded sessions were not found. Use --data to name the folder of the data sets.")
    sections += [replay_section(one, options.sessions) for one in found]
    command = f"holdfast bench loop --events {options.events}" + (" --newer" if options.newer else "")
    return Report("loop", command, tuple(sections), tuple(notes))
