"""What every engine must do with relations between memories, files and sessions."""

from __future__ import annotations

from typing import Any

import pytest

from holdfast.core.answer import Filters
from holdfast.core.memory import Relation
from holdfast.store.protocol import Store
from tests.store.conftest import NOW, PROJECT
from tests.store.test_conformance import DAY, add, memory


def passage(store: Store, name: str) -> int:
    everything = Filters(include_forgotten=True)
    found = {f.id: f.passage for f in store.reading.factors(PROJECT, list(range(1, 50)), everything)}
    return int(found[memory(name).id])


def found_together(store: Store, *answers: str) -> None:
    store.usage.found(PROJECT, [[memory(name).id for name in answer] for answer in answers], NOW)


def test_what_was_found_together_from_either_side(store: Store) -> None:
    add(store, *(memory(name) for name in "abcd"))
    found_together(store, "ab", "ba", "cb", "cb", "cb", "ad")
    a, b, c = (passage(store, name) for name in "abc")
    reading = store.reading
    assert reading.found_with(PROJECT, [b], Filters(), 9) == ((c, 3), (a, 2))
    assert reading.found_with(PROJECT, [b], Filters(), 1) == ((c, 3),)
    assert reading.found_with(PROJECT, [b, c], Filters(), 9) == ((a, 2),)
    assert reading.found_with(PROJECT, [b], Filters(types=("gotcha",)), 9) == ()
    assert reading.found_with("other", [b], Filters(), 9) == ()
    assert reading.found_with(PROJECT, [a], Filters(), 9, at_least=1) == ((b, 2), (passage(store, "d"), 1))


def test_files_are_bound_as_closely_as_their_closest_memories(store: Store) -> None:
    add(store, memory("a", files=("tea.py",)), memory("b", files=("pot.py", "cup.py")), memory("c", files=("cup.py",)))
    found_together(store, *["ab"] * 3, *["ac"] * 4, "b")
    # a was found 7 times, b 4, c 4: 3 of 4 with b, 4 of 4 with c
    bound = store.reading.files_bound(PROJECT, "tea.py")
    assert list(bound.items()) == [("cup.py", 1.0), ("pot.py", pytest.approx(0.75))]
    assert store.reading.files_bound(PROJECT, "tea.py", limit=1) == {"cup.py": 1.0}
    assert store.reading.files_bound("other", "tea.py") == {}


def test_files_are_bound_by_dependencies(store: Store) -> None:
    needs = (Relation("required_with", file="pot.py", confidence=0.9), Relation("required_with", file="cup.py"))
    about: dict[str, Any] = {"type": "causal_dependency", "files": ("tea.py", "pot.py", "cup.py"), "relations": needs}
    said: dict[str, Any] = {"fields": {"when_changed": "tea.py", "also_touch": ["pot.py", "cup.py"]}}
    add(store, memory("a", **about, **said))
    bound = store.reading.files_bound
    assert bound(PROJECT, "tea.py") == {"cup.py": 1.0, "pot.py": 0.9}
    assert bound(PROJECT, "pot.py") == {"tea.py": 0.9}
    assert bound(PROJECT, "cup.py") == {"tea.py": 1.0}
    assert bound("other", "tea.py") == {}


@pytest.mark.parametrize(
    "state", [{"needs_review": True}, {"forgotten_at": NOW}, {"valid_until": NOW}, {"stale_at": NOW}]
)
def test_dependencies_that_are_not_believed_bind_nothing(store: Store, state: dict[str, Any]) -> None:
    needs = (Relation("required_with", file="pot.py"),)
    add(store, memory("a", files=("tea.py",), relations=needs, **state))
    assert store.reading.files_bound(PROJECT, "tea.py") == {}


def test_files_of_passages_and_passages_about_files(store: Store) -> None:
    add(store, memory("a", files=("tea.py", "pot.py")), memory("b"), memory("c", files=("pot.py",), confidence=0.9))
    a, b, c = (passage(store, name) for name in "abc")
    assert store.reading.files_of([a, b, c]) == {a: ("pot.py", "tea.py"), c: ("pot.py",)}
    about = store.reading.about_files(PROJECT, ["pot.py", "tea.py"], Filters(), 9)
    assert about == ((c, "pot.py"), (a, "pot.py"), (a, "tea.py"))
    assert store.reading.about_files(PROJECT, ["pot"], Filters(), 9) == ()
    assert store.reading.about_files(PROJECT, ["pot.py"], Filters(min_confidence=0.85), 9) == ((c, "pot.py"),)


def test_sessions_by_time_from_what_was_said_and_what_was_learned(store: Store) -> None:
    said = memory("x", type="episode", session="s1", event_time=NOW - 3 * DAY)
    store.episodes.add_episodes([said], "build")
    add(store, memory("a", session="s1", event_time=NOW - DAY), memory("b", session="s2", event_time=NOW - 2 * DAY))
    add(store, memory("c", session=None))
    assert store.reading.sessions(PROJECT) == (
        ("s1", NOW - 3 * DAY, NOW - DAY),
        ("s2", NOW - 2 * DAY, NOW - 2 * DAY),
    )
    assert [span.id for span in store.reading.sessions(PROJECT, 1)] == ["s1"]
    assert store.reading.sessions("other") == ()


def test_a_change_sees_who_points_here_and_what_was_done(store: Store) -> None:
    target = memory("t")
    add(store, target, memory("a", relations=(Relation("validates", memory=target.id),)))
    add(store, memory("b", relations=(Relation("required_with", file=target.id),)), memory("c"))
    with store.memories.change(durable=False) as change:
        assert [one.id for one in change.pointing_at(PROJECT, [target.id])] == [memory("a").id]
        assert change.pointing_at("other", [target.id]) == ()
        change.note(target.id, NOW, "flag", "why not", {"n": 1})
        (event,) = change.events(target.id)
    assert (event.verb, event.reason, event.detail) == ("flag", "why not", {"n": 1})
