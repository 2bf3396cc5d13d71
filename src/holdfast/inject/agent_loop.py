"""The loop of an agent of your own: records what it does, and gives it what hooks give the agents of others."""

from __future__ import annotations

import time
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from holdfast.agents import event as kinds
from holdfast.agents import hook_input as points
from holdfast.agents import journal
from holdfast.agents.event import Event
from holdfast.agents.hook_input import WANTS_LOOK, HookInput
from holdfast.core.answer import Citation, Pack, Trace
from holdfast.core.citation import cite, wrapped
from holdfast.core.errors import InvalidInput, NotFound
from holdfast.core.frozen import frozen
from holdfast.inject import recording
from holdfast.inject.turn import Turn
from holdfast.intake.limits import check_session
from holdfast.observer.session_kinds import BUILD, check_outcome
from holdfast.store.light import open_light
from holdfast.system.light_settings import HookSettings
from holdfast.system.project import head_branch

if TYPE_CHECKING:
    from collections.abc import Callable

    from holdfast.agents.hook_input import HookAnswer
    from holdfast.inject.first_prompt import FirstPrompt
    from holdfast.models.protocols import TokenCounter
    from holdfast.store.reading import MemoryReading
    from holdfast.system.project import ProjectIdentity

CLIENT = "api"
_MOST_CHARACTERS = 9_500
# The end of a journal that is read to know its latest event or call.
_TAIL = 32 * 1024
# The events that a caller may record; others are ours.
RECORDED = (
    kinds.USER, kinds.ASSISTANT, kinds.REASONING, kinds.TOOL_CALL, kinds.TOOL_RESULT, kinds.COMPACT, kinds.STOP,
    kinds.AGENT_START, kinds.AGENT_STOP,
)  # fmt: skip


@frozen
class AgentLoop:
    """Answers the steps of an agent, in a project of an open store. `learn` learns from a session's journal."""

    settings: HookSettings
    identity: ProjectIdentity
    project: str
    reading: MemoryReading
    tokens: TokenCounter
    first_prompt: Callable[[], FirstPrompt]
    learn: Callable[[str], object]

    def prompt(self, session: str, text: str, kind: str = BUILD) -> Pack:
        """Records a person's prompt; what it calls for: most at the first one."""
        call = self._call(points.PROMPT, session, text=text, kind=kind)

        def ask(turn: Turn) -> HookAnswer:
            answer = turn.answer(_MOST_CHARACTERS)
            return turn.after_look(*self._look(call), _MOST_CHARACTERS) if answer is WANTS_LOOK else answer

        return self._answer("prompt", call, ask)

    def after_tool(
        self, session: str, tool: str, args: Mapping[str, Any], result: str, error: bool, kind: str = BUILD
    ) -> Pack:
        """Records a tool call; what it calls for."""
        call = self._call(points.AFTER_TOOL, session, tool=tool, args=args, result=result, error=error, kind=kind)
        return self._answer("after_tool", call, lambda turn: turn.answer(_MOST_CHARACTERS))

    def before_step(self, session: str, step: int) -> Pack:
        """What the latest steps call for and no tool result brought."""
        call = self._call(points.BEFORE_TOOL, session)
        return self._answer("before_step", call, lambda turn: turn.before_step(step, _MOST_CHARACTERS))

    def observe(self, session: str, event: Event | Mapping[str, Any], kind: str = BUILD) -> None:
        """Records an event. Raises InvalidInput for one that is malformed, or that only we record."""
        if isinstance(event, Mapping):
            event = Event.from_record({"at": time.time(), **event}) or Event(str(event.get("kind")), 0.0)
        if event.kind not in RECORDED:
            raise InvalidInput(f"an event of kind {event.kind!r}", hint=f"Use one of: {', '.join(RECORDED)}.")
        file = self._own_journal(session)
        step = next((one.step for one in reversed(journal.tail(file, _TAIL)) if one.step), 0)
        self._append(file, session, recording.observed(event, step), kind)

    def report(
        self,
        session: str,
        kind: str = BUILD,
        qa: bool | None = None,
        planned_steps: int | None = None,
        outcome: str | None = None,
        begin: bool = True,
    ) -> None:
        """Records what somebody says about a session, in the journal of the program that works in it.

        If there is none, one is begun; without `begin`, nothing is recorded.
        """
        if planned_steps is not None and planned_steps < 1:
            raise InvalidInput(f"planned_steps {planned_steps}", hint="Plan at least one step, or leave it out.")
        outcome = None if outcome is None else check_outcome(outcome)
        values = {"qa": qa, "planned_steps": planned_steps, "outcome": outcome}
        args: dict[str, Any] = {name: value for name, value in values.items() if value is not None}
        args |= {"kind": kind} if kind != BUILD else {}
        files = self._journals(session)
        if not files and not begin:
            return
        file = files[-1] if files else self._own_journal(session)
        self._append(file, session, Event(kinds.REPORT, time.time(), args=args), kind)

    def end(self, session: str) -> None:
        """Ends a session of this loop, and learns from it; nothing if nothing was recorded since its last end."""
        files = self._journals(session)
        own = self._own_journal(session)
        if own in files and [event.kind for event in journal.tail(own, _TAIL)][-1:] != [kinds.END]:
            journal.append(own, [Event(kinds.END, time.time())], sync=True)
        if files:
            self.learn(session)

    def _look(self, input: HookInput) -> tuple[str, list[str]]:
        branch = head_branch(self.identity.root)
        pack = self.first_prompt().build(input.text, input.session, branch, None, supply=False)
        return (wrapped(pack.text) if pack.text else ""), [citation.id for citation in pack.citations]

    def _call(self, point: str, session: str, kind: str = BUILD, **about: Any) -> HookInput:
        check_session(session, CLIENT)
        kind = "" if kind == BUILD else kind  # It is the default, which `observe --kind` may change.
        return HookInput(CLIENT, point, session, self.identity.root, kind=kind, **about)

    def _own_journal(self, session: str) -> str:
        check_session(session, CLIENT)
        return journal.journal_file(self.settings.data_folder.journals(self.project), CLIENT, session)

    def _journals(self, session: str) -> list[str]:
        return journal.of_session(self.settings.data_folder.journals(self.project), session)

    def _append(self, file: str, session: str, event: Event, kind: str) -> None:
        first = recording.header(self._call(points.START, session, kind=kind), self.identity)
        journal.append(file, [event], first)

    def _answer(self, name: str, call: HookInput, ask: Callable[[Turn], HookAnswer]) -> Pack:
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
