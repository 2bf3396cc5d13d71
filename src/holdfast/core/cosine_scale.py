"""The distribution of an embedder's cosines, in whose units thresholds hold for every embedder.

Cosines of unrelated texts centre on 0.7 in one model and on 0 in another. What a cosine means depends on them.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from holdfast.core.vector_size import VectorSize

Sizes = tuple[VectorSize, VectorSize]


class CosineScale(NamedTuple):
    """The mean and the standard deviation of the cosines between unrelated texts."""

    mean: float
    deviation: float

    def deviations(self, cosine: float) -> float:
        """How many standard deviations a cosine lies above those of unrelated texts.

        Says how unlikely it is that the texts are unrelated.
        """
        return (cosine - self.mean) / self.deviation

    def cosine(self, deviations: float) -> float:
        """Returns the cosine at this number of standard deviations above the mean of unrelated texts."""
        return self.mean + deviations * self.deviation

    def closeness(self, cosine: float) -> float:
        """How alike two texts are: 0 for unrelated ones on average, 1 for equal ones."""
        return (cosine - self.mean) / (1 - self.mean)


class CosineScales(NamedTuple):
    """The scales of one embedder: between a query and a passage, and between two passages, by size of each.

    `centre` is the mean vector of unrelated passages, if it was measured.
    """

    queries: Mapping[Sizes, CosineScale]
    passages: Mapping[Sizes, CosineScale]
    centre: tuple[float, ...] = ()

    @classmethod
    def of_one_size(cls, query: CosineScale, passages: CosineScale, centre: Sequence[float] = ()) -> CosineScales:
        """The scales of a model with one size."""
        sizes = (VectorSize.SINGLE, VectorSize.SINGLE)
        return cls({sizes: query}, {sizes: passages}, tuple(centre))

    def of_query(self, query: VectorSize = VectorSize.SINGLE, passage: VectorSize = VectorSize.SINGLE) -> CosineScale:
        """The scale between a query and a passage."""
        return _nearest(self.queries, (query, passage))

    def of_passages(self, one: VectorSize = VectorSize.SINGLE, other: VectorSize = VectorSize.SINGLE) -> CosineScale:
        """The scale between two passages."""
        ordered = (min(one, other), max(one, other))
        return _nearest(self.passages, ordered)


class MeasuredCosines(NamedTuple):
    """The scales of an embedder's cosines, and the number of passages in the store when they were measured."""

    scales: CosineScales
    passages: int


def read_scales(fields: Mapping[str, Any]) -> CosineScales:
    """Reads scales from JSON: `{"queries": {"static/small": [mean, deviation], …}, "passages": {…}}`.

    `centre` may follow, the numbers of a vector.
    A model with one size has the only key `single/single`. Raises ValueError or TypeError if a field is not right.
    """
    queries, passages = (_by_sizes(fields[name]) for name in ("queries", "passages"))
    return CosineScales(queries, passages, tuple(map(float, fields.get("centre", ()))))


def as_fields(scales: CosineScales) -> dict[str, Any]:
    """The JSON form of scales."""
    fields: dict[str, Any] = {
        name: {f"{one.name}/{other.name}".lower(): [s.mean, s.deviation] for (one, other), s in by_sizes.items()}
        for name, by_sizes in (("queries", scales.queries), ("passages", scales.passages))
    }
    return {**fields, "centre": list(scales.centre)} if scales.centre else fields


def _by_sizes(fields: Mapping[str, Any]) -> dict[Sizes, CosineScale]:
    found = {}
    for key, value in fields.items():
        one, other = (VectorSize[name.upper()] for name in key.split("/"))
        found[one, other] = _scale(value)
    if not found:
        raise ValueError("no scale of cosines")
    return found


def _scale(value: Any) -> CosineScale:
    mean, deviation = map(float, value)
    if not (-1 < mean < 1 and 0 < deviation < 1):
        raise ValueError(f"{mean} and {deviation} are not the mean and the deviation of cosines")
    return CosineScale(mean, deviation)


def _nearest(by_sizes: Mapping[Sizes, CosineScale], sizes: Sizes) -> CosineScale:
    """The scale of these sizes; if it is not known, that of the most similar sizes."""
    if sizes in by_sizes:
        return by_sizes[sizes]
    known = min(by_sizes, key=lambda pair: sum(abs(a - b) for a, b in zip(pair, sizes, strict=True)))
    return by_sizes[known]
