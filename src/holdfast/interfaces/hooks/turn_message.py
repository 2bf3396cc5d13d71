"""The line that a person reads at the end of a turn in which memory took part."""

from __future__ import annotations

import os

_SHORT = 8


def turn_message(given: int, stored: int, session: str) -> str:
    """How many memories the agent was given and has stored, and where to see them."""
    from holdfast.interfaces import language
    from holdfast.interfaces.language import translate, translate_count

    language.choose(None, os.environ)
    counted = [
        translate_count(given, "{n} memory given", "{n} memories given") if given else "",
        translate_count(stored, "{n} memory stored", "{n} memories stored") if stored else "",
    ]
    where = translate("details: holdfast session show {session}", session=session[:_SHORT])
    return f"Holdfast: {', '.join(filter(None, counted))} ({where})"
