"""A hit names the other messages that say the same text."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

import holdfast
from holdfast.core.answer import Hit
from holdfast.core.clock import stamp
from holdfast.interfaces.json_values import json_value
from holdfast.interfaces.mcp import render
from holdfast.recall.order.distinct import Distinct
from holdfast.recall.question import RecallCandidate
from holdfast.recall.steps import Candidates, Cap
from holdfast.workspace import Workspace
from tests.recall.test_steps import factors, question

DAY = datetime(2025, 3, 3, 12, tzinfo=UTC)
TEXT, ASKED = "The harbour closes at nine.", "when does the harbour close?"


class Sources:
    """What each memory was learned from; no passage belongs to a document."""

    def __init__(self, sources: Mapping[int, tuple[str, ...]]) -> None:
        self._sources = sources

    def sources_of(self, passages: Sequence[int]) -> Mapping[int, tuple[str, ...]]:
        return {passage: self._sources[passage] for passage in passages if passage in self._sources}

    def documents_of(self, passages: Sequence[int]) -> Mapping[int, str]:
        return {}


@pytest.fixture
def ws(tmp_path: Path) -> Iterator[Workspace]:
    with holdfast.open(db=":memory:", project=str(tmp_path), background=False, memory_files=False) as opened:
        yield opened


def say(ws: Workspace, day: int, text: str = TEXT) -> str:
    admission = ws.session(f"s{day}").say("user", text, DAY + timedelta(days=day))
    assert admission.memory is not None
    return admission.memory.id


def found(ws: Workspace, **how: Any) -> Hit:
    (hit,) = ws.recall(ASKED, **how).hits
    return hit


def candidate(passage: int, text: str, score: float = 0.5, **fields: Any) -> RecallCandidate:
    row = factors(passage=passage, id=f"m{passage}", searched=text, **{"type": "episode", "role": "user", **fields})
    return RecallCandidate(passage, {"words": 1}, {}, score, {"evidence": score}, row)


def distinct(candidates: Sequence[RecallCandidate], sources: Mapping[int, tuple[str, ...]] | None = None) -> Candidates:
    ordered = tuple(sorted(candidates, key=lambda c: -c.score))
    return Distinct(Sources(sources or {}))(question(), ordered)[0]  # type: ignore[arg-type] # the two methods it calls


def repeats(candidate: RecallCandidate) -> set[str]:
    return {row.id for row in candidate.repeats}


def test_a_hit_names_when_and_where_the_same_was_said(ws: Workspace) -> None:
    ids = [say(ws, 0), say(ws, 2, "the harbour closes at nine"), say(ws, 1)]
    hit = found(ws)
    assert {hit.id, *(repeat.id for repeat in hit.repeats)} == set(ids)
    assert hit.repeat_count == 2
    whens = [repeat.when for repeat in hit.repeats]
    assert whens == sorted(whens, reverse=True)
    assert all(repeat.session == f"s{(repeat.when - DAY).days}" for repeat in hit.repeats)


def test_a_text_said_once_has_no_repeats(ws: Workspace) -> None:
    say(ws, 0)
    assert (found(ws).repeats, found(ws).repeat_count) == ((), 0)


def test_the_newest_five_are_named_and_all_are_counted(ws: Workspace) -> None:
    ids = [say(ws, day) for day in range(9)]
    hit = found(ws)
    others = [id for id in reversed(ids) if id != hit.id]
    assert [repeat.id for repeat in hit.repeats] == others[:5]
    assert hit.repeat_count == 8


def test_repeats_pass_the_filters(ws: Workspace) -> None:
    ids = [say(ws, day) for day in range(3)]
    assert found(ws, session="s1").repeats == ()
    before = found(ws, as_of=DAY + timedelta(days=1, hours=1))
    assert {before.id, *(repeat.id for repeat in before.repeats)} == set(ids[:2])
    assert {repeat.session for repeat in found(ws, since=DAY + timedelta(hours=1)).repeats} <= {"s1", "s2"}


@pytest.mark.parametrize("recipe", ["default", "rrf", "keyword"])
def test_every_recipe_names_repeats(ws: Workspace, recipe: str) -> None:
    ids = {say(ws, day) for day in range(3)}
    hit = found(ws, recipe=recipe, abstain=False)
    assert {hit.id, *(repeat.id for repeat in hit.repeats)} == ids


def test_a_memory_names_the_repeats_of_its_message(ws: Workspace) -> None:
    rule = "We always deploy the ferry app on Tuesdays."
    first = say(ws, 0, rule)
    ws.consolidate("s0")
    second = say(ws, 1, rule)
    (hit,) = ws.recall("when do we deploy the ferry app?").hits
    assert hit.memory is not None
    assert (hit.type, hit.memory.source_ids) == ("requirement", (first,))
    assert [(repeat.id, repeat.session) for repeat in hit.repeats] == [(second, "s1")]


def test_it_does_not_matter_which_copy_a_memory_was_learned_from() -> None:
    memory = candidate(9, "closes at nine", 0.6, type="fact")
    said = [candidate(1, TEXT, 0.5), candidate(2, TEXT, 0.4)]
    for cited, other in (("m1", "m2"), ("m2", "m1")):
        (kept,) = distinct([memory, *said], {9: (cited,)})
        assert (kept.passage, repeats(kept)) == (9, {other})
    (kept,) = distinct([memory, *said], {9: ("m1", "m2")})
    assert (kept.passage, repeats(kept)) == (9, set())


def test_a_message_that_stands_for_its_memory_keeps_the_repeats_of_both() -> None:
    memories = [candidate(place, "nine", 0.2, type="fact", source="observer_inferred") for place in (8, 9)]
    said = [candidate(1, TEXT, 0.5), candidate(2, TEXT, 0.4)]
    (kept,) = distinct([*memories, *said], {8: ("m1",), 9: ("m1",)})
    assert (kept.passage, repeats(kept)) == (1, {"m2", "m9"})


def test_repeats_of_an_earlier_search_are_kept() -> None:
    """HyDE ranks the candidates again, when their copies are gone or found again."""
    (first,) = distinct([candidate(1, TEXT), candidate(2, TEXT, 0.4), candidate(3, TEXT, 0.3)])
    again = first.ranked_only().with_row(factors(passage=1, id="m1", searched=TEXT, type="episode"))
    better = candidate(3, TEXT, 0.9)
    (kept,) = distinct([again, better])
    assert (kept.passage, repeats(kept)) == (3, {"m1", "m2"})


def test_a_message_stays_while_one_of_its_sessions_has_room() -> None:
    said = [candidate(n, f"text {n}", session="a") for n in range(3)]
    elsewhere = said[2].with_repeats([factors(id="copy", session="b", type="episode")])
    assert [c.passage for c in Cap(1)(question(), (*said[:2], elsewhere))[0]] == [0, 2]
    assert [c.passage for c in Cap(1)(question(), (elsewhere, *said[:2]))[0]] == [2]


_SAID = st.lists(st.tuples(st.integers(0, 3), st.sampled_from("abc"), st.floats(0.1, 1)), min_size=1, max_size=12)


@given(_SAID, st.lists(st.tuples(st.integers(0, 11), st.floats(0.1, 1)), max_size=4), st.integers(0, 2), st.randoms())
def test_the_ids_of_an_answer_do_not_depend_on_which_copy_ranks_first(
    said: list[tuple[int, str, float]], learned: list[tuple[int, float]], per_session: int, chance: Any
) -> None:
    sources = {100 + n: (f"m{cited % len(said)}",) for n, (cited, _) in enumerate(learned)}
    memories = [
        candidate(100 + n, f"memory {n}", score, type="fact", source="observer_inferred")
        for n, (_, score) in enumerate(learned)
    ]

    # Equal scores of different texts stay in the order in which they came, which is that of the copies.
    texts = {(score, f"text {text}") for text, _, score in said} | {(one.score, str(one.passage)) for one in memories}
    assume(len({score for score, _ in texts}) == len(texts))

    def ids(scores: Sequence[float]) -> set[str]:
        messages = [candidate(n, f"text {said[n][0]}", scores[n], session=said[n][1]) for n in range(len(said))]
        kept, _ = Cap(per_session)(question(), distinct([*messages, *memories], sources))
        shown = {one.row.id for one in kept if one.row is not None}
        return shown.union(*map(repeats, kept))

    scores = [score for _, _, score in said]
    swapped = list(scores)
    for text in range(4):
        copies = [n for n in range(len(said)) if said[n][0] == text]
        order = list(copies)
        chance.shuffle(order)
        for place, other in zip(copies, order, strict=True):
            swapped[place] = scores[other]
    assert ids(swapped) == ids(scores)


def test_json_has_repeats_and_mcp_their_days(ws: Workspace) -> None:
    for day in range(3):
        say(ws, day)
    answer = ws.recall(ASKED)
    (hit,) = answer.hits
    (value,) = json_value(answer)["hits"]
    assert value["repeat_count"] == 2
    assert value["repeats"] == [
        {"id": repeat.id, "session": repeat.session, "when": stamp(repeat.when)} for repeat in hit.repeats
    ]
    days = ", ".join(repeat.when.date().isoformat() for repeat in hit.repeats)
    assert f" · also said {days} · " in render.found(answer).text
    assert "also said" not in ws.context(ASKED).text


def test_a_day_is_named_once(ws: Workspace) -> None:
    for _ in range(4):
        say(ws, 0)
    assert " · also said 2025-03-03 and 2 more · " in render.found(ws.recall(ASKED)).text
