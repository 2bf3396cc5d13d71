"""Asks an agent to store what the user's prompt states, where that may still matter in later sessions.

The agent knows the conversation and writes a sentence that is clear without it; models of this package cannot.
"""

from __future__ import annotations

from holdfast.core.citation import one_line, wrapped

_REQUEST = (
    "The user may have said something that later sessions will need: {quotes} If so, store it now with Holdfast's tool "
    "`remember`: `text` is one sentence that is clear without this conversation, `quote` the user's words. Do not "
    "store what only this task needs, what you guess, or what the code shows."
)
_LONGEST_QUOTE = 240
# Longer prompts are mostly pasted: plans, logs, answers of other agents.
_LONGEST_PROMPT = 1_500


def request(prompt: str, before: str) -> tuple[str, list[str]]:
    """The text for the agent and the sentences that it quotes; both empty if the prompt states nothing of the kind.

    `before` is what the agent said last.
    """
    quotes = lasting(prompt, before)
    return (wrapped(_REQUEST.format(quotes=" ".join(map(_quoted, quotes)))), quotes) if quotes else ("", [])


def lasting(prompt: str, before: str) -> list[str]:
    """The sentences of the person's own part of a prompt that may matter in later sessions.

    A command such as `/clear` states nothing. What reads words is imported only for a prompt that is read.
    """
    if prompt.startswith("/"):
        return []
    from holdfast.text.noise import by_person

    own = by_person(prompt)
    if not own or own.startswith("/") or len(own) > _LONGEST_PROMPT:
        return []
    from holdfast.learn.keep.lasting import lasting_statements

    return lasting_statements(own, before)


def _quoted(sentence: str) -> str:
    line = one_line(sentence).replace("“", '"').replace("”", '"')
    return f"“{line if len(line) <= _LONGEST_QUOTE else line[:_LONGEST_QUOTE].rstrip() + '…'}”"
