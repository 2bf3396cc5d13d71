from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from holdfast.models.token_counts import PromptTokens

TOKENS = PromptTokens()

# The counts of a byte-pair vocabulary of a hundred thousand entries.
KNOWN = [
    ("The quick brown fox jumps over the lazy dog.", 10),
    ("def add(a: int, b: int) -> int:\n    return a + b\n", 19),
    ("Le déploiement échoue lorsque la clé d'accès n'est pas renouvelée avant minuit.", 26),
    ("部署在午夜之前如果没有更新访问密钥就会失败", 21),
]


@pytest.mark.parametrize(("text", "known"), KNOWN)
def test_the_estimate_is_close_and_not_too_low(text: str, known: int) -> None:
    assert known <= TOKENS.count(text) <= 1.3 * known


def test_nothing_costs_nothing() -> None:
    assert TOKENS.count("") == 0
    assert TOKENS.truncate("", 5) == ""
    assert TOKENS.truncate("words", 0) == ""


@pytest.mark.parametrize("letter", ["a", "A", "7", "-", "\n", " ", "é", "日", "🎉", "\x00", "\ud800"])
def test_a_long_run_of_anything_costs(letter: str) -> None:
    assert TOKENS.count(letter * 1600) >= 100


@given(st.text(), st.integers(0, 40))
def test_truncating_keeps_the_longest_beginning_that_fits(text: str, tokens: int) -> None:
    kept = TOKENS.truncate(text, tokens)
    assert text.startswith(kept)
    assert TOKENS.count(kept) <= tokens
    # A single blank costs nothing, but several do, so the check adds two characters.
    assert kept == text or TOKENS.count(text[: len(kept) + 2]) > tokens


@given(st.text(alphabet="aA1 .\n\té日🎉\r"), st.text(alphabet="aA1 .\n\té日🎉\r"))
def test_a_beginning_never_costs_more(beginning: str, rest: str) -> None:
    assert TOKENS.count(beginning) <= TOKENS.count(beginning + rest)
