"""Remembers results together with the files and names they depend on, so that updates know what to resolve again."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from typing import Any, TypeVar

from holdfast.codegraph.code_parsing import TimeLimit

Result = TypeVar("Result")

# Deeper questions ("the type of an attribute of what a method of ... returns") get the default answer.
_DEEPEST = 14
# The most new answers per place in a file. Only names that are defined by each other in many ways need more.
_MOST_STEPS = 2_000
# Processor time for all places of one file; the first file of a large project pays for what all files share.
_LONGEST_SECONDS = 20.0


# An answer with the paths it depends on, as bits, and the numbers of the names. Many answers depend on the same few
# hundred files. Of names there are ten times as many, and most answers depend on less than ten.
_Remembered = tuple[Any, int, tuple[int, ...]]


class _Bits(dict[str, int]):
    """The bit of each text, so that sets of texts are numbers: joining two takes one operation."""

    def __missing__(self, text: str) -> int:
        self[text] = bit = 1 << len(self)
        return bit

    def texts(self, bits: int) -> frozenset[str]:
        """Returns the texts of all bits."""
        texts, digits = tuple(self), bin(bits)[:1:-1]
        found, place = [], digits.find("1")
        while place >= 0:
            found.append(texts[place])
            place = digits.find("1", place + 1)
        return frozenset(found)


class _Numbers(dict[str, int]):
    """The number of each text."""

    def __missing__(self, text: str) -> int:
        self[text] = number = len(self)
        return number


class _Frame:
    """One question being answered: what it depended on so far, and whether its answer can be remembered."""

    __slots__ = ("is_final", "latest", "names", "paths")

    def __init__(self) -> None:
        self.latest = ""  # the path that was noted last: most are noted several times in a row
        self.paths = 0
        self.names: set[int] = set()
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
        self._frame = _Frame()
        self._frames = [self._frame]
        self._paths = _Bits()
        self._names = _Numbers()
        # Most answers depend on the same files as others: each set is kept once.
        self._sets: dict[Hashable, Any] = {}
        self._steps = 0
        self._limit = TimeLimit(_LONGEST_SECONDS)

    def begin(self) -> None:
        """Starts a file: forgets the dependencies and the answers about single places, keeps the others."""
        self._frame = _Frame()
        self._frames = [self._frame]
        self._of_file = {}
        self._limit = TimeLimit(_LONGEST_SECONDS)

    def next_place(self) -> None:
        """Starts another place in the file, with all steps left. Raises TooComplex when the file takes too long."""
        self._limit.check()
        self._steps = 0

    def consult(self, *paths: str) -> None:
        """Notes that the current answer depends on what files say."""
        frame = self._frame
        for path in paths:
            if frame.latest is not path:
                frame.latest = path
                frame.paths |= self._paths[path]

    def look_up(self, *names: str) -> None:
        """Notes that the current answer depends on whether files or folders with these names exist."""
        for name in names:
            self._frame.names.add(self._names[name])

    def number(self, name: str) -> int:
        """Returns the number of a name, for `note`."""
        return self._names[name]

    def note(self, number: int) -> None:
        """Notes, like `look_up`, that the current answer depends on the name with this number."""
        self._frame.names.add(number)

    def dependencies(self) -> tuple[frozenset[str], frozenset[str]]:
        """Returns the paths and names that anything since `begin` depended on."""
        texts, top = tuple(self._names), self._frames[0]
        return self._paths.texts(top.paths), frozenset(texts[number] for number in top.names)

    def answer(
        self, question: Hashable, compute: Callable[[], Result], default: Result, *, of_file: bool = False
    ) -> Result:
        """Returns the remembered answer to a question, or computes it; one `of_file` is forgotten with the file."""
        remember = self._of_file if of_file else self._known
        known = remember.get(question)
        if known is not None:
            self._frame.paths |= known[1]
            self._frame.names.update(known[2])
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
        outer, frame = self._frame, _Frame()
        self._open[question] = len(self._frames)
        self._frames.append(frame)
        self._frame = frame
        try:
            result = compute()
        finally:
            self._frames.pop()
            self._frame = outer
            del self._open[question]
        outer.paths |= frame.paths
        outer.names |= frame.names
        if frame.is_final:
            keep, names = self._sets.setdefault, tuple(frame.names)
            remember[question] = result, keep(frame.paths, frame.paths), keep(names, names)
        return result

    def _spoil(self, first: int) -> None:
        for frame in self._frames[first:]:
            frame.is_final = False
