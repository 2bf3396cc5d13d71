"""The loop of an agent of your own: records what it does, and gives it what hooks give the agents of others."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from holdfast.core.answer import Citation, Pack, Trace
from holdfast.core.citation import cite
from holdfast.core.errors import NotFound
from holdfast.core.frozen import frozen
from holdfast.core.light_settings import HookSettings
from holdfast.inject import hook_input as points
from holdfast.inject.hook_input import HookInput
from holdfast.inject.turn import Turn
from holdfast.intake.limits import check_session
from holdfast.store.light import open_light

if TYPE_CHECKING:
    from collections.abc import Callable

    from holdfast.core.project import ProjectIdentity
    from holdfast.inject.hook_input import HookAnswer
    from holdfast.models.protocols import TokenCounter
    from holdfast.store.reading import MemoryReading

CLIENT = "api"
_MOST_CHARACTERS = 9_500


@frozen
class AgentLoop:
    """Answers the steps of an agent, in a project of an open store."""

    settings: HookSettings
    identity: ProjectIdentity
    project: str
    reading: MemoryReading
    tokens: TokenCounter

    def after_tool(self, session: str, tool: str, args: Mapping[str, Any], result: str, error: bool) -> Pack:
        """Records a tool call; what it calls for."""
        call = HookInput(
            CLIENT, points.AFTER_TOOL, session, self.identity.root, tool=tool, args=args, result=result, error=error
        )
        return self._answer("after_tool", call, lambda turn: turn.answer(_MOST_CHARACTERS, lambda _: ("", [])))

    def before_step(self, session: str, step: int) -> Pack:
        """What the latest steps call for and no tool result brought."""
        call = HookInput(CLIENT, points.BEFORE_TOOL, session, self.identity.root)
        return self._answer("before_step", call, lambda turn: turn.before_step(step, _MOST_CHARACTERS))

    def _answer(self, name: str, call: HookInput, ask: Callable[[Turn], HookAnswer]) -> Pack:
        check_session(call.session, CLIENT)
        store = open_light(self.settings.db)
        if store is None:
            raise NotFound(f"the database {self.settings.db}", hint="`holdfast doctor` says what is wrong with it.")
        try:
            answer = ask(Turn(call, self.settings, store, self.identity, self.project))
        finally:
            store.close()
        memories = [memory for id in answer.ids if (memory := self.reading.memory(id)) is not None]
        citations = tuple(Citation(memory.id, memory.citation or cite(memory.content), 1.0) for memory in memories)
        return Pack(answer.context, citations, self.tokens.count(answer.context), _MOST_CHARACTERS, Trace(name))
