"""JSON is read from a model's answer as far as possible; no answer makes it fail."""

from __future__ import annotations

import json
import time
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from holdfast.llm.json_repair import LONGEST, ends_early, read_answer

FIELDS = ("history_entry", "facts", "memory_update")
WHOLE = {"history_entry": "[2026-02-27 14:30] We met.", "facts": [{"text": "Ada lives in Lyon", "evidence": [1]}]}
TEXT = json.dumps(WHOLE)
VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=8), inner, max_size=4),
    max_leaves=12,
)


@pytest.mark.parametrize(
    "text",
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
def test_complete_json_is_found_anywhere(text: str) -> None:
    assert read_answer(text, FIELDS) == WHOLE


def test_braces_and_quotes_inside_strings_do_not_mislead() -> None:
    odd = {"history_entry": 'he said "}" and { \\ then }', "facts": ["a } b"]}
    assert read_answer(f"note: {json.dumps(odd)} end", FIELDS) == odd


def test_a_truncated_answer_keeps_its_complete_parts() -> None:
    cut = '{"history_entry": "We met.", "facts": [{"text": "one"}, {"text": "two"}, {"text": "thr'
    assert read_answer(cut, FIELDS) == {"history_entry": "We met.", "facts": [{"text": "one"}, {"text": "two"}]}
    assert read_answer('{"facts": [], "history_entry": "We m', FIELDS) == {"facts": []}


@pytest.mark.parametrize(
    "text", ["", "no", "{}", "[1, 2]", "null", '{"other": 1}', "{" * 50_000, "[" * 50_000, '"' * 999]
)
def test_an_answer_without_a_field_is_none(text: str) -> None:
    assert read_answer(text, FIELDS) is None


def test_deeply_nested_values_are_left_out() -> None:
    deep = "[" * 5_000 + "]" * 5_000
    # Python 3.13 parses deeper lists than its predecessors; whatever was parsed is cut to a few levels.
    read = read_answer(f'{{"facts": {deep}, "history_entry": "x"}}', FIELDS)
    assert len(json.dumps(read)) < 60
    shallow = "[" * 50 + "]" * 50
    read = read_answer(f'{{"facts": {shallow}}}', FIELDS)
    assert read is not None
    assert len(json.dumps(read)) < 40


def test_lone_surrogates_and_nul_are_removed() -> None:
    assert read_answer('{"history_entry": "a\\ud800b\\u0000c"}', FIELDS) == {"history_entry": "a?bc"}


def test_an_overlong_answer_is_read_if_it_is_valid() -> None:
    facts = [{"text": f"fact {n}"} for n in range(5_000)]
    valid = json.dumps({"facts": facts})
    assert read_answer(valid, FIELDS) == {"facts": facts}
    assert read_answer(valid[:-20], FIELDS) is None


@given(st.text(alphabet=st.characters(), max_size=200) | st.text(alphabet='{}[]",:\\ \nabfacts', max_size=120))
def test_garbage_never_raises(text: str) -> None:
    read = read_answer(text, FIELDS)
    assert read is None or set(read) <= set(FIELDS)


@given(
    st.dictionaries(st.sampled_from(FIELDS), VALUES, min_size=1), st.text(alphabet="abc. \n", max_size=30), st.data()
)
def test_any_truncation_gives_original_values_or_nothing(answer: dict[str, Any], around: str, data: Any) -> None:
    text = around + json.dumps(answer) + around
    read = read_answer(text[: data.draw(st.integers(0, len(text)))], FIELDS)
    assert read is None or set(read) <= set(FIELDS)
    json.dumps(read).encode()


@pytest.mark.parametrize("text", [TEXT[:-20], TEXT[: TEXT.index("[{") + 1], TEXT.replace("}]}", "},"), TEXT[:9]])
def test_an_answer_that_breaks_off_in_a_value_ends_early(text: str) -> None:
    assert ends_early(text, FIELDS)


@pytest.mark.parametrize(
    "text", [TEXT, TEXT[:-1], f"{TEXT} Done,", '{"facts": [], "mood": "ha', '{"facts": ["a "b"]}.', "No."]
)
def test_an_answer_with_all_of_its_fields_or_only_malformed_does_not_end_early(text: str) -> None:
    assert not ends_early(text, FIELDS)


@pytest.mark.parametrize(
    "damaged",
    [
        TEXT.replace("We met.", 'We "met".'),
        TEXT.replace('"text": ', "text: "),
        TEXT.replace('"facts"', '// what is new\n"facts"'),
        TEXT.replace(', "facts"', ' "facts"'),
        repr(WHOLE),
    ],
)
def test_a_malformed_answer_is_repaired(damaged: str) -> None:
    read = read_answer(f"Here it is:\n```json\n{damaged}\n```", FIELDS)
    assert read is not None
    assert read["history_entry"].replace('"', "") == WHOLE["history_entry"]
    assert read["facts"] == WHOLE["facts"]


@pytest.mark.parametrize(
    "damaged",
    ['{"facts": [{"text": "one"} and {"text": "two"}]}', TEXT.replace('met.",', "met.,"), '{"facts": ["a "b"]}'],
)
def test_an_answer_whose_marks_would_become_texts_is_none(damaged: str) -> None:
    assert read_answer(damaged, FIELDS) is None


@pytest.mark.parametrize(
    "end", ["{", '{"a"', "{]", '("a"', '{"facts": [{"text":"x" y"},', "[", '"', "'", "[a](b) ", '{"a": "b\\']
)
def test_time_is_bounded_for_hostile_answers(end: str) -> None:
    started = time.process_time()
    text = '{"facts": [' + end * (LONGEST // len(end))
    read_answer(text, FIELDS)
    ends_early(text, FIELDS)
    assert time.process_time() - started < 10


@pytest.mark.parametrize("before", ['{"history_entry": "...", "facts": []}', "{x} " * 50])
def test_the_last_object_counts_not_an_example_before_it(before: str) -> None:
    assert read_answer(f"<think>As in {before}?</think>\n{TEXT}", FIELDS) == WHOLE


def test_of_a_truncated_answer_after_an_example_the_answer_counts() -> None:
    text = (
        '<think>{"history_entry": "...", "facts": []}</think>{"history_entry": "We met.", "facts": [{"text": "one"}, {'
    )
    assert read_answer(text, FIELDS) == {"history_entry": "We met.", "facts": [{"text": "one"}]}
    assert ends_early(text, FIELDS)


@pytest.mark.parametrize(
    "text", [TEXT.replace("}]", "},]"), TEXT.replace("[1]}", "[1],}"), TEXT.replace("}]}", "}],}")]
)
def test_a_comma_after_the_last_value_does_no_harm(text: str) -> None:
    assert read_answer(text, FIELDS) == WHOLE
