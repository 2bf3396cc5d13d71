"""The title of a passage of code."""

from __future__ import annotations

import pytest

from holdfast.text.code_title import code_title

PYTHON = '''@cached
def getUserName(self, id):
    """Fetches the :meth:`name` of a user.  Raises KeyError.

    Slowly.
    """

    return self.names[id]
'''
GO = """// Close writes what waits. It may be called twice.
func (c *Client) CloseAll() error {
	return nil
}
"""
TYPESCRIPT = """/**
 * Reads the next page
 * @param size in rows
 */
export const nextPage = (size) => fetch(size)
"""


@pytest.mark.parametrize(
    ("code", "title"),
    [
        (PYTHON, "get user name. Fetches the name of a user."),
        (GO, "close all. Close writes what waits."),
        (TYPESCRIPT, "fetch. Reads the next page"),
        ("def save_2_files():\n    pass", "save 2 files."),
        ("x = 1\n", ""),
        ("# Only a comment.\nx = 1\n", "Only a comment."),
        ("", ""),
    ],
)
def test_the_title_is_the_name_in_words_and_the_first_sentence(code: str, title: str) -> None:
    assert code_title(code) == title


def test_another_name_replaces_the_first_one() -> None:
    assert code_title(GO, "Client.CloseAll") == "client close all. Close writes what waits."


def test_a_string_of_several_lines_far_below_is_no_documentation() -> None:
    steps = "    step()\n" * 80
    assert code_title(f'def f():\n{steps}    query = """select"""') == "f."
