"""One thing that happened in an agent's session, as hooks write it to the session's journal and readers read it.

Every hook imports this module, so it imports nothing.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any, Self

# The kinds of events. A tool call and its result are two events with the same `id`.
SESSION = "session"  # The first event: the client in `tool`, where it runs in `args`.
USER = "user"
ASSISTANT = "assistant"
REASONING = "reasoning"
TOOL_CALL = "tool_call"
TOOL_RESULT = "tool_result"
GIVEN = "given"  # Memories that a hook put into the prompt: their ids in `args["ids"]`, the place in `tool`.
ASKED = "asked"  # A hook asked the agent to decide about what the user said: the quotations in `args["quotes"]`.
COMPACT = "compact"
STOP = "stop"  # The agent has finished its turn.
AGENT_START = "agent_start"
AGENT_STOP = "agent_stop"
END = "end"
# What somebody reported about the session: its `kind`, `planned_steps`, `qa` and `outcome` in `args`.
REPORT = "report"
KINDS = (
    SESSION, USER, ASSISTANT, REASONING, TOOL_CALL, TOOL_RESULT, GIVEN, ASKED, COMPACT, STOP, AGENT_START, AGENT_STOP,
    END, REPORT,
)  # fmt: skip
# The first second of the year 10000, which no date can name.
_LATEST = 253_402_300_800
_MOST_STEPS = 1_000_000_000


class Event:
    """An event: its kind, its time in seconds since 1970, and what its kind needs of the rest.

    `step` counts the tool calls of the session, from 1. `agent` names the sub-agent that acted; empty for the main one.
    Texts are shortened and contain no secrets.
    """

    __slots__ = ("agent", "args", "at", "error", "id", "kind", "step", "text", "tool")

    def __init__(
        self,
        kind: str,
        at: float,
        *,
        text: str = "",
        tool: str = "",
        args: Mapping[str, Any] | None = None,
        id: str = "",
        step: int = 0,
        error: bool = False,
        agent: str = "",
    ) -> None:
        self.kind = kind
        self.at = at
        self.text = text
        self.tool = tool
        self.args: Mapping[str, Any] = args or {}
        self.id = id
        self.step = step
        self.error = error
        self.agent = agent

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Event) and self.to_record() == other.to_record()

    def __hash__(self) -> int:
        return hash((self.kind, self.at, self.id, self.step))

    def __repr__(self) -> str:
        return f"Event({self.to_record()})"

    @property
    def memories(self) -> list[str]:
        """The ids of the memories that were given. A journal may be damaged: what is no id is left out."""
        ids = self.args.get("ids")
        return [id for id in ids if isinstance(id, str)] if isinstance(ids, list) else []

    def to_record(self) -> dict[str, Any]:
        """The event as a JSON object, without empty values."""
        values = {name: getattr(self, name) for name in ("text", "tool", "args", "id", "step", "error", "agent")}
        return {"kind": self.kind, "at": self.at, **{name: value for name, value in values.items() if value}}

    @classmethod
    def from_record(cls, record: object) -> Self | None:
        """The event of a JSON object; None if it is none, or has no time that a date can name.

        Ignores unknown keys and values of a wrong type.
        """
        if not isinstance(record, dict) or record.get("kind") not in KINDS:
            return None
        at = record.get("at")
        if isinstance(at, bool) or not isinstance(at, int | float) or not 0 <= at < _LATEST:
            return None
        known = {name: record[name] for name, type in _TYPES.items() if isinstance(record.get(name), type)}
        if not 0 <= known.get("step", 0) <= _MOST_STEPS:
            del known["step"]
        return cls(record["kind"], float(at), **known)


_TYPES = {"text": str, "tool": str, "args": dict, "id": str, "step": int, "error": bool, "agent": str}
