"""Checks what a caller passes where any object could come, by the annotations of what it is for."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import cache, wraps
from os import PathLike, fspath
from types import FunctionType
from typing import Any, TypeVar

from holdfast.core.errors import InvalidInput

Class = TypeVar("Class", bound=type)
Function = TypeVar("Function", bound=Callable[..., Any])
# Says of a value under a name what is wrong with it; None when it fits.
Check = Callable[[Any, str], str | None]

_WORDS = {
    "str": "text", "int": "a whole number", "float": "a number", "bool": "True or False", "None": "None",
    "Mapping": "a mapping", "Callable": "callable",
}  # fmt: skip
# The parameters that name files.
_OF_FILES = frozenset(("path", "paths", "file", "files", "target", "db", "project"))
# The largest number that a database holds.
_MOST = 2**63 - 1
_SEVERAL = ("Iterable", "Sequence", "tuple", "frozenset")
# Values are frozen and refer to few others: no annotation nests deeper.
_ALTERNATIVES = re.compile(r" \| (?![^\[]*\])")
_PARTS = re.compile(r", (?![^\[]*\])")


def checked_methods(cls: Class) -> Class:
    """Makes the public methods of a class check their arguments, as `checked` does."""
    for name, member in list(vars(cls).items()):
        if isinstance(member, FunctionType) and not name.startswith("_"):
            setattr(cls, name, checked(member))
    return cls


def checked(function: Function) -> Function:
    """Makes a function raise InvalidInput for an argument that its annotation does not allow.

    The annotations are read at the first call. An iterator is read once and passed on as a tuple.
    """
    names: tuple[str, ...] = function.__code__.co_varnames[: function.__code__.co_argcount]
    annotations = function.__annotations__

    @wraps(function)
    def call(*given: Any, **named: Any) -> Any:
        values = [
            check_value(value, annotations.get(name, "Any"), name) for name, value in zip(names, given, strict=False)
        ]
        for name, value in named.items():
            named[name] = check_value(value, annotations.get(name, "Any"), name)
        return function(*values, *given[len(values) :], **named)

    return call  # type: ignore[return-value]  # It has the signature of the function that it wraps.


def check_value(value: Any, annotation: str, name: str) -> Any:
    """Returns the value, an iterator as a tuple. Raises InvalidInput if it is not of the type that is named.

    Where files are named, a path counts as its text.
    """
    if isinstance(value, Iterator):
        value = tuple(value)
    if name in _OF_FILES and value.__class__ is not str:
        value = _as_text(value)
    wrong = _check_of(annotation)(value, name)
    if wrong is not None:
        raise InvalidInput(wrong, hint=f"Pass {annotation}.")
    return value


def check_fields(value: Any, error: type[InvalidInput] = InvalidInput) -> None:
    """Raises InvalidInput if a field of a frozen value is not of its declared type."""
    wrong = _wrong_field(value)
    if wrong is not None:
        raise error(wrong, hint=f"See `help({type(value).__name__})` for the types of its fields.")


def several(values: str | Iterable[str]) -> tuple[str, ...]:
    """The values; a single text counts as one value, not as its characters."""
    return (values,) if isinstance(values, str) else tuple(values)


def check_text(text: object, name: str = "text") -> None:
    """Raises InvalidInput for what is no text: chat models, for example, answer with None when they call a tool."""
    if not isinstance(text, str):
        raise InvalidInput(f"{name} must be text, not {type(text).__name__}", hint="Pass a str.")


def check_named(value: str | None, name: str) -> None:
    """Raises InvalidInput for an empty name, such as that of a person who is not known: None means none is given."""
    if value is not None and not str(value).strip():
        raise InvalidInput(f"{name} is empty", hint="Name it, or leave it out.")


def _as_text(value: Any) -> Any:
    if isinstance(value, PathLike):
        return fspath(value)
    return tuple(map(_as_text, value)) if isinstance(value, tuple | list) else value


@cache
def _check_of(annotation: str) -> Check:
    """Returns the check of an annotation, which is read as text: most of the types that it names are not imported."""
    ordered = sorted(_ALTERNATIVES.split(annotation), key=lambda one: one != "None")  # Most optional values are None.
    checks = [_check_of_one(one) for one in ordered]
    if len(checks) == 1:
        return checks[0]
    words = " or ".join(dict.fromkeys(_word(one) for one in ordered if one != "None"))

    def check(value: Any, name: str) -> str | None:
        found = []
        for one in checks:
            wrong = one(value, name)
            if wrong is None:
                return None
            found.append(wrong)
        # A value in it is wrong, or else its own type.
        inner = [wrong for wrong in found if not wrong.startswith(f"{name} must be ")]
        return inner[0] if inner else f"{name} must be {words}, not {type(value).__name__}"

    return check


def _check_of_one(annotation: str) -> Check:
    outer, _, inside = annotation.removesuffix("]").partition("[")
    if outer == "Any":
        return lambda value, name: None
    if outer in _SEVERAL:
        return _check_of_several(_word(annotation), _PARTS.split(inside)[0], outer == "Iterable")
    if outer == "Mapping":
        return _check_of_mapping(*_PARTS.split(inside))
    allowed = {"float": ("float", "int")}.get(outer, (outer,))

    def check(value: Any, name: str) -> str | None:
        kind = type(value)
        if (outer == "None" and value is None) or (outer == "Callable" and callable(value)):
            return None
        # Class names are unique in the package. True is an int, but nobody means it.
        fits = kind.__name__ in allowed or any(one.__name__ in allowed for one in kind.__mro__)
        if not fits or (kind is bool and outer != "bool"):
            return f"{name} must be {_word(annotation)}, not {kind.__name__}"
        if outer == "int" and not -_MOST <= value <= _MOST:
            return f"{name} is too large"
        return _wrong_field(value) if hasattr(kind, "__dataclass_fields__") else None

    return check


def _check_of_several(word: str, one: str, text_counts: bool) -> Check:
    check_one = _check_of(one)

    def check(value: Any, name: str) -> str | None:
        if isinstance(value, str) and text_counts and one == "str":
            return None
        if not isinstance(value, Iterable) or isinstance(value, str | bytes | Mapping):
            return f"{name} must be {word}, not {type(value).__name__}"
        found = (check_one(part, f"a value of {name}") for part in value)
        return next((wrong for wrong in found if wrong is not None), None)

    return check


def _check_of_mapping(key: str, value: str) -> Check:
    of_keys, of_values = _check_of(key), _check_of(value)

    def check(given: Any, name: str) -> str | None:
        if not isinstance(given, Mapping):
            return f"{name} must be a mapping, not {type(given).__name__}"
        found = (of_keys(one, f"a key of {name}") or of_values(given[one], f"a value of {name}") for one in given)
        return next((wrong for wrong in found if wrong is not None), None)

    return check


def _wrong_field(value: Any) -> str | None:
    checks = _checks_of_fields(type(value))  # type: ignore[arg-type]  # Classes are hashable.
    found = (check(getattr(value, name), name) for name, check in checks)
    return next((wrong for wrong in found if wrong is not None), None)


@cache
def _checks_of_fields(cls: type) -> list[tuple[str, Check]]:
    return [(name, _check_of(declared.type)) for name, declared in vars(cls)["__dataclass_fields__"].items()]


def _word(annotation: str) -> str:
    outer, _, inside = annotation.removesuffix("]").partition("[")
    if outer in _SEVERAL:
        return f"a list of {'texts' if inside.startswith('str') else _PARTS.split(inside)[0]}"
    return _WORDS.get(outer, f"a {outer}")
