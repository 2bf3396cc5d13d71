from __future__ import annotations

import json
import shutil
import sys
from pathlib import Path

import numpy as np
import pytest

from holdfast.core.errors import ModelDamaged, ModelError, ModelMissing
from holdfast.core.vector_size import VectorSize
from holdfast.models import own_model
from holdfast.models.model_files import sha256
from holdfast.models.own_model import OwnModel
from holdfast.models.transformer import TransformerEmbedder

from .own_files import DATA, DIMENSIONS, ID, REVISION, write_fields, write_model


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_model(tmp_path_factory.mktemp("model") / "own")


def small(folder: Path) -> TransformerEmbedder:
    return TransformerEmbedder(OwnModel(folder), VectorSize.SMALL)


def test_names_itself_without_loading(folder: Path) -> None:
    embedder = small(folder)
    assert (embedder.id, embedder.size, embedder.dimensions) == (ID, VectorSize.SMALL, DIMENSIONS)
    assert not embedder.is_loaded
    embedder.load()
    assert embedder.is_loaded


def test_a_question_is_read_with_its_prefix(folder: Path) -> None:
    embedder = small(folder)
    assert np.array_equal(embedder.embed_query("who?"), embedder.embed(["query: who?"])[0])
    assert float(embedder.embed_query("who?") @ embedder.embed(["who?"])[0]) < 0.999


def test_order_and_every_token_count(folder: Path) -> None:
    vectors = small(folder).embed(["cats like fish", "fish like cats", "cats like dogs"])
    assert (vectors @ vectors.T)[np.triu_indices(3, 1)].max() < 0.999


def test_text_beyond_the_limit_does_not_count(folder: Path) -> None:
    full = "cats " * 62
    assert np.array_equal(*small(folder).embed([full, full + "dogs " * 100]))


@pytest.mark.parametrize("file", ["small.onnx", "tokens.bin"])
def test_a_changed_file_is_not_loaded(tmp_path: Path, file: str) -> None:
    folder = write_model(tmp_path / "m")
    data = bytearray((folder / file).read_bytes())
    data[len(data) // 20] ^= 1
    (folder / file).write_bytes(data)
    with pytest.raises(ModelDamaged, match=f"{file} has changed"):
        small(folder).embed(["x"])


@pytest.mark.parametrize(("file", "message"), [("small.onnx", "is missing from"), ("tokens.bin", "cannot be read")])
def test_a_missing_file_is_named(tmp_path: Path, file: str, message: str) -> None:
    folder = write_model(tmp_path / "m")
    (folder / file).unlink()
    with pytest.raises(ModelError, match=f"{file}.*{message}|{message}.*{file}"):
        small(folder).embed(["x"])


def test_a_graph_with_other_inputs_is_refused(tmp_path: Path) -> None:
    folder = write_model(tmp_path / "m")
    shutil.copy(DATA / "foreign.onnx", folder / "small.onnx")
    write_fields(folder)
    with pytest.raises(ModelDamaged, match="requires the inputs input_ids"):
        small(folder).embed(["x"])


def test_a_file_that_is_no_graph_is_named(tmp_path: Path) -> None:
    folder = write_model(tmp_path / "m")
    (folder / "small.onnx").write_bytes(b"{}")
    write_fields(folder)
    with pytest.raises(ModelDamaged, match=r"small\.onnx cannot be loaded"):
        small(folder).embed(["x"])


def test_too_many_tokens_in_a_card_are_detected(tmp_path: Path) -> None:
    folder = write_model(tmp_path / "m")
    fields = json.loads((folder / "model.json").read_text())
    fields["sizes"]["small"]["max_tokens"] = 512
    (folder / "model.json").write_text(json.dumps(fields))
    with pytest.raises(ModelError, match="failed on a text"):
        small(folder).embed(["word " * 1000])


def base_package(folder: Path, revision: str = REVISION) -> None:
    """Writes the optional package of the size base, and makes it importable."""
    package = folder / own_model.BASE_PACKAGE
    package.mkdir()
    (package / "__init__.py").touch()
    shutil.copy(DATA / "tiny.onnx", package / "base.onnx")
    hashes = {"base.onnx": sha256(package / "base.onnx")}
    (package / "model.json").write_text(json.dumps({"name": "m", "revision": revision, "files": hashes}))


@pytest.fixture
def without_base(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> OwnModel:
    """A model without the size base, and a folder from which packages are imported."""
    folder = write_model(tmp_path / "m")
    (folder / "base.onnx").unlink()
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.delitem(sys.modules, own_model.BASE_PACKAGE, raising=False)
    return OwnModel(folder)


def test_the_largest_size_comes_from_its_package(tmp_path: Path, without_base: OwnModel) -> None:
    base_package(tmp_path)
    embedder = TransformerEmbedder(without_base, VectorSize.BASE)
    assert embedder.size == VectorSize.BASE
    assert np.array_equal(embedder.embed(["x"]), small(tmp_path / "m").embed(["x"]))


def test_a_missing_package_is_named(without_base: OwnModel, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(own_model, "BASE_PACKAGE", "holdfast_embed_nowhere")
    with pytest.raises(ModelMissing, match="Install the package holdfast-embed-base"):
        TransformerEmbedder(without_base, VectorSize.BASE)


def test_a_package_of_another_revision_is_refused(tmp_path: Path, without_base: OwnModel) -> None:
    base_package(tmp_path, "fedcba")
    with pytest.raises(ModelDamaged, match="another revision"):
        TransformerEmbedder(without_base, VectorSize.BASE)
