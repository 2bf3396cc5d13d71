"""The fixed set of everyday questions: it was written before recall was tuned, and must not change."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path

FILE = Path(__file__).parents[2] / "bench" / "sets" / "everyday.json"
SHA256 = "0166535316d4755453d1b2027b255c9f0b46b03be24d55bfd7e59cc266076cff"


def test_the_set_has_not_changed_since_it_was_written() -> None:
    assert hashlib.sha256(FILE.read_bytes()).hexdigest() == SHA256


def test_each_answerable_question_has_its_own_memory() -> None:
    given = json.loads(FILE.read_text("utf-8"))
    ids = [memory["id"] for memory in given["memories"]]
    answers = [asked["answer"] for asked in given["questions"] if asked["answer"]]
    assert (len(ids), len(set(ids)), len(given["questions"])) == (40, 40, 50)
    assert len(answers) == len(set(answers)) == 35
    assert set(answers) <= set(ids)


def test_it_asks_in_english_and_french_and_across_both() -> None:
    given = json.loads(FILE.read_text("utf-8"))
    languages = {memory["id"]: memory["language"] for memory in given["memories"]}
    pairs = {(asked["language"], languages[asked["answer"]]) for asked in given["questions"] if asked["answer"]}
    assert pairs == {("en", "en"), ("en", "fr"), ("fr", "en"), ("fr", "fr")}
