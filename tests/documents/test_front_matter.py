"""The metadata of a document: front matter, headers and status lines."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from holdfast.core.reason import Reason
from holdfast.documents.document_reasons import DocumentCode
from holdfast.documents.front_matter import FrontMatter, read_front

PEP = """PEP: 661
Title: Sentinel Values
Author: Ada <ada@example.org>,
        Bob <bob@example.org>
Status: Superseded
Superseded-By: 700
Created: 06-Jun-2021

Abstract
========
"""


def test_the_header_of_a_pep() -> None:
    front = read_front(PEP)
    assert front.fields["author"] == "Ada <ada@example.org>, Bob <bob@example.org>"
    assert (front.title, front.status, front.one("superseded_by")) == ("Sentinel Values", "Superseded", "700")
    assert PEP[front.end :].lstrip().startswith("Abstract")


def test_front_matter_in_yaml() -> None:
    text = """---
title: "Use SQLite: why"  # quoted
status: accepted
tags: [store, 'sqlite']
replaces:
  - 0003
  - "0004"
supersededBy: ADR-9
summary: >
  Two lines
  of text.
---
# Text
"""
    front = read_front(text)
    assert not front.problem
    assert (front.title, front.status) == ("Use SQLite: why", "accepted")
    assert front.fields["tags"] == ("store", "sqlite")
    assert front.fields["replaces"] == ("0003", "0004")
    assert (front.one("superseded_by"), front.one("summary")) == ("ADR-9", "Two lines of text.")
    assert text[front.end :] == "# Text\n"


def test_front_matter_in_toml() -> None:
    front = read_front('+++\ntitle = "Tides"\ntags = ["sea", "moon"]\n+++\nHigh.\n')
    assert front.fields == {"title": "Tides", "tags": ("sea", "moon")}


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("---\ntitle: Tides\n\nHigh at noon.\n", Reason.of(DocumentCode.UNCLOSED_FRONT_MATTER)),
        ("---\ntitle: Tides\nno colon\n---\nHigh.\n", Reason.of(DocumentCode.LINE, line=3, text="'no colon'")),
        (
            '---\ntitle: "Tides\n---\nHigh.\n',
            Reason.of(DocumentCode.FIELD, field="title", problem=Reason.of(DocumentCode.UNCLOSED_QUOTE)),
        ),
        (
            "---\ntags: [a, b\n---\nHigh.\n",
            Reason.of(DocumentCode.FIELD, field="tags", problem=Reason.of(DocumentCode.MISSING_BRACKET)),
        ),
    ],
)
def test_broken_front_matter_is_reported(text: str, problem: Reason) -> None:
    assert read_front(text).problem == problem


def test_broken_toml_is_reported() -> None:
    problem = read_front('+++\ntitle = "Tides\n+++\nHigh.\n').problem
    assert problem is not None
    assert problem.code is DocumentCode.NOT_TOML


def test_valid_fields_of_broken_front_matter_are_kept() -> None:
    assert read_front("---\ntitle: Tides\nno colon\nstatus: draft\n---\n").fields == {
        "title": "Tides",
        "status": "draft",
    }


@pytest.mark.parametrize(
    ("text", "status"),
    [
        ("# 1. Use SQLite\n\n* Status: accepted\n", "accepted"),
        ("# 1. Use SQLite\n\n**Status:** proposed\n", "proposed"),
        ("# 1. Use SQLite\n\n## Status\n\nSuperseded by [2](0002.md)\n\n## Context\n", "Superseded by [2](0002.md)"),
        ("Use SQLite\n==========\n\n:Author: Ada\n:Status: Draft\n\nText.\n", "Draft"),
        ("# Guide\n\nThe status: it is shown at the top.\n", None),
    ],
)
def test_the_status_of_a_decision_record_in_many_forms(text: str, status: str | None) -> None:
    assert read_front(text).status == status


@pytest.mark.parametrize(
    "text", ["", "Note: this is prose.\n", "# Title\n\nText.\n", "---\n\nA rule, no fields.\n---\n"]
)
def test_plain_text_has_no_metadata(text: str) -> None:
    assert read_front(text) == FrontMatter()


@given(st.text(alphabet="ab:-[]{}\"'#|> \n\t", max_size=60))
def test_any_text_can_be_read(inner: str) -> None:
    read_front(f"---\na: b\n{inner}\n---\ntext")
    read_front(inner)


@pytest.mark.parametrize(
    "value", ["[" * 3000 + "]" * 3000, "9" * 5000, "1\n" + ".".join("b" * 20_000) + " = 2", "{" * 9]
)
def test_toml_that_no_parser_can_read_is_a_problem(value: str) -> None:
    front = read_front(f"+++\na = {value}\n+++\n\ntext")
    assert front.problem is not None
    assert front.problem.code == "documents.not_toml"
