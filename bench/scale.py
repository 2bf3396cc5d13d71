"""`holdfast bench scale`: search in a store with 100,000 or 1,000,000 passages, with budgets and other systems.

Measures each recall path through the store's reading interface, then complete queries through the pipeline. Embedding
is measured elsewhere: vectors are precomputed.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from dataclasses import asdict
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any

from bench import scale_data as data
from bench import scale_recall
from holdfast.bench.measure import (
    Measurement,
    bytes_under,
    milliseconds,
    rate,
    resident_megabytes,
    seconds_of_each,
    show_progress,
)
from holdfast.bench.reports import Report, Section

if TYPE_CHECKING:
    from holdfast.store.sqlite.sqlite_store import SqliteStore

ROOT = Path(__file__).resolve().parents[1]
# Budget of each path in milliseconds, by the maximum number of passages.
_BUDGETS = {100_000: {"vector": 3.5, "words": 3.5}, 1_000_000: {"vector": 18.0, "words": 15.0}}
_HITS = 30
_PEERS = ("sqlite_vec", "chromadb")
_INSTALL = {"sqlite_vec": "pip install sqlite-vec apsw", "chromadb": "pip install 'holdfast[bench]'"}
_SHARED = ("nearest", "nearest within one type")
_COMMON = 45
# Number of warm-up queries before complete recalls are measured.
_BEFORE = 40
_MOST_FOR_CHROMA = 200_000


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--passages", type=int, default=100_000, help="number of passages in the store")
    parser.add_argument("--samples", type=int, default=60, help="number of queries per row")
    parser.add_argument("--folder", help="folder that keeps the store for the next run (default: temporary)")
    parser.add_argument("--vectors", help="file of real vectors to start from (.npy; default: from the bundled model)")
    parser.add_argument("--questions", help="file of vectors of real queries (.npy), with --vectors")
    parser.add_argument("--peer", choices=(*_PEERS, "all", "none"), default="all", help="system to compare with")


def measure(options: argparse.Namespace) -> Report:
    """Measures Holdfast, then each installed peer with the same vectors."""
    command = f"holdfast bench scale --passages {options.passages}"
    with tempfile.TemporaryDirectory(prefix="holdfast-bench-") as temporary:
        folder = Path(options.folder or temporary) / str(options.passages)
        folder.mkdir(parents=True, exist_ok=True)
        show_progress(f"creating a store with {options.passages:,} passages")
        data.fill(folder, options.passages, options.vectors, options.questions)
        ours = (*_apart("codes", folder, 1), *_apart("holdfast", folder, options.samples))
        whole = _apart("recall", folder, options.samples)
        sections = [
            Section(f"Each recall path alone, {options.passages:,} passages", ours),
            Section(f"Complete recall, {options.passages:,} passages, without embedding", whole),
        ]
        notes = list(_NOTES)
        for peer in _PEERS if options.peer == "all" else (options.peer,):
            missing = _missing(peer, options.passages)
            if missing is not None:
                notes += [missing] if missing else []
                continue
            show_progress(f"the same vectors with {peer}")
            shared = tuple(row for row in ours if row.name in _SHARED)
            theirs = _apart(peer, folder, options.samples)
            sections.append(Section(f"The same vectors with {peer}", shared, peer, theirs))
    # Named by size, because docs/benchmarks/scale.md shows both sizes.
    return Report(f"scale {options.passages}", command, tuple(sections), tuple(notes))


def main(argv: Sequence[str]) -> int:
    """Runs one part in its own process, so that its memory use is separate."""
    task, folder, samples = argv
    tasks = {"codes": _codes, "holdfast": _ours, "recall": _recall, "sqlite_vec": _sqlite_vec, "chromadb": _chromadb}
    print(json.dumps([asdict(row) for row in tasks[task](Path(folder), int(samples))]))
    return 0


def _apart(task: str, folder: Path, samples: int) -> tuple[Measurement, ...]:
    command = [sys.executable, "-m", "bench.scale", task, str(folder), str(samples)]
    quiet = {**os.environ, "ANONYMIZED_TELEMETRY": "False"}
    done = subprocess.run(command, cwd=ROOT, env=quiet, stdout=subprocess.PIPE, text=True, check=True)
    return tuple(Measurement(**row) for row in json.loads(done.stdout.splitlines()[-1]))


def _missing(peer: str, passages: int) -> str | None:
    """Returns why a peer is not measured; an empty text if it was not requested, None if it is measured."""
    if peer == "none":
        return ""
    if find_spec(peer) is None or (peer == "sqlite_vec" and find_spec("apsw") is None):
        return f"{peer} is not installed and not measured. Install it with: {_INSTALL[peer]}"
    if peer == "chromadb" and passages > _MOST_FOR_CHROMA:
        return f"chromadb is left out above {_MOST_FOR_CHROMA:,} passages, because filling it takes most of an hour."
    return None


def _codes(folder: Path, samples: int) -> list[Measurement]:
    """Measures building the codes of all vectors, which the first search does. Needs much memory."""
    import numpy as np

    queries = np.load(folder / "questions.npy")[:samples]
    for path in (folder / "db").glob("*-vectors-*"):
        path.unlink()
    with data.opened(folder) as store:
        return [milliseconds("build the vector codes", seconds_of_each(_by_vector(store)["nearest"], queries))]


def _ours(folder: Path, samples: int) -> list[Measurement]:
    import numpy as np

    queries = np.load(folder / "questions.npy")[:samples]
    passages = np.load(folder / "vectors.npy", mmap_mode="r").shape[0]
    budgets = next((b for most, b in _BUDGETS.items() if passages <= most), {})
    before = _private_megabytes()
    with data.opened(folder) as store:
        vectors, words = _by_vector(store), _by_words(store)
        first = seconds_of_each(vectors["nearest"], queries[:1])
        rows = [_timed(name, act, queries, budgets.get("vector")) for name, act in vectors.items()]
        questions = _questions(samples)
        rows += [_timed(name, act, questions[name], budgets.get("words")) for name, act in words.items()]
        held = _private_megabytes() - before
        kept = _kept(store, queries, folder)
    archives = sum(path.stat().st_size for path in (folder / "db").glob("*-vectors-*"))
    return [
        *rows,
        # As a share that is missed, because smaller must be better.
        Measurement(f"of the {_HITS} nearest, missed", 100 * (1 - kept), None, "%", 2.0),
        milliseconds("first search in a process", first),
        Measurement("private memory per passage", 1e6 * held / passages, None, "bytes", 1_000.0),
        Measurement("vector file per passage", archives / passages, None, "bytes"),
        Measurement("all files per passage", bytes_under(folder / "db") / passages, None, "bytes"),
    ]


def _recall(folder: Path, samples: int) -> list[Measurement]:
    import numpy as np

    queries = np.load(folder / "questions.npy")[: samples + _BEFORE]
    passages = np.load(folder / "vectors.npy", mmap_mode="r").shape[0]
    with data.opened(folder) as store:
        return scale_recall.measure(store, passages, queries, _questions(len(queries)), samples)


def _timed(name: str, act: Callable[[Any], Any], queries: Sequence[Any], budget: float | None) -> Measurement:
    """Times a call for each item after one warm-up call, which fills the caches."""
    act(queries[0])
    return milliseconds(name, seconds_of_each(act, queries), budget)


def _by_vector(store: SqliteStore) -> dict[str, Callable[[Any], Any]]:
    from holdfast.core.answer import Filters

    def near(project: str = data.LARGE, **filters: Any) -> Callable[[Any], Any]:
        chosen = Filters(**filters)
        return lambda vector: store.reading.find_near(project, data.EMBEDDER, vector, chosen, _HITS)

    passage_ids = list(range(1, 301))
    return {
        "nearest": near(),
        "nearest within one type": near(types=("fact",)),
        "nearest in a small project": near(data.SMALL),
        "nearest in one file": near(files=(data.file_of(1),)),
        "cosines of 300 passages": lambda vector: store.reading.similar(data.EMBEDDER, vector, passage_ids),
    }


def _by_words(store: SqliteStore) -> dict[str, Callable[[Any], Any]]:
    from holdfast.core.answer import Filters

    def find(project: str = data.LARGE, **filters: Any) -> Callable[[Any], Any]:
        chosen = Filters(**filters)
        return lambda words: store.reading.find_words(project, words, chosen, _HITS)

    return {
        "words of a query": find(),
        "five common words": find(),
        "words, within one type": find(types=("fact",)),
        "words, in a small project": find(data.SMALL),
        "words, in one file": find(files=(data.file_of(1),)),
    }


def _questions(samples: int) -> dict[str, list[list[str]]]:
    """Queries of six words of a text, or of five words that occur in 5 % to 33 % of the passages."""
    chance = random.Random(7)
    texts = list(data.texts(samples))
    common = [[data.word(rank) for rank in chance.sample(range(_COMMON), 5)] for _ in texts]
    plain = [chance.sample(text.split(), 6) for text in texts]
    names = ("words of a query", "words, within one type", "words, in a small project", "words, in one file")
    return {**dict.fromkeys(names, plain), "five common words": common}


def _kept(store: SqliteStore, queries: Any, folder: Path) -> float:
    """The share of the exact nearest vectors that is found."""
    import numpy as np

    vectors = np.load(folder / "vectors.npy", mmap_mode="r")
    own = np.array([data.project_of(number) == data.LARGE for number in range(len(vectors))])
    step = 50_000
    parts = [queries @ vectors[at : at + step].astype(np.float32).T for at in range(0, len(vectors), step)]
    scores = np.where(own, np.concatenate(parts, axis=1), -2)
    truly = np.argpartition(-scores, _HITS, axis=1)[:, :_HITS] + 1
    near = _by_vector(store)["nearest"]
    found = [{passage for passage, _ in near(vector)} for vector in queries]
    return float(np.mean([len(one & set(true.tolist())) / _HITS for one, true in zip(found, truly, strict=True)]))


def _private_megabytes() -> float:
    """The private memory of this process; mapped files are shared by all processes."""
    status = Path("/proc/self/status")
    if not status.exists():
        return resident_megabytes()
    line = next(line for line in status.read_text().splitlines() if line.startswith("RssAnon"))
    return int(line.split()[1]) / 1e3


def _sqlite_vec(folder: Path, samples: int) -> list[Measurement]:
    """Uses apsw, because many Python builds cannot load SQLite extensions."""
    import numpy as np

    # Imported by name: they are not dependencies, and type checking must work without them.
    apsw, sqlite_vec = import_module("apsw"), import_module("sqlite_vec")
    vectors, queries = np.load(folder / "vectors.npy", mmap_mode="r"), np.load(folder / "questions.npy")[:samples]
    with tempfile.TemporaryDirectory(dir=folder) as home:
        db = apsw.Connection(f"{home}/peer.db")
        db.enable_load_extension(True)
        db.load_extension(sqlite_vec.loadable_path())
        db.execute(f"create virtual table v using vec0(kind text, e float[{vectors.shape[1]}])")
        started = time.perf_counter()
        with db:
            rows = ((n + 1, data.kind_of(n), v.astype(np.float32).tobytes()) for n, v in enumerate(vectors))
            db.executemany("insert into v(rowid, kind, e) values (?, ?, ?)", rows)
        filled = time.perf_counter() - started
        plain = f"select rowid from v where e match ? and k = {_HITS}"
        acts = {
            "nearest": lambda q: db.execute(plain, (q.tobytes(),)).fetchall(),
            "nearest within one type": lambda q: db.execute(f"{plain} and kind = 'fact'", (q.tobytes(),)).fetchall(),
        }
        found = [_timed(name, act, queries[:20], None) for name, act in acts.items()]
        db.close()
    return [*found, rate("fill", len(vectors), filled)]


def _chromadb(folder: Path, samples: int) -> list[Measurement]:
    import chromadb
    import numpy as np
    from chromadb.config import Settings

    vectors, queries = np.load(folder / "vectors.npy", mmap_mode="r"), np.load(folder / "questions.npy")[:samples]
    with tempfile.TemporaryDirectory(dir=folder) as home:
        client = chromadb.PersistentClient(home, settings=Settings(anonymized_telemetry=False))
        made: Any = client.create_collection(
            "passages", embedding_function=None, configuration={"hnsw": {"space": "cosine"}}
        )
        most, started = client.get_max_batch_size(), time.perf_counter()
        for at in range(0, len(vectors), most):
            some = range(at, min(len(vectors), at + most))
            made.add(
                ids=[str(n) for n in some],
                embeddings=np.asarray(vectors[at : at + most], np.float32),
                metadatas=[{"kind": data.kind_of(n)} for n in some],
            )
        filled = time.perf_counter() - started
        of_kind = {"kind": "fact"}
        acts = {
            "nearest": lambda q: made.query(query_embeddings=[q], n_results=_HITS),
            "nearest within one type": lambda q: made.query(query_embeddings=[q], n_results=_HITS, where=of_kind),
        }
        found = [_timed(name, act, queries[:20], None) for name, act in acts.items()]
    return [*found, rate("fill", len(vectors), filled)]


_NOTES = (
    f"Complete recalls are measured after {_BEFORE} other queries, so that all data is in memory.",
    "The ratio says how many times better Holdfast is; below 1 the other system is better.",
    "The vector files are mapped and shared by all processes; private memory is counted per process.",
)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
