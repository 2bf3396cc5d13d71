from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from holdfast.core.errors import ModelDamaged, ModelError, ModelMissing
from holdfast.models.card import ModelCard, read_card
from holdfast.models.local import BUNDLED, LocalEmbedder
from holdfast.models.model_files import sha256

PASSAGES = [
    "We rotate the signing certificate every ninety days; the job lives in ops/rotate.",
    "The search page is slow because every keystroke starts a new request.",
    "Marta is allergic to peanuts and asked us to label the snacks.",
    "Postgres runs out of connections when the workers do not share a pool.",
    "The trip to Lisbon was moved from May to the second week of June.",
]
QUESTIONS = [
    "how often are certificates renewed?",
    "why does typing in the search box lag?",
    "what food must Marta avoid?",
    "database refuses new connections",
    "when do we travel to Portugal?",
]


@pytest.fixture(scope="module")
def bundled() -> LocalEmbedder:
    return LocalEmbedder()


def test_finds_the_right_passage_for_each_question(bundled: LocalEmbedder) -> None:
    passages = bundled.embed(PASSAGES)
    found = [int((passages @ bundled.embed_query(question)).argmax()) for question in QUESTIONS]
    assert found == [0, 1, 2, 3, 4]


def test_a_question_is_read_with_its_prefix(bundled: LocalEmbedder) -> None:
    prefix = "Represent this sentence for searching relevant passages: "
    as_query, as_passage = bundled.embed_query("who?"), bundled.embed(["who?"])[0]
    assert np.array_equal(as_query, bundled.embed([prefix + "who?"])[0])
    assert float(as_query @ as_passage) < 0.95


def test_names_itself_without_loading() -> None:
    code = (
        "import sys; from holdfast.models.local import LocalEmbedder; e = LocalEmbedder();"
        "print(e.id, e.dimensions, {'numpy', 'onnxruntime', 'tokenizers'} & set(sys.modules))"
    )
    output = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout
    assert output.split() == ["snowflake-arctic-embed-s-int8@f93ff2253206:384", "384", "set()"]


def test_the_bundled_folder_is_what_its_card_says() -> None:
    card = read_card(BUNDLED)
    assert set(card.files) == {"LICENSE", "NOTICE", "model.onnx", "tokenizer.json"}
    assert {name: sha256(BUNDLED / name) for name in card.files} == card.files


def test_text_beyond_the_limit_does_not_count(bundled: LocalEmbedder) -> None:
    full = "cats " * 510
    assert np.array_equal(*bundled.embed([full, full + "dogs " * 100]))


def copy_of_bundled(folder: Path) -> Path:
    shutil.copytree(BUNDLED, folder)
    return folder


def test_a_changed_file_is_not_loaded(tmp_path: Path) -> None:
    folder = copy_of_bundled(tmp_path / "m")
    with (folder / "model.onnx").open("r+b") as weights:
        weights.seek(1_000_000)
        weights.write(b"changed")
    with pytest.raises(ModelDamaged, match=r"model\.onnx has changed"):
        LocalEmbedder(folder).embed(["x"])


def test_a_missing_file_is_named(tmp_path: Path) -> None:
    folder = copy_of_bundled(tmp_path / "m")
    (folder / "tokenizer.json").unlink()
    with pytest.raises(ModelDamaged, match=r"tokenizer\.json is missing"):
        LocalEmbedder(folder).embed(["x"])


@pytest.mark.parametrize("file", ["model.onnx", "tokenizer.json"])
def test_a_file_that_is_no_model_is_named(tmp_path: Path, file: str) -> None:
    folder = copy_of_bundled(tmp_path / "m")
    (folder / file).write_bytes(b"{}")
    card = json.loads((folder / "model.json").read_text())
    (folder / "model.json").write_text(json.dumps(card | {"files": {}}))
    with pytest.raises(ModelDamaged, match=file):
        LocalEmbedder(folder).embed(["x"])


def test_wrong_dimensions_in_a_card_are_detected(tmp_path: Path) -> None:
    folder = copy_of_bundled(tmp_path / "m")
    card = json.loads((folder / "model.json").read_text())
    (folder / "model.json").write_text(json.dumps(card | {"dimensions": 512}))
    with pytest.raises(ModelDamaged, match="384 dimensions, not 512"):
        LocalEmbedder(folder).embed(["x"])


def test_too_many_tokens_in_a_card_are_detected(tmp_path: Path) -> None:
    folder = copy_of_bundled(tmp_path / "m")
    card = json.loads((folder / "model.json").read_text())
    (folder / "model.json").write_text(json.dumps(card | {"max_tokens": 2048}))
    with pytest.raises(ModelError, match="failed on a text"):
        LocalEmbedder(folder).embed(["word " * 1000])


@pytest.mark.parametrize(
    "change",
    [{"pooling": "max"}, {"dimensions": 0}, {"max_tokens": "512"}, {"name": 3}, {"files": []}, {"colour": "red"}],
)
def test_an_invalid_card_is_refused(tmp_path: Path, change: dict[str, Any]) -> None:
    card = json.loads((BUNDLED / "model.json").read_text())
    (tmp_path / "model.json").write_text(json.dumps(card | change))
    with pytest.raises(ModelDamaged):
        LocalEmbedder(tmp_path)


def hub_folder(folder: Path, **files: Any) -> Path:
    """The bundled model in the folder layout of a hub."""
    (folder / "onnx").mkdir(parents=True)
    shutil.copy(BUNDLED / "model.onnx", folder / "onnx" / "model.onnx")
    shutil.copy(BUNDLED / "tokenizer.json", folder / "tokenizer.json")
    (folder / "config.json").write_text(json.dumps({"hidden_size": 384, "max_position_embeddings": 512}))
    for name, content in files.items():
        place = folder / f"{name.replace('__', '/')}.json"
        place.parent.mkdir(exist_ok=True)
        place.write_text(json.dumps(content))
    return folder


def test_a_hub_folder_names_its_pooling_and_prompts(tmp_path: Path, bundled: LocalEmbedder) -> None:
    folder = hub_folder(
        tmp_path / "m",
        **{"1_Pooling__config": {"pooling_mode_cls_token": True}},
        config_sentence_transformers={"prompts": {"query": "ask: ", "document": "doc: "}},
        sentence_bert_config={"max_seq_length": 256},
    )
    local = LocalEmbedder(folder)
    card = read_card(folder)
    assert (card.max_tokens, card.pooling, card.model) == (256, "cls", "onnx/model.onnx")
    assert np.array_equal(local.embed_query("x"), bundled.embed(["ask: x"])[0])
    assert np.array_equal(local.embed(["x"])[0], bundled.embed(["doc: x"])[0])


def test_a_hub_folder_that_names_no_pooling_pools_by_the_mean(tmp_path: Path, bundled: LocalEmbedder) -> None:
    local = LocalEmbedder(hub_folder(tmp_path / "m"))
    assert read_card(tmp_path / "m").pooling == "mean"
    assert float(local.embed(["some text"])[0] @ bundled.embed(["some text"])[0]) < 0.999


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


def test_embedding_sends_no_telemetry(tmp_path: Path) -> None:
    """A new home folder stays empty: onnxruntime's telemetry would keep a device id and queued events there."""
    code = "from holdfast.models.local import LocalEmbedder; LocalEmbedder().embed_query('harbour')"
    environment = {name: value for name, value in os.environ.items() if name != "ORT_DISABLE_TELEMETRY"}
    subprocess.run([sys.executable, "-c", code], env={**environment, "HOME": str(tmp_path)}, check=True)
    assert list(tmp_path.rglob("*")) == []


def test_onnxruntime_is_imported_in_one_place_only() -> None:
    """The telemetry is off only where the variable is set before the import."""
    package = BUNDLED.parents[2]
    lines = [line.strip() for file in package.rglob("*.py") for line in file.read_text("utf-8").splitlines()]
    imports = [line for line in lines if line.startswith(("import onnxruntime", "from onnxruntime"))]
    assert imports == ["import onnxruntime"]
