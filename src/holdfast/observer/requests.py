"""Tells what a person asked for from what the client writes in the person's place."""

from __future__ import annotations

from typing import TYPE_CHECKING

from holdfast.text.noise import BLOCKS, without_noise
from holdfast.text.patterns import compiled

if TYPE_CHECKING:
    from collections.abc import Sequence

# What a client inserts, such as the file that is open, if the prompt was cut before its end; and what it writes in
# place of a prompt: the project's instructions, and data.
_OF_THE_CLIENT = rf"(?s)<(?:{'|'.join(BLOCKS)})\b[^>]*>.*|^(?:# AGENTS\.md instructions|<INSTRUCTIONS>|\{{\").*"
# Marks around a message of another agent, whose text is the request.
_MARKS = r"</?[a-z]+[-_][a-z_-]+\b[^>]*>"
_LOOKED_AT = ("<ide_opened_file>", "<ide_selection>")
_COMMAND, _ARGUMENTS = r"<command-name>\s*(/?[\w:.-]+)", r"<command-args>\s*([^<]+)"
# Commands about the client itself.
_ABOUT_CLIENT = frozenset(
    "clear compact exit quit model resume login logout config cost help init mcp memory permissions status context"
    " usage plugin effort hooks agents doctor rewind fast terminal-setup".split()
)
# "y" or "go on" is an answer, which asks for nothing by itself.
_LEAST_GOAL, _LEAST_WORDS = 25, 3


def is_request(prompt: str) -> bool:
    """Does a prompt say what a person wants or looks at? Not if it is a notice of the client, or a command about it."""
    return bool(_command(prompt) or _written(prompt)) or prompt.startswith(_LOOKED_AT)


def goal_of(prompts: Sequence[str]) -> str:
    """The first prompt that says what to do; later ones are often questions about details. Empty if none does.

    A command of the client stands for its text, which is the same in every session.
    """
    asked = [_written(prompt) for prompt in prompts]
    told = next((text for text in asked if len(text) >= _LEAST_GOAL), "")
    command = next(filter(None, map(_command, prompts)), "")
    return told or command or next((text for text in asked if len(text.split()) >= _LEAST_WORDS), "")


def _written(prompt: str) -> str:
    text = compiled(_MARKS).sub("", compiled(_OF_THE_CLIENT).sub("", without_noise(prompt))).strip()
    # The text of another agent may be a notice, too.
    return compiled(_OF_THE_CLIENT).sub("", without_noise(text)).strip()


def _command(prompt: str) -> str:
    """The command of the client that a prompt gives, with its arguments."""
    found = compiled(_COMMAND).search(prompt)
    if found is None or found[1].lstrip("/") in _ABOUT_CLIENT:
        return ""
    arguments = compiled(_ARGUMENTS).search(prompt)
    return f"{found[1]} {arguments[1].strip() if arguments else ''}".strip()
