"""Splits a session saved as Markdown by SpecStory into turns: who spoke, what was said and which tools were used.

A line that looks like a heading may also be part of pasted code. Inside code it counts only if the code was never
closed. Every line is read at most a few times.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import pairwise

from holdfast.core.frozen import frozen

_HEADING = re.compile(
    r"_\*\*(?P<who>User|Assistant|Agent)(?P<side> - sidechain)?(?: \((?P<about>(?!sidechain\))[^()]{1,160})\))?"
    r"(?P<side2> \(sidechain\))?\*\*_\s*$"
)
_FENCE = re.compile(r" {0,3}(`{3,}|~{3,})(?P<info>[^`]*)$")
# Longer fences are read as if they had this length, which bounds how often a line is read again.
_LONGEST_FENCE = 20
_TOOL = re.compile(r'<tool-use\b[^>]{0,400}?data-tool-name="([^"]{1,80})"')
# Older versions write tool calls, and the list of tasks, without an end.
_BARE_TOOL = re.compile(r"(?:<details>\s*<summary>)?Tool use: \*\*([^*\n]{1,80})\*\*")
_TASK_LIST = "**Agent task list:**"
_TIME = re.compile(r"\d{4}-\d\d-\d\d[T ]\d\d:\d\d\S{0,12}$")
_RULE = "---"
_EMPTY_LINES = re.compile(r"\n{3,}")
# How blocks begin and end that hold reasoning or a tool call.
_BLOCKS = {"<think>": "</think>", "<tool-use ": "</tool-use>", "<details>": "</details>"}


@frozen
class MarkdownTurn:
    """One heading with the text below it. `about` is what the heading has in brackets: the model, the time."""

    role: str
    about: str
    is_of_sub_agent: bool
    text: str
    tools: tuple[str, ...] = ()


@frozen
class _Fence:
    """Code that was opened: its signs and its line."""

    opening: str
    line: int


def turns(lines: Sequence[str]) -> Iterator[MarkdownTurn]:
    """The turns in order. Text above the first heading belongs to none."""
    scan = _Scan([line.rstrip("\r") for line in lines])
    scan.run()
    for start, end in pairwise([*scan.headings, len(lines)]):
        if heading := _HEADING.match(scan.lines[start]):
            body = range(start + 1, end)
            text = "\n".join(scan.lines[at] for at in body if at not in scan.hidden)
            tools = (scan.tools[at] for at in body if at in scan.tools)
            sub_agent = bool(heading["side"] or heading["side2"])
            yield MarkdownTurn(_role(heading["who"]), heading["about"] or "", sub_agent, _trimmed(text), tuple(tools))


def _role(who: str) -> str:
    return "user" if who == "User" else "assistant"


def _trimmed(text: str) -> str:
    """The text without the rule that separates it from the next turn, and without what is left of removed blocks."""
    lines = _EMPTY_LINES.sub("\n\n", text.strip()).split("\n")
    while lines and lines[-1].rstrip() in ("", _RULE):
        lines.pop()
    return "\n".join(lines).rstrip()


@dataclass(slots=True)
class _Scan:
    """Reads lines one by one and notes headings, the lines of tool calls and reasoning (hidden), and tools by line."""

    lines: list[str]
    headings: list[int] = field(default_factory=list)
    hidden: set[int] = field(default_factory=set)
    tools: dict[int, str] = field(default_factory=dict)
    _fence: _Fence | None = None
    _block: str = ""  # How the open block began.
    _in_bare_tool: bool = False  # In a tool call of an older version, which has no end.
    _suspect: int | None = None  # The first heading inside code or a block that is still open.
    _before: str = ""  # The last line before this one that is not empty.
    _last_ends: dict[str, int] = field(default_factory=dict)  # The last line that closes each kind of code and block.

    def run(self) -> None:
        self._last_ends = _last_ends(self.lines)
        at = 0
        while at < len(self.lines) or self._suspect is not None:
            if at == len(self.lines) or (self._suspect is not None and self._opens_again(self.lines[at])):
                at = self._return(at)
            else:
                self._line(at, self.lines[at])
            self._before = self.lines[at].strip() or self._before
            at += 1

    def _line(self, at: int, line: str) -> None:
        was_inside = bool(self._block) or self._in_bare_tool
        if self._is_heading(at, line):
            if self._in_bare_tool or not (self._fence or self._block):
                self._begin(at)
                return
            self._suspect = at if self._suspect is None else self._suspect
        elif self._fence and not self._ends_call(at, line):
            self._in_code(line, self._fence)
        elif was_inside:
            self._in_block(at, line)
        elif self.headings:
            self._in_text(at, line)
        if was_inside or self._block or self._in_bare_tool:
            self.hidden.add(at)

    def _is_heading(self, at: int, line: str) -> bool:
        """Is it a heading with what the program writes around it?

        The speaker changes only after a rule or a turn without text, so that prose in a message cannot be another
        person's words.
        """
        found = _HEADING.match(line) if line.startswith("_**") else None
        following = self.lines[at + 1].strip() if at + 1 < len(self.lines) else ""
        if not found or (following and not following.startswith("<!--")):
            return False
        if not self.headings or self._in_bare_tool or self._before == _RULE or _HEADING.match(self._before):
            return True
        last = _HEADING.match(self.lines[self.headings[-1]])
        return bool(last and _role(last["who"]) == _role(found["who"]))

    def _begin(self, at: int) -> None:
        self.headings.append(at)
        self._fence, self._block, self._in_bare_tool, self._suspect = None, "", False, None

    def _return(self, reached: int) -> int:
        """Goes back to a heading inside code that was never closed, and makes it a real one."""
        at = self._suspect or 0
        self.hidden.difference_update(range(at, reached))
        for line in range(at, reached):
            self.tools.pop(line, None)
        self._begin(at)
        return at

    def _opens_again(self, line: str) -> bool:
        """Does another code or block begin inside an open one? Then the open one has no end."""
        if self._fence:
            found = _FENCE.match(line)
            return bool(found and found["info"].strip() and found[1][0] == self._fence.opening[0])
        return bool(self._block) and line.startswith(self._block)

    def _in_code(self, line: str, fence: _Fence) -> None:
        found = _FENCE.match(line)
        if found and not found["info"].strip() and fence.opening in _closed_by(found[1]):
            self._fence = None
            self._suspect = None if (self._suspect or 0) > fence.line else self._suspect

    def _ends_call(self, at: int, line: str) -> bool:
        """Does the line end a tool call although its code is open?

        Some programs' calls have code without an end or within code. The heading that follows must not be earlier than
        the last one, as those of an earlier session would be whose text the tool returned.
        """
        if self._block != "<tool-use " or not line.rstrip().endswith(_BLOCKS[self._block]):
            return False
        next_lines = self.lines[at + 1 : at + 3]
        if len(next_lines) < 2 or next_lines[0].strip() or not _HEADING.match(next_lines[1]):
            return False
        return _written_time(self.lines[self.headings[-1]]) <= _written_time(next_lines[1])

    def _in_block(self, at: int, line: str) -> None:
        if self._block and line.rstrip().endswith(_BLOCKS[self._block]):
            self._block, self._fence, self._suspect = "", None, None
        elif self._in_bare_tool and line.strip() == _RULE:
            self._in_bare_tool = False
        elif self._block != "<think>":  # Reasoning may contain half of a code.
            self._open_fence(at, line)

    def _in_text(self, at: int, line: str) -> None:
        opening = next((start for start in _BLOCKS if line.startswith(start)), "")
        tool = _TOOL.match(line) or _BARE_TOOL.match(line)
        if tool:
            self.tools[at] = tool[1]
        if opening and (tool or opening == "<think>"):
            self._open_block(at, line, opening)
        elif tool or line.startswith(_TASK_LIST):
            self._in_bare_tool = True
        elif line.strip() == _RULE and not self.lines[self.headings[-1]].startswith("_**User"):
            self.hidden.add(at)  # Separates the texts of one turn of the model.
        else:
            self._open_fence(at, line)

    def _open_block(self, at: int, line: str, opening: str) -> None:
        end = _BLOCKS[opening]
        self.hidden.add(at)
        if not line.rstrip().endswith(end) and self._last_ends.get(end, 0) > at:
            self._block = opening

    def _open_fence(self, at: int, line: str) -> None:
        found = _FENCE.match(line)
        if found and self._last_ends.get(found[1][:_LONGEST_FENCE], 0) > at:
            self._fence = _Fence(found[1][:_LONGEST_FENCE], at)


def _written_time(heading: str) -> str:
    """The time in a heading as it is written; empty if there is none."""
    found = _HEADING.match(heading)
    time = _TIME.search(found["about"] or "") if found else None
    return time[0] if time else ""


def _last_ends(lines: Sequence[str]) -> dict[str, int]:
    """The last line that can close each block, and code of each sign and length."""
    ends: dict[str, int] = {}
    for at, line in enumerate(lines):
        if (found := _FENCE.match(line)) and not found["info"].strip():
            ends.update(dict.fromkeys(_closed_by(found[1]), at))
        elif (text := line.rstrip()).endswith(">"):
            ends.update((end, at) for end in _BLOCKS.values() if text.endswith(end))
    return ends


def _closed_by(signs: str) -> list[str]:
    """The openings of code that a line of these signs closes: as many of the sign, or fewer."""
    return [signs[:length] for length in range(3, min(len(signs), _LONGEST_FENCE) + 1)]
