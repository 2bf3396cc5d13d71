from __future__ import annotations

import math
from dataclasses import replace
from random import Random

import pytest
from bench.recall.figures import (
    auroc,
    auroc_between,
    reciprocal_rank,
    share_cited,
    share_covered,
    share_found,
    share_placed,
    with_typo,
)
from bench.recall.pool import Answer, Found, Span


def test_a_share_counts_the_wanted_items_among_the_first() -> None:
    assert share_found(["a", "b"], ["x", "a", "y", "b"], at=3) == 0.5
    assert share_found(["a"], [], at=3) == 0.0


def test_a_cited_message_counts_with_the_memory_that_cites_it() -> None:
    ranked = [Found("memory", "s", cites=(Found("a", "t"),)), Found("x", "s"), Found("b", "s")]

    assert share_cited(["a", "b"], ranked, at=2) == 0.5
    assert share_cited(["a", "b"], ranked, at=3) == 1.0
    assert share_cited(["a", "b", "c", "d"], ranked, at=2) == 0.5, "only two can be among the first two"


def test_a_repeat_counts_with_the_hit_that_names_it() -> None:
    ranked = [Found("x", "s", repeats=(Found("a", "t"), Found("c", "s"))), Found("b", "u")]

    assert share_cited(["a", "b"], ranked, at=1) == 1.0
    assert share_cited(["a", "b", "d"], ranked, at=2) == 1.0, "only two can be among the first two"
    assert share_cited(["d"], ranked, at=2) == 0.0


def test_the_session_of_a_repeat_shares_the_place_of_the_hit() -> None:
    answer = Answer((Found("x", "s", repeats=(Found("a", "t"),)), Found("y", "t"), Found("z", "s"), Found("b", "u")))

    assert answer.places == (("s", "t"), ("u",))
    assert answer.groups == ("s", "t", "u")
    assert share_placed(["s", "t", "u"], answer.places, at=1) == 2 / 3
    assert share_placed(["u"], answer.places, at=2) == 1.0
    assert Answer(tuple(replace(one, repeats=()) for one in answer.found)).places == (("s",), ("t",), ("u",))


def test_the_sessions_of_all_sources_share_the_place_of_the_memory() -> None:
    answer = Answer((Found("memory", "s", cites=(Found("a", "s"), Found("b", "t"))), Found("c", "u")))

    assert answer.places == (("s", "t"), ("u",))


def test_a_reciprocal_rank_is_limited_to_the_first_ranks() -> None:
    assert reciprocal_rank(["b"], ["a", "b"], at=10) == 0.5
    assert reciprocal_rank(["b"], ["a", "b"], at=1) == 0.0


def test_a_character_found_twice_is_covered_once() -> None:
    wanted = [Span("a.md", 10, 20), Span("a.md", 30, 40)]
    found = [Found("", "a.md", 0, 15), Found("", "a.md", 12, 20), Found("", "b.md", 30, 40)]

    assert share_covered(wanted, found) == 0.5


def test_auroc_is_how_often_a_true_case_ranks_above_a_false_one() -> None:
    chance = Random(1)
    signs = [(float(chance.randint(0, 9)), chance.random() < 0.4) for _ in range(80)]

    above = [(t > f) + (t == f) / 2 for t, true in signs if true for f, is_true in signs if not is_true]

    assert auroc(signs) == pytest.approx(sum(above) / len(above))
    assert math.isnan(auroc([(0.5, True)]))


def test_the_interval_holds_the_figure_and_narrows_with_more_cases() -> None:
    chance = Random(2)
    cases = {str(n): [(chance.gauss(n % 2, 1.0), bool(n % 2))] for n in range(400)}
    few = dict(list(cases.items())[:40])

    figure, low, high = auroc_between(cases, rounds=200)
    _, few_low, few_high = auroc_between(few, rounds=200)

    assert low < figure < high
    assert high - low < few_high - few_low


@pytest.mark.parametrize("seed", range(30))
def test_a_typo_changes_one_long_word(seed: int) -> None:
    question = "How did the garden party go?"

    slipped = with_typo(question, Random(seed))

    changed = [pair for pair in zip(question.split(), slipped.split(), strict=True) if pair[0] != pair[1]]
    assert len(changed) == 1
    assert changed[0][0] in ("garden", "party")
    assert slipped == with_typo(question, Random(seed))


def test_short_words_are_left_alone() -> None:
    assert with_typo("Who did it?", Random(0)) == "Who did it?"
