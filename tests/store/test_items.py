"""Values of applications by space and key, on every engine."""

from __future__ import annotations

from datetime import timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

import holdfast
from holdfast import InvalidInput, InvalidMemory, ItemChange, Workspace
from holdfast.core.item import joined, parted

PART = st.text(alphabet="ab/%0.\u00e9", min_size=1, max_size=4)


@given(st.lists(PART, min_size=1, max_size=4), st.lists(PART, min_size=1, max_size=4))
def test_a_space_is_read_back_and_contains_only_its_own(one: list[str], other: list[str]) -> None:
    assert parted(joined(one)) == tuple(one)
    inside = joined(other) == joined(one) or joined(other).startswith(joined(one) + "/")
    assert inside == (other[: len(one)] == one)


def test_values_are_kept_replaced_listed_and_deleted(ws: Workspace) -> None:
    items = ws.items
    items.change(
        [ItemChange(("a",), "k", {"n": 1}), ItemChange(("a", "b"), "k", [1, "é"]), ItemChange(("ab",), "k", 0)]
    )
    first = items.get(("a",), "k")
    assert first is not None
    assert (first.space, first.key, first.value) == (("a",), "k", {"n": 1})
    assert [item.value for item in items.under(("a",))] == [{"n": 1}, [1, "é"]]
    assert items.spaces() == (("a",), ("a", "b"), ("ab",))
    items.change([ItemChange(("a",), "k", {"n": 2}), ItemChange(("ab",), "k")])
    again = items.get(("a",), "k")
    assert again is not None
    assert (again.value, again.created_at, again.updated_at >= first.updated_at) == ({"n": 2}, first.created_at, True)
    assert items.get(("ab",), "k") is None
    assert items.clear(("a",)) == 2
    assert items.under() == ()


def test_an_expired_value_is_gone(ws: Workspace) -> None:
    now, day = ws.container.now(), timedelta(days=1)
    ws.items.change([ItemChange(("a",), "old", 1, now - day), ItemChange(("a",), "new", 2, now + day)])
    assert [item.key for item in ws.items.under()] == ["new"]
    assert ws.items.get(("a",), "old") is None


def test_secrets_are_removed_and_odd_values_refused(ws: Workspace) -> None:
    token = "ghp_" + "a1B2" * 9
    ws.items.change([ItemChange(("a",), "k", {"deep": [f"the token is {token}"]})])
    assert token not in str(ws.items.under())
    for value in (object(), float("nan"), {"a": {1, 2}}):
        with pytest.raises(InvalidMemory):
            ws.items.change([ItemChange(("a",), "k", value)])
    for space, key in (((), "k"), (("",), "k"), (("a",), ""), (("a",), "x" * 501)):
        with pytest.raises(InvalidInput):
            ws.items.change([ItemChange(space, key, 1)])


def test_projects_do_not_share_values(ws: Workspace) -> None:
    ws.items.change([ItemChange(("a",), "k", 1)])
    with holdfast.open(ws.db, "other") as other:
        assert other.items.under() == ()
