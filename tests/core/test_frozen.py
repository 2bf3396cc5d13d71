"""Frozen values behave like frozen dataclasses with slots."""

from __future__ import annotations

import copy
import inspect
import pickle
from dataclasses import KW_ONLY, FrozenInstanceError, asdict, dataclass, field, fields, is_dataclass, replace
from functools import cached_property
from typing import Any

import pytest

from holdfast.core.frozen import frozen


class Fields:
    """A place."""

    name: str
    depth: float = 1.5
    _: KW_ONLY
    tags: dict[str, int] = field(default_factory=dict, hash=False)
    note: str = field(default="", compare=False, repr=False)

    def __post_init__(self) -> None:
        if not self.name:
            raise ValueError("no name")


Place: Any = frozen(type("Place", (), dict(vars(Fields))))
# The same class as the standard library makes it.
Ordinary: Any = dataclass(frozen=True, slots=True)(type("Place", (), dict(vars(Fields))))
ARGUMENTS = [
    (("Skye",), {}),
    (("Skye", 2.0), {"tags": {"a": 1}, "note": "far"}),
    ((), {"depth": 3.0, "name": "Skye"}),
]
MISTAKES: list[tuple[tuple[Any, ...], dict[str, Any]]] = [
    ((), {}),
    (("Skye", 2.0, {}), {}),
    (("Skye",), {"name": "Mull"}),
    (("Skye",), {"width": 1}),
    ((), {"width": 1, "depth": 2.0}),
]


@pytest.fixture(params=["first", "many"], autouse=True)
def _built_before(request):
    """A class is built differently once it has many instances."""
    global Place
    Place = frozen(type("Place", (), dict(vars(Fields))))
    for _ in range(1000 if request.param == "many" else 0):
        Place("Skye")


@pytest.mark.parametrize(("given", "named"), ARGUMENTS)
def test_it_is_built_shown_compared_and_hashed_like_a_dataclass(given, named):
    place, ordinary = Place(*given, **named), Ordinary(*given, **named)
    assert repr(place) == repr(ordinary)
    assert hash(place) == hash(ordinary)
    assert asdict(place) == asdict(ordinary)
    assert place == Place(*given, **named)
    assert place == replace(place, note="another")
    assert place != replace(place, depth=9.0)
    assert place != ordinary
    assert place.__match_args__ == ordinary.__match_args__


@pytest.mark.parametrize(("given", "named"), MISTAKES)
def test_wrong_arguments_are_refused_with_the_same_words(given, named):
    with pytest.raises(TypeError) as expected:
        Ordinary(*given, **named)
    with pytest.raises(TypeError) as refused:
        Place(*given, **named)
    # Only the name of the class is made differently.
    assert str(refused.value).partition(".__init__()")[2] == str(expected.value).partition(".__init__()")[2]


def test_it_cannot_be_changed():
    place = Place("Skye")
    for name in ("name", "tags", "unknown"):
        with pytest.raises(FrozenInstanceError):
            setattr(place, name, "x")
        with pytest.raises(FrozenInstanceError):
            delattr(place, name)
    assert not hasattr(place, "__dict__")


def test_each_value_gets_its_own_default():
    assert Place("Skye").tags is not Place("Mull").tags


def test_its_checks_run_when_it_is_made_and_when_it_is_replaced():
    with pytest.raises(ValueError, match="no name"):
        Place("")
    with pytest.raises(ValueError, match="no name"):
        replace(Place("Skye"), name="")


def test_its_signature_can_be_read():
    assert inspect.signature(Place) == inspect.signature(Ordinary)
    assert is_dataclass(Place)
    assert [each.name for each in fields(Place)] == ["name", "depth", "tags", "note"]


@frozen
class Point:
    """A point."""

    x: int
    y: int = 0

    def __repr__(self) -> str:
        return f"{self.x}/{self.y}"


def test_it_is_copied_and_pickled():
    assert pickle.loads(pickle.dumps(Point(1, 2))) == Point(1, 2)
    assert copy.copy(Point(1, 2)) == copy.deepcopy(Point(1, 2)) == Point(1, 2)


def test_a_method_of_the_class_itself_is_kept():
    assert repr(Point(1, 2)) == "1/2"


@frozen(slots=False)
class Circle:
    """A circle with an area that is computed once."""

    radius: float

    @cached_property
    def area(self) -> float:
        return 3.14 * self.radius**2


def test_without_slots_it_can_hold_what_is_computed_once():
    circle = Circle(2.0)
    assert circle.area == circle.area == 12.56
    with pytest.raises(FrozenInstanceError):
        circle.radius = 3.0  # type: ignore[misc] # refused here, and by the type checker


@frozen(eq=False)
class Lamp:
    """A lamp that equals only itself."""

    bulbs: list[str]


def test_without_eq_it_equals_only_itself():
    lamp, other = Lamp([]), Lamp([])
    assert lamp == lamp
    assert lamp != other
    assert len({lamp, other}) == 2
