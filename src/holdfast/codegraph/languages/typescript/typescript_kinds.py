"""The types that inference works with, and what is known of the language's own types."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from holdfast.codegraph.languages.typescript.typescript_type_syntax import Syntax

# Type parameters and what they stand for: pairs of a name and a type.
Environment = tuple[tuple[str, "Type | None"], ...]


class InstanceOf(NamedTuple):
    """A value of a class, an interface, an enum or an object type: the members of the definition."""

    path: str
    place: int
    environment: Environment = ()


class ValueType(NamedTuple):
    """A defined thing itself: a function, a class with its static members, a namespace, an object."""

    path: str
    places: tuple[int, ...]
    environment: Environment = ()


class ModuleValue(NamedTuple):
    """A module as a value: its members are its exports."""

    path: str


class WrittenType(NamedTuple):
    """A function type or an object type as written in the source, with the scope its names belong to."""

    path: str
    scope: int
    syntax: Syntax
    environment: Environment = ()


class SeveralTypes(NamedTuple):
    """One of several types, or all of them at once."""

    types: tuple[Type, ...]


class ContainerType(NamedTuple):
    """A container of the language: `Array`, `Map`, `Set`, `Record`; `method` is a method of it, not called yet."""

    name: str
    key: Type | None
    element: Type | None
    method: str = ""


Type = InstanceOf | ValueType | ModuleValue | WrittenType | SeveralTypes | ContainerType

_MOST_TYPES = 12  # of a union


def several(types: Iterable[Type | None]) -> Type | None:
    """One type for several, without those that are unknown."""
    kept: list[Type] = []
    for one in types:
        for each in one.types if isinstance(one, SeveralTypes) else (one,):
            if each is not None and each not in kept:
                kept.append(each)
    if len(kept) > 1:
        return SeveralTypes(tuple(kept[:_MOST_TYPES]))
    return kept[0] if kept else None


def without_depth(type_: Type | None, levels: int) -> Type | None:
    """The type with type arguments of type arguments at most `levels` deep: unlimited, they grow exponentially."""
    if isinstance(type_, SeveralTypes):
        return SeveralTypes(tuple(one for each in type_.types if (one := without_depth(each, levels)) is not None))
    if isinstance(type_, ContainerType):
        return type_._replace(key=without_depth(type_.key, levels), element=without_depth(type_.element, levels))
    if type_ is None or isinstance(type_, ModuleValue) or not type_.environment:
        return type_
    if not levels:
        return type_._replace(environment=())
    return type_._replace(environment=tuple((name, without_depth(one, levels - 1)) for name, one in type_.environment))


# Types that behave like their first argument; `await` is left out of expressions, so a promise is its result.
TRANSPARENT = frozenset(
    """Promise PromiseLike Awaited Partial Required Readonly NonNullable Pick Omit Exclude Extract Prettify Simplify
    DeepPartial DeepReadonly Mutable Writable Expand ValueOf MaybePromise""".split()
)
CONTAINERS = {
    "Array": "Array",
    "ReadonlyArray": "Array",
    "Iterable": "Array",
    "IterableIterator": "Array",
    "AsyncIterable": "Array",
    "Generator": "Array",
    "AsyncGenerator": "Array",
    "Set": "Set",
    "ReadonlySet": "Set",
    "WeakSet": "Set",
    "Map": "Map",
    "ReadonlyMap": "Map",
    "WeakMap": "Map",
    "Record": "Record",
}
# What a method gives: an element, the container itself, its keys, or nothing that is known.
ELEMENT, SELF, VALUES, PAIRS = "element", "self", "values", "pairs"
METHODS = {
    "Array": {
        **dict.fromkeys("find findLast pop shift at".split(), ELEMENT),
        **dict.fromkeys("filter slice concat reverse sort toSorted toReversed splice fill with flat".split(), SELF),
        "values": SELF,
    },
    "Map": {"get": ELEMENT, "set": SELF, "values": VALUES, "entries": PAIRS},
    "Set": {"values": VALUES, "add": SELF, "keys": VALUES},
    "Record": {},
}
# The parameter of a callback that is an element.
CALLBACKS = {
    **{
        name: {0: ELEMENT, 2: SELF}
        for name in "map forEach filter find findLast findIndex findLastIndex some every flatMap".split()
    },
    "reduce": {1: ELEMENT, 3: SELF},
    "reduceRight": {1: ELEMENT, 3: SELF},
    "sort": {0: ELEMENT, 1: ELEMENT},
    "toSorted": {0: ELEMENT, 1: ELEMENT},
}
