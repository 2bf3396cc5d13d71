"""The models of a workspace: which embedder embeds passages, and which one queries."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from holdfast.core.errors import ModelDamaged
from holdfast.core.settings import Settings
from holdfast.core.vector_size import VectorSize
from holdfast.models import own_model
from holdfast.models.installed import list_models
from holdfast.models.model_components import ModelComponents

from .own_files import ID, write_fields, write_model
from .servers import ModelServer
from .test_embedders import DictCache


@pytest.fixture
def own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder of our model."""
    folder = write_model(tmp_path / "own")
    monkeypatch.setattr(own_model, "OWN", str(folder))
    return folder


def components(folder: Path, **settings: object) -> ModelComponents:
    cache = DictCache()
    return ModelComponents(Settings(**settings), str(folder), lambda _: cache, str, tuple)  # type: ignore[arg-type]  # by name


def test_queries_are_static_until_the_larger_model_is_loaded(tmp_path: Path, own: Path) -> None:
    models = components(tmp_path, query_model="static")
    assert models.embedder is not None
    assert models.static is not None
    assert (models.embedder.id, models.embedder.size) == (models.static.id, VectorSize.SMALL)
    sizes = [size_of_queries(models)]
    models.load()
    sizes.append(size_of_queries(models))
    assert sizes == [VectorSize.STATIC, VectorSize.SMALL]


def size_of_queries(models: ModelComponents) -> VectorSize:
    embedder = models.query_embedder()
    assert embedder is not None
    assert len(embedder.embed_query("x")) == embedder.dimensions
    return embedder.size


def test_a_query_that_may_wait_is_embedded_by_the_chosen_size(tmp_path: Path, own: Path) -> None:
    models = components(tmp_path, embedder="base")
    assert models.query_embedder() is models.embedder
    assert models.embedder is not None
    assert models.embedder.size == VectorSize.BASE


@pytest.mark.parametrize("embedder", ["fake", "none", "http"])
def test_another_model_has_no_static_size(tmp_path: Path, own: Path, embedder: str) -> None:
    endpoint = {"embed_url": "http://localhost:1/v1", "embed_model": "m"}
    models = components(tmp_path, embedder=embedder, query_model="static", **endpoint)
    assert models.static is None
    assert models.query_embedder() is models.embedder
    assert not models.is_bundled
    models.load()


def test_ollama_chosen_by_auto_has_no_static_size(tmp_path: Path, own: Path) -> None:
    with ModelServer(ollama=("qwen3-embedding:0.6b",)) as server:
        assert components(tmp_path, allow_ollama=True, ollama_url=server.url).static is None
    assert components(tmp_path, allow_ollama=True, ollama_url=server.url).static is not None


def test_a_damaged_card_leaves_no_static_size(tmp_path: Path, own: Path) -> None:
    write_fields(own, sizes=[])
    models = components(tmp_path, query_model="static")
    assert models.static is None
    embedder = models.query_embedder()
    assert embedder is not None
    with pytest.raises(ModelDamaged, match=r"model\.json"):
        embedder.embed_query("x")


def test_a_damaged_larger_model_leaves_static_queries(tmp_path: Path, own: Path) -> None:
    (own / "small.onnx").write_bytes(b"{}")
    models = components(tmp_path, query_model="static")
    with pytest.raises(ModelDamaged, match=r"small\.onnx has changed"):
        models.load()
    assert size_of_queries(models) == VectorSize.STATIC


def test_the_sizes_are_listed_by_their_names(tmp_path: Path, own: Path) -> None:
    listed = list_models(tmp_path / "models")
    assert [model.name for model in listed] == ["static", "small", "base"]
    assert all(model.bundled and model.bytes > 400_000 for model in listed)
    (own / "base.onnx").unlink()
    assert [model.name for model in list_models(tmp_path / "models")] == ["static", "small"]


@pytest.mark.integration
def test_a_static_query_imports_no_model_library(tmp_path: Path, own: Path) -> None:
    code = (
        "import sys; from holdfast.core.settings import Settings; from holdfast.models import own_model;"
        f"own_model.OWN = {str(own)!r};"
        "from holdfast.models.model_components import ModelComponents;"
        "models = ModelComponents(Settings(query_model='static'), '.', dict, str, tuple);"
        "embedder = models.query_embedder(); print(embedder.id, len(embedder.embed_query('x')));"
        "print({'numpy', 'onnxruntime', 'tokenizers', 'pathlib', 'hashlib', 'httpx'} & set(sys.modules))"
    )
    output = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout
    assert output.split() == [ID, "32", "set()"]
