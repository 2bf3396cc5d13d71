"""What programs write between the words of a person: reminders, editor state, output of commands. It was not said."""

from __future__ import annotations

# Blocks that are cut out, tags and all. Each is written by a program and by nobody else.
_BLOCKS = (
    "system-reminder",
    "system_reminder",
    "system_notification",
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
    "hook_context",
    "hook_prompt",
    "session_context",
    "state_snapshot",
    "turn_aborted",
    "subagent_notification",
)
# What stands in these was typed by the person: only the tags go.
_WRAPPERS = ("command-args",)
_NOTICES = ("[Request interrupted by user",)


def spoken(text: str) -> str:
    """What was really said in a text; empty when nothing was. The time is linear in the text, whatever the text."""
    if "<" in text:
        for tag in _BLOCKS:
            text = _without(text, tag)
        for tag in _WRAPPERS:
            text = text.replace(f"<{tag}>", "").replace(f"</{tag}>", "")
    text = text.strip()
    return "" if text.startswith(_NOTICES) else text


def _without(text: str, tag: str) -> str:
    closing = f"</{tag}>"
    if closing not in text:
        return text
    for opening in (f"<{tag}>", f"<{tag} "):
        text = _cut(text, opening, closing)
    return text


def _cut(text: str, opening: str, closing: str) -> str:
    kept, at = [], 0
    while (start := text.find(opening, at)) >= 0 and (end := text.find(closing, start)) >= 0:
        kept.append(text[at:start])
        at = end + len(closing)
    return "".join((*kept, text[at:]))
