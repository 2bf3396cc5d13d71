"""What expressions can stand for, as far as the code graph needs to know."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

MODULE_VALUE, CLASS, INSTANCE, FUNCTION = "module", "class", "instance", "function"
# A variable or attribute stands for itself until its value is needed; `SUPER` is an instance seen as its base classes.
VARIABLE, SUPER, EXTERNAL = "variable", "super", "external"
# Built-in containers: `LIST` is anything with elements, `CONTEXT` what `with` enters, `CALLABLE` what can be called.
LIST, DICT, TUPLE, CONTEXT, CALLABLE = "list", "dict", "tuple", "context", "callable"


class CodeValue(NamedTuple):
    """One thing an expression can stand for.

    A module has a `path` (a file, or a folder without `__init__`); a class, function or instance of a class has the
    `path` and the `place` of its definition; `receiver` is the class through which a method was found. A container has
    `items`: for each the values it can be. An external value is defined outside the project.
    """

    kind: str
    path: str = ""
    place: int = -1
    receiver: CodeValue | None = None
    items: tuple[Answer, ...] = ()


class Answer(NamedTuple):
    """All things an expression can stand for, the likeliest first. `is_inferred`: not by names and types alone."""

    values: tuple[CodeValue, ...] = ()
    is_inferred: bool = False

    def inferred(self) -> Answer:
        """The same values, inferred."""
        return self._replace(is_inferred=True)

    def then(self, function: Callable[[CodeValue], Answer]) -> Answer:
        """Returns what the function answers for each value, merged; inferred if this answer is."""
        result = merged([function(value) for value in self.values])
        return result.inferred() if self.is_inferred else result


NOTHING = Answer()
OUTSIDE = Answer((CodeValue(EXTERNAL),))


def one(value: CodeValue) -> Answer:
    """Returns the answer with one value."""
    return Answer((value,))


def merged(answers: list[Answer]) -> Answer:
    """Returns the values of several answers; with values from more than one, the answer is inferred."""
    found = [answer for answer in answers if answer.values]
    values = tuple(dict.fromkeys(value for answer in found for value in answer.values))
    return Answer(values[:_MOST], any(answer.is_inferred for answer in found))


_MOST = 6
