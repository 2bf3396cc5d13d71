"""Checks the filters, limits and types that a caller names."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any

from holdfast.core.answer import Filters
from holdfast.core.arguments import check_fields, check_text, check_value, several
from holdfast.core.clock import in_utc
from holdfast.core.errors import InvalidInput
from holdfast.core.memory import DOCUMENT_PASSAGE_TYPES, SCOPES, SOURCES, VISIBILITIES
from holdfast.core.suggestion import did_you_mean

if TYPE_CHECKING:
    from holdfast.core.memory_types import TypeRegistry

# Filters that take several values; a single text counts as one value.
_LISTS = ("types", "sources", "scopes", "visibilities", "tags", "files", "modules", "sessions", "labels", "doc_types")
_TIMES = ("since", "until", "as_of")
_KNOWN_VALUES: Mapping[str, tuple[str, ...]] = {"sources": SOURCES, "scopes": SCOPES, "visibilities": VISIBILITIES}

MOST_WORDINGS = 4
_ORDERS = ("newest", "oldest", "confidence", "used")


def read_filters(registry: TypeRegistry, **values: Any) -> Filters:
    """Builds filters from keyword arguments; None means not given.

    A time without a zone is local time. Raises InvalidInput for an unknown filter or an invalid value, and UnknownType
    for an unknown memory type.
    """
    known = {name: value for name, value in values.items() if value is not None}
    unknown = set(known) - set(Filters.__dataclass_fields__)
    if unknown:
        fields = Filters.__dataclass_fields__
        hint = f"{did_you_mean(min(unknown), fields)}The filters are {', '.join(fields)}."
        raise InvalidInput(f"unknown filter {', '.join(sorted(unknown))}", hint=hint)
    for name in _LISTS:
        if name in known:
            known[name] = several(check_value(known[name], "Iterable[str]", name))
    for name in _TIMES:
        if name in known:
            known[name] = in_utc(known[name], name)
    if "types" in known:
        known["types"] = _type_names(registry, known["types"])
    filters = Filters(**known)
    check_fields(filters)
    _check_values(filters)
    return filters


def _type_names(registry: TypeRegistry, names: Iterable[str]) -> tuple[str, ...]:
    """The types with these names, each under its own; those of a document's passages too. Raises UnknownType."""
    return tuple(name if name in DOCUMENT_PASSAGE_TYPES else registry.get(name).name for name in names)


def _check_values(filters: Filters) -> None:
    for name, known in _KNOWN_VALUES.items():
        for value in getattr(filters, name):
            if value not in known:
                raise InvalidInput(f"unknown value {value!r} of {name}", hint=f"Use one of: {', '.join(known)}.")
    share = filters.min_confidence
    if share is not None and not 0 <= share <= 1:
        raise InvalidInput(f"min_confidence must be between 0 and 1, not {share!r}", hint="")


def check_query(query: str) -> str:
    """Returns the query. Raises InvalidInput when it is no text or has no visible character."""
    check_text(query, "the query")
    if not any(ch.isprintable() and not ch.isspace() for ch in query):
        raise InvalidInput("the query is empty", hint="Ask a question, or name a word to search for.")
    return query


def check_wordings(also: Iterable[str], query: str) -> tuple[str, ...]:
    """Returns other wordings of a query, each once. Raises InvalidInput when there are too many or one is empty."""
    given = tuple(dict.fromkeys(check_query(text) for text in several(also)))
    if len(given) > MOST_WORDINGS:
        raise InvalidInput(f"{len(given)} other wordings of the query", hint=f"Give at most {MOST_WORDINGS}.")
    return tuple(text for text in given if text != query)


def check_limit(limit: int) -> int:
    """Returns the limit. Raises InvalidInput when it is no whole number or below 1."""
    if not isinstance(limit, int) or limit < 1:
        raise InvalidInput(f"the limit must be at least 1, not {limit!r}", hint="")
    return limit


def check_order(order: str) -> str:
    """Returns the order of a listing. Raises InvalidInput for an unknown one."""
    if order not in _ORDERS:
        raise InvalidInput(f"unknown order {order!r}", hint="Use newest, oldest, confidence or used.")
    return order
