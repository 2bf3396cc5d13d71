"""The description of a model folder: name, size, prefixes and the hashes of its files.

It is read from `model.json`. A folder in the layout of a hub has none and is described from its usual files instead.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict, field, replace
from pathlib import Path
from typing import Any

from holdfast.core.cosine_scale import CosineScales, as_fields, read_scales
from holdfast.core.errors import ModelDamaged, ModelMissing
from holdfast.core.frozen import frozen
from holdfast.models.model_files import CARD, read_json, verify_file
from holdfast.models.prefixes import prefixes

POOLINGS = ("cls", "mean", "last")


@frozen
class ModelCard:
    """An embedder on disk. `files` maps each file to its expected sha256; an empty map means that none is verified.

    `cosines` are the scales of its cosines, if they were measured.
    """

    name: str
    revision: str
    dimensions: int
    max_tokens: int
    pooling: str
    model: str
    tokenizer: str = "tokenizer.json"
    query_prefix: str = ""
    passage_prefix: str = ""
    files: Mapping[str, str] = field(default_factory=dict)
    cosines: CosineScales | None = None

    @property
    def id(self) -> str:
        return f"{self.name}@{self.revision[:12]}:{self.dimensions}"


def read_card(folder: Path) -> ModelCard:
    """Reads the card of a model folder. Reads small files only, never the weights."""
    if not folder.is_dir():
        raise ModelMissing(f"{folder} is not a folder")
    if (folder / CARD).is_file():
        return _from_card(folder)
    return _from_hub_files(folder)


def write_card(folder: Path, card: ModelCard) -> None:
    fields = asdict(replace(card, cosines=None)) | ({"cosines": as_fields(card.cosines)} if card.cosines else {})
    text = json.dumps(fields, indent=2, ensure_ascii=False)
    (folder / CARD).write_text(text + "\n", encoding="utf-8")


def verify(folder: Path, card: ModelCard) -> None:
    """Raises ModelDamaged if a file named by the card is missing or changed; takes 40 ms for the bundled model."""
    for name, expected in card.files.items():
        verify_file(folder / name, expected)


def _from_card(folder: Path) -> ModelCard:
    fields = read_json(folder / CARD)
    try:
        cosines = read_scales(fields["cosines"]) if fields.get("cosines") else None
        card = ModelCard(**{**fields, "cosines": cosines})
    except (AttributeError, KeyError, TypeError, ValueError) as error:
        raise ModelDamaged(f"{folder / CARD}: {error}") from error
    _check(card, folder / CARD)
    return card


def _check(card: ModelCard, origin: Path) -> None:
    numbers = (card.dimensions, card.max_tokens)
    if not all(isinstance(number, int) and number > 0 for number in numbers):
        raise ModelDamaged(f"{origin}: dimensions and max_tokens must be whole numbers above 0")
    if card.pooling not in POOLINGS:
        raise ModelDamaged(f"{origin}: pooling must be one of {', '.join(POOLINGS)}, not {card.pooling!r}")
    texts = (card.name, card.revision, card.model, card.tokenizer, card.query_prefix, card.passage_prefix)
    if not all(isinstance(text, str) for text in texts) or not isinstance(card.files, dict):
        raise ModelDamaged(f"{origin}: a field has the wrong type")


def _from_hub_files(folder: Path) -> ModelCard:
    config = read_json(folder / "config.json")
    prompts = _json_or_empty(folder / "config_sentence_transformers.json").get("prompts") or {}
    query, passage = prefixes(folder.name)
    model = _onnx_file(folder)
    card = ModelCard(
        name=folder.name,
        revision=_fingerprint(folder / model),
        dimensions=config.get("hidden_size") or config.get("dim") or 0,
        max_tokens=_max_tokens(folder, config),
        pooling=_pooling(_json_or_empty(folder / "1_Pooling" / "config.json")),
        model=model,
        query_prefix=prompts.get("query") or query,
        passage_prefix=prompts.get("document") or prompts.get("passage") or passage,
    )
    _check(card, folder / "config.json")
    return card


def _onnx_file(folder: Path) -> str:
    usual = [name for name in ("onnx/model.onnx", "model.onnx") if (folder / name).is_file()]
    files = usual or sorted(path.relative_to(folder).as_posix() for path in folder.rglob("*.onnx"))
    if not files:
        raise ModelMissing(f"{folder} holds no ONNX file")
    return files[0]


def _fingerprint(file: Path) -> str:
    """Identifies the weights by their size, first and last megabyte, without reading all of them."""
    import hashlib

    digest = hashlib.sha256(str(file.stat().st_size).encode())
    with file.open("rb") as opened:
        digest.update(opened.read(1 << 20))
        opened.seek(-min(1 << 20, file.stat().st_size), 2)
        digest.update(opened.read())
    return digest.hexdigest()


def _max_tokens(folder: Path, config: Mapping[str, Any]) -> int:
    limit = _json_or_empty(folder / "sentence_bert_config.json").get("max_seq_length")
    if limit:
        return int(limit)
    positions = int(config.get("max_position_embeddings") or 512)
    # RoBERTa models reserve two positions for padding; using them is an error inside the graph.
    return positions - 2 if "roberta" in str(config.get("model_type")) else positions


def _pooling(config: Mapping[str, Any]) -> str:
    if config.get("pooling_mode_cls_token"):
        return "cls"
    return "last" if config.get("pooling_mode_lasttoken") else "mean"


def _json_or_empty(file: Path) -> dict[str, Any]:
    return read_json(file) if file.is_file() else {}
