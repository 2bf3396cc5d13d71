"""Runs one memory system on one data set in its own interpreter: adds units, asks questions, writes answers.

It runs where that system is installed and Holdfast is not, so it imports nothing from this repository.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import logging
import os
import subprocess
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from importlib import import_module
from pathlib import Path
from typing import Any, Protocol

Job = Mapping[str, Any]


class System(Protocol):
    """The operations of a memory system; units are identified by their number."""

    def add(self, units: Sequence[Mapping[str, str]]) -> None: ...
    def search(self, question: str, limit: int) -> list[int]: ...
    def note(self) -> str: ...
    def close(self) -> None: ...


def main(argv: Sequence[str]) -> int:
    """Reads the file JOB and writes the file ANSWERS."""
    job: Job = json.loads(Path(argv[0]).read_text(encoding="utf-8"))
    logging.disable(logging.WARNING)
    with contextlib.redirect_stdout(sys.stderr):
        answers = _measure(job)
    Path(argv[1]).write_text(json.dumps(answers), encoding="utf-8")
    return 0


def _measure(job: Job) -> dict[str, Any]:
    home = Path(job["home"])
    with contextlib.closing(SYSTEMS[job["peer"]](home, job)) as system:
        added = home / "added"
        if not added.exists():
            system.add(job["units"])
            added.touch()
        system.search(job["questions"][0]["text"], job["limit"])
        answers = {question["id"]: _ask(system, question["text"], job["limit"]) for question in job["questions"]}
        return {"answers": answers, "note": system.note()}


def _ask(system: System, question: str, limit: int) -> dict[str, Any]:
    """The ranking, and its time when the endpoint has the query's vector cached."""
    places = system.search(question, limit)
    started = time.perf_counter()
    system.search(question, limit)
    return {"units": list(dict.fromkeys(places)), "seconds": time.perf_counter() - started}


class Mem0:
    """mem0 without its language model: messages are stored verbatim (`infer=False`), in a Qdrant store on disk."""

    def __init__(self, home: Path, job: Job) -> None:
        _give_stop_words(Path(os.environ["FASTEMBED_CACHE_PATH"]), job["stop_words"])
        memory = import_module("mem0").Memory
        here = {"api_key": "none", "openai_base_url": job["url"]}
        store = {"path": str(home / "qdrant"), "embedding_model_dims": job["dimensions"], "on_disk": True}
        self._memory: Any = memory.from_config(
            {
                "vector_store": {"provider": "qdrant", "config": {**store, "collection_name": "bench"}},
                "embedder": {"provider": "openai", "config": {**here, "model": "bundled"}},
                "llm": {"provider": "openai", "config": {**here, "model": "none"}},
                "history_db_path": str(home / "history.db"),
            }
        )
        self._words_used = False

    def add(self, units: Sequence[Mapping[str, str]]) -> None:
        for place, unit in enumerate(units):
            messages = [{"role": unit["role"] or "user", "content": unit["text"]}]
            self._memory.add(messages, user_id="bench", metadata={"unit": place}, infer=False)

    def search(self, question: str, limit: int) -> list[int]:
        found = self._memory.search(question, filters={"user_id": "bench"}, top_k=limit, threshold=0.0, explain=True)[
            "results"
        ]
        self._words_used |= any(one["score_details"]["bm25_score"] for one in found)
        return [one["metadata"]["unit"] for one in found]

    def note(self) -> str:
        return "" if self._words_used else "mem0's keyword part was off"

    def close(self) -> None:
        """Nothing needs to be closed."""


def _give_stop_words(cache: Path, stop_words: Sequence[str]) -> None:
    """Provides the stop-word list that its keyword search would download."""
    folder = cache / "bm25"
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "english.txt").write_text("\n".join(stop_words), encoding="utf-8")


class BasicMemory:
    """basic-memory on a folder with one note per unit, with its default search: words and vectors."""

    def __init__(self, home: Path, job: Job) -> None:
        _use_loadable_sqlite()
        self._notes = Path(os.environ["BASIC_MEMORY_HOME"])
        self._notes.mkdir(parents=True, exist_ok=True)
        import_module("loguru").logger.remove()
        self._loop = asyncio.new_event_loop()

    def add(self, units: Sequence[Mapping[str, str]]) -> None:
        for place, unit in enumerate(units):
            note = f"---\ntitle: u{place}\n---\n{unit['text']}\n"
            (self._notes / f"u{place}.md").write_text(note, encoding="utf-8")
        # In its own process: it leaves its database bound to an event loop that has ended.
        subprocess.run([sys.executable, "-c", f"import {__spec__.name} as child; child.reindex()"], check=True)

    def search(self, question: str, limit: int) -> list[int]:
        tool = import_module("basic_memory.mcp.tools").search_notes
        search: Callable[..., Any] = getattr(tool, "fn", tool)
        reply = self._loop.run_until_complete(search(query=question, page_size=limit, output_format="json"))
        if not isinstance(reply, dict):
            raise RuntimeError(f"basic-memory could not search: {str(reply)[:300]}")
        return [int(Path(result["file_path"]).stem[1:]) for result in reply["results"]]

    def note(self) -> str:
        return ""

    def close(self) -> None:
        """Ends the process, which the threads of its database would otherwise keep alive."""
        self._loop.run_until_complete(import_module("basic_memory.db").shutdown_db())
        self._loop.close()


def reindex() -> None:
    """Does what `basic-memory reindex` does: indexes words and vectors of new or changed notes."""
    _use_loadable_sqlite()
    import_module("basic_memory.cli.main").app(["reindex"])


def _use_loadable_sqlite() -> None:
    """Provides an SQLite that loads extensions, which its vectors need, if Python's own does not."""
    import sqlite3

    if not hasattr(sqlite3.Connection, "enable_load_extension"):
        sys.modules["sqlite3"] = import_module("pysqlite3")
        sys.modules["sqlite3.dbapi2"] = import_module("pysqlite3.dbapi2")


SYSTEMS: Mapping[str, Callable[[Path, Job], System]] = {"mem0": Mem0, "basic-memory": BasicMemory}


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
