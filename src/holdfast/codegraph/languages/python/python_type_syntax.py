"""Reads Python types as written: unions, generics and the names in them."""

from __future__ import annotations

from collections.abc import Iterator

from holdfast.codegraph.languages.type_tokens import UNKNOWN_TYPE, TypeForm

_DEEPEST = 6

_LISTS = frozenset(
    "list List Sequence MutableSequence Iterable Iterator AsyncIterator AsyncIterable Collection Container Set set "
    "frozenset FrozenSet AbstractSet MutableSet deque Deque Generator AsyncGenerator KeysView ValuesView".split()
)
_DICTS = frozenset("dict Dict Mapping MutableMapping defaultdict DefaultDict OrderedDict ChainMap".split())
_FIRST = frozenset(
    "Optional Annotated Final ClassVar Required NotRequired ReadOnly Awaitable InitVar TypeGuard TypeIs Unpack".split()
)
_CONTEXTS = frozenset("ContextManager AbstractContextManager AsyncContextManager AbstractAsyncContextManager".split())


def parse_type(written: str, depth: int = 0) -> TypeForm:
    """Reads a type; its forms include `class` (the type itself) and `self`. What cannot be read is unknown."""
    written = written.strip()
    options = list(_split(written, "|"))
    if depth > _DEEPEST or not written:
        return UNKNOWN_TYPE
    if len(options) > 1:
        return _union(options, depth)
    head, bracket, rest = written.partition("[")
    if not bracket:
        return _name(head)
    if not rest.endswith("]"):
        return UNKNOWN_TYPE
    return _generic(head.strip(), [part.strip() for part in _split(rest[:-1], ",")], depth)


def names_in(form: TypeForm) -> Iterator[str]:
    """Yields the names in a type."""
    if form.name:
        yield form.name
    for part in form.parts:
        yield from names_in(part)


def _name(head: str) -> TypeForm:
    last = head.rpartition(".")[2]
    if last in ("Self", "None", "Any", "..."):
        return TypeForm("self") if last == "Self" else UNKNOWN_TYPE
    return TypeForm("name", head) if head.replace(".", "").isidentifier() else UNKNOWN_TYPE


def _union(options: list[str], depth: int) -> TypeForm:
    return TypeForm("union", "", tuple(parse_type(option, depth + 1) for option in options))


def _generic(head: str, parts: list[str], depth: int) -> TypeForm:
    last = head.rpartition(".")[2]
    if last in ("Union", "Literal"):
        return _union(parts if last == "Union" else [], depth)
    if last in _FIRST:
        return parse_type(parts[0], depth + 1)
    form = _form_of(last)
    if form is None:
        return _name(head)
    chosen = (
        parts[-1:]
        if last in ("Callable", "Coroutine")
        else parts[:1]
        if form in ("list", "class", "context")
        else parts
    )
    if last == "Coroutine":
        return parse_type(chosen[0], depth + 1)
    return TypeForm(form, "", tuple(parse_type(part, depth + 1) for part in chosen if part != "..."))


def _form_of(last: str) -> str | None:
    if last in _LISTS:
        return "list"
    if last in _DICTS:
        return "dict"
    if last in _CONTEXTS:
        return "context"
    return {
        "tuple": "tuple", "Tuple": "tuple", "type": "class", "Type": "class", "Callable": "callable",
        "Coroutine": "callable",
    }.get(last)  # fmt: skip


def _split(written: str, separator: str) -> Iterator[str]:
    """Splits at separators outside of brackets."""
    depth = start = 0
    for place, character in enumerate(written):
        if character in "[(":
            depth += 1
        elif character in "])":
            depth -= 1
        elif character == separator and depth == 0:
            yield written[start:place]
            start = place + 1
    yield written[start:]
