"""The models of a workspace: which embedder embeds passages, and which one queries."""

from __future__ import annotations

from pathlib import Path

import pytest

from holdfast.core.errors import ModelDamaged
from holdfast.core.settings import Settings
from holdfast.core.vector_size import VectorSize
from holdfast.models import own_model
from holdfast.models.chosen_models import ChosenModels
from holdfast.models.installed import list_models

from .own_files import write_fields, write_model
from .servers import ModelServer
from .test_embedders import DictCache


@pytest.fixture
def own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder of our model."""
    folder = write_model(tmp_path / "own")
    monkeypatch.setattr(own_model, "OWN", str(folder))
    return folder


def components(folder: Path, **settings: object) -> ChosenModels:
    cache = DictCache()
    return ChosenModels(Settings(**settings), str(folder), lambda _: cache, str, tuple)  # type: ignore[arg-type]  # by name


def test_a_query_is_embedded_by_the_chosen_size(tmp_path: Path, own: Path) -> None:
    models = components(tmp_path, embedder="base")
    assert models.embedder is not None
    assert models.embedder.size == VectorSize.BASE
    assert len(models.embedder.embed_query("x")) == models.embedder.dimensions


@pytest.mark.parametrize("embedder", ["fake", "none", "http"])
def test_another_model_has_no_static_size(tmp_path: Path, own: Path, embedder: str) -> None:
    endpoint = {"embed_url": "http://localhost:1/v1", "embed_model": "m"}
    models = components(tmp_path, embedder=embedder, **endpoint)
    assert models.static is None
    assert not models.is_bundled
    models.load()


def test_ollama_chosen_by_auto_has_no_static_size(tmp_path: Path, own: Path) -> None:
    with ModelServer(ollama=("qwen3-embedding:0.6b",)) as server:
        assert components(tmp_path, allow_ollama=True, ollama_url=server.url).static is None
    assert components(tmp_path, allow_ollama=True, ollama_url=server.url).static is not None


def test_a_damaged_card_leaves_no_static_size(tmp_path: Path, own: Path) -> None:
    write_fields(own, sizes=[])
    models = components(tmp_path)
    assert models.static is None
    assert models.embedder is not None
    with pytest.raises(ModelDamaged, match=r"model\.json"):
        models.embedder.embed_query("x")


def test_a_damaged_larger_model_is_reported(tmp_path: Path, own: Path) -> None:
    (own / "small.onnx").write_bytes(b"{}")
    with pytest.raises(ModelDamaged, match=r"small\.onnx has changed"):
        components(tmp_path).load()


def test_the_sizes_are_listed_by_their_names(tmp_path: Path, own: Path) -> None:
    listed = list_models(tmp_path / "models")
    assert [model.name for model in listed] == ["static", "small", "base"]
    assert all(model.bundled and model.bytes > 400_000 for model in listed)
    (own / "base.onnx").unlink()
    assert [model.name for model in list_models(tmp_path / "models")] == ["static", "small"]
