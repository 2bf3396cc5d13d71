"""Removes text that programs insert into a person's messages: reminders, editor state, command output."""

from __future__ import annotations

from holdfast.core.citation import TAG
from holdfast.text.patterns import compiled

# Blocks removed with their tags. Only programs write them.
BLOCKS = (
    "system-reminder",
    "system_reminder",
    "system_notification",
    "system_instruction",
    "system_instructions",
    "local-command-stdout",
    "local-command-stderr",
    "local-command-caveat",
    "command-name",
    "command-message",
    "command-contents",
    "bash-input",
    "bash-stdout",
    "bash-stderr",
    "task-notification",
    "user-prompt-submit-hook",
    "ide_opened_file",
    "ide_selection",
    "ide_diagnostics",
    "environment_context",
    "user_instructions",
    "user_shell_command",
    "user_action",
    "recommended_plugins",
    "hook_context",
    "hook_prompt",
    TAG,
    "session_context",
    "state_snapshot",
    "turn_aborted",
    "subagent_notification",
    "ci-monitor-event",
)
# The person typed the contents of this: only the tags are removed.
_TYPED = "command-args"
# Messages of other agents, which a client delivers in the person's place. The observer reads them as requests.
_OF_AGENTS = ("teammate-message",)
# An order to remember what follows: Claude Code's `#`, and a command of that name.
_MEMORY_INPUT, _REMEMBER = "user-memory-input", r"<command-name>\s*/(?:\w+:)?remember\s*</command-name>"
# A message that begins like this is a command: all of it but what the person typed is the command's own text.
_COMMANDS = ("<command-name>", "<command-message>")
_SKILL = "Base directory for this skill:"
# How texts begin that a program writes alone: a notification is followed by a line about its output file.
_NOTICES = (
    "[Request interrupted by user",
    "<task-notification>",
    "Caveat: The messages below were generated",
    "Stop hook feedback:",
    "This session is being continued from a previous conversation",
    _SKILL,
)
# What a program adds to a request: the place of a picture, and the way to the plan's conversation.
_ADDED = r"\[Image #\d+\]\s*|\nIf you need specific details from before exiting plan mode [^\n]*"
# Claude Code puts what the person typed after a skill behind the text of the skill.
_ARGUMENTS = "\nARGUMENTS: "


def without_noise(text: str) -> str:
    """The text without inserted blocks; empty if nothing else is left. Takes linear time for any text."""
    if text.startswith(_SKILL):
        text = text.rpartition(_ARGUMENTS)[2]
    if text.lstrip().startswith(_NOTICES):
        return ""
    if "<" in text:
        for tag in BLOCKS:
            text = _without(text, tag)
        text = text.replace(f"<{_TYPED}>", "").replace(f"</{_TYPED}>", "")
    text = compiled(_ADDED).sub("", text).strip()
    return "" if text.startswith(_NOTICES) else text


def by_person(text: str) -> str:
    """The text without inserted blocks and without messages of other agents; empty if nothing else is left.

    What the client was told to remember follows `/remember`, as the person may have typed it.
    """
    for tag in _OF_AGENTS:
        text = _without(text, tag)
    return without_noise(_typed(text.lstrip()) if "<" in text else text)


def _typed(text: str) -> str:
    """What the person typed in a message that the client built; other messages, also with tags in them, as they are."""
    if _inside(text, _MEMORY_INPUT) and text.startswith(f"<{_MEMORY_INPUT}>"):
        return f"/remember {_inside(text, _MEMORY_INPUT)}"
    if not (text.startswith(_COMMANDS) and _inside(text, "command-name")):
        return text
    typed = _inside(text, _TYPED)
    return f"/remember {typed}" if typed and compiled(_REMEMBER).search(text) else typed


def _inside(text: str, tag: str) -> str:
    inside, closing, _ = text.partition(f"<{tag}>")[2].partition(f"</{tag}>")
    return inside.strip() if closing else ""


def _without(text: str, tag: str) -> str:
    closing = f"</{tag}>"
    if closing not in text:
        return text
    for opening in (f"<{tag}>", f"<{tag} "):
        text = _cut(text, opening, closing)
    return text


def _cut(text: str, opening: str, closing: str) -> str:
    """The text without the blocks. What a block quotes may close it: it ends at the last mark before the next block."""
    kept, at = [], 0
    while (start := text.find(opening, at)) >= 0 and (end := text.find(closing, start)) >= 0:
        following = text.find(opening, end)
        kept.append(text[at:start])
        at = text.rfind(closing, end, following if following >= 0 else len(text)) + len(closing)
    return "".join((*kept, text[at:]))
