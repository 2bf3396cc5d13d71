"""The reader: two statements, and a sentence and its context."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from holdfast.core.errors import ModelDamaged
from holdfast.models.own_model import OWN, OwnModel
from holdfast.models.reader import (
    KEEP,
    LIMITS,
    OUTPUTS,
    RELATIONS,
    PairReader,
    ReadingTask,
    bundled_reader,
    limits_of_relations,
    nearness,
    read_change,
    read_relation,
)
from tests.models.own_files import write_model


@pytest.mark.parametrize(
    ("new", "old", "relation"),
    [
        ("From now on we deploy on Thursdays.", "We deploy on Tuesdays.", "update"),
        ("Server 4 has 32 GB of memory.", "Server 3 has 16 GB of memory.", "different"),
        ("Le bureau a déménagé à Lille en mai.", "Notre bureau est à Roubaix.", "update"),
    ],
)
def test_it_tells_how_two_statements_relate(new: str, old: str, relation: str) -> None:
    scores = read_relation(new, old)
    assert len(scores) == KEEP
    assert RELATIONS[scores.index(max(scores))] == relation


def test_it_tells_what_is_worth_keeping() -> None:
    reader = bundled_reader()
    rule = reader.keep("Use snake_case for all JSON keys.", "assistant: Which naming should I use? |  | ")
    assert rule > 0 > reader.keep("Keep it up!", "somebody: I ran five kilometres. |  | ")


def test_a_sentence_in_the_same_context_is_read_once(monkeypatch: pytest.MonkeyPatch) -> None:
    reader, read = PairReader(OwnModel(OWN)), list[tuple[str, str]]()

    def note(task: ReadingTask, sentence: str, around: str) -> tuple[float, ...]:
        read.append((sentence, around))
        return (float(len(read)),) * OUTPUTS

    monkeypatch.setattr(reader, "_read", note)
    monkeypatch.setattr("holdfast.models.reader._CACHED", 2)
    pairs = [("a", "x"), ("a", "y")]
    assert reader.keep_all(pairs) == reader.keep_all(pairs) == [1.0, 2.0]
    assert reader.keep_all([("b", "x"), ("a", "x")]) == [3.0, 4.0]  # the older ones were forgotten
    assert read == [*pairs, ("b", "x"), ("a", "x")]


def test_words_that_announce_a_statement_are_not_read() -> None:
    rule, other = "Always answer in French.", "I like dark mode."
    assert read_relation(f"From now on {rule}", other) == read_relation(rule, other)
    assert read_relation(other, f"New rule: {rule}") == read_relation(other, rule)
    assert nearness(f"Going forward, {rule}", other) == nearness(rule, other)
    assert read_change(f"We decided: {rule}", other) < 0


def test_a_text_of_any_length_is_read() -> None:
    assert len(bundled_reader().relation("word " * 10_000, "")) == KEEP


def test_unrelated_statements_are_less_near() -> None:
    deploy = "We deploy on Tuesdays."
    assert nearness("Deployments happen every Thursday.", deploy) > nearness("My cat is called Miso.", deploy) + 0.2


def test_a_missing_file_and_a_damaged_one_are_reported(tmp_path: Path) -> None:
    folder = write_model(tmp_path / "model")
    (folder / "reader.onnx").unlink()
    with pytest.raises(ModelDamaged, match="missing"):
        PairReader(OwnModel(folder)).verify()
    shutil.copytree(OWN, tmp_path / "own")
    (tmp_path / "own" / "reader.onnx").write_bytes(b"{}")
    with pytest.raises(ModelDamaged):
        PairReader(OwnModel(tmp_path / "own")).relation("new", "old")


def test_changed_thresholds_are_never_used(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = write_model(tmp_path)
    monkeypatch.setattr("holdfast.models.reader._own", lambda: OwnModel(folder))
    assert limits_of_relations()["update"] > limits_of_relations()["clash"]
    (folder / LIMITS).write_text('{"update": 0}')
    with pytest.raises(ModelDamaged):
        limits_of_relations()
