"""What a document says of itself before it begins."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

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
    assert (front.one("superseded_by"), front.one("summary")) == ("ADR-9", "Two lines\nof text.")
    assert text[front.end :] == "# Text\n"


def test_front_matter_in_toml() -> None:
    front = read_front('+++\ntitle = "Tides"\ntags = ["sea", "moon"]\n+++\nHigh.\n')
    assert front.fields == {"title": "Tides", "tags": ("sea", "moon")}


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("---\ntitle: Tides\n\nHigh at noon.\n", "not closed"),
        ("---\ntitle: Tides\nno colon\n---\nHigh.\n", "no colon"),
        ('---\ntitle: "Tides\n---\nHigh.\n', "quotation mark"),
        ("---\ntags: [a, b\n---\nHigh.\n", "]"),
        ('+++\ntitle = "Tides\n+++\nHigh.\n', "TOML"),
    ],
)
def test_what_is_broken_is_named(text: str, says: str) -> None:
    assert says in read_front(text).problem


def test_what_can_be_read_of_broken_front_matter_is_read() -> None:
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
def test_decision_records_say_their_status_in_many_ways(text: str, status: str | None) -> None:
    assert read_front(text).status == status


@pytest.mark.parametrize(
    "text", ["", "Note: this is prose.\n", "# Title\n\nText.\n", "---\n\nA rule, no fields.\n---\n"]
)
def test_plain_text_has_no_front(text: str) -> None:
    assert read_front(text) == FrontMatter()


@given(st.text(alphabet="ab:-[]{}\"'#|> \n\t", max_size=60))
def test_nothing_breaks_it(inner: str) -> None:
    read_front(f"---\na: b\n{inner}\n---\ntext")
    read_front(inner)
