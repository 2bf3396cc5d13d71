"""The title of a request."""

from __future__ import annotations

import pytest

from holdfast.text.request_titles import request_title


@pytest.mark.parametrize(
    ("text", "title"),
    [
        ("", ""),
        ("Fix the lamp.", "Fix the lamp"),
        ("Implement the following plan:\n\n# Plan : Repaint the hull\n\n## Context", "Repaint the hull"),
        ("I got this feedback:\n\nThe lamp is pale.", "I got this feedback: The lamp is pale"),
        ("# Plan: Move the harbour office to the pier\nfor good\n\nmore", "Move the harbour office to the pier…"),
        ("x" * 60, "x" * 39 + "…"),
    ],
)
def test_the_title_of_a_request(text: str, title: str) -> None:
    assert request_title(text, 40) == title
