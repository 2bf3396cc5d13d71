"""Prints the processor milliseconds that a new process takes to make its first vector with a model.

python -m bench.models.first_use NAME FOLDER [MODULE]

MODULE is imported before, and its time not counted. Nothing else that a model imports may be imported before.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Sequence
from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from holdfast.models.protocols import Embedder

_QUERY = "which crane loads the ferry to pier 7, and why"


def main(argv: Sequence[str]) -> None:
    name, folder, *modules = argv
    for module in modules:
        import_module(module)
    started = time.process_time()
    _embed(name, folder)
    print(1000 * (time.process_time() - started))


def _embed(name: str, folder: str) -> None:
    embedder: Embedder
    if name == "old":
        from pathlib import Path

        from holdfast.models.local import LocalEmbedder

        embedder = LocalEmbedder(Path(folder))
    elif name == "static":
        from holdfast.models.own_model import OwnModel
        from holdfast.models.static import StaticEmbedder

        embedder = StaticEmbedder(OwnModel(folder))
    else:
        from holdfast.models.own_model import SIZES, OwnModel
        from holdfast.models.transformer import TransformerEmbedder

        embedder = TransformerEmbedder(OwnModel(folder), SIZES[name])
    embedder.embed_query(_QUERY)


if __name__ == "__main__":
    main(sys.argv[1:])
