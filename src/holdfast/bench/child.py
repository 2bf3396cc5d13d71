"""Runs a measurement in its own process, so that memory use and caches do not mix."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable, Sequence
from dataclasses import asdict
from importlib import import_module
from pathlib import Path

from holdfast.bench.measure import Measurement

_QUIET = {"ANONYMIZED_TELEMETRY": "False", "TOKENIZERS_PARALLELISM": "false"}

# The measurements: module and function, called with the corpus folder and the number of samples.
TASKS = {
    "holdfast": ("holdfast.bench.ours", "measure"),
    "chromadb": ("holdfast.bench.peers", "measure_chromadb"),
    "lancedb": ("holdfast.bench.peers", "measure_lancedb"),
    "model": ("holdfast.bench.model", "measure"),
}
Task = Callable[[Path, int], Sequence[Measurement]]


def measure_in_process(task: str, corpus: Path, samples: int) -> tuple[Measurement, ...]:
    """Runs a measurement in its own process and returns the results."""
    command = [sys.executable, "-m", "holdfast.bench.child", task, str(corpus), str(samples)]
    done = subprocess.run(command, env={**os.environ, **_QUIET}, stdout=subprocess.PIPE, text=True, check=False)
    if done.returncode:
        raise RuntimeError(f"measuring {task} failed with status {done.returncode}")
    return tuple(Measurement(**row) for row in json.loads(done.stdout.splitlines()[-1]))


def main(argv: Sequence[str]) -> int:
    task, corpus, samples = argv
    module, name = TASKS[task]
    measure: Task = getattr(import_module(module), name)
    print(json.dumps([asdict(row) for row in measure(Path(corpus), int(samples))]))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
