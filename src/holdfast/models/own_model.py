"""The folder of our embedding model: one vector space, made by models of three sizes.

All sizes share the vocabulary. Its card, `model.json`, describes each size, names the sha256 of each file, and gives
the mean and the standard deviation of cosines between unrelated texts for each size of query and of passage.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import TYPE_CHECKING, NamedTuple

from holdfast.core.built_once import built_once
from holdfast.core.cosine_scale import CosineScales, read_scales
from holdfast.core.errors import ModelDamaged, ModelMissing
from holdfast.core.vector_size import VectorSize
from holdfast.models.model_files import CARD, read_json
from holdfast.models.token_table import TokenTable
from holdfast.models.wordpiece import WordPiece

if TYPE_CHECKING:
    from pathlib import Path

# Paths are strings here: a command may need nothing else for which to import pathlib.
OWN = os.path.join(os.path.dirname(__file__), "data", "holdfast-embed")
SIZES = {"static": VectorSize.STATIC, "small": VectorSize.SMALL, "base": VectorSize.BASE}
# The largest size has a package of its own, because it would double the download.
BASE_PACKAGE = "holdfast_embed_base"


# Named tuples: importing `dataclasses` takes a third of the time of the first static vector in a new process.
class SizeCard(NamedTuple):
    """One size: its file, the tokens it reads, and what it puts before a text."""

    file: str
    max_tokens: int
    query_prefix: str = ""
    passage_prefix: str = ""


class SpaceCard(NamedTuple):
    """The card of a vector space. `cosines` is None if they were not measured."""

    name: str
    revision: str
    dimensions: int
    vocabulary: str
    tokens: str
    sizes: Mapping[VectorSize, SizeCard]
    cosines: CosineScales | None
    files: Mapping[str, str]

    @property
    def id(self) -> str:
        return f"{self.name}@{self.revision[:12]}:{self.dimensions}"


class OwnModel:
    """An open model folder. Reads the card at once, other files on first use."""

    def __init__(self, folder: str | Path) -> None:
        self.folder = os.fspath(folder)
        self.card = read_space(folder)

    @built_once
    def wordpiece(self) -> WordPiece:
        """The tokenizer of all sizes."""
        return WordPiece(os.path.join(self.folder, self.card.vocabulary))

    def open_table(self, name: str) -> TokenTable:
        """Opens a table of token vectors; raises ModelDamaged if it was made for another vocabulary."""
        file = os.path.join(self.folder, name)
        table = TokenTable(file)
        if table.vocabulary_crc != self.wordpiece.crc:
            raise ModelDamaged(f"{file} and {self.card.vocabulary} do not belong together")
        if table.dimensions != self.card.dimensions:
            raise ModelDamaged(f"{file} has {table.dimensions} dimensions, not {self.card.dimensions}")
        return table

    def find(self, size: VectorSize) -> tuple[str, str]:
        """Returns the file of a size and its sha256; raises ModelMissing if its package is not installed."""
        name = self.card.sizes[size].file
        file = os.path.join(self.folder, name)
        if size != VectorSize.BASE or os.path.isfile(file):
            return file, self.card.files.get(name, "")
        folder = _base_folder()
        fields = read_json(os.path.join(folder, CARD))
        if fields.get("revision") != self.card.revision:
            raise ModelDamaged(
                f"holdfast-embed-base belongs to another revision of {self.card.name}",
                hint="Install both packages from the same clone (docs/models.md).",
            )
        return os.path.join(folder, name), str((fields.get("files") or {}).get(name, ""))


class OwnEmbedder:
    """What all sizes of our model have in common: the vector space and its card."""

    def __init__(self, model: OwnModel, size: VectorSize) -> None:
        self._model = model
        self._size = size
        self._card = model.card.sizes[size]

    @property
    def id(self) -> str:
        return self._model.card.id

    @property
    def size(self) -> VectorSize:
        return self._size

    @property
    def scales(self) -> CosineScales | None:
        """The scales of its cosines, if its card has them."""
        return self._model.card.cosines

    @property
    def dimensions(self) -> int:
        return self._model.card.dimensions


def open_own() -> OwnModel:
    """Opens our model in the package; raises ModelError if it is missing or damaged."""
    return OwnModel(OWN)


def read_space(folder: str | Path) -> SpaceCard:
    """Reads the card of a folder of our model; raises ModelMissing or ModelDamaged."""
    file = os.path.join(folder, CARD)
    fields = read_json(file)
    try:
        card = SpaceCard(
            **{name: fields[name] for name in ("name", "revision", "dimensions", "vocabulary", "tokens", "files")},
            sizes={SIZES[name]: SizeCard(**size) for name, size in fields["sizes"].items()},
            cosines=read_scales(fields["cosines"]) if fields.get("cosines") else None,
        )
    except (AttributeError, KeyError, TypeError, ValueError) as error:
        raise ModelDamaged(f"{file}: {type(error).__name__}: {error}") from error
    _check(card, file)
    return card


def _check(card: SpaceCard, origin: str) -> None:
    numbers = (card.dimensions, *(size.max_tokens for size in card.sizes.values()))
    if not all(isinstance(number, int) and number > 2 for number in numbers):
        raise ModelDamaged(f"{origin}: dimensions and max_tokens must be whole numbers above 2")
    prefixes = (
        prefix for size in card.sizes.values() for prefix in (size.file, size.query_prefix, size.passage_prefix)
    )
    texts = (card.name, card.revision, card.vocabulary, card.tokens, *prefixes)
    if not all(isinstance(text, str) for text in texts) or not isinstance(card.files, dict):
        raise ModelDamaged(f"{origin}: a field has the wrong type")


def _base_folder() -> str:
    from importlib.util import find_spec

    spec = find_spec(BASE_PACKAGE)
    if spec is None or not spec.submodule_search_locations:
        raise ModelMissing(
            "the size base is in the package holdfast-embed-base",
            hint='Install the package holdfast-embed-base (docs/models.md says how), or choose `embedder = "small"`.',
        )
    return next(iter(spec.submodule_search_locations))
