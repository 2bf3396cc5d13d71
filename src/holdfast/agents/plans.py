"""The list of tasks that an agent keeps for itself, as the tools of several clients write it.

Every hook imports this module, so it imports little.
"""

from __future__ import annotations

from holdfast.core.light_json import read_json

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

# Tools that write the whole list, or add to it; and the one that changes a task of it, by its number from 1 on.
LISTING = ("TaskCreate", "TodoWrite", "update_plan", "todowrite", "write_todos")
UPDATING = "TaskUpdate"
DONE = ("completed", "done")
# A plan of more tasks is long: what its tasks show is learned after each, and not at the end of the session only.
LONG_PLAN = 5
_MOST, _LONGEST = 40, 200


def tasks_of(args: Mapping[str, Any]) -> list[tuple[str, str]]:
    """The tasks that a call lists, each with its status."""
    listed = next((args[name] for name in ("todos", "plan", "tasks") if args.get(name)), None)
    if isinstance(listed, str):
        try:
            listed = read_json(listed)
        except (ValueError, RecursionError):
            return []
    if isinstance(listed, list):
        items = [item for item in listed[:_MOST] if isinstance(item, dict)]
        texts = [
            (str(i.get("content") or i.get("step") or i.get("description") or ""), str(i.get("status", "")))
            for i in items
        ]
        return [(text[:_LONGEST], status) for text, status in texts if text]
    subject = str(args.get("subject") or args.get("description") or "")[:_LONGEST]
    return [(subject, "pending")] if subject else []


def updated_task(args: Mapping[str, Any]) -> tuple[int, str]:
    """The number of the task that a call updates and its status; 0 if it names none."""
    number = str(args.get("taskId", ""))
    return (int(number[:9]) if number.isdecimal() else 0), str(args.get("status") or "")[:_LONGEST]


def completes_subtask(tool: str, args: Mapping[str, Any]) -> bool:
    """Does a call complete a task of a long plan?"""
    if tool == UPDATING:
        number, status = updated_task(args)
        return number > LONG_PLAN and status in DONE
    if tool not in LISTING:
        return False
    tasks = tasks_of(args)
    return len(tasks) > LONG_PLAN and any(status in DONE for _, status in tasks)
