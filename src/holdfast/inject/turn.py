"""What a hook does: record the event, decide, answer. The fast path of every tool call; it imports little."""

from __future__ import annotations

from holdfast.agents import event as kinds
from holdfast.agents import hook_input as points
from holdfast.agents import journal
from holdfast.agents.hook_input import NOTHING, WANTS_LOOK, HookAnswer
from holdfast.agents.tool_shapes import SEARCH, shape_of
from holdfast.inject import recording
from holdfast.inject import step_notes as steps
from holdfast.inject.named_files import existing, in_project
from holdfast.inject.notes import note
from holdfast.store.light import open_light
from holdfast.system.project import part_of_user, read_identity

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from holdfast.agents.event import Event
    from holdfast.agents.hook_input import HookInput
    from holdfast.core.light_memory import LightMemory
    from holdfast.store.light import LightStore
    from holdfast.system.light_settings import HookSettings
    from holdfast.system.project import ProjectIdentity

# The end of the journal that is read to know what the agent did last.
_TAIL = 32 * 1024
_SYNCED = (points.PROMPT, points.COMPACT, points.STOP, points.END)
# The calls before a step that count as latest.
_LATEST = 10
# The end of our tool's name; each client puts something else before it.
_REMEMBERS = "remember"
_DEEP = (points.START, points.PROMPT, points.AGENT_START)


def begin_turn(input: HookInput, settings: HookSettings) -> Turn | None:
    """Opens the store for one call of a hook; None in a folder whose project the store does not know."""
    store = open_light(settings.db)
    if store is None:
        return None
    identity = read_identity(settings.project or input.cwd, settings.identity)
    # A person's part of a project is theirs alone: unknown to the store, it is not looked for in that of all.
    project = store.project(part_of_user(identity, settings.user) if settings.user else identity)
    if project is None:
        store.close()
        return None
    return Turn(input, settings, store, identity, project)


class Turn:
    """One call of a hook in a known project, to be closed at its end.

    `answer` says what the agent gets, or that it wants a look: then the caller searches with the whole workspace, which
    lies above this package, and passes what it found to `after_look`.
    """

    def __init__(
        self, input: HookInput, settings: HookSettings, store: LightStore, identity: ProjectIdentity, project: str
    ) -> None:
        self._input = input
        self._settings = settings
        self._store = store
        self._identity = identity
        self._project = project
        self._file = journal.journal_file(settings.data_folder.journals(project), input.client, input.session)
        self._recent = journal.tail(self._file, _TAIL)
        self._step = next((event.step for event in reversed(self._recent) if event.step), 0)

    def answer(self, most_characters: int) -> HookAnswer:
        """Records the call. Returns what the agent gets and is asked to store, or WANTS_LOOK."""
        answer = self._answer(most_characters)
        return answer if answer is WANTS_LOOK else self._complete(answer, most_characters)

    def after_look(self, context: str, ids: Sequence[str], most_characters: int) -> HookAnswer:
        """Records the memories that a look found. Returns what the agent gets and is asked to store."""
        if ids:
            self._store.supply(self._project, self._input.session, ids, count=self._input.point == points.PROMPT)
            self._record([recording.given(self._input.point, list(ids))])
        return self._complete(HookAnswer(context, ids=ids), most_characters)

    def close(self) -> None:
        """Closes the store."""
        self._store.close()

    def _answer(self, most_characters: int) -> HookAnswer:
        input, is_tool = self._input, self._input.point == points.AFTER_TOOL
        self._record(recording.events_of(input, self._step + 1), sync=input.point in _SYNCED)
        self._step += is_tool
        if input.point == points.COMPACT:
            self._store.forget_supplied(self._project, input.session)
        if input.point == points.STOP:
            return self._turn_summary()
        if self._settings.inject == "off" or not input.takes_text:
            return NOTHING
        later = input.point == points.PROMPT and not self._is_first_prompt()
        if input.point in _DEEP and not later:
            return self._wants_look()
        if self._settings.inject == "full" and (later or input.point in (points.BEFORE_TOOL, points.AFTER_TOOL)):
            return self._give(self._for_call(), most_characters)
        return NOTHING

    def before_step(self, step: int, most_characters: int) -> HookAnswer:
        """What the latest calls call for before a step: silent in the first five steps."""
        moment = steps.Moment(self._project, self._input.session, self._settings.trust_level, step)
        if self._settings.inject != "full" or steps.is_early(moment):
            return NOTHING
        calls = [event for event in self._recent if event.kind == kinds.TOOL_CALL][-_LATEST:]
        root, folder = self._identity.root, self._input.cwd
        shapes = [shape_of(event.tool, event.args) for event in calls]
        touched = [path for shape in shapes if steps.touches(shape.kind) for path in shape.paths]
        files = [file for path in touched if (file := in_project(path, root, folder))]
        found = steps.for_files(self._store, moment, files)
        found += steps.for_notes(self._store, moment, self._recent)
        patterns = [(at, shape.pattern) for at, shape in enumerate(shapes) if shape.kind == SEARCH]
        for at, pattern in patterns[-1:]:
            found += steps.for_search(self._store, moment, pattern, calls[:at])
        return self._give(list({memory.id: memory for memory in found}.values())[: steps.MOST], most_characters)

    def _turn_summary(self) -> HookAnswer:
        """How many memories the agent was given and has stored since its last turn ended."""
        last = max((at for at, event in enumerate(self._recent) if event.kind == kinds.STOP), default=-1)
        turn = self._recent[last + 1 :]
        given = sum(len(event.memories) for event in turn if event.kind == kinds.GIVEN)
        stored = [event for event in turn if event.kind == kinds.TOOL_CALL and event.tool.endswith(_REMEMBERS)]
        return HookAnswer(given=given, stored=len(stored))

    def _wants_look(self) -> HookAnswer:
        """At the start and at the first prompt the whole workspace is asked. It leaves out what was given before."""
        if given := sorted(self._given()):
            self._store.supply(self._project, self._input.session, given, count=False)
        return WANTS_LOOK

    def _complete(self, answer: HookAnswer, most_characters: int) -> HookAnswer:
        return self._with_request(answer, most_characters) if self._may_ask() else answer

    def _may_ask(self) -> bool:
        is_persons = self._input.point == points.PROMPT and self._input.takes_text and not self._input.agent
        return is_persons and self._settings.ask_agent and self._settings.inject == "full"

    def _with_request(self, answer: HookAnswer, most_characters: int) -> HookAnswer:
        """Adds the request to store what the prompt states that may matter later, if it states such a thing."""
        from holdfast.inject.request import request

        said = next((event.text for event in reversed(self._recent) if event.kind == kinds.ASSISTANT), "")
        text, quotes = request(self._input.text, said)
        if not quotes or len(answer.context) + len(text) >= most_characters:
            return answer
        self._record([recording.asked(self._input.point, quotes)])
        return HookAnswer(answer.context, ids=answer.ids, request=text)

    def _is_first_prompt(self) -> bool:
        """Was there no prompt since the session started or its context was cut?"""
        begun = [at for at, event in enumerate(self._recent) if event.kind in (kinds.SESSION, kinds.COMPACT)]
        if not begun:
            return not self._recent
        return all(event.kind != kinds.USER for event in self._recent[begun[-1] :])

    def _for_call(self) -> list[LightMemory]:
        """The memories that a tool call or a later prompt calls for, and what others taught meanwhile; at most four."""
        moment = steps.Moment(self._project, self._input.session, self._settings.trust_level, self._step)
        found = [*self._for_shape(moment), *steps.for_notes(self._store, moment, self._recent)]
        return list({memory.id: memory for memory in found}.values())[: steps.MOST]

    def _for_shape(self, moment: steps.Moment) -> list[LightMemory]:
        """The memories about the files that a call names, or the one that answers its search."""
        shape = shape_of(self._input.tool, self._input.args or {"command": self._input.text})
        if shape.kind == SEARCH:
            return steps.for_search(self._store, moment, shape.pattern, self._recent)
        if not steps.touches(shape.kind):
            return []
        root, folder = self._identity.root, self._input.cwd
        named = [file for path in shape.paths if (file := in_project(path, root, folder))]
        return steps.for_files(self._store, moment, [*named, *existing(shape.mentions, root, folder)])

    def _given(self) -> set[str]:
        """What the session was given since its context was last cut. The store may have been too busy to record it."""
        cut = max((at for at, event in enumerate(self._recent) if event.kind == kinds.COMPACT), default=-1)
        return {id for event in self._recent[cut + 1 :] if event.kind == kinds.GIVEN for id in event.memories}

    def _give(self, memories: Sequence[LightMemory], most_characters: int) -> HookAnswer:
        given = self._given()
        text, shown = note([memory for memory in memories if memory.id not in given], most_characters)
        ids = [memory.id for memory in shown]
        if ids:
            self._store.supply(self._project, self._input.session, ids)
            self._record([recording.given(self._input.point, ids)])
        return HookAnswer(text, ids=ids)

    def _record(self, events: list[Event], sync: bool = False) -> None:
        first = recording.header(self._input, self._identity)
        if events or not self._recent:
            journal.append(self._file, events, first, sync)
