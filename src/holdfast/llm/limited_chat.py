"""Calls the language model for one purpose under the daily ceiling, and repairs the JSON of its answers."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeGuard

from holdfast.core.errors import ModelGarbled, ModelRefused
from holdfast.core.local_text import stays_local
from holdfast.llm.json_repair import ends_early, read_answer
from holdfast.llm.providers import endpoint_of
from holdfast.models.http import HttpChat
from holdfast.models.token_counts import PromptTokens

if TYPE_CHECKING:
    from holdfast.core.settings import Settings
    from holdfast.llm.ceiling import Ceiling
    from holdfast.models.http import ChatEndpoint
    from holdfast.models.protocols import Chat

CONTINUE_PROMPT = "continue.v1"


def limited_chat(
    settings: Settings,
    purpose: str,
    ceiling: Ceiling,
    seconds: float,
    *,
    redact: Callable[[str], str],
    fields: Sequence[str] = (),
) -> Chat | None:
    """The language model of the settings for one purpose; None if they name none.

    Every request counts against the ceiling, and a failed one is not repeated. `fields` are those of a JSON answer.
    It may be in a code fence or surrounded by text; its readable part becomes the answer. A truncated answer is
    continued by further requests, and an error if it is still incomplete after them. A call raises CeilingReached or
    another ModelError.
    """
    endpoint = endpoint_of(settings, seconds, redact)
    if endpoint is None:
        return None
    return HttpChat(_LimitedEndpoint(endpoint, ceiling, purpose, fields), settings.llm_model)


@cache
def prompt(name: str) -> str:
    """The system prompt with this name and version."""
    return (Path(__file__).parent / "prompts" / f"{name}.md").read_text(encoding="utf-8").strip()


def fenced(title: str, lines: Sequence[str]) -> str:
    """Lines of data between two tags that the data cannot forge, because the tags contain a hash of the lines."""
    import hashlib

    text = "\n".join(lines)
    mark = hashlib.sha256(text.encode("utf-8", "replace")).hexdigest()[:12]
    return f"<{title} {mark}>\n{text}\n</{title} {mark}>"


def quoted(text: str, longest: int) -> str:
    """A text as a JSON string on one line. A long one loses its middle, since requests often end with the question.

    A text from which a secret was removed stays on this machine and is left out.
    """
    if stays_local(text):
        return _LEFT_OUT
    if len(text) > longest:
        text = f"{text[: longest // 2]} … {text[-(longest // 2) :]}"
    return "".join(_LINE_ENDS.get(ch, ch) for ch in json.dumps(text, ensure_ascii=False))


# No request uses as many tokens; a server that reports more is wrong.
_MOST_TOKENS = 10_000_000
# No text has as many characters per token: an answer with more is not what was asked for.
_CHARACTERS_PER_TOKEN = 16
_MAX_CONTINUATIONS = 3
_CUT_OFF = "length"  # the reason that servers give for an answer that they cut off
_LEFT_OUT = '"(left out)"'
# Line ends that JSON does not escape.
_LINE_ENDS = {"\x85": "\\u0085", "\u2028": "\\u2028", "\u2029": "\\u2029"}


class _LimitedEndpoint:
    """An endpoint whose requests are counted before they are sent."""

    def __init__(self, endpoint: ChatEndpoint, ceiling: Ceiling, purpose: str, fields: Sequence[str]) -> None:
        self._endpoint = endpoint
        self._ceiling = ceiling
        self._purpose = purpose
        self._fields = fields

    def name(self, model: str) -> str:
        return self._endpoint.name(model)

    def post(self, path: str, payload: Mapping[str, Any], within: float | None = None) -> Any:
        answer = self._post(path, payload, within)
        for _ in range(_MAX_CONTINUATIONS):
            if not self._fields or not _is_cut_off(answer):
                return answer
            answer = _joined(answer, self._post(path, _continued(payload, answer), within))
        if self._fields and _is_cut_off(answer):
            raise ModelGarbled("the answer is longer than the model may write")
        return answer

    def _post(self, path: str, payload: Mapping[str, Any], within: float | None) -> Any:
        expected, longest = _tokens(payload), _longest_reply(payload)
        reservation = self._ceiling.reserve(self._purpose, expected + longest)
        # Only a refusal frees the reservation: a server that timed out or failed may still have charged for the call.
        try:
            answer = self._endpoint.post(path, payload, within)
        except ModelRefused:
            reservation.settle(0, 0)
            raise
        reservation.settle(*_used_tokens(answer, expected, longest))
        if longest and len(_content(answer) or "") > longest * _CHARACTERS_PER_TOKEN:
            raise ModelGarbled("the answer is several times as long as the model may write")
        return _repaired(answer, self._fields)


def _is_cut_off(answer: Any) -> bool:
    """Did the model stop because it had written as much as it may?"""
    try:
        return bool(answer["choices"][0]["finish_reason"] == _CUT_OFF)
    except (KeyError, IndexError, TypeError):
        return False


def _continued(payload: Mapping[str, Any], answer: Any) -> dict[str, Any]:
    """The request for what is missing, in the form of the first answer: servers that enforce a schema begin anew."""
    so_far = {"role": "assistant", "content": _content(answer) or "{}"}
    return {**payload, "messages": [*payload["messages"], so_far, {"role": "user", "content": prompt(CONTINUE_PROMPT)}]}


def _joined(first: Any, second: Any) -> Any:
    """The second answer with the fields of both: lists one after the other, of two texts the first."""
    parts = [_object(_content(answer)) for answer in (first, second)]
    fields = dict(parts[1])
    for name, value in parts[0].items():
        other = fields.get(name)
        fields[name] = [*value, *other] if isinstance(value, list) and isinstance(other, list) else value or other
    return _with_content(second, fields) if fields else second


def _object(text: str | None) -> dict[str, Any]:
    try:
        found = json.loads(text or "{}")
    except ValueError:
        return {}
    return found if isinstance(found, dict) else {}


def _tokens(payload: Mapping[str, Any]) -> int:
    return PromptTokens().count(json.dumps([payload["messages"], payload.get("response_format")], ensure_ascii=False))


def _longest_reply(payload: Mapping[str, Any]) -> int:
    return int(payload.get("max_tokens") or payload.get("max_completion_tokens") or 0)


def _used_tokens(answer: Any, expected: int, longest: int) -> tuple[int, int]:
    """The prompt and completion tokens the server reports, or else an estimate; at most what the model may write."""
    usage = answer.get("usage") if isinstance(answer, dict) else None
    reported = usage if isinstance(usage, dict) else {}
    prompt, completion = reported.get("prompt_tokens"), reported.get("completion_tokens")
    text = _content(answer) or ""
    return (
        prompt if _is_count(prompt) else expected,
        completion if _is_count(completion) else _estimated(text, longest),
    )


def _estimated(text: str, longest: int) -> int:
    if not longest:
        return PromptTokens().count(text)
    return min(longest, PromptTokens().count(text[: longest * _CHARACTERS_PER_TOKEN]))


def _is_count(value: Any) -> TypeGuard[int]:
    return isinstance(value, int) and 0 < value < _MOST_TOKENS


def _repaired(answer: Any, fields: Sequence[str]) -> Any:
    """The answer with its text replaced by the JSON fields read from it; unchanged if none can be read."""
    text = _content(answer)
    read = read_answer(text, fields) if text and fields else None
    if text is None or read is None:
        return answer
    return _with_content(answer, read, **({"finish_reason": _CUT_OFF} if ends_early(text, fields) else {}))


def _with_content(answer: Any, fields: Mapping[str, Any], **changed: str) -> Any:
    try:
        message = {"role": "assistant", "content": json.dumps(fields)}
        choice = {**answer["choices"][0], "message": message, **changed}
    except (KeyError, IndexError, TypeError):
        return answer
    return {**answer, "choices": [choice]}


def _content(answer: Any) -> str | None:
    try:
        text = answer["choices"][0]["message"]["content"]
    except (KeyError, IndexError, TypeError):
        return None
    return text if isinstance(text, str) else None
