from __future__ import annotations

import json
from pathlib import Path

import pytest
from training.card import write_base_card, write_card

from holdfast.core.cosine_scale import CosineScale
from holdfast.core.vector_size import VectorSize
from holdfast.models.model_files import sha256
from holdfast.models.own_model import OwnModel, read_space

NAMES = ("vocabulary.txt", "tokens.bin", "static.bin", "small.onnx", "LICENSE")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder with the files of a model, as far as the card is concerned."""
    for name in NAMES:
        (tmp_path / name).write_text(name)
    return tmp_path


def test_a_card_describes_the_sizes_and_names_the_hashes(folder: Path) -> None:
    cosines = {"queries": {"static/small": [0.1, 0.2]}, "passages": {"small/small": [0.3, 0.4]}}
    write_card(folder, query_prefix="ask: ", cosines=cosines)
    card = read_space(folder)
    assert card.files == {name: sha256(folder / name) for name in NAMES}
    assert [card.sizes[size].query_prefix for size in card.sizes] == ["", "ask: ", "ask: "]
    assert card.cosines is not None
    assert card.cosines.queries == {(VectorSize.STATIC, VectorSize.SMALL): CosineScale(0.1, 0.2)}


def test_a_better_file_keeps_the_vector_space(folder: Path) -> None:
    same = {"small/small": [0.3, 0.1]}
    write_card(folder, query_prefix="ask: ", cosines={"queries": same, "passages": same})
    first = read_space(folder)
    (folder / "small.onnx").write_text("better")
    write_card(folder)
    second = read_space(folder)
    write_card(folder, new_space=True)
    third = read_space(folder)
    assert first.id == second.id != third.id
    assert first.files != second.files
    assert first.cosines == second.cosines == third.cosines
    assert first.sizes == second.sizes == third.sizes


def test_figures_by_size_of_query_and_passage_become_scales(folder: Path) -> None:
    write_card(folder, cosines={"static": {"static": [0.1, 0.2], "small": [0.2, 0.2]}, "small": {"static": [0.3, 0.2]}})
    cosines = read_space(folder).cosines
    assert cosines is not None
    assert len(cosines.queries) == 3
    assert [scale.mean for scale in cosines.passages.values()] == [0.1, 0.2]


def test_the_optional_package_states_the_vector_space(folder: Path, tmp_path: Path) -> None:
    write_card(folder)
    package = tmp_path / "base"
    package.mkdir()
    (package / "base.onnx").write_text("graph")
    write_base_card(package, folder)
    card = json.loads((package / "model.json").read_text())
    assert card["revision"] == OwnModel(folder).card.revision
    assert card["files"] == {"base.onnx": sha256(package / "base.onnx")}
