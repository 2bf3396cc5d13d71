"""The line that a person reads at the end of a turn in which memory took part."""

from __future__ import annotations

import os

TYPE_CHECKING = False
if TYPE_CHECKING:
    from holdfast.agents.hook_input import HookAnswer

_SHORT, _UUID = 8, 36
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
    # The beginning of a UUID is enough; other ids often begin alike.
    short = session[:_SHORT] if len(session) == _UUID and session[_SHORT] == "-" else session
    where = translate("details: holdfast session show {session}", session=short)
    return f"Holdfast: {', '.join(filter(None, counted))} ({where})"
