"""reStructuredText: headings, and blocks that stay whole."""

from __future__ import annotations

from holdfast.documents.rst import chunk_restructured

TEXT = """=====
Guide
=====

Welcome.

Start
=====

Install it::

    pip install kelp

    kelp --help

Options
-------

.. note::

   Read this.

Deeper
~~~~~~

Text.

End
===

Good bye.
"""


def headings(text: str, limit: int = 30) -> list[tuple[str, ...]]:
    return list(dict.fromkeys(chunk.heading for chunk in chunk_restructured(text, limit)))


def test_the_level_of_a_heading_follows_the_first_use_of_its_style() -> None:
    assert headings(TEXT) == [
        ("Guide",),
        ("Guide", "Start"),
        ("Guide", "Start", "Options"),
        ("Guide", "Start", "Options", "Deeper"),
        ("Guide", "End"),
    ]


def test_indented_lines_and_table_lines_are_no_headings() -> None:
    table = "=====  =====\nA      B\n=====  =====\n1      2\n=====  =====\n"
    text = f"Title\n=====\n\n::\n\n    Not one\n    =======\n\n{table}"
    assert headings(text, 900) == [("Title",)]


def test_an_underline_that_is_too_short_is_text() -> None:
    assert headings("A very long line\n---\n\nText.\n") == [()]


def test_a_directive_and_its_content_stay_together() -> None:
    code = ".. code-block:: python\n\n" + "".join(f"   line_{n}()\n\n" for n in range(12))
    text = f"Title\n=====\n\n{'Words. ' * 110}\n\n{code}\nAfter.\n"
    chunks = [text[chunk.start : chunk.end] for chunk in chunk_restructured(text)]
    assert any(code.strip() in chunk for chunk in chunks)


def test_literal_text_is_cut_between_lines() -> None:
    line = "    some.call('of words. and more')\n"
    text = "So::\n\n" + line * 60
    assert all(text[p.end - 1] == ")" for p in chunk_restructured(text))


def test_windows_line_ends() -> None:
    text = TEXT.replace("\n", "\r\n")
    assert headings(text) == headings(TEXT)
