"""YAML front matter is read field by field, within bounds of time and space."""

from __future__ import annotations

import time
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from holdfast.text.yaml_fields import (
    LONGEST_VALUE,
    comma_separated,
    front_matter_lines,
    split_front_matter,
    yaml_fields,
)


def fields(text: str) -> dict[str, Any]:
    return {field.name: field.value for field in yaml_fields(front_matter_lines(f"---\n{text}\n---\nbody"))}


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("title: Tides", {"title": "Tides"}),
        ("title: 'It''s high' # noon", {"title": "It's high"}),
        ('title: "a \\u00e9 \\"b\\""', {"title": 'a é "b"'}),
        ("title: Tides: a guide", {"title": "Tides: a guide"}),
        ("on: yes\nsize: 010\nnone: ~\nempty:", {"on": "yes", "size": "010", "none": "~", "empty": ""}),
        ("tags: [a, 'b, c', d]", {"tags": ("a", "b, c", "d")}),
        ("tags:\n- a\n- b # second\n", {"tags": ("a", "b")}),
        ("tags: [a,\n  b]", {"tags": ("a", "b")}),
        ("text: |\n  One.\n  Two.", {"text": "One.\nTwo."}),
        ("text: >-\n  One\n  line.", {"text": "One line."}),
        ("metadata:\n  type: user\n  tags: [a]", {"metadata.type": "user", "metadata.tags": ("a",)}),
        ("globs: *.ts, src/**", {"globs": "*.ts, src/**"}),
        ("globs: [*.ts, 'src/**']", {"globs": ("*.ts", "src/**")}),
        ("authors:\n- name: Ada\n  mail: a@b.c", {"authors": ("name: Ada, mail: a@b.c",)}),
        ("a: !!python/object/apply:os.system [ls]", {"a": ("ls",)}),
    ],
)
def test_a_field_is_text_or_a_list(text: str, expected: dict[str, Any]) -> None:
    assert fields(text) == expected


def test_a_broken_field_costs_only_itself() -> None:
    assert fields("a: [1\nb: 2\nno colon\nc: 'x") == {"a": ("1",), "b": "2", "": "", "c": "x"}


def test_names_in_lower_case_and_the_text_after_front_matter() -> None:
    assert split_front_matter("---\napplyTo: src\ntags: [x]\n---\nbody\n") == (
        {"applyto": ("src",), "tags": ("x",)},
        "body\n",
    )
    assert split_front_matter("---\nnever: closed") == ({}, "---\nnever: closed")


def test_a_comma_in_braces_belongs_to_its_glob() -> None:
    assert comma_separated("*.{ts,tsx}, [a], 'b c', {d") == ("*.{ts,tsx}", "[a]", "b c", "{d")


LAUGHS = "a:\n  - &a [x, x, x, x, x, x, x, x, x]\n" + "".join(
    f"  - &{new} [{', '.join([f'*{old}'] * 9)}]\n" for old, new in zip("abcdefgh", "bcdefghi", strict=True)
)


@pytest.mark.parametrize(
    "text",
    [
        LAUGHS,
        "a: &a [*a]",
        "a: " + "[" * 5_000,
        "a: " + "[" * 40_000 + "]" * 40_000,
        "a: " + "{a: " * 2_000,
        "a:\n" + "".join(f"{' ' * n}- \n" for n in range(1, 500)),
        "a: [" + "x," * 100_000 + "]",
        "a: [x, y]\n" * 20_000,
        "a: '" + "x" * 300_000,
        "a" + " " * 100_000,
        "a: |\n" + "  text\n" * 50_000,
    ],
)
def test_hostile_front_matter_takes_little_time_and_space(text: str) -> None:
    started = time.process_time()
    read = fields(text)
    assert time.process_time() - started < 3
    assert sum(len(str(value)) for value in read.values()) < 5 * LONGEST_VALUE


@given(st.text(alphabet="ab:-[]{}\"'#|>&*!? \n\t\x85\u2028\x00", max_size=60))
def test_any_front_matter_is_read(text: str) -> None:
    for value in fields(f"a: b\n{text}").values():
        assert isinstance(value, str) or all(isinstance(item, str) for item in value)
