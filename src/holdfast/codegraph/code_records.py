"""The values of the code graph: what a parser reads from one file, and what a resolver makes of it.

All are named tuples of plain values: a project has hundreds of thousands of them, they cross process borders, and they
are stored as JSON arrays. A parser fills a `FileRecord` from one file alone, without looking at any other file.

Expressions are stored as text, in one form for all languages: names joined by dots, `()` after a call and `[]` after
a subscript, without arguments: `self.client.get().json`, `Path().parent`, `items[].name`. `[2]` is a subscript with a
small integer, `[*]` an element by iteration, `a|b` one of several. A literal is `<str>`, `<list>` and so on, or
`<list>{Item()}` where an element is known; `super()` is itself, `await x` is `x`, and an expression without a name is
`<?>`. Types are stored as written in the source, without comments; "" if longer than `LONGEST_TEXT`.
"""

from __future__ import annotations

import re
from typing import NamedTuple

from holdfast.core.code import CONFIDENCES

LONGEST_TEXT = 240
# Definitions in more than this many others are not read: people do not nest like this, and names would grow with depth.
DEEPEST_SCOPE = 100
# The scope of code at the top level of a file; other scopes are indexes into `FileRecord.definitions`.
MODULE = -1
UNKNOWN_EXPRESSION = "<?>"
# The modifier of a function without a body: an overload, or the declaration of what is implemented elsewhere.
SIGNATURE = "signature"
# Kinds of definitions that have members.
HOLDERS = ("class", "interface", "enum", "type", "module")

# -- what a parser reads ------------------------------------------------------------------------------------------


class Parameter(NamedTuple):
    """A parameter of a function: its name, its type as written or "", and its default as an expression or ""."""

    name: str
    type: str = ""
    default: str = ""


class Definition(NamedTuple):
    """A named thing in a file. `parent` is the index of the definition that contains it, or `MODULE`.

    `kind` is `function method class interface enum type variable property module`, or `block` for an unnamed function
    or another scope with names of its own; a block gets a name that is unique in its parent, such as `<lambda:12>`.
    `qualified` joins the names from the top level on by dots and is the symbol's name in the graph; where a name is
    defined twice, such as overloads, both definitions have it. Lines count from 1, bytes from 0; ends are inclusive
    for lines and exclusive for bytes. `name_column` is the column of the name in bytes, from 0.
    """

    name: str
    qualified: str
    kind: str
    start_line: int
    end_line: int
    start_byte: int
    end_byte: int
    name_line: int
    name_column: int
    parent: int = MODULE
    # Base classes and extended interfaces as types; implemented interfaces are apart.
    bases: tuple[str, ...] = ()
    implements: tuple[str, ...] = ()
    parameters: tuple[Parameter, ...] = ()
    # The declared return type of a function or type of a variable, as written; "" when there is none.
    type: str = ""
    # The expressions a function without a declared type returns, at most a few, with local names replaced by what
    # they are bound to; the value of a variable.
    values: tuple[str, ...] = ()
    # Expressions before the definition: decorators, annotations, attributes.
    decorators: tuple[str, ...] = ()
    # Words of the language that matter to a resolver: `async static abstract property export default ...`
    modifiers: tuple[str, ...] = ()

    @property
    def is_signature(self) -> bool:
        """Is it only a signature, such as an overload, and the body elsewhere?"""
        return SIGNATURE in self.modifiers or any(name.rpartition(".")[2] == "overload" for name in self.decorators)


class ImportedName(NamedTuple):
    """One name of an import: `*` for all, `default` for a default export; `alias` is the name it has here."""

    name: str
    alias: str


class Import(NamedTuple):
    """One import statement. `module` is the text in the source without quotes; `level` counts Python's leading dots.

    `names` is empty when the module itself is imported; then `alias` is the local name, or "" when the first part of
    `module` is (Python's `import a.b`) or when nothing is bound (`import "./side-effect"`). `kind` is `static`,
    `type` (types only), `dynamic` (a call such as `require()` or `importlib.import_module()`), or `include`.
    """

    module: str
    names: tuple[ImportedName, ...]
    line: int
    scope: int = MODULE
    alias: str = ""
    level: int = 0
    kind: str = "static"
    column: int = 0


class Export(NamedTuple):
    """A name that other files can import: local `expression`, or with `module` a name of that module; `*` for all."""

    name: str
    expression: str
    line: int
    module: str = ""
    kind: str = "static"


class CodeReference(NamedTuple):
    """A place where a name is used. `expression` is the whole chain up to and including the used name.

    `kind` is `call`, `decorator`, `type` (an annotation), `read`, or `key` (of an object literal: `send():0.retry` is
    the key `retry` of argument 0); base classes are in `Definition.bases`. Line and column (in bytes, from 0) are those
    of the last name of the chain, as in a SCIP index. `scope` contains the place.
    """

    expression: str
    kind: str
    line: int
    column: int
    scope: int = MODULE


class Binding(NamedTuple):
    """What a scope says of a local name, in source order. `name` may be an attribute: `self.client`, `this.client`.

    `form` says what `value` is: `type` (a type as written), `value` (an expression), `element` (the name is an element
    of that expression: a loop), `entered` (the expression's context manager gives it), `caught` (an exception type),
    `narrowed` (a type the name is tested for), `argument` (the expression of a call and the place in it, for
    parameters of a callback: `items.map():0:1` is parameter 1 of argument 0), or `unknown` (it hides outer names).
    """

    name: str
    form: str
    value: str
    line: int
    scope: int = MODULE


class FileRecord(NamedTuple):
    """What one file says by itself. `language` is the grammar: `python typescript tsx javascript go rust java`."""

    path: str
    language: str
    hash: str
    lines: int
    definitions: tuple[Definition, ...] = ()
    imports: tuple[Import, ...] = ()
    exports: tuple[Export, ...] = ()
    references: tuple[CodeReference, ...] = ()
    bindings: tuple[Binding, ...] = ()
    # True when the grammar could not read a part of the file; the rest is used.
    has_errors: bool = False

    def interface(self) -> tuple[object, ...]:
        """Returns what resolving other files can depend on: without places, references and most local names."""
        definitions = [d[:3] + d[9:] for d in self.definitions]
        bindings = [b[:3] + b[4:] for b in self.open_bindings()]
        imports = [i._replace(line=0, column=0) for i in self.imports]
        return definitions, imports, [e._replace(line=0) for e in self.exports], bindings

    def symbol_of(self, scope: int) -> str:
        """Returns the symbol of a scope; that of the definition around it for a block without a name of its own."""
        while scope != MODULE and self.definitions[scope].kind == "block":
            scope = self.definitions[scope].parent
        return "" if scope == MODULE else self.definitions[scope].qualified

    def open_bindings(self) -> tuple[Binding, ...]:
        """Returns the bindings that can matter to other files.

        Those of classes and of the top level, those of methods that set attributes, because they may say what type
        these have, and the names on which the result of a function without a declared type depends.
        """
        scopes = {place for place, d in enumerate(self.definitions) if d.kind in _OPEN_SCOPES} | {MODULE}
        scopes |= {b.scope for b in self.bindings if "." in b.name}
        returned: dict[int, set[str]] = {}
        for place, definition in enumerate(self.definitions):
            if definition.values and place not in scopes:
                returned[place] = {name for value in definition.values for name in _roots(value)}
                # A function inside another may return names of the outer one.
                scopes.add(definition.parent)
        closed = [b for b in self.bindings if b.scope in returned and b.scope not in scopes]
        for binding in reversed(closed):
            if binding.name in returned[binding.scope]:
                returned[binding.scope].update(_roots(binding.value))
        chosen = (b for b in self.bindings if b.scope in scopes or b.name in returned.get(b.scope, ()))
        return tuple(chosen)


_OPEN_SCOPES = ("class", "interface", "enum", "module")
_ROOT = re.compile(r"[^\W\d]\w*")


def _roots(expression: str) -> list[str]:
    """Returns all names in an expression or type."""
    return _ROOT.findall(expression)


def chained(root: str, steps: list[str]) -> str:
    """Returns an expression from its root and its steps, the last step first; unknown if a name is missing."""
    whole = root + "".join(reversed(steps)) if root else ""
    return whole if 0 < len(whole) <= LONGEST_TEXT else UNKNOWN_EXPRESSION


def qualified_name(within: str, name: str) -> str:
    """Returns the name of a definition in another one, cut so that deep code does not take quadratic memory."""
    return (f"{within}.{name}" if within else name)[: 4 * LONGEST_TEXT]


# -- what a resolver makes of it ----------------------------------------------------------------------------------

# Types of edges, in the direction from the dependent to what it depends on.
IMPORTS, CALLS, EXTENDS, IMPLEMENTS, EXPORTS, USES = "imports", "calls", "extends", "implements", "exports", "uses"

# Confidence tiers. EXACT: names and declared types lead to the target. INFERRED: also inferred types, overrides or one
# of several definitions of the name. GUESS: only the name agrees; never mixed with the others.
EXACT, INFERRED, GUESS = TIERS = CONFIDENCES


class Site(NamedTuple):
    """One place that was resolved to a target. `symbol` is the target's qualified name, or "" for the file itself.

    `scope` is the index of the definition that contains the place, or `MODULE`. Line and column are those of the
    reference; an import without a column has 0.
    """

    scope: int
    path: str
    symbol: str
    type: str
    line: int
    column: int
    confidence: str


class Unresolved(NamedTuple):
    """One place that leads to nothing in the project. `why` is `external`, `missing` (a file), or `unknown`."""

    expression: str
    type: str
    line: int
    column: int
    scope: int
    why: str


class FileResolution(NamedTuple):
    """All places of one file, resolved.

    `consulted` are the other files whose records decided the result, and `lookups` the names of files and folders,
    without extension, whose appearing or vanishing could change it. Both make updates equal to a full rebuild.
    """

    path: str
    sites: tuple[Site, ...]
    unresolved: tuple[Unresolved, ...]
    consulted: tuple[str, ...]
    lookups: tuple[str, ...]
