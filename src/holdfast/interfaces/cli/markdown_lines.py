"""Splits a passage of Markdown into lines for the terminal: paragraphs joined, lists, tables and code line by line."""

from __future__ import annotations

import re

# The beginning of a line that does not continue the one before: an item of a list, a row of a table, a quotation.
_OWN_LINE = re.compile(r"\s*(?:[-*+•]\s|\d{1,3}[.)]\s|\||>)")
_FENCE = re.compile(r"\s*(?:```|~~~)")
_SHORTEST_RULE = 3


def markdown_lines(text: str) -> list[str]:
    """The lines without headings, which are named elsewhere, fences and rules; a text of headings alone keeps them."""
    lines: list[str] = []
    in_code, begins = False, True
    for line in text.splitlines():
        if _FENCE.match(line):
            in_code, begins = not in_code, True
        elif in_code:
            lines += [line.rstrip()] if line.strip() else []
        elif not line.strip() or line.startswith("#") or _is_rule(line):
            begins = True
        elif begins or _OWN_LINE.match(line):
            lines.append(line.rstrip())
            begins = False
        else:
            lines[-1] += f" {line.strip()}"
    return lines or [line for line in text.splitlines() if line.strip()]


def _is_rule(line: str) -> bool:
    """Is it a line across the page, or the one below the head of a table?"""
    signs = "".join(line.split())
    across = len(signs) >= _SHORTEST_RULE and set(signs) <= set("-*_")
    return across or ("|" in signs and set(signs) <= set(":|-"))
