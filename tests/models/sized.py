"""A fake embedding model with several sizes in one vector space."""

from __future__ import annotations

from collections.abc import Sequence

from holdfast.core.errors import ModelDamaged
from holdfast.core.vector_size import VectorSize
from holdfast.models.fake import FakeEmbedder
from holdfast.models.guarded import GuardedEmbedder
from holdfast.workspace import Workspace

SPACE = "sized@1:256"


class SizedEmbedder(FakeEmbedder):
    """One size. `pack` makes the vectors that are stored together with a text."""

    id = SPACE

    def __init__(self, size: VectorSize, damaged: bool = False) -> None:
        super().__init__()
        self._size = size
        self._damaged = damaged

    @property
    def size(self) -> VectorSize:
        return self._size

    def pack(self, texts: Sequence[str]) -> list[bytes]:
        if self._damaged:
            raise ModelDamaged("static.npy cannot be read")
        return [vector.tobytes() for vector in self.embed(texts).astype("float16")]


def use_sizes(ws: Workspace, size: VectorSize = VectorSize.SMALL, damaged: bool = False) -> Workspace:
    """Gives a workspace a model with a static and a larger size."""
    static = SizedEmbedder(VectorSize.STATIC, damaged)
    ws.container = ws.container.with_settings(ws.settings)
    larger = SizedEmbedder(size)
    ws.container.models.__dict__.update(embedder=GuardedEmbedder(larger, larger), uncached=larger, static=static)
    return ws
