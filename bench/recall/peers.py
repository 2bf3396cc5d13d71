"""Other memory systems on the same data sets, through their public API, with the bundled embedding model."""

from __future__ import annotations

import hashlib
import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from bench import ROOT
from bench.endpoint import EmbeddingsEndpoint
from bench.recall.plain import STOP_WORDS
from bench.recall.pool import Answer, Answers, Pool
from holdfast.bench.measure import show_progress

# Name and package of each system.
PACKAGES = {"mem0": "mem0ai", "basic-memory": "basic-memory"}
_VERSIONS = """
import importlib.metadata as m, json, sys
known = {d.metadata["Name"].lower(): d.version for d in m.distributions() if d.metadata["Name"]}
print(json.dumps({name: known.get(name, "") for name in sys.argv[1:]}))
"""


@dataclass(frozen=True, slots=True)
class Peer:
    """An installed memory system."""

    name: str
    version: str
    python: str


def installed(python: str = "") -> tuple[Peer, ...]:
    """Finds the systems installed in an interpreter; by default this one."""
    python = python or sys.executable
    listing = subprocess.run(
        [python, "-c", _VERSIONS, *PACKAGES.values()], stdout=subprocess.PIPE, text=True, check=True
    )
    versions = json.loads(listing.stdout)
    return tuple(Peer(name, versions[pack], python) for name, pack in PACKAGES.items() if versions[pack])


def ask_peer(peer: Peer, pool: Pool, endpoint: EmbeddingsEndpoint, folder: Path) -> tuple[Answers, str]:
    """Returns its answers to a set's questions and, if necessary, a note. Its store is kept."""
    home = folder / f"{peer.name}-{peer.version}-{pool.name}-{_fingerprint(pool)}"
    home.mkdir(parents=True, exist_ok=True)
    show_progress(f"{pool.name}: the same with {peer.name}")
    with tempfile.TemporaryDirectory(dir=folder) as scratch:
        job, out = Path(scratch) / "job.json", Path(scratch) / "answers.json"
        job.write_text(json.dumps(_job(peer, pool, endpoint, home)), encoding="utf-8")
        command = [peer.python, "-m", "bench.recall.peer_child", str(job), str(out)]
        with (home / "log.txt").open("w", encoding="utf-8") as log:
            done = subprocess.run(
                command, cwd=ROOT, env=_environment(home, endpoint), stdout=log, stderr=log, check=False
            )
        if done.returncode:
            return {}, f"{peer.name} failed on {pool.name} with status {done.returncode}; {home.name}/log.txt says why"
        output = json.loads(out.read_text(encoding="utf-8"))
    return _answers(pool, output["answers"]), output["note"]


def _answers(pool: Pool, answers: Mapping[str, Mapping[str, object]]) -> Answers:
    keys = [unit.key for unit in pool.units]
    return {
        id: Answer(pool.found(keys[place] for place in _places(answer)), seconds=float(str(answer["seconds"])))
        for id, answer in answers.items()
    }


def _places(answer: Mapping[str, object]) -> Sequence[int]:
    places = answer["units"]
    assert isinstance(places, list)
    return places


def _job(peer: Peer, pool: Pool, endpoint: EmbeddingsEndpoint, home: Path) -> dict[str, object]:
    return {
        "peer": peer.name,
        "home": str(home),
        "url": endpoint.url,
        "dimensions": endpoint.vectors.dimensions,
        "stop_words": sorted(STOP_WORDS),
        "units": [{"text": unit.full_text, "role": unit.role} for unit in pool.units],
        "questions": [{"id": question.id, "text": question.text} for question in pool.asked],
        "limit": pool.limit,
    }


def _environment(home: Path, endpoint: EmbeddingsEndpoint) -> dict[str, str]:
    """An environment with its own home folder, the local endpoint and no telemetry."""
    return {
        "PATH": os.environ.get("PATH", ""),
        "HOME": str(home),
        "NO_PROXY": "127.0.0.1,localhost",
        "OPENAI_API_KEY": "none",
        "OPENAI_BASE_URL": endpoint.url,
        "HF_HUB_OFFLINE": "1",
        "DO_NOT_TRACK": "1",
        "ANONYMIZED_TELEMETRY": "False",
        "MEM0_TELEMETRY": "False",
        "MEM0_DIR": str(home / "mem0"),
        "FASTEMBED_CACHE_PATH": str(home / "fastembed"),
        "LOGFIRE_IGNORE_NO_CONFIG": "1",
        "BASIC_MEMORY_HOME": str(home / "notes"),
        "BASIC_MEMORY_CONFIG_DIR": str(home / "config"),
        "BASIC_MEMORY_NO_PROMOS": "1",
        "BASIC_MEMORY_AUTO_UPDATE": "false",
        "BASIC_MEMORY_SEMANTIC_EMBEDDING_PROVIDER": "openai",
        "BASIC_MEMORY_SEMANTIC_EMBEDDING_MODEL": "bundled",
        "BASIC_MEMORY_SEMANTIC_EMBEDDING_DIMENSIONS": str(endpoint.vectors.dimensions),
        "BASIC_MEMORY_SEMANTIC_EMBEDDING_BATCH_SIZE": "32",
        "BASIC_MEMORY_SEMANTIC_EMBEDDING_SYNC_BATCH_SIZE": "32",
        # Its default threshold fits another model with higher cosines.
        "BASIC_MEMORY_SEMANTIC_MIN_SIMILARITY": "0",
    }


def _fingerprint(pool: Pool) -> str:
    return hashlib.sha256(json.dumps([unit.full_text for unit in pool.units]).encode()).hexdigest()[:12]
