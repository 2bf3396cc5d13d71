"""What elements and methods of built-in containers stand for."""

from __future__ import annotations

from holdfast.codegraph.languages.expression_values import (
    CALLABLE,
    DICT,
    LIST,
    NOTHING,
    OUTSIDE,
    TUPLE,
    Answer,
    CodeValue,
    merged,
    one,
)


def element(value: CodeValue) -> Answer:
    """Returns what iterating over a container yields."""
    if value.kind == TUPLE:
        return merged(list(value.items))
    return value.items[0] if value.kind in (LIST, DICT) and value.items else NOTHING


def item(value: CodeValue, place: str) -> Answer:
    """Returns what a subscript yields; `place` is a small integer or ""."""
    if value.kind == TUPLE:
        known = place.isdigit() and int(place) < len(value.items)
        return value.items[int(place)] if known else merged(list(value.items))
    if value.kind == DICT:
        return value.items[-1] if value.items else NOTHING
    return element(value)


def method_of(value: CodeValue, name: str) -> Answer:
    """Returns a method of a container as something that can be called; external if its result is not known."""
    result = _result(value, name)
    return one(CodeValue(CALLABLE, items=(result,))) if result.values else OUTSIDE


def _result(value: CodeValue, name: str) -> Answer:
    if name == "copy":
        return one(value)
    if value.kind == DICT and len(value.items) == 2:
        return _result_of_dict(*value.items, name)
    if value.kind == LIST and name in ("pop", "popleft", "__next__", "send"):
        return element(value)
    return NOTHING


def _result_of_dict(keys: Answer, values: Answer, name: str) -> Answer:
    both = one(CodeValue(TUPLE, items=(keys, values)))
    results = {"get": values, "pop": values, "setdefault": values, "popitem": both}
    elements = {"keys": keys, "values": values, "items": both}
    return one(CodeValue(LIST, items=(elements[name],))) if name in elements else results.get(name, NOTHING)
