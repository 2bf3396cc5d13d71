"""Checks the filters, limits and types that a caller names."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from holdfast.core.answer import Filters
from holdfast.core.errors import InvalidInput
from holdfast.core.memory import DOCUMENT_PASSAGE_TYPES

if TYPE_CHECKING:
    from holdfast.core.memory_types import TypeRegistry

# Filters that take several values; a single text counts as one value.
_LISTS = ("types", "sources", "scopes", "visibilities", "tags", "files", "modules", "sessions", "labels", "doc_types")

_ORDERS = ("newest", "oldest", "confidence", "used")


def read_filters(registry: TypeRegistry, **values: Any) -> Filters:
    """Builds filters from keyword arguments; None means not given.

    Raises InvalidInput for an unknown filter and UnknownType for an unknown memory type.
    """
    known = {name: value for name, value in values.items() if value is not None}
    unknown = set(known) - set(Filters.__dataclass_fields__)
    if unknown:
        raise InvalidInput(f"unknown filter {', '.join(sorted(unknown))}", hint="See docs/reference/filters.md.")
    for name in _LISTS:
        if name in known:
            known[name] = (known[name],) if isinstance(known[name], str) else tuple(known[name])
    filters = Filters(**known)
    check_types(registry, filters.types)
    return filters


def check_types(registry: TypeRegistry, names: Iterable[str]) -> None:
    """Raises UnknownType for a name that is neither a memory type nor the type of a document's passages."""
    for name in names:
        if name not in DOCUMENT_PASSAGE_TYPES:
            registry.get(name)


def check_limit(limit: int) -> int:
    """Returns the limit. Raises InvalidInput when it is below 1."""
    if limit < 1:
        raise InvalidInput(f"the limit must be at least 1, not {limit}", hint="")
    return limit


def check_order(order: str) -> str:
    """Returns the order of a listing. Raises InvalidInput for an unknown one."""
    if order not in _ORDERS:
        raise InvalidInput(f"unknown order {order!r}", hint="Use newest, oldest, confidence or used.")
    return order
