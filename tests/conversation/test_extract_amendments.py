"""Which earlier rulings a later one replaces."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

from holdfast.core.conversation import Learned, Message
from holdfast.learn.keep.amendments import amended, named_changes
from holdfast.learn.keep.rule_extractor import learn

START = datetime(2026, 3, 2, 9, tzinfo=UTC)

DECISION = (
    ("user", "We need to settle how uploads are handled before the launch."),
    ("assistant", "How large may a file be, and how long do we keep it?"),
    ("user", "At most 20 megabytes, and keep files for 90 days."),
    ("assistant", "Should I accept any file type?"),
    ("user", "No, only images: never accept executables, no matter who uploads them."),
    ("assistant", "And names: should I rename files on upload?"),
    ("user", "Always keep the original name, people search by it."),
)
AMENDMENT = (
    ("user", "Amendment to the upload policy we settled: storage is running full."),
    ("assistant", "What should change?"),
    ("user", "Keep files for 30 days instead of the 90 days of before."),
    ("assistant", "Does the rest stay?"),
    ("user", "Everything else stays: the size limit of 20 megabytes, images only, original names."),
)


def chat(turns: tuple[tuple[str, str], ...], id: str = "m") -> list[Message]:
    return [Message(f"{id}{n}", role, text, START + timedelta(minutes=n)) for n, (role, text) in enumerate(turns)]


def fact(text: str, **more: object) -> Learned:
    return Learned(text, "decision", ("m0",), text, 0.6, **more)  # type: ignore[arg-type]  # a test's shorthand


def replaced(old: tuple[Learned, ...], new: tuple[Learned, ...]) -> list[str]:
    return [old[n].quote for n in sorted({n for learned in new for n in amended(learned, old, new)})]


def test_an_amendment_replaces_the_ruling_it_changes_and_no_other() -> None:
    old, new = learn(chat(DECISION)), learn(chat(AMENDMENT, "n"))
    assert len(old) >= 4
    assert replaced(old, new) == ["keep files for 90 days."]


def test_amendments_and_unchanged_rulings_are_marked() -> None:
    new = learn(chat(AMENDMENT, "n"))
    assert any(learned.amends and "30 days" in learned.quote for learned in new)
    assert [learned.tags for learned in new if learned.quote.startswith("Everything else stays")] == [("stands",)]


def test_a_decision_not_marked_as_amending_replaces_nothing() -> None:
    old = (fact("Cap the delay at 60 seconds."),)
    assert amended(fact("Cap the delay at 30 seconds."), old) == ()


def test_a_ruling_called_by_name_is_replaced() -> None:
    old = (fact("Every tenant shares the global cache."), fact("Cache entries live for an hour."))
    new = fact("Each tenant has a cache of its own.", amends=True, slot="instead of shared global cache")
    assert amended(new, old) == (0,)


def test_parts_of_one_amendment_do_not_replace_each_other() -> None:
    new = learn(chat(AMENDMENT, "n"))
    for place, learned in enumerate(new):
        assert amended(learned, new[:place]) == ()


def test_a_memory_without_a_quote_is_compared_by_its_text() -> None:
    old = (Learned("Tag the release with v1 on the main branch.", "decision", (), "", 0.9),)
    assert amended(fact("Tag the release with release-1, not v1.", amends=True), old) == (0,)


def test_a_previous_thing_is_no_ruling_that_no_longer_holds() -> None:
    """Work on code speaks of previous commits and original branches all the time."""
    said = "We lose some text without merging the shadow into the previous checkpoint commit on main."
    assert named_changes(chat((("user", said),))) == ""
    named = named_changes(chat((("user", "This replaces what the previous retry limit decision said."),)))
    assert "retry limit decision" in named
