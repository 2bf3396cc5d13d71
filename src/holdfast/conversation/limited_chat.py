"""The language model as this house asks it: by a purpose, under the ceiling, and understood where it can be."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from holdfast.conversation.json_repair import read_answer
from holdfast.core.errors import ModelRefused
from holdfast.models.endpoint import Endpoint, RetryPolicy
from holdfast.models.http import HttpChat
from holdfast.models.tokens import PromptTokens

if TYPE_CHECKING:
    from holdfast.conversation.ceiling import Ceiling
    from holdfast.core.settings import Settings
    from holdfast.models.protocols import Chat


def limited_chat(
    settings: Settings,
    purpose: str,
    ceiling: Ceiling,
    seconds: float,
    *,
    redact: Callable[[str], str],
    fields: Sequence[str] = (),
) -> Chat | None:
    """The language model the settings name, for one purpose; None when they name none.

    Every request counts against the ceiling, and none is made again when it fails. `fields` are those of an answer in
    JSON: it may stand in a fence, among other words or be cut off, and what can be read of it is the answer.
    Raises CeilingReached or another ModelError.
    """
    if not settings.llm_url:
        return None
    patience = RetryPolicy(seconds, retries=0)
    endpoint = _LimitedEndpoint(settings.llm_url, settings.llm_key, patience, redact, ceiling, purpose, fields)
    return HttpChat(endpoint, settings.llm_model)


@cache
def prompt(name: str) -> str:
    """What the model is told, by the name and version of the file."""
    return (Path(__file__).parent / "prompts" / f"{name}.md").read_text(encoding="utf-8").strip()


def fenced(title: str, lines: Sequence[str]) -> str:
    """Lines of data between two marks that none of them can forge: the marks are made of the lines themselves."""
    import hashlib

    text = "\n".join(lines)
    mark = hashlib.sha256(text.encode("utf-8", "replace")).hexdigest()[:12]
    return f"<{title} {mark}>\n{text}\n</{title} {mark}>"


def quoted(text: str, longest: int) -> str:
    """A text as one JSON string on one line, cut in the middle when it is long: a request ends with what is asked."""
    if len(text) > longest:
        text = f"{text[: longest // 2]} … {text[-(longest // 2) :]}"
    return "".join(_LINE_ENDS.get(ch, ch) for ch in json.dumps(text, ensure_ascii=False))


# Line ends that JSON lets stand as they are.
_LINE_ENDS = {"\x85": "\\u0085", "\u2028": "\\u2028", "\u2029": "\\u2029"}


class _LimitedEndpoint(Endpoint):
    """An endpoint whose every request is counted before it leaves."""

    def __init__(
        self,
        url: str,
        key: str,
        patience: RetryPolicy,
        redact: Callable[[str], str],
        ceiling: Ceiling,
        purpose: str,
        fields: Sequence[str],
    ) -> None:
        super().__init__(url, key, patience, redact)
        self._ceiling = ceiling
        self._purpose = purpose
        self._fields = fields

    def post(self, path: str, payload: Mapping[str, Any]) -> Any:
        expected = _tokens(payload)
        reservation = self._ceiling.reserve(self._purpose, expected + _longest_reply(payload))
        # Why only then given back: a server that hangs or breaks may have worked, and been paid for it.
        try:
            answer = super().post(path, payload)
        except ModelRefused:
            reservation.settle(0, 0)
            raise
        reservation.settle(*_taken(answer, expected))
        return _mended(answer, self._fields)


def _tokens(payload: Mapping[str, Any]) -> int:
    return PromptTokens().count(json.dumps([payload["messages"], payload.get("response_format")], ensure_ascii=False))


def _longest_reply(payload: Mapping[str, Any]) -> int:
    return int(payload.get("max_tokens") or payload.get("max_completion_tokens") or 0)


def _taken(answer: Any, expected: int) -> tuple[int, int]:
    """The tokens the server says it took; where it does not say, as they are estimated."""
    usage = answer.get("usage") if isinstance(answer, dict) else None
    told = usage if isinstance(usage, dict) else {}
    prompt, completion = told.get("prompt_tokens"), told.get("completion_tokens")
    said = _content(answer) or ""
    return (
        prompt if isinstance(prompt, int) and prompt > 0 else expected,
        completion if isinstance(completion, int) and completion > 0 else PromptTokens().count(said),
    )


def _mended(answer: Any, fields: Sequence[str]) -> Any:
    """The answer with what can be read of its JSON in the place of what was said; as it is when that is nothing."""
    said = _content(answer)
    read = read_answer(said, fields) if said and fields else None
    if read is None:
        return answer
    choice = {**answer["choices"][0], "message": {"role": "assistant", "content": json.dumps(read)}}
    return {**answer, "choices": [choice]}


def _content(answer: Any) -> str | None:
    try:
        said = answer["choices"][0]["message"]["content"]
    except (KeyError, IndexError, TypeError):
        return None
    return said if isinstance(said, str) else None
