"""The answers about the code graph: what a change affects and what code depends on."""

from __future__ import annotations

from typing import NamedTuple

from holdfast.core.frozen import frozen


@frozen
class ReachedCode:
    """A file or symbol that depends on another, or on which another depends, directly or through others.

    `name` is `path` or `path:symbol`. `via` are the names from the start to this one, `types` the types of the edges
    between them; `weight` is the product of their weights, `confidence` that of the least sure edge. `line` is where a
    symbol begins.
    """

    name: str
    path: str
    symbol: str
    depth: int
    weight: float
    via: tuple[str, ...]
    types: tuple[str, ...]
    confidence: str
    line: int | None = None
    is_test: bool = False


@frozen
class AffectedTest:
    """A test file that may notice a change; the `score` says how likely, compared with other files.

    `ids` are what a test runner accepts: single tests such as `file::Class::test` for pytest if they are known, else
    the file. `depth` is the distance from the change, 0 if only the name of the file suggests it.
    """

    path: str
    ids: tuple[str, ...]
    depth: int
    score: float


@frozen
class LinkedMemory:
    """A memory about code that an answer names: about `path`, at `depth` from the start of the walk."""

    id: str
    type: str
    text: str
    path: str
    depth: int


@frozen
class CoChange:
    """A file that often changed in the same commits: in `commits` of them, which is this share of the target's."""

    path: str
    commits: int
    confidence: float


class ClosureRow(NamedTuple):
    """One pair of an impact as a row of a transitive closure."""

    ancestor: str
    descendant: str
    depth: int
    path: tuple[str, ...]
    edge_types: tuple[str, ...]
    total_weight: float


@frozen
class Impact:
    """What a change of `target` can affect: the code that depends on it within `depth` steps, nearest first.

    `kind` is `file`, `folder`, or the kind of the symbol. `tests` are the tests to run, the nearest first.
    `memories` are about the target or the code next to it. `co_changed` are files that usually change together
    with it. `stale` are files that are new or changed since they were indexed and are left out, so that the answer may
    be incomplete.
    """

    target: str
    kind: str
    depth: int
    affected: tuple[ReachedCode, ...]
    tests: tuple[AffectedTest, ...]
    memories: tuple[LinkedMemory, ...] = ()
    co_changed: tuple[CoChange, ...] = ()
    stale: tuple[str, ...] = ()

    @property
    def direct(self) -> tuple[ReachedCode, ...]:
        """The code that depends on the target itself."""
        return tuple(code for code in self.affected if code.depth == 1)

    @property
    def transitive(self) -> tuple[ReachedCode, ...]:
        """The code that depends on the target through other code."""
        return tuple(code for code in self.affected if code.depth > 1)

    @property
    def score(self) -> float:
        """The sum of the weights: how much code depends on the target, and how closely."""
        return round(sum(code.weight for code in self.affected), 4)

    @property
    def closure(self) -> tuple[ClosureRow, ...]:
        """The answer as rows of a transitive closure: what a table of all pairs would hold for the target."""
        rows = ((code.name, code.depth, code.via, code.types, code.weight) for code in self.affected)
        return tuple(ClosureRow(self.target, *row) for row in rows)


@frozen
class UnresolvedUse:
    """An expression in a file that leads to nothing known, first at `line`: `why` is `missing` or `unknown`."""

    expression: str
    type: str
    why: str
    line: int


@frozen
class Dependencies:
    """The code that `target` depends on within `depth` steps, nearest first, and what could not be resolved in it.

    `external` counts the places that lead out of the project; None for a symbol. `stale` are files that changed since
    they were indexed and are left out.
    """

    target: str
    kind: str
    depth: int
    needed: tuple[ReachedCode, ...]
    unresolved: tuple[UnresolvedUse, ...]
    external: int | None
    stale: tuple[str, ...] = ()


@frozen
class FlowStep:
    """Code that data passes through: a function with its parameters and the type it returns, as written in its source.

    `via` are the names from the start to this one.
    """

    name: str
    path: str
    symbol: str
    line: int | None
    depth: int
    via: tuple[str, ...]
    parameters: tuple[str, ...] = ()
    returns: str = ""


@frozen
class Arrival:
    """A way by which data arrives from outside: an entry point, and the names from it to the target."""

    kind: str
    entry: str
    path: str
    line: int
    via: tuple[str, ...]


@frozen
class ErrorFlow:
    """An error of the project: where it is raised, and where on the way back it is caught or inspected."""

    name: str
    raised_in: tuple[str, ...]
    handled_in: tuple[str, ...]


@frozen
class DataFlow:
    """How data gets to `target` and where it goes.

    `arrivals` lead from entry points to it. `passed_to` are the functions that it calls, directly or through others;
    `returned_to` those that call it and get its result. `errors` are raised in it or in what it calls. Calls through
    variables, events and other processes are not seen. `stale` are files that changed since they were indexed and are
    left out.
    """

    target: str
    kind: str
    depth: int
    start: FlowStep | None
    arrivals: tuple[Arrival, ...]
    passed_to: tuple[FlowStep, ...]
    returned_to: tuple[FlowStep, ...]
    errors: tuple[ErrorFlow, ...]
    stale: tuple[str, ...] = ()


@frozen
class ModuleLink:
    """A dependency of one module on another: the number of pairs of files, and the sum of their weights."""

    module: str
    files: int
    weight: float


@frozen
class CodeModule:
    """A part of a project: a folder, or the files of a folder whose subfolders are modules of their own.

    `role` is `tests`, `entry` (programs, commands, routes), `foundation` (others depend on it, it on little), `hub`
    (depends on much, and much on it), `feature`, or `isolated`. `cohesion` is the share of its dependencies that stay
    inside. `memories` are about files of the module; `covered` is the share of its files with a memory. `outdated`
    counts memories whose code has changed.
    """

    name: str
    files: int
    lines: int
    languages: tuple[str, ...]
    role: str
    entry_points: int
    cohesion: float
    needs: tuple[ModuleLink, ...]
    needed_by: int
    memories: int
    covered: float
    outdated: int = 0


@frozen
class ModuleMap:
    """The modules of a project, how they depend on each other, and what is remembered of them.

    `cycles` are groups of modules that depend on each other in circles, without tests. `stale` are files that changed
    since they were indexed and are left out.
    """

    modules: tuple[CodeModule, ...]
    cycles: tuple[tuple[str, ...], ...]
    stale: tuple[str, ...] = ()
