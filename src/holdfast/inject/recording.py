"""Turns the call of a hook into events for the journal: shortened, and without secrets."""

from __future__ import annotations

import time

from holdfast.core import event as kinds
from holdfast.core.citation import TAG
from holdfast.core.event import Event
from holdfast.core.project import head_branch
from holdfast.inject import hook_input as points

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from typing import Any

    from holdfast.core.project import ProjectIdentity
    from holdfast.inject.hook_input import HookInput

# Characters kept of a message, of an argument and of a tool's result; of the arguments together.
_MESSAGE, _ARGUMENT, _RESULT, _ARGUMENTS = 20_000, 1_000, 2_000, 6_000
_MOST_ARGUMENTS, _DEEPEST = 40, 4
# Secrets are searched in more than is kept, so that the cut does not hide one from the search.
_MARGIN = 4_000
_OMITTED = " […] "


def header(input: HookInput, identity: ProjectIdentity) -> Event:
    """The first event of a journal: which agent works where."""
    where = {"session": input.session, "cwd": input.cwd, "root": identity.root, "transcript": input.transcript}
    where |= {"branch": head_branch(identity.root), "kind": input.kind}
    return Event(kinds.SESSION, time.time(), tool=input.client, args={k: v for k, v in where.items() if v})


def events_of(input: HookInput, step: int) -> list[Event]:
    """The events that a call reports; `step` is the number of this tool call."""
    now, agent = time.time(), input.agent
    if input.point == points.AFTER_TOOL:
        # Some agents do not number their calls, but readers know a result by the id of its call.
        args, id = _arguments(input.args), input.call or str(step)
        return [
            Event(kinds.TOOL_CALL, now, tool=input.tool, args=args, id=id, step=step, agent=agent),
            Event(
                kinds.TOOL_RESULT, now, text=_clean(input.result, _RESULT), id=id, error=input.error,
                step=step, agent=agent,
            ),
        ]  # fmt: skip
    text = _clean(input.text, _MESSAGE)
    if input.point == points.STOP:
        said = [Event(kinds.ASSISTANT, now, text=text, agent=agent)] if text else []
        return [*said, Event(kinds.STOP, now)]
    kind = _KIND_OF.get(input.point)
    return [Event(kind, now, text=text, tool=input.source, agent=agent)] if kind else []


def observed(event: Event, step: int) -> Event:
    """An event that a caller reports: shortened, without secrets, and numbered if it is a call or a result.

    `step` is the number of the latest call.
    """
    is_call = event.kind == kinds.TOOL_CALL
    step = event.step or (step + is_call if is_call or event.kind == kinds.TOOL_RESULT else 0)
    most = _RESULT if event.kind == kinds.TOOL_RESULT else _MESSAGE
    return Event(
        event.kind, event.at or time.time(), text=_clean(event.text, most), tool=event.tool[:_ARGUMENT],
        args=_arguments(event.args), id=event.id or (str(step) if step else ""), step=step, error=event.error,
        agent=event.agent[:_ARGUMENT],
    )  # fmt: skip


def given(point: str, ids: list[str]) -> Event:
    """The event that memories were put into the prompt."""
    return Event(kinds.GIVEN, time.time(), tool=point, args={"ids": ids})


def asked(point: str, quotes: list[str]) -> Event:
    """The event that the agent was asked to decide about sentences of the prompt."""
    return Event(kinds.ASKED, time.time(), tool=point, args={"quotes": [_clean(quote, _ARGUMENT) for quote in quotes]})


_KIND_OF = {
    points.PROMPT: kinds.USER,
    points.COMPACT: kinds.COMPACT,
    points.AGENT_START: kinds.AGENT_START,
    points.AGENT_STOP: kinds.AGENT_STOP,
    points.END: kinds.END,
}


def _arguments(args: Mapping[str, Any]) -> dict[str, Any]:
    budget = _Budget(_ARGUMENTS)
    return {str(name): _value(value, budget, 0) for name, value in _few(args.items())}


class _Budget:
    """The characters left for the arguments of one call."""

    __slots__ = ("left",)

    def __init__(self, left: int) -> None:
        self.left = left


def _value(value: Any, budget: _Budget, depth: int) -> Any:
    if isinstance(value, str):
        kept = _clean(value, min(_ARGUMENT, max(0, budget.left)))
        budget.left -= len(kept)
        return kept
    if depth < _DEEPEST and isinstance(value, list):
        return [_value(item, budget, depth + 1) for item in _few(value)]
    if depth < _DEEPEST and isinstance(value, dict):
        return {str(name): _value(item, budget, depth + 1) for name, item in _few(value.items())}
    return value if value is None or isinstance(value, bool | int | float) else _OMITTED.strip()


def _few(items: Any) -> list[Any]:
    return list(items)[:_MOST_ARGUMENTS]


def _clean(text: str, most: int) -> str:
    """The beginning and the end of a text, without secrets and without what we put into the prompt ourselves."""
    if TAG in text:
        from holdfast.text.noise import without_noise

        text = without_noise(text)
    if not text or most <= 0:
        return ""
    redact = _redactor()
    if len(text) <= most:
        return redact(text)[: most + _MARGIN]
    head, end = most * 3 // 4, most // 4
    first, last = redact(text[: head + _MARGIN])[:head], redact(text[-(end + _MARGIN) :])[-end:]
    return first + _OMITTED + last


def _redactor() -> Callable[[str], str]:
    from holdfast.intake.secrets import redact

    return redact
