"""The state of the work at the end of a session: what it was about, what it changed, and what is still open."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from holdfast.observer.requests import goal_of
from holdfast.observer.scratchpad import is_form_of
from holdfast.observer.tool_actions import is_check
from holdfast.text.request_titles import request_title

if TYPE_CHECKING:
    from holdfast.observer.scratchpad import Scratchpad

_REQUEST, _MOST_FILES, _MOST_TASKS, _LONGEST = 160, 4, 4, 600
_DONE = ("completed", "done", "deleted", "cancelled")
_SUBJECT = 100


class WorkState(NamedTuple):
    """Where the work on a branch stands: a text, and the fields of the memory's type."""

    branch: str
    text: str
    files: tuple[str, ...]
    fields: dict[str, Any]
    last_step: int


def work_state(pad: Scratchpad) -> WorkState | None:
    """The state of the work after a session; None if it changed nothing and planned nothing."""
    edited, todo = pad.edited(), [task for task, status in pad.todo.items() if status not in _DONE]
    if not pad.prompts or not (edited or todo):
        return None
    branch = pad.branches[-1] if pad.branches else ""
    request = request_title(goal_of(pad.prompts), _REQUEST)
    parts = [f"Last session{f' on branch {branch}' if branch else ''}" + (f": “{request}”" if request else "")]
    if edited:
        more = f" and {len(edited) - _MOST_FILES} more" if len(edited) > _MOST_FILES else ""
        parts.append("it changed " + ", ".join(f"`{path}`" for path in edited[:_MOST_FILES]) + more)
    if pad.commits:
        subject = str(pad.commits[-1][2]).partition("\n")[0].strip()
        parts.append(f"it committed “{subject[:_SUBJECT]}”")
    parts += [*_checks(pad), *(["open: " + "; ".join(todo[:_MOST_TASKS])] if todo else [])]
    done = [task for task, status in pad.todo.items() if status in _DONE][:_MOST_TASKS]
    fields: dict[str, Any] = {"completed": done} if done else {}
    if todo:
        fields["in_progress"] = {"description": request, "next_step": todo[0]}
    text = ""
    for part in parts:
        sentence = f"{part[:1].upper()}{part[1:]}."
        text = f"{text} {sentence}".strip() if len(text) + len(sentence) < _LONGEST else text
    return WorkState(branch, text, tuple(edited[:_MOST_FILES]), fields, pad.step)


def _checks(pad: Scratchpad) -> list[str]:
    """The checks that failed last, or else the latest one that passed."""
    last = {key: (step, succeeded) for step, key, succeeded in pad.runs if is_check(key)}
    passed = [(step, key) for key, (step, succeeded) in last.items() if succeeded]
    failed = [
        key
        for key, (step, succeeded) in last.items()
        if not succeeded and not any(later > step and is_form_of(other, key) for later, other in passed)
    ]
    if failed:
        return [f"`{failed[-1]}` failed at the end"]
    return [f"`{max(passed)[1]}` passed at the end"] if passed else []
