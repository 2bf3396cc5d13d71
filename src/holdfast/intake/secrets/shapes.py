"""Finds secrets by their shape: a table of rules, each with a check that rules out look-alikes."""

from __future__ import annotations

from collections.abc import Collection, Iterator

from holdfast.intake.secrets.secret_contexts import IN_CONTEXT
from holdfast.intake.secrets.secret_patterns import SecretSpan, compiled
from holdfast.intake.secrets.secret_tokens import TOKENS
from holdfast.intake.secrets.shell_commands import COMMANDS


def find_shaped(text: str, anchors: Collection[str]) -> Iterator[SecretSpan]:
    """Yields the secrets of a text with a known shape. `anchors` are those found in the text."""
    for rank in {rank for anchor in anchors for rank in _RANKS.get(anchor, ())}:
        kind, _, pattern, check = _RULES[rank]
        for match in compiled(pattern).finditer(text):
            start, end = match.span(1 if match.re.groups else 0)
            if check(text, start, end):
                yield SecretSpan(start, end, rank, kind)


_RULES = TOKENS + IN_CONTEXT + COMMANDS

# Anchor -> ranks of its rules.
_RANKS: dict[str, list[int]] = {}
for _rank, _rule in enumerate(_RULES):
    for _anchor in _rule[1]:
        _RANKS.setdefault(_anchor, []).append(_rank)

ANCHORS = tuple(_RANKS)
TOKEN_ANCHORS = tuple(dict.fromkeys(anchor for rule in TOKENS for anchor in rule[1]))
