"""Splits a text into the sentences that get vectors of their own."""

from __future__ import annotations

from collections.abc import Iterator

from holdfast.text.sentence_ends import split_anywhere

# Sentences are joined up to this length, because a short one says little by itself.
_WINDOW = 80
# In a long text more sentences are joined, so that there are never more windows than this.
MOST_WINDOWS = 12
# What follows is not read.
_READ = 6_000


def sentence_windows(text: str) -> tuple[str, ...]:
    """Returns the sentences of a text, short ones joined with the next; at most twelve windows."""
    text = text[:_READ]
    longest = max(_WINDOW, -(-len(text) // MOST_WINDOWS))
    windows = _joined(text, longest)
    while len(windows) > MOST_WINDOWS:
        # Whole sentences do not fill the windows: try again with longer ones.
        longest += longest // 4
        windows = _joined(text, longest)
    return tuple(windows)


def _joined(text: str, longest: int) -> list[str]:
    windows: list[str] = []
    for sentence in _sentences(text, longest):
        if windows and len(windows[-1]) + 1 + len(sentence) <= longest:
            windows[-1] = f"{windows[-1]} {sentence}"
        else:
            windows.append(sentence)
    return windows


def _sentences(text: str, longest: int) -> Iterator[str]:
    """The sentences and lines of a text. One of more than one and a half windows is cut between words."""
    for sentence in split_anywhere(text):
        rest = sentence
        while 2 * len(rest) > 3 * longest:
            blank = rest.rfind(" ", longest // 2, longest)
            cut = blank if blank > 0 else longest
            yield rest[:cut]
            rest = rest[cut:].strip()
        if rest:
            yield rest
