"""Compares what the program does with what was recorded, or records it: `python -m bench.frozen [--write] [SECTION …]`.

`hashes/` has a hash and a count of lines for each part of a section. The lines themselves stay in `.frozen/`, which git
ignores: with those of an earlier run, the comparison prints what differs.
"""

from __future__ import annotations

import argparse
import multiprocessing
import os
import sys
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

from bench.child import ROOT
from bench.frozen.record import Values, compare, measure, save, write

SECTIONS = {
    "lines": "what is learned from transcripts and conversations",
    "pairs": "the verdicts about pairs of statements",
    "queries": "the first ten hits of the queries of the recall benchmark",
    "graph": "the code graph of sample projects and of libraries",
    "outputs": "what commands and MCP tools print",
}
_HASHES, _VALUES = Path(__file__).parent / "hashes", ROOT / ".frozen"
_SHOWN = 40


def main(argv: Sequence[str]) -> int:
    """Returns 0 if every section is as recorded, or was recorded now; else 1."""
    parser = argparse.ArgumentParser(prog="python -m bench.frozen", description=(__doc__ or "").partition("\n")[0])
    chosen = "; ".join(f"{name}: {help}" for name, help in SECTIONS.items())
    parser.add_argument(
        "sections", nargs="*", choices=[*SECTIONS, []], metavar="SECTION", help=f"{chosen}; default: all"
    )
    parser.add_argument("--write", action="store_true", help="record instead of comparing")
    parser.add_argument("--hashes", type=Path, default=_HASHES, help="folder with the recorded hashes")
    parser.add_argument("--values", type=Path, default=_VALUES, help="folder with the recorded lines")
    parser.add_argument("--data", type=Path, default=ROOT.parent / "shared" / "data", help="folder of the data sets")
    parser.add_argument("--all", action="store_true", help=f"print all differences, not {_SHOWN} for each part")
    parser.set_defaults(now=_VALUES / "now")
    options = parser.parse_args(argv)
    # One thread, and one order of sets: results must not depend on either.
    os.environ["OPENBLAS_NUM_THREADS"] = "1"
    os.environ.setdefault("PYTHONHASHSEED", "0")
    spawn = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(2, mp_context=spawn, max_tasks_per_child=1) as pool:
        running = {name: pool.submit(measure, name, options.data) for name in options.sections or SECTIONS}
        # Every section is judged, also after one that differs.
        judged = [judge(name, *result.result(), options) for name, result in running.items()]
    return 0 if all(judged) else 1


def judge(name: str, found: Values | None, seconds: float, options: argparse.Namespace) -> bool:
    """Records a section, or prints how it differs from what was recorded. False if it does."""
    if found is None:
        print(f"{name}: skipped, because there is no data in {options.data}", flush=True)
        return True
    print(f"{name}: {sum(map(len, found.values())):,} lines in {seconds:.0f} s", flush=True)
    if options.write:
        write(name, found, options.hashes, options.values)
        return True
    differences = compare(name, found, options.hashes, options.values, None if options.all else _SHOWN)
    print("\n".join(f"  {line}" for line in differences) or "  as recorded", flush=True)
    save(options.now / f"{name}.json", found)
    return not differences


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
