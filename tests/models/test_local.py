from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import holdfast
from holdfast.core.errors import ModelDamaged, ModelError, ModelMissing
from holdfast.models.card import ModelCard, read_card
from holdfast.models.local import LocalEmbedder

from .foreign_files import DIMENSIONS, GRAPH, ID, MAX_TOKENS, QUERY_PREFIX, tokenizer, write_foreign


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_foreign(tmp_path_factory.mktemp("model") / "foreign")


@pytest.fixture(scope="module")
def foreign(folder: Path) -> LocalEmbedder:
    return LocalEmbedder(folder)


def test_a_question_is_read_with_its_prefix(foreign: LocalEmbedder) -> None:
    as_query, as_passage = foreign.embed_query("who?"), foreign.embed(["who?"])[0]
    assert np.array_equal(as_query, foreign.embed([QUERY_PREFIX + "who?"])[0])
    assert float(as_query @ as_passage) < 0.99


@pytest.mark.integration
def test_names_itself_without_loading(folder: Path) -> None:
    code = (
        f"import sys; from pathlib import Path; from holdfast.models.local import LocalEmbedder;"
        f"e = LocalEmbedder(Path({str(folder)!r}));"
        "print(e.id, e.dimensions, e.is_loaded, {'numpy', 'onnxruntime', 'tokenizers'} & set(sys.modules))"
    )
    output = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout
    assert output.split() == [ID, str(DIMENSIONS), "False", "set()"]


def test_it_can_be_loaded_before_its_first_use(folder: Path) -> None:
    local = LocalEmbedder(folder)
    local.load()
    assert local.is_loaded


def test_text_beyond_the_limit_does_not_count(foreign: LocalEmbedder) -> None:
    full = "text " * (MAX_TOKENS - 2)
    assert np.array_equal(*foreign.embed([full, full + "key " * 100]))


def test_a_changed_file_is_not_loaded(tmp_path: Path) -> None:
    folder = write_foreign(tmp_path / "m")
    with (folder / "model.onnx").open("r+b") as weights:
        weights.seek(10_000)
        weights.write(b"changed")
    with pytest.raises(ModelDamaged, match=r"model\.onnx has changed"):
        LocalEmbedder(folder).embed(["x"])


def test_a_missing_file_is_named(tmp_path: Path) -> None:
    folder = write_foreign(tmp_path / "m")
    (folder / "tokenizer.json").unlink()
    with pytest.raises(ModelDamaged, match=r"tokenizer\.json is missing"):
        LocalEmbedder(folder).embed(["x"])


@pytest.mark.parametrize("file", ["model.onnx", "tokenizer.json"])
def test_a_file_that_is_no_model_is_named(tmp_path: Path, file: str) -> None:
    folder = write_foreign(tmp_path / "m")
    (folder / file).write_bytes(b"{}")
    card = json.loads((folder / "model.json").read_text())
    (folder / "model.json").write_text(json.dumps(card | {"files": {}}))
    with pytest.raises(ModelDamaged, match=file):
        LocalEmbedder(folder).embed(["x"])


def test_wrong_dimensions_in_a_card_are_detected(tmp_path: Path) -> None:
    folder = write_foreign(tmp_path / "m")
    card = json.loads((folder / "model.json").read_text())
    (folder / "model.json").write_text(json.dumps(card | {"dimensions": 512}))
    with pytest.raises(ModelDamaged, match="32 dimensions, not 512"):
        LocalEmbedder(folder).embed(["x"])


def test_too_many_tokens_in_a_card_are_detected(tmp_path: Path) -> None:
    folder = write_foreign(tmp_path / "m")
    card = json.loads((folder / "model.json").read_text())
    (folder / "model.json").write_text(json.dumps(card | {"max_tokens": 2048}))
    with pytest.raises(ModelError, match="failed on a text"):
        LocalEmbedder(folder).embed(["word " * 1000])


@pytest.mark.parametrize(
    "change",
    [{"pooling": "max"}, {"dimensions": 0}, {"max_tokens": "512"}, {"name": 3}, {"files": []}, {"colour": "red"}],
)
def test_an_invalid_card_is_refused(tmp_path: Path, change: dict[str, Any]) -> None:
    folder = write_foreign(tmp_path / "m")
    card = json.loads((folder / "model.json").read_text())
    (folder / "model.json").write_text(json.dumps(card | change))
    with pytest.raises(ModelDamaged):
        LocalEmbedder(folder)


def hub_folder(folder: Path, **files: Any) -> Path:
    """The model in the folder layout of a hub."""
    (folder / "onnx").mkdir(parents=True)
    (folder / "onnx" / "model.onnx").write_bytes(GRAPH)
    (folder / "tokenizer.json").write_bytes(tokenizer())
    sizes = {"hidden_size": DIMENSIONS, "max_position_embeddings": MAX_TOKENS}
    (folder / "config.json").write_text(json.dumps(sizes))
    for name, content in files.items():
        place = folder / f"{name.replace('__', '/')}.json"
        place.parent.mkdir(exist_ok=True)
        place.write_text(json.dumps(content))
    return folder


def test_a_hub_folder_names_its_pooling_and_prompts(tmp_path: Path, foreign: LocalEmbedder) -> None:
    folder = hub_folder(
        tmp_path / "m",
        **{"1_Pooling__config": {"pooling_mode_cls_token": True}},
        config_sentence_transformers={"prompts": {"query": "ask: ", "document": "doc: "}},
        sentence_bert_config={"max_seq_length": 48},
    )
    local = LocalEmbedder(folder)
    card = read_card(folder)
    assert (card.max_tokens, card.pooling, card.model) == (48, "cls", "onnx/model.onnx")
    assert np.array_equal(local.embed_query("x"), foreign.embed(["ask: x"])[0])
    assert np.array_equal(local.embed(["x"])[0], foreign.embed(["doc: x"])[0])


def test_a_hub_folder_that_names_no_pooling_pools_by_the_mean(tmp_path: Path, foreign: LocalEmbedder) -> None:
    local = LocalEmbedder(hub_folder(tmp_path / "m"))
    assert read_card(tmp_path / "m").pooling == "mean"
    assert float(local.embed(["some text"])[0] @ foreign.embed(["some text"])[0]) < 0.999


def test_the_name_of_a_family_gives_its_prefix(tmp_path: Path) -> None:
    assert read_card(hub_folder(tmp_path / "bge-small-en-v1.5")).query_prefix.startswith("Represent this sentence")


def test_other_weights_have_another_id(tmp_path: Path) -> None:
    folder = hub_folder(tmp_path / "m")
    before = LocalEmbedder(folder).id
    with (folder / "onnx" / "model.onnx").open("r+b") as weights:
        weights.seek(-10, 2)
        weights.write(b"0123456789")
    assert LocalEmbedder(folder).id != before


def test_an_empty_folder_is_no_model(tmp_path: Path) -> None:
    with pytest.raises(ModelMissing):
        LocalEmbedder(tmp_path)
    with pytest.raises(ModelMissing):
        LocalEmbedder(tmp_path / "nowhere")


def test_a_card_knows_its_id() -> None:
    card = ModelCard("m", "0123456789abcdef", 8, 16, "cls", "model.onnx")
    assert card.id == "m@0123456789ab:8"


@pytest.mark.integration
def test_embedding_sends_no_telemetry(tmp_path: Path) -> None:
    """A new home folder stays empty: onnxruntime's telemetry would keep a device id and queued events there."""
    code = "from holdfast.models.choice import bundled_embedder; bundled_embedder().embed_query('harbour')"
    environment = {name: value for name, value in os.environ.items() if name != "ORT_DISABLE_TELEMETRY"}
    subprocess.run([sys.executable, "-c", code], env={**environment, "HOME": str(tmp_path)}, check=True)
    assert list(tmp_path.rglob("*")) == []


def test_onnxruntime_is_imported_in_one_place_only() -> None:
    """The telemetry is off only where the variable is set before the import."""
    package = Path(holdfast.__file__).parent
    lines = [line.strip() for file in package.rglob("*.py") for line in file.read_text("utf-8").splitlines()]
    imports = [line for line in lines if line.startswith(("import onnxruntime", "from onnxruntime"))]
    assert imports == ["import onnxruntime"]


def test_a_foreign_model_without_its_extra_is_a_clear_error(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "tokenizers", None)
    with pytest.raises(ModelMissing) as raised:
        LocalEmbedder(folder).embed(["x"])
    assert raised.value.hint == "Install it: pip install 'holdfast[onnx-models]'"
