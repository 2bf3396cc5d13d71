"""What a sentence states before it asks."""

from __future__ import annotations

import pytest

from holdfast.learn.keep.questions import without_question


@pytest.mark.parametrize(
    ("text", "stated"),
    [
        ("I just moved to Ghent, any tips?", "I just moved to Ghent."),
        ("Just started my new job at Globex, can you help me?", "Just started my new job at Globex."),
        ("Could you check it, and is Tuesday fine?", "Could you check it, and is Tuesday fine?"),
        ("If it rains, what do we do?", "If it rains, what do we do?"),
        ("Yes, right?", "Yes, right?"),
        ("The logo is blue, as voted. Can you send it?", "The logo is blue, as voted. Can you send it?"),
        ("We ship on Mondays, not Tuesdays.", "We ship on Mondays, not Tuesdays."),
    ],
)
def test_only_a_statement_before_a_question_is_taken_alone(text: str, stated: str) -> None:
    assert without_question(text) == stated
