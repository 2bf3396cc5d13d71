"""The fixed set for `holdfast bench context`: it was written before context was tuned, and must not change."""

from __future__ import annotations

import contextlib
import hashlib
import io
import json
from pathlib import Path

from training.worlds import FOLDER, read_world

from holdfast.bench import run

FILE = Path(__file__).parents[2] / "bench" / "sets" / "context.json"
SHA256 = "53b86b10849f4f40c5350834b903dc07507193b2e570319be0cccdf415278690"


def test_the_set_has_not_changed_since_it_was_written() -> None:
    assert hashlib.sha256(FILE.read_bytes()).hexdigest() == SHA256


def test_half_of_the_prompts_are_put_aside_and_all_name_known_memories() -> None:
    given = json.loads(FILE.read_text("utf-8"))
    ids = {memory["id"] for memory in given["memories"]}
    assert len(ids) == len(given["memories"]) == 40
    assert sorted(prompt["part"] for prompt in given["prompts"]) == ["choose"] * 3 + ["test"] * 3
    assert all(prompt["useful"] and ids.issuperset(prompt["useful"]) for prompt in given["prompts"])


def test_the_bench_compares_context_with_a_search_and_with_the_newest_memories() -> None:
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        assert run.main(["context", "--part", "choose", "--json"]) == 0
    *sections, tasks = json.loads(printed.getvalue())["sections"]
    helped = {row["name"]: row["p50"] for row in tasks["rows"]}
    assert helped["context, useful given"] > helped["ten hits of a search, useful given"]
    assert helped["hook of a first prompt, useless lines"] < helped["context, useless lines"]
    assert len(sections) == 2, "with and without messages"
    for section in sections:
        figures = {row["name"]: row["p50"] for row in section["rows"]}
        assert figures["Holdfast, useful given"] >= figures["best hits of a search, useful given"]
        assert figures["Holdfast, useless lines"] < figures["newest first until full, useless lines"]


def test_every_useful_memory_of_a_task_is_in_its_world() -> None:
    for part in ("choose", "test"):
        for line in (FILE.parent / f"tasks_{part}.jsonl").read_text("utf-8").splitlines():
            row = json.loads(line)
            assert read_world(FOLDER / f"{row['world']}.tsv").passages.keys() >= set(row["useful"])
