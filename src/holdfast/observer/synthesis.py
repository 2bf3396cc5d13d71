"""Words memories better and sums up modules with one call of a language model, if there is one.

Without it the templates stand, and a module has its other memories.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import cache
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

from holdfast.core.errors import ModelError
from holdfast.core.local_text import stays_local
from holdfast.observer.injected_instructions import instructs
from holdfast.observer.promote import COMMIT_SOURCE
from holdfast.text.patterns import compiled

if TYPE_CHECKING:
    from holdfast.models.protocols import Chat
    from holdfast.observer.over_sessions import ModuleFacts
    from holdfast.observer.promote import Promoted

Key = TypeVar("Key", int, str)
FIELDS = ("memories", "summaries")
_FILE = os.path.join(os.path.dirname(__file__), "prompts", "synthesise.v2.md")
_MOST, _MOST_MODULES, _SHORTEST, _LONGEST, _TOKENS = 12, 3, 40, 500, 1_024
_NAMES = r"`[^`]+`|\d+"
_SCHEMA: Mapping[str, Any] = {
    "type": "object",
    "properties": {"memories": {"type": "array"}, "summaries": {"type": "array"}},
    "required": ["memories"],
}


class Synthesis(NamedTuple):
    """The memories of a session in their final words, and the summaries of modules that a model wrote."""

    promoted: tuple[Promoted, ...]
    summaries: tuple[tuple[ModuleFacts, str], ...] = ()


def synthesise(
    promoted: Sequence[Promoted],
    chat: Callable[[], Chat | None],
    modules: Callable[[], Sequence[ModuleFacts]] = tuple,
) -> Synthesis:
    """The same memories, some of them in better words, and summaries of modules.

    One call at most; if it fails, nothing changes. A text is taken only if it keeps every name and number, adds none,
    and addresses nobody; a summary if its facts have all of its names and numbers. Tainted texts and those from which
    a secret was removed are not sent.
    """
    model = chat()
    if model is None:
        return Synthesis(tuple(promoted))
    sent = {number: one for number, one in enumerate(promoted) if _may_be_sent(one)}
    known = list(modules())[:_MOST_MODULES]
    if not sent and not known:
        return Synthesis(tuple(promoted))
    lines = [json.dumps({"number": n, "text": one.candidate.text}) for n, one in list(sent.items())[:_MOST]]
    lines += [json.dumps({"module": one.module, "facts": one.facts}) for one in known]
    try:
        answer = json.loads(model.complete(_prompt(), "\n".join(lines), schema=_SCHEMA, max_tokens=_TOKENS).text)
    except (ModelError, ValueError):
        return Synthesis(tuple(promoted))
    better = _rows(answer, "memories", "number", int)
    words = tuple(_rewritten(one, better.get(n, "") if n in sent else "") for n, one in enumerate(promoted))
    written = _rows(answer, "summaries", "module", str)
    pairs = ((one, " ".join(written.get(one.module, "").split())) for one in known)
    return Synthesis(words, tuple((one, text) for one, text in pairs if _is_summary(text, one.facts)))


def _may_be_sent(one: Promoted) -> bool:
    candidate = one.candidate
    own_words = candidate.type == "work_state" or candidate.source == COMMIT_SOURCE
    return candidate.taint is None and not own_words and not stays_local(candidate.text)


def _rows(answer: object, name: str, key: str, type: type[Key]) -> dict[Key, str]:
    listed = answer.get(name) if isinstance(answer, dict) else None
    rows = [row for row in listed if isinstance(row, dict)] if isinstance(listed, list) else []
    return {row[key]: str(row.get("text") or "") for row in rows if isinstance(row.get(key), type)}


def _is_summary(text: str, facts: Sequence[str]) -> bool:
    names = set(compiled(_NAMES).findall(text))
    known = set(compiled(_NAMES).findall("\n".join(facts)))
    return _SHORTEST <= len(text) <= _LONGEST and bool(names) and names <= known and not instructs(text)


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
