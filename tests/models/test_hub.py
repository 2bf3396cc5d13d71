from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from holdfast.core.errors import (
    InvalidInput,
    InvalidSettings,
    ModelDamaged,
    ModelGarbled,
    ModelMissing,
    ModelRefused,
    ModelUnreachable,
)
from holdfast.models.card import read_card
from holdfast.models.endpoint import RetryPolicy
from holdfast.models.hub import pull
from holdfast.models.installed import InstalledModel, find, list_models
from holdfast.models.local import LocalEmbedder

from .foreign_files import DIMENSIONS, GRAPH, MAX_TOKENS, tokenizer, write_foreign
from .servers import Answer, HubServer

RETRY_POLICY = RetryPolicy(5, retries=1, sleep=lambda seconds: None, random=lambda: 0.5)
NAME, FOLDER = "owner/tiny", "owner--tiny"


def repository(**more: bytes) -> dict[str, bytes]:
    return {
        "README.md": b"# tiny",
        "config.json": json.dumps({"hidden_size": DIMENSIONS, "max_position_embeddings": MAX_TOKENS}).encode(),
        "tokenizer.json": tokenizer(),
        "1_Pooling/config.json": b'{"pooling_mode_cls_token": true}',
        "onnx/model.onnx": GRAPH,
        "pytorch_model.bin": b"not wanted",
        **more,
    }


@pytest.fixture
def hub() -> Iterator[HubServer]:
    with HubServer(repository()) as server:
        yield server


def pulled(hub: HubServer, folder: Path, name: str = NAME, **more: Any) -> InstalledModel:
    return pull(name, folder, hub_url=hub.url, retry_policy=RETRY_POLICY, **more)


def test_a_pulled_model_is_pinned_hashed_and_works(hub: HubServer, tmp_path: Path) -> None:
    steps: list[tuple[str, int, int]] = []
    model = pulled(hub, tmp_path, progress=lambda *step: steps.append(step))
    card = read_card(tmp_path / FOLDER)
    assert (model.name, model.revision, model.dimensions) == (NAME, "a" * 40, DIMENSIONS)
    assert set(card.files) == {"config.json", "tokenizer.json", "1_Pooling/config.json", "onnx/model.onnx"}
    assert steps[-1] == ("onnx/model.onnx", len(GRAPH), len(GRAPH))
    assert LocalEmbedder(model.folder).id == f"owner/tiny@{'a' * 12}:{DIMENSIONS}"
    same = LocalEmbedder(write_foreign(tmp_path / "same"))
    assert np.array_equal(LocalEmbedder(model.folder).embed(["x"]), same.embed(["x"]))
    assert not (tmp_path / FOLDER / "pytorch_model.bin").exists()


def test_everything_is_read_at_the_pinned_commit(hub: HubServer, tmp_path: Path) -> None:
    pulled(hub, tmp_path)
    assert all(hub.commit in request.path or "/cdn/" in request.path for request in hub.requests[1:])


def test_a_revision_may_be_part_of_the_name(hub: HubServer, tmp_path: Path) -> None:
    with pytest.raises(ModelMissing, match=r"v1\.0"):
        pulled(hub, tmp_path, f"{NAME}@v1.0")
    assert hub.requests[0].path == f"/api/models/{NAME}/revision/v1.0"


def test_a_cut_download_continues_within_a_pull(hub: HubServer, tmp_path: Path) -> None:
    hub.cuts["onnx/model.onnx"] = [10_000]
    pulled(hub, tmp_path)
    assert hub.fetched("onnx/model.onnx") == ["", "bytes=10000-"]


def test_a_cut_pull_continues_in_the_next(hub: HubServer, tmp_path: Path) -> None:
    hub.cuts["onnx/model.onnx"] = [10_000, 20_000]
    with pytest.raises(ModelUnreachable, match="continues where it stopped"):
        pulled(hub, tmp_path)
    assert all(model.bundled for model in list_models(tmp_path))
    pulled(hub, tmp_path)
    assert hub.fetched("onnx/model.onnx")[-1] == "bytes=30000-"
    assert sum(request.path.endswith("/tokenizer.json") for request in hub.requests) == 1


@pytest.mark.parametrize("file", ["onnx/model.onnx", "tokenizer.json"])
def test_another_hash_than_listed_is_refused(hub: HubServer, tmp_path: Path, file: str) -> None:
    hub.lies[file] = "0" * 64
    with pytest.raises(ModelDamaged, match=file):
        pulled(hub, tmp_path)
    assert not (tmp_path / FOLDER).exists()
    assert not list(tmp_path.rglob("*.part"))


def test_more_bytes_than_listed_are_refused(hub: HubServer, tmp_path: Path) -> None:
    tree = [hub._entry(name) | {"size": 10} for name in hub.files]
    hub.script = [Answer(body={"sha": hub.commit}), Answer(body=tree)]
    with pytest.raises(ModelGarbled, match="longer than the hub lists"):
        pulled(hub, tmp_path)


@pytest.mark.parametrize(
    "path", ["../evil.onnx", "/etc/evil", "onnx/../../evil", "a\\b", "C:evil", "a//b", ".", "a\x00b", "model.json", ""]
)
def test_a_file_that_would_land_elsewhere_is_refused(tmp_path: Path, path: str) -> None:
    with (
        HubServer(repository(**{path: b"evil"})) as hub,
        pytest.raises(ModelRefused, match="outside the model's folder"),
    ):
        pulled(hub, tmp_path)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("name", ["../evil", "tiny", "a/b/c", "a--b/c", "/abs/name", "a/..", ""])
def test_an_invalid_name_is_refused(hub: HubServer, tmp_path: Path, name: str) -> None:
    with pytest.raises(InvalidInput):
        pulled(hub, tmp_path, name)
    with pytest.raises(InvalidInput):
        find(name, tmp_path)
    assert hub.requests == []


@pytest.mark.parametrize("revision", ["../../x", "a b", "?x", "-x"])
def test_an_invalid_revision_is_refused(hub: HubServer, tmp_path: Path, revision: str) -> None:
    with pytest.raises(InvalidInput):
        pulled(hub, tmp_path, revision=revision)


@pytest.mark.parametrize("answer", [{}, [], {"sha": "main"}, {"sha": "../../" + "a" * 34}])
def test_an_invalid_commit_is_garbled(hub: HubServer, tmp_path: Path, answer: Any) -> None:
    hub.script = [Answer(body=answer)]
    with pytest.raises(ModelGarbled):
        pulled(hub, tmp_path)


@pytest.mark.parametrize("tree", [{}, [1], [{"type": "file", "path": "x"}], "no"])
def test_a_list_that_cannot_be_read_is_garbled_or_empty(hub: HubServer, tmp_path: Path, tree: Any) -> None:
    hub.script = [Answer(body={"sha": hub.commit}), Answer(body=tree)]
    with pytest.raises((ModelGarbled, ModelMissing)):
        pulled(hub, tmp_path)


def test_the_int8_file_is_preferred_and_another_may_be_named(tmp_path: Path) -> None:
    files = repository(**{"onnx/model_quantized.onnx": GRAPH, "onnx/model_fp16.onnx": GRAPH})
    with HubServer(files) as hub:
        pulled(hub, tmp_path)
        assert read_card(tmp_path / FOLDER).model == "onnx/model_quantized.onnx"
        pulled(hub, tmp_path, onnx="onnx/model_fp16.onnx")
        assert read_card(tmp_path / FOLDER).model == "onnx/model_fp16.onnx"
        with pytest.raises(ModelMissing, match=r"It has: onnx/model\.onnx"):
            pulled(hub, tmp_path, onnx="onnx/none.onnx")


@pytest.mark.parametrize("lacking", ["tokenizer.json", "config.json", "onnx/model.onnx"])
def test_a_repository_without_an_embedder_is_refused(tmp_path: Path, lacking: str) -> None:
    files = repository()
    del files[lacking]
    with HubServer(files) as hub, pytest.raises(ModelMissing):
        pulled(hub, tmp_path)


def test_a_model_that_does_not_run_does_not_replace_one_that_does(hub: HubServer, tmp_path: Path) -> None:
    pulled(hub, tmp_path)
    hub.commit, hub.files["onnx/model.onnx"] = "b" * 40, b"no weights"
    with pytest.raises(ModelDamaged):
        pulled(hub, tmp_path)
    assert LocalEmbedder(tmp_path / FOLDER).embed(["x"]).shape == (1, DIMENSIONS)


@pytest.mark.parametrize("location", ["http://cdn.invalid/x", "file:///etc/passwd", "ftp://127.0.0.2.invalid/x"])
def test_a_redirect_without_https_is_not_followed(hub: HubServer, tmp_path: Path, location: str) -> None:
    hub.location = location
    with pytest.raises(ModelRefused, match="not https"):
        pulled(hub, tmp_path)


def test_a_redirect_without_end_is_not_followed(hub: HubServer, tmp_path: Path) -> None:
    hub.location = f"/{NAME}/resolve/{hub.commit}/onnx/model.onnx"
    with pytest.raises(ModelRefused, match="without end"):
        pulled(hub, tmp_path)


def test_a_hub_without_https_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InvalidSettings):
        pull(NAME, tmp_path, hub_url="http://hub.example")


def test_a_name_the_hub_does_not_know_is_missing(hub: HubServer, tmp_path: Path) -> None:
    with pytest.raises(ModelMissing, match="owner/other"):
        pulled(hub, tmp_path, "owner/other")


def test_pulled_models_are_listed_and_found(hub: HubServer, tmp_path: Path) -> None:
    with pytest.raises(ModelMissing):
        find(NAME, tmp_path)
    pulled(hub, tmp_path)
    assert [model.name for model in list_models(tmp_path) if not model.bundled] == [NAME]
    assert find(NAME, tmp_path) == tmp_path / FOLDER


def test_without_the_extra_nothing_is_downloaded(
    hub: HubServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "tokenizers", None)
    with pytest.raises(ModelMissing, match="tokenizers"):
        pulled(hub, tmp_path)
    assert hub.requests == []
