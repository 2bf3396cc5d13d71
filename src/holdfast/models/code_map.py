"""Moves the vectors of code towards what people type to find it.

Code and the queries for it are worded differently: "python check if file is empty" and `def file_empty(path)`. The map
was learned from queries of a search engine (docs/research/code-queries.md). It belongs to our model, for code only.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from holdfast.core.built_once import built_once
from holdfast.core.errors import ModelDamaged
from holdfast.models.model_files import verify_file

if TYPE_CHECKING:
    from holdfast.models.own_model import OwnModel
    from holdfast.models.protocols import Vectors

FILE = "code.npy"


class CodeMap:
    """A linear map of vectors of our model, of any size. Reads its file on first use; raises ModelError."""

    def __init__(self, model: OwnModel) -> None:
        self._model = model

    def __call__(self, vectors: Vectors) -> Vectors:
        """Returns the moved vectors, one per row, of length one."""
        import numpy as np

        moved = vectors + vectors @ self._moves[:-1] + self._moves[-1]
        found: Vectors = moved / np.linalg.norm(moved, axis=1, keepdims=True)
        return found

    def verify(self) -> None:
        """Checks the file; raises ModelError."""
        self._read()

    @built_once
    def _moves(self) -> Vectors:
        """The map of each number of a vector; the last row is added to all."""
        return self._read()

    def _read(self) -> Vectors:
        import numpy as np

        file = os.path.join(self._model.folder, FILE)
        verify_file(file, self._model.card.files.get(FILE, ""))
        moves: Vectors = np.load(file, allow_pickle=False).astype(np.float32)
        dimensions = self._model.card.dimensions
        if moves.shape != (dimensions + 1, dimensions):
            raise ModelDamaged(f"{file} does not map {dimensions} dimensions")
        return moves
