"""Lets a language model shorten MEMORY.md; `memory_files` checks the answer line by line."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import TYPE_CHECKING

from holdfast.llm.limited_chat import fenced, prompt

if TYPE_CHECKING:
    from holdfast.models.protocols import Chat

PROMPT = "compress.v1"
_TOKENS = 4096
_FENCE = re.compile(r"^\s*```[\w-]*\n(.*?)\n?```\s*$", re.DOTALL)


def compressor(chat: Chat) -> Callable[[str, int], str]:
    """A function that asks for a page of at most `limit` bytes; the answer may be longer. It may raise ModelError."""

    def compress(page: str, limit: int) -> str:
        query = f"{fenced('page', page.splitlines())}\n\nAt most {limit} bytes."
        reply = chat.complete(prompt(PROMPT), query, max_tokens=_TOKENS).text
        inside = _FENCE.match(reply)
        return inside.group(1) if inside else reply

    return compress
