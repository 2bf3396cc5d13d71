"""The line that a person reads at the end of a turn in which memory took part."""

from __future__ import annotations

import os

TYPE_CHECKING = False
if TYPE_CHECKING:
    from holdfast.inject.hook_input import HookAnswer

_SHORT = 8
_WORTH_SAYING = 50


def turn_message(answer: HookAnswer, session: str) -> str:
    """What the agent was given and has stored, what it used so far, the tokens saved, and where to see it all."""
    from holdfast.interfaces import language
    from holdfast.interfaces.language import translate, translate_count

    language.choose(None, os.environ)
    counted = [
        translate_count(answer.given, "{n} memory given", "{n} memories given") if answer.given else "",
        translate_count(answer.stored, "{n} memory stored", "{n} memories stored") if answer.stored else "",
        translate("{n} used so far", n=answer.used) if answer.used else "",
        translate("about {n} tokens saved", n=f"{answer.saved:,}") if answer.saved >= _WORTH_SAYING else "",
    ]
    where = translate("details: holdfast session show {session}", session=session[:_SHORT])
    return f"Holdfast: {', '.join(filter(None, counted))} ({where})"
