"""Turns the call of a hook into events for the journal: shortened, and without secrets."""

from __future__ import annotations

import time

from holdfast.agents import event as kinds
from holdfast.agents import hook_input as points
from holdfast.agents.event import Event
from holdfast.agents.hook_input import LONGEST_NAME
from holdfast.core.citation import TAG
from holdfast.system.project import head_branch

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from typing import Any

    from holdfast.agents.hook_input import HookInput
    from holdfast.system.project import ProjectIdentity

# Characters kept of a message, of an argument and of a tool's result; of the arguments together.
_MESSAGE, _ARGUMENT, _RESULT, _ARGUMENTS = 20_000, 1_000, 2_000, 6_000
_MOST_ARGUMENTS, _DEEPEST = 40, 4
# What a value that is no text counts for, and the numbers that are kept.
_OTHER_VALUE, _LARGEST = 8, 1 << 63
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
    now, agent = time.time(), _name(input.agent)
    if input.point == points.AFTER_TOOL:
        # Some agents do not number their calls, but readers know a result by the id of its call.
        args, id = _arguments(input.args), _name(input.call) or str(step)
        return [
            Event(kinds.TOOL_CALL, now, tool=_name(input.tool), args=args, id=id, step=step, agent=agent),
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
    return [Event(kind, now, text=text, tool=_name(input.source), agent=agent)] if kind else []


def observed(event: Event, step: int) -> Event:
    """An event that a caller reports: shortened, without secrets, and numbered if it is a call or a result.

    `step` is the number of the latest call.
    """
    is_call = event.kind == kinds.TOOL_CALL
    step = event.step or (step + is_call if is_call or event.kind == kinds.TOOL_RESULT else 0)
    most = _RESULT if event.kind == kinds.TOOL_RESULT else _MESSAGE
    return Event(
        event.kind, event.at or time.time(), text=_clean(event.text, most), tool=_name(event.tool),
        args=_arguments(event.args), id=_name(event.id) or (str(step) if step else ""), step=step, error=event.error,
        agent=_name(event.agent),
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
    return _mapping(args, _Budget(_ARGUMENTS), 0)


def _mapping(values: Mapping[Any, Any], budget: _Budget, depth: int) -> dict[str, Any]:
    kept = {}
    for name, value in _few(values.items()):
        if budget.left <= 0:
            break
        named = _name(str(name))
        budget.left -= len(named)
        kept[named] = _value(value, budget, depth)
    return kept


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
    budget.left -= _OTHER_VALUE
    if budget.left > 0 and depth < _DEEPEST and isinstance(value, list):
        return [_value(item, budget, depth + 1) for item in _few(value) if budget.left > 0]
    if budget.left > 0 and depth < _DEEPEST and isinstance(value, dict):
        return _mapping(value, budget, depth + 1)
    is_short = isinstance(value, float) or (isinstance(value, int) and -_LARGEST < value < _LARGEST)
    return value if value is None or is_short else _OMITTED.strip()


def _name(name: str) -> str:
    """A short name without secrets; one that was changed gets a number, so that it stays distinct."""
    clean = _redactor()(name[: 2 * LONGEST_NAME])[:LONGEST_NAME] if name else ""
    if clean == name:
        return name
    from zlib import crc32

    return f"{clean} {crc32(name.encode('utf-8', 'surrogatepass')):08x}"


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
