"""The scales of a model card are measured for each pair of sizes."""

from __future__ import annotations

from pathlib import Path

from bench.cosines import embedders, measure
from bench.recall.pool import Pool, Unit
from tests.models.foreign_files import write_foreign

from holdfast.core.cosine_scale import as_fields, read_scales
from holdfast.core.vector_size import VectorSize
from holdfast.models.fake import FakeEmbedder


def pool() -> Pool:
    units = tuple(
        Unit(f"{session}#{n}", f"Lamp l{n} of {session} stands in room m{n * 7}", session)
        for session in ("attic", "cellar", "kitchen", "garden")
        for n in range(5)
    )
    return Pool("lamps", "lamps", "said", units, (), lambda *_: {})


def test_every_pair_of_sizes_is_measured() -> None:
    models = {VectorSize.STATIC: FakeEmbedder(64), VectorSize.SMALL: FakeEmbedder(64)}
    scales = measure(models, [pool()])
    assert len(scales.queries) == 4
    assert set(scales.passages) == {(1, 1), (1, 2), (2, 2)}
    assert read_scales(as_fields(scales)) == scales


def test_a_folder_with_one_size_has_one_embedder(tmp_path: Path) -> None:
    assert list(embedders(write_foreign(tmp_path / "model"))) == [VectorSize.SINGLE]
