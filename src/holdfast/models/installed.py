"""The models on this machine: the bundled one and those pulled from a hub, each in its own folder."""

from __future__ import annotations

import re
from pathlib import Path

from holdfast.core.errors import InvalidInput, ModelError, ModelMissing
from holdfast.core.frozen import frozen
from holdfast.core.vector_size import VectorSize
from holdfast.models.card import read_card
from holdfast.models.model_files import CARD
from holdfast.models.own_model import SIZES, OwnModel, open_own

_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,95}/[A-Za-z0-9][A-Za-z0-9._-]{0,95}")


@frozen
class InstalledModel:
    """A model that can be used without a network."""

    name: str
    revision: str
    dimensions: int
    bytes: int
    folder: Path
    bundled: bool = False


def list_models(folder: Path) -> tuple[InstalledModel, ...]:
    """Lists the bundled models, then the pulled ones by name. `folder` need not exist."""
    pulled = sorted(path.parent for path in folder.glob(f"[!.]*/{CARD}"))
    return (*_sizes(open_own()), *(_installed(path) for path in pulled))


def find(name: str, folder: Path) -> Path:
    """Returns the folder of a pulled model; raises ModelMissing if it was not pulled."""
    place = folder / folder_name(name)
    if not (place / CARD).is_file():
        raise ModelMissing(name, hint=f"Fetch it with `holdfast models pull {name}`.")
    return place


def folder_name(name: str) -> str:
    """Turns `owner/name` into a safe folder name; raises InvalidInput for anything else."""
    if not _NAME.fullmatch(name) or "--" in name or ".." in name:
        raise InvalidInput(f"{name!r} is not a model name", hint="Write it as the hub does: owner/name.")
    return name.replace("/", "--")


def _sizes(own: OwnModel) -> tuple[InstalledModel, ...]:
    """Lists the sizes of our model by the names that the setting `embedder` takes."""
    shared = {VectorSize.STATIC: (own.card.vocabulary,)}
    found = []
    for name, size in SIZES.items():
        try:
            file = Path(own.find(size)[0])
        except ModelError:
            continue  # its package is not installed
        files = [file, *(Path(own.folder) / part for part in shared.get(size, (own.card.vocabulary, own.card.tokens)))]
        bytes = sum(path.stat().st_size for path in files if path.is_file())
        card = own.card
        found.append(InstalledModel(name, card.revision, card.dimensions, bytes, file.parent, bundled=True))
    return tuple(found)


def _installed(folder: Path) -> InstalledModel:
    card = read_card(folder)
    size = sum(path.stat().st_size for path in folder.rglob("*") if path.is_file())
    return InstalledModel(card.name, card.revision, card.dimensions, size, folder)
