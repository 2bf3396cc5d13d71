"""Finds what a person said in Claude Code outside their own messages: queued prompts, answers and refusals.

A prompt typed while the agent works waits in a queue. Newer versions write an attachment when the agent gets it, older
ones only the changes of the queue; a prompt that waited until the agent was done becomes a message of its own. The
answers to the agent's questions, and what the person wrote when they refused a call, are in the results of tools. A
tool may print the same words: only what the client itself marks as a refusal, or as the answer to its own question
tool, is the person's.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from holdfast.agents.transcripts import fields
from holdfast.text.noise import by_person, without_noise

# Nobody lets more prompts wait; a file that says so must not make every search of the queue long.
_MOST_WAITING = 100
# The same for calls without a result.
_MOST_CALLS = 1_000
_REFUSED = "The user doesn't want to proceed with this tool use."
# The client's marks of a refusal: its own field, or in older versions the result that it keeps beside the message.
_DENIED = ("toolDenialKind", "user-rejected")
_OLD_MARKS = (f"Error: {_REFUSED}", "User rejected tool use")
# An error of such a tool is kept in the same place, in the words of its server.
_MCP = "mcp__"
_QUESTIONS = "AskUserQuestion"
_SAID = "the user said:\n"
# Claude Code's own words after `_SAID`, when the person only wants to talk about the questions.
_CLARIFIES = "The user wants to clarify these questions."


@dataclass(slots=True)
class PromptQueue:
    """The prompts of one session that wait for the agent, and those already read from one of their two records."""

    _waiting: list[tuple[str, object]] = field(default_factory=list)
    _read_once: Counter[str] = field(default_factory=Counter)

    def delivered(self, record: Mapping[str, Any]) -> tuple[str, object] | None:
        """The text and time of the prompt that the agent gets with this record; None if there is none."""
        if record.get("type") == "attachment":
            return self._unless_read(_attached(record), record.get("timestamp"))
        operation, text = fields.text(record, "operation"), fields.text(record, "content")
        if operation == "enqueue":
            self._waiting = [*self._waiting[-_MOST_WAITING:], (text, record.get("timestamp"))]
        elif operation == "popAll":  # The person took the prompts back to edit them.
            self._waiting.clear()
        elif self._waiting:
            prompt, when = self._waiting.pop(self._position(text))
            # What is dequeued is written as a message of the person.
            return self._unless_read(_by_person(prompt), when) if operation == "remove" else None
        return None

    def _position(self, text: str) -> int:
        """The place of the removed prompt: older versions do not name it and remove the oldest."""
        return next((place for place, (prompt, _) in enumerate(self._waiting) if text and prompt == text), 0)

    def _unless_read(self, text: str, when: object) -> tuple[str, object] | None:
        if not text:
            return None
        if self._read_once[text]:
            self._read_once[text] -= 1
            return None
        self._read_once[text] += 1
        return text, when


@dataclass(slots=True)
class Replies:
    """What the person said in results of tools. It reads all records of a file: results do not name their tool."""

    _tools: dict[str, str] = field(default_factory=dict)

    def read(self, record: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
        """The agent's questions with the person's answers, and the words of a refusal, each with its role."""
        blocks = fields.mappings(fields.mapping(record, "message"), "content")
        for call in blocks:
            if call.get("type") == "tool_use":
                self._tools[fields.text(call, "id")] = fields.text(call, "name")
        while len(self._tools) > _MOST_CALLS:
            del self._tools[next(iter(self._tools))]
        results = [block for block in blocks if block.get("type") == "tool_result"]
        if record.get("type") == "user" and len(results) == 1:
            tool = self._tools.pop(fields.text(results[0], "tool_use_id"), "")
            yield from _answers(record) if tool == _QUESTIONS else ()
            if _is_refused(record, results[0], tool) and (said := _refusal(fields.text(results[0], "content"))):
                yield "user", said


def _answers(record: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    result = fields.mapping(record, "toolUseResult")
    answers = fields.mapping(result, "answers")
    for question in fields.mappings(result, "questions"):
        asked = fields.text(question, "question")
        answer = fields.text(answers, asked)
        if asked and answer:
            yield "assistant", _question(asked, question)
            yield "user", _answer(answer, question)


def _is_refused(record: Mapping[str, Any], result: Mapping[str, Any], tool: str) -> bool:
    """Does the client say that the person refused this call? An unknown call is believed only by the client's field."""
    mark, denied = _DENIED
    if result.get("is_error") is not True or mark in record:
        return result.get("is_error") is True and record.get(mark) == denied
    kept = fields.text(record, "toolUseResult")
    return bool(tool) and not tool.startswith(_MCP) and kept.startswith(_OLD_MARKS)


def _attached(record: Mapping[str, Any]) -> str:
    attachment = fields.mapping(record, "attachment")
    kind = fields.text(fields.mapping(attachment, "origin"), "kind")
    if attachment.get("type") != "queued_command" or attachment.get("commandMode") not in (None, "prompt"):
        return ""
    if kind not in ("", "human") or attachment.get("isMeta") or record.get("isSidechain"):
        return ""
    blocks = (fields.text(block, "text") for block in fields.mappings(attachment, "prompt"))
    return _by_person(fields.text(attachment, "prompt") or "\n".join(filter(None, blocks)))


def _by_person(prompt: str) -> str:
    """The prompt as the person typed it; empty for a command, and for what a program put into the queue."""
    return "" if prompt.startswith(('{"task_id"', "/")) else by_person(prompt)


def _question(asked: str, question: Mapping[str, Any]) -> str:
    options = (f"- {_option(option)}" for option in fields.mappings(question, "options"))
    return "\n".join((*options, "", asked)).strip()


def _answer(answer: str, question: Mapping[str, Any]) -> str:
    """The answer with the description of the option that was chosen; several options or own words as they are."""
    options = fields.mappings(question, "options")
    return next((_option(option) for option in options if option.get("label") == answer), without_noise(answer))


def _option(option: Mapping[str, Any]) -> str:
    return ": ".join(filter(None, (fields.text(option, "label"), fields.text(option, "description"))))


def _refusal(text: str) -> str:
    said = text.partition(_SAID)[2].strip() if text.startswith(_REFUSED) else ""
    return "" if said.startswith(_CLARIFIES) else without_noise(said)
