"""The fixed set for `holdfast bench context`: it was written before context was tuned, and must not change."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path

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
