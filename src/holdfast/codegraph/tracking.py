"""Remembers results together with the files and names they depend on, so that updates know what to resolve again."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from typing import Any, TypeVar

Result = TypeVar("Result")

# Deeper questions ("the type of an attribute of what a method of ... returns") get the default answer.
_DEEPEST = 14
# The most new answers per place in a file. Only names that are defined by each other in many ways need more.
_MOST_STEPS = 2_000


# An answer with the paths and names it depends on.
_Remembered = tuple[Any, frozenset[str], frozenset[str]]


class _Frame:
    """One question being answered: what it depended on so far, and whether its answer can be remembered."""

    __slots__ = ("is_final", "names", "paths")

    def __init__(self) -> None:
        self.paths: set[str] = set()
        self.names: set[str] = set()
        self.is_final = True


class Tracker:
    """Answers questions once. A remembered answer brings its dependencies along.

    A question that leads back to itself gets its default answer there. Answers found on such a circle are not
    remembered: they depend on where the circle was entered, and results must not depend on the order of questions.
    """

    def __init__(self) -> None:
        self._known: dict[Hashable, _Remembered] = {}
        self._of_file: dict[Hashable, _Remembered] = {}
        self._open: dict[Hashable, int] = {}
        self._frames: list[_Frame] = [_Frame()]
        # Those of the innermost question; most work is to note paths.
        self._paths = self._frames[0].paths
        self._steps = 0
        self._sets: dict[frozenset[str], frozenset[str]] = {}

    def begin(self) -> None:
        """Starts a file: forgets the dependencies and the answers about single places, keeps the others."""
        self._frames = [_Frame()]
        self._paths = self._frames[0].paths
        self._of_file = {}

    def next_place(self) -> None:
        """Starts another place in the file, with all steps left."""
        self._steps = 0

    def consult(self, *paths: str) -> None:
        """Notes that the current answer depends on what files say."""
        self._paths.update(paths)

    def look_up(self, *names: str) -> None:
        """Notes that the current answer depends on whether files or folders with these names exist."""
        self._frames[-1].names.update(names)

    def dependencies(self) -> tuple[frozenset[str], frozenset[str]]:
        """Returns the paths and names that anything since `begin` depended on."""
        return frozenset(self._frames[0].paths), frozenset(self._frames[0].names)

    def answer(
        self, question: Hashable, compute: Callable[[], Result], default: Result, *, of_file: bool = False
    ) -> Result:
        """Returns the remembered answer to a question, or computes it; one `of_file` is forgotten with the file."""
        remember = self._of_file if of_file else self._known
        known = remember.get(question)
        if known is not None:
            self._paths |= known[1]
            if known[2]:
                self._frames[-1].names |= known[2]
            remembered: Result = known[0]
            return remembered
        if question in self._open:
            self._spoil(self._open[question])
            return default
        self._steps += 1
        if len(self._frames) > _DEEPEST or self._steps > _MOST_STEPS:
            self._spoil(0)
            return default
        return self._compute(question, compute, remember)

    def _compute(
        self, question: Hashable, compute: Callable[[], Result], remember: dict[Hashable, _Remembered]
    ) -> Result:
        outer, frame = self._frames[-1], _Frame()
        self._open[question] = len(self._frames)
        self._frames.append(frame)
        self._paths = frame.paths
        try:
            result = compute()
        finally:
            self._frames.pop()
            self._paths = outer.paths
            del self._open[question]
        outer.paths |= frame.paths
        outer.names |= frame.names
        if frame.is_final:
            remember[question] = result, self._shared(frame.paths), self._shared(frame.names)
        return result

    def _shared(self, dependencies: set[str]) -> frozenset[str]:
        """Returns one set for all answers with the same dependencies: without this, they take most of the memory."""
        frozen = frozenset(dependencies)
        return self._sets.setdefault(frozen, frozen)

    def _spoil(self, first: int) -> None:
        for frame in self._frames[first:]:
            frame.is_final = False
