"""Reads what `git` does in a command: the branch that it switches to, and the edits that it takes back.

Here-documents and quoted texts are no commands: the message of a commit may name some.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from holdfast.agents.tool_shapes import without_here_documents
from holdfast.text.patterns import compiled

# The path of the whole project, as git's commands name it.
EVERYTHING = "."
_SWITCHES = (
    r"\bgit (?:checkout|switch)(?! --?(?:ours|theirs|patch|p)\b)(?: --?[A-Za-z][\w-]*)* (\w[\w./-]{1,99})"
    r"(?![\w./-]| -- |\s+[\w.*/-]+\.[A-Za-z]\w*(?:\s|$))"
)
_COMMIT_ID = r"^[0-9a-f]{7,40}$"
_FILE_END = r"\.[A-Za-z]{1,5}$"
_UNDOES = r"\bgit (checkout|restore|reset)\b([^;&|\n]*)"
# Options with which these commands still take back what was edited since the last commit.
_HARMLESS = frozenset(("--", "-f", "--force", "-q", "--quiet", "-W", "--worktree"))
_QUOTED = r"\"[^\"\\]*+(?:\\.[^\"\\]*+)*\"?|'[^']*'?"


def switched_branch(command: str) -> str:
    """The branch that a command switches to; empty if it stays, or goes to a commit."""
    found = compiled(_SWITCHES).search(_without_texts(command)) if "git " in command else None
    if found is None:
        return ""
    # `git checkout` takes a file back, too.
    is_branch = not compiled(_FILE_END).search(found[1]) and not compiled(_COMMIT_ID).search(found[1])
    return found[1] if is_branch else ""


def taken_back(command: str) -> Iterator[str]:
    """The files and folders whose edits since the last commit a command takes back, as it names them."""
    if "git " not in command:
        return
    for verb, rest in compiled(_UNDOES).findall(_without_texts(command)):
        words = rest.split()
        if verb == "reset":
            yield from [EVERYTHING] if "--hard" in words and set(words) <= {"--hard", "HEAD", "-q"} else []
        elif all(word in _HARMLESS for word in words if word.startswith("-")):
            yield from _restored(verb, words)


def _restored(verb: str, words: list[str]) -> list[str]:
    """The paths among the words after `git checkout` or `git restore`; none if they come from another commit."""
    before, mark, after = words, "--" in words, list[str]()
    if mark:
        before, after = words[: words.index("--")], words[words.index("--") + 1 :]
    named = [word for word in before if not word.startswith("-") and word != "HEAD"]
    if mark:
        return after if not named else []
    # Without the mark, `git checkout` may name a branch.
    is_path = verb == "restore" or all(word == EVERYTHING or compiled(_FILE_END).search(word) for word in named)
    return named if is_path else []


def _without_texts(command: str) -> str:
    """The command without here-documents and quoted texts; a quoted name stays."""
    return compiled(_QUOTED).sub(_name, without_here_documents(command))


def _name(quoted: re.Match[str]) -> str:
    text = quoted[0].strip("\"'")
    return text if compiled(r"^[\w./@-]+$").match(text) else '""'
