"""The input of a hook and its answer, in the same form for every agent. Imports nothing: hooks import it."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from typing import Any

# The moments at which an agent calls a hook.
START, PROMPT, BEFORE_TOOL, AFTER_TOOL = "start", "prompt", "before-tool", "after-tool"
COMPACT, STOP, AGENT_START, AGENT_STOP, END = "compact", "stop", "agent-start", "agent-stop", "end"
POINTS = (START, PROMPT, BEFORE_TOOL, AFTER_TOOL, COMPACT, STOP, AGENT_START, AGENT_STOP, END)
# Longer names of tools, arguments, calls and agents are cut; a session with a longer id is not recorded.
LONGEST_NAME = 200


class HookInput:
    """One call of a hook.

    `text` is the prompt or the agent's last message, `result` what a tool returned. `source` says how a session
    started. `transcript` is the client's own file of the session, if it has one, `kind` the kind of session.
    `takes_text`: can the client pass a text to its model at this moment?
    """

    __slots__ = (
        "agent",
        "args",
        "call",
        "client",
        "cwd",
        "error",
        "kind",
        "point",
        "result",
        "session",
        "source",
        "takes_text",
        "text",
        "tool",
        "transcript",
    )  # fmt: skip

    def __init__(
        self,
        client: str,
        point: str,
        session: str,
        cwd: str,
        *,
        text: str = "",
        tool: str = "",
        args: Mapping[str, Any] | None = None,
        result: str = "",
        error: bool = False,
        call: str = "",
        agent: str = "",
        source: str = "",
        transcript: str = "",
        kind: str = "",
        takes_text: bool = True,
    ) -> None:
        self.client = client
        self.point = point
        self.session = session
        self.cwd = cwd
        self.text = text
        self.tool = tool
        self.args: Mapping[str, Any] = args or {}
        self.result = result
        self.error = error
        self.call = call
        self.agent = agent
        self.source = source
        self.transcript = transcript
        self.kind = kind
        self.takes_text = takes_text


class HookAnswer:
    """What the agent gets: `context` for the model, the `ids` of its memories, and a `request` about this prompt alone.

    At the end of a turn: how many memories the agent was `given` and has `stored` in this turn, how many it `used` in
    the whole session, and an estimate of the tokens `saved`.
    """

    __slots__ = ("context", "given", "ids", "request", "saved", "stored", "used")

    def __init__(
        self,
        context: str = "",
        given: int = 0,
        stored: int = 0,
        used: int = 0,
        saved: int = 0,
        ids: Sequence[str] = (),
        request: str = "",
    ) -> None:
        self.context = context
        self.request = request
        self.ids = ids
        self.given = given
        self.stored = stored
        self.used = used
        self.saved = saved


NOTHING = HookAnswer()
# The answer in a folder whose project the store does not know.
NOT_OURS = HookAnswer()
# The whole workspace has to be asked first: `inject/turn.py` says how.
WANTS_LOOK = HookAnswer()
