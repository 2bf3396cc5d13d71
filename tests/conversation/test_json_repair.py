"""What can be read of a model's answer is read, and nothing makes reading it fail."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from holdfast.conversation.json_repair import LONGEST, read_answer

FIELDS = ("history_entry", "facts", "memory_update")
WHOLE = {"history_entry": "[2026-02-27 14:30] We met.", "facts": [{"text": "Ada lives in Lyon", "evidence": [1]}]}
TEXT = json.dumps(WHOLE)
VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=8), inner, max_size=4),
    max_leaves=12,
)


@pytest.mark.parametrize(
    "said",
    [
        TEXT,
        f"```json\n{TEXT}\n```",
        f"```\n{TEXT}",
        f"  \n{TEXT}\n\n",
        f"Sure! Here it is:\n\n{TEXT}\n\nAnything else?",
        f"I looked at {{the page}} first.\n```json\n{TEXT}\n```",
        f"<think>a {{}} b</think>{TEXT}",
        TEXT.replace("We met.", "We\nmet.").replace("We\nmet.", "We met."),
        json.dumps({"answer": WHOLE}),
        TEXT[:-1],
        TEXT + "}}}",
    ],
)
def test_a_whole_answer_is_read_wherever_it_stands(said: str) -> None:
    assert read_answer(said, FIELDS) == WHOLE


def test_braces_and_quotes_inside_strings_do_not_mislead() -> None:
    odd = {"history_entry": 'he said "}" and { \\ then }', "facts": ["a } b"]}
    assert read_answer(f"note: {json.dumps(odd)} end", FIELDS) == odd


def test_of_half_an_answer_what_is_whole_is_kept() -> None:
    cut = '{"history_entry": "We met.", "facts": [{"text": "one"}, {"text": "two"}, {"text": "thr'
    assert read_answer(cut, FIELDS) == {"history_entry": "We met.", "facts": [{"text": "one"}, {"text": "two"}]}
    assert read_answer('{"facts": [], "history_entry": "We m', FIELDS) == {"facts": []}


@pytest.mark.parametrize(
    "said", ["", "no", "{}", "[1, 2]", "null", '{"other": 1}', "{" * 50_000, "[" * 50_000, '"' * 999]
)
def test_an_answer_without_a_field_is_none(said: str) -> None:
    assert read_answer(said, FIELDS) is None


def test_what_is_nested_without_end_is_left_out() -> None:
    deep = "[" * 5_000 + "]" * 5_000
    assert read_answer(f'{{"facts": {deep}, "history_entry": "x"}}', FIELDS) in (
        {"history_entry": "x"},
        {"facts": None},
    )
    shallow = "[" * 50 + "]" * 50
    read = read_answer(f'{{"facts": {shallow}}}', FIELDS)
    assert read is not None
    assert len(json.dumps(read)) < 40


def test_half_characters_and_nul_are_taken_out() -> None:
    assert read_answer('{"history_entry": "a\\ud800b\\u0000c"}', FIELDS) == {"history_entry": "a?bc"}


def test_an_overlong_answer_is_read_as_far_as_is_sane() -> None:
    facts = [{"text": f"fact {n}"} for n in range(LONGEST // 10)]
    read = read_answer(json.dumps({"history_entry": "x", "facts": facts}), FIELDS)
    assert read is not None
    assert read["history_entry"] == "x"
    assert 0 < len(read["facts"]) < len(facts)


@given(st.text(alphabet=st.characters(), max_size=200) | st.text(alphabet='{}[]",:\\ \nabfacts', max_size=120))
def test_garbage_never_raises(said: str) -> None:
    read = read_answer(said, FIELDS)
    assert read is None or set(read) <= set(FIELDS)


@given(
    st.dictionaries(st.sampled_from(FIELDS), VALUES, min_size=1), st.text(alphabet="abc. \n", max_size=30), st.data()
)
def test_any_cut_of_any_answer_gives_what_it_held_or_nothing(answer: dict[str, Any], around: str, data: Any) -> None:
    said = around + json.dumps(answer) + around
    read = read_answer(said[: data.draw(st.integers(0, len(said)))], FIELDS)
    assert read is None or set(read) <= set(FIELDS)
    json.dumps(read).encode()
