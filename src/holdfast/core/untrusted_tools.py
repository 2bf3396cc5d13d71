"""Recognises tools whose output comes from outside the project: web pages, search results, mail."""

from __future__ import annotations

import re

_WORDS = re.compile(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])")
_OUTSIDE = frozenset(
    "web fetch browse browser playwright puppeteer selenium navigate scrape crawl http https url internet google bing"
    " email mail gmail inbox slack download curl wget".split()
)


def is_untrusted(tool: str) -> bool:
    """Does the name of a tool say that it reads text that strangers can write? `WebFetch`, `google_web_search`."""
    return any(word.lower() in _OUTSIDE for word in _WORDS.findall(tool[:200]))
