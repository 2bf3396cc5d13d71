"""Passages of Markdown on a terminal."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from holdfast.interfaces.cli.markdown_lines import markdown_lines

PASSAGE = """\
## Testing

Tests are beside
the code.

```bash
# Run all tests
bun run test

  bun run lint
```
- an item that
  goes on
- another
| a | b |
|---|---|
| 1 | 2 |
---
"""


def test_paragraphs_are_joined_and_code_lists_and_tables_keep_their_lines():
    assert markdown_lines(PASSAGE) == [
        "Tests are beside the code.",
        "# Run all tests",
        "bun run test",
        "  bun run lint",
        "- an item that goes on",
        "- another",
        "| a | b |",
        "| 1 | 2 |",
    ]


def test_headings_alone_are_shown():
    assert markdown_lines("# Testing\n\n## Fast tests\n") == ["# Testing", "## Fast tests"]


@given(st.text(alphabet="ab `~#-|1.\n>", max_size=80))
def test_no_word_outside_headings_is_lost(text):
    kept = "".join(markdown_lines(text))
    lost = [line for line in text.splitlines() if not line.startswith("#") and "`" not in line and "~" not in line]
    assert all(word in kept for line in lost for word in line.split() if word.isalpha())
