"""Lets a language model shorten a page of memories; the page's own room checks what comes back (R-E2)."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import TYPE_CHECKING

from holdfast.conversation.limited_chat import fenced, prompt

if TYPE_CHECKING:
    from holdfast.models.protocols import Chat

PROMPT = "compress.v1"
_TOKENS = 4096
_FENCE = re.compile(r"^\s*```[\w-]*\n(.*?)\n?```\s*$", re.DOTALL)


def compressor(chat: Chat) -> Callable[[str, int], str]:
    """What shortens a page to so many bytes. It may raise ModelError, and nothing says that it succeeds."""

    def compress(page: str, limit: int) -> str:
        asked = f"{fenced('page', page.splitlines())}\n\nAt most {limit} bytes."
        said = chat.complete(prompt(PROMPT), asked, max_tokens=_TOKENS).text
        inside = _FENCE.match(said)
        return inside.group(1) if inside else said

    return compress
