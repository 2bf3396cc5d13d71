"""Describes an agent program: its hooks, the files that connect it, its instruction files, transcripts and sessions.

A hook imports the description of its own program, so this module and those of `agents/programs` import little at their
top: what a hook does not need is imported where it is used.
"""

from __future__ import annotations

from holdfast.agents import hook_input as points

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Mapping
    from typing import Any

    from holdfast.agents.connect.edits import FileEdit
    from holdfast.agents.connect.place import ConnectPlace
    from holdfast.agents.hook_input import HookAnswer, HookInput
    from holdfast.agents.session_folder import SessionFolder

    # Translates the input of an event into the fields of Claude Code, which `hook_form.py` reads.
    InClaudeForm = Callable[[str, Mapping[str, Any]], Mapping[str, Any]]
    # The answer to an event in the program's form, given the line for the person; empty if there is nothing to say.
    Answer = Callable[[HookInput, str, HookAnswer, str], Mapping[str, Any]]
    # The changes of files that connect the program, everywhere or in one project only.
    Edits = Callable[[ConnectPlace, bool], tuple[FileEdit, ...]]
    # The sessions of a project (its folder, the home folder) without those with a known id.
    Sessions = Callable[[str, str, Collection[str]], SessionFolder]

# Moments at which most programs accept a text for the model.
_TEXT_AT = (points.START, points.PROMPT, points.BEFORE_TOOL, points.AFTER_TOOL, points.AGENT_START)


class AgentProgram:
    """What is particular to one agent program. Each module of `agents/programs` defines one, named PROGRAM."""

    __slots__ = (
        "answer", "as_model", "commands", "edits", "events", "in_claude_form", "in_project", "instructions", "kind",
        "name", "note", "reader", "sessions", "shows_message", "silence", "text_at", "title", "user_instructions",
    )  # fmt: skip

    def __init__(
        self,
        name: str,
        title: str,
        *,
        events: Mapping[str, str] | None = None,
        in_claude_form: InClaudeForm | None = None,
        answer: Answer | None = None,
        silence: str = "",
        text_at: tuple[str, ...] = _TEXT_AT,
        shows_message: bool = False,
        edits: Edits | None = None,
        in_project: bool = True,
        commands: tuple[str, ...] = (),
        note: str = "",
        instructions: tuple[str, ...] = (),
        user_instructions: tuple[str, ...] = (),
        reader: str = "",
        kind: str = "build",
        sessions: Sessions | None = None,
        as_model: str = "",
    ) -> None:
        """`title` is the name for people.

        `events` are those of its hooks, with the moment that each reports. `text_at` are the moments at which it passes
        a text to its model; `silence` is what it reads when there is nothing to say. `shows_message`: can it show a
        line to the person? `in_project`: can it be connected in one project only? `commands` start it; `note` is said
        when it was connected. `instructions` are the files that it reads by itself, in the project and below the home
        folder. `reader` is the module that reads its transcripts, as `transcripts/formats.py` says, and `kind` that of
        the sessions in them. `as_model` is the value of `llm_command` that makes it the language model.
        """
        self.name = name
        self.title = title
        self.events: Mapping[str, str] = events or {}
        self.in_claude_form = in_claude_form
        self.answer: Answer = answer or claude_answer
        self.silence = silence
        self.text_at = text_at
        self.shows_message = shows_message
        self.edits = edits
        self.in_project = in_project
        self.commands = commands
        self.note = note
        self.instructions = instructions
        self.user_instructions = user_instructions
        self.reader = reader
        self.kind = kind
        self.sessions = sessions
        self.as_model = as_model


def claude_answer(input: HookInput, event: str, answer: HookAnswer, message: str) -> Mapping[str, Any]:
    """The answer in the form of Claude Code, which Codex and Gemini CLI share."""
    output: dict[str, Any] = {}
    text = text_of(answer)
    if text and input.takes_text:
        output["hookSpecificOutput"] = {"hookEventName": event, "additionalContext": text}
    if message:
        output["systemMessage"] = message
    return output


def text_of(answer: HookAnswer) -> str:
    """Everything that an answer says to the model."""
    return "\n".join(filter(None, (answer.context, answer.request)))
