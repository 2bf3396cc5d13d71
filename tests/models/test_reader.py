"""The reader: a sentence and its context."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from holdfast.core.errors import ModelDamaged
from holdfast.models.own_model import OWN, OwnModel
from holdfast.models.reader import PairReader, bundled_reader
from tests.models.own_files import write_model


def test_it_tells_what_is_worth_keeping() -> None:
    reader = bundled_reader()
    rule = reader.keep("Use snake_case for all JSON keys.", "assistant: Which naming should I use? |  | ")
    assert rule > 0 > reader.keep("Keep it up!", "somebody: I ran five kilometres. |  | ")


def test_a_text_of_any_length_is_read() -> None:
    assert bundled_reader().keep("word " * 10_000, "") < 0


def test_a_missing_file_and_a_damaged_one_are_reported(tmp_path: Path) -> None:
    folder = write_model(tmp_path / "model")
    (folder / "reader.onnx").unlink()
    with pytest.raises(ModelDamaged, match="missing"):
        PairReader(OwnModel(folder)).verify()
    shutil.copytree(OWN, tmp_path / "own")
    (tmp_path / "own" / "reader.onnx").write_bytes(b"{}")
    with pytest.raises(ModelDamaged):
        PairReader(OwnModel(tmp_path / "own")).keep("a sentence", "")
