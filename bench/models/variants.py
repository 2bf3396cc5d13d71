"""The models that are compared: the sizes of our embedding model, and the model that was bundled before."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from bench import ROOT

if TYPE_CHECKING:
    from holdfast.models.own_model import OwnModel
    from holdfast.models.protocols import Embedder

OLD, BASE, SMALL, STATIC = "old", "base", "small", "static"
NAMES = (OLD, BASE, SMALL, STATIC)
OLD_FOLDER = ROOT.parent / "shared" / "models" / "arctic-embed-s-int8"
_OLD_FILES = {
    "model.onnx": "f93ff225320628d2e88baf2a395cae791b0e3b27edf5c70bf7b312a4d3260c14",
    "tokenizer.json": "87eb7217e03ca66a173ac8430e41d2b2edc5fd38ef2a0e01f86213e02c897a1b",
}


@dataclass(frozen=True, slots=True)
class ModelVariant:
    """A model that can be used: the folder it is opened from, its files, and a name for its vectors in a cache."""

    name: str
    folder: Path
    files: tuple[Path, ...]
    cache_name: str
    open: Callable[[int], Embedder]


def find_variants(model: Path | None, old: Path, kept: Path) -> tuple[dict[str, ModelVariant], list[str]]:
    """Returns the models that are installed, and a note about each other one.

    `model` is the folder of our model, None for the bundled one. `kept` gets the description of the old model.
    """
    from holdfast.core.errors import ModelError

    makers: dict[str, Callable[[], ModelVariant]] = {OLD: partial(_old, old, kept)}
    makers |= {size: partial(_size, size, model) for size in (BASE, SMALL, STATIC)}
    found: dict[str, ModelVariant] = {}
    notes: list[str] = []
    for name, make in makers.items():
        try:
            found[name] = make()
        except ModelError as error:
            notes.append(f"{name} is not installed and was not measured: {error}")
    return found, notes


def _size(name: str, folder: Path | None) -> ModelVariant:
    from holdfast.core.errors import ModelMissing
    from holdfast.models.choice import bundled_embedder
    from holdfast.models.own_model import OWN, SIZES, OwnModel

    own = OwnModel(folder or OWN)
    if SIZES[name] not in own.card.sizes:
        raise ModelMissing(f"{own.folder} has no size {name}")
    files, sha256 = _files_of(own, name)
    cache_name = f"{own.card.id}:{name}:{sha256[:12]}"

    def open_size(threads: int) -> Embedder:
        return bundled_embedder(name, threads, own)

    return ModelVariant(name, Path(own.folder), files, cache_name, open_size)


def _files_of(own: OwnModel, name: str) -> tuple[tuple[Path, ...], str]:
    """Returns the files that a size reads, and the sha256 of its own file."""
    from holdfast.models.own_model import SIZES

    file, sha256 = own.find(SIZES[name])
    shared = (own.card.vocabulary,) if name == STATIC else (own.card.vocabulary, own.card.tokens)
    return (Path(file), *(Path(own.folder) / other for other in shared)), sha256


def _old(folder: Path, kept: Path) -> ModelVariant:
    """The folder has no card, so one that names its files is written into `kept`."""
    from holdfast.core.errors import ModelMissing
    from holdfast.models.card import ModelCard, write_card
    from holdfast.models.local import LocalEmbedder

    files = {str(folder.resolve() / name): sha256 for name, sha256 in _OLD_FILES.items()}
    missing = [file for file in files if not Path(file).is_file()]
    if missing:
        raise ModelMissing(f"{missing[0]} was not found; name its folder with --old-model")
    model, tokenizer = files
    card = ModelCard(
        "snowflake-arctic-embed-s-int8",
        files[model],
        384,
        512,
        "cls",
        model,
        tokenizer,
        query_prefix="Represent this sentence for searching relevant passages: ",
        files=files,
    )
    home = kept / "old-model"
    home.mkdir(parents=True, exist_ok=True)
    write_card(home, card)

    def open_old(threads: int) -> Embedder:
        return LocalEmbedder(home, threads=threads)

    return ModelVariant(OLD, home, tuple(map(Path, files)), card.id, open_old)
