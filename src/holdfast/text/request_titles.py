"""The title of a request: what somebody asked an agent for, on one line."""

from __future__ import annotations

from holdfast.text.patterns import compiled

_SHORT_TITLE = 20
_PARAGRAPH = r"\n\s*\n|\n\s*(?=#)"
# Clients put this before the request itself: the headings of a plan.
_LEAD_IN = r"(?i)^\s*(?:implement the following plan:\s*)?(?:#+\s*)?(?:(?:plan|fix)\s?:\s*)?"


def request_title(text: str, longest: int) -> str:
    """Returns the heading or the first paragraph of a request, cut between words to at most `longest` characters."""
    title, *rest = compiled(_PARAGRAPH).split(compiled(_LEAD_IN).sub("", text).strip(), maxsplit=2)
    # "I got this feedback:" says nothing without what follows it.
    is_short = len(title.strip()) < _SHORT_TITLE or title.rstrip().endswith(":")
    if is_short and rest and not rest[0].lstrip().startswith("#"):
        title = f"{title} {rest[0]}"
    line = " ".join(title.split()).rstrip(".")
    return line if len(line) <= longest else line[: longest - 1].rsplit(" ", 1)[0] + "…"
