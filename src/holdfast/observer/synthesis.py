"""Rewrites the texts of memories with one call of a language model, if there is one; the templates stand otherwise."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import cache
from typing import TYPE_CHECKING, Any

from holdfast.core.errors import ModelError
from holdfast.core.local_text import stays_local
from holdfast.observer.instructions import instructs
from holdfast.observer.promote import COMMIT_SOURCE
from holdfast.text.patterns import compiled

if TYPE_CHECKING:
    from holdfast.models.protocols import Chat
    from holdfast.observer.promote import Promoted

FIELDS = ("memories",)
_FILE = os.path.join(os.path.dirname(__file__), "prompts", "synthesise.v1.md")
_MOST, _LONGEST, _TOKENS = 12, 500, 1_024
_NAMES = r"`[^`]+`|\d+"
_SCHEMA: Mapping[str, Any] = {
    "type": "object",
    "properties": {"memories": {"type": "array"}},
    "required": ["memories"],
}


def synthesise(promoted: Sequence[Promoted], chat: Callable[[], Chat | None]) -> tuple[Promoted, ...]:
    """The same memories, some of them in better words. One call at most; if it fails, nothing changes.

    A text is taken only if it keeps every name and number, adds none, and addresses nobody. Tainted texts and those
    from which a secret was removed are not sent.
    """
    sent = {number: one for number, one in enumerate(promoted) if _may_be_sent(one)}
    model = chat() if sent else None
    if model is None:
        return tuple(promoted)
    lines = [json.dumps({"number": n, "text": one.candidate.text}) for n, one in list(sent.items())[:_MOST]]
    try:
        answer = model.complete(_prompt(), "\n".join(lines), schema=_SCHEMA, max_tokens=_TOKENS)
        better = _texts(json.loads(answer.text))
    except (ModelError, ValueError):
        return tuple(promoted)
    return tuple(_rewritten(one, better.get(n, "") if n in sent else "") for n, one in enumerate(promoted))


def _may_be_sent(one: Promoted) -> bool:
    candidate = one.candidate
    own_words = candidate.type == "work_state" or candidate.source == COMMIT_SOURCE
    return candidate.taint is None and not own_words and not stays_local(candidate.text)


def _texts(answer: object) -> dict[int, str]:
    listed = answer.get("memories") if isinstance(answer, dict) else None
    rows = [row for row in listed if isinstance(row, dict)] if isinstance(listed, list) else []
    return {row["number"]: str(row.get("text") or "") for row in rows if isinstance(row.get("number"), int)}


def _rewritten(one: Promoted, text: str) -> Promoted:
    text = " ".join(text.split())
    kept = sorted(set(compiled(_NAMES).findall(text))) == sorted(set(compiled(_NAMES).findall(one.candidate.text)))
    if not text or len(text) > _LONGEST or not kept or instructs(text):
        return one
    return replace(one, candidate=replace(one.candidate, text=text))


@cache
def _prompt() -> str:
    with open(_FILE, encoding="utf-8") as opened:
        return opened.read().strip()
