"""What a tool call does, by the tool's name or else by the shape of its arguments: it reads or edits files, searches,
runs a command or fetches something. Every hook imports this module, so it imports nothing.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from typing import Any

READ, EDIT, SEARCH, RUN, FETCH, OTHER = "read", "edit", "search", "run", "fetch", "other"

_NAMES = {
    READ: "read read_file read_many_files view notebookread cat open_file",
    EDIT: "edit write multiedit notebookedit replace write_file apply_patch patch create str_replace"
    " str_replace_editor edit_file create_file insert",
    SEARCH: "grep glob search_file_content grep_search ls list list_directory codebase_search file_search search"
    " find_files ripgrep",
    RUN: "bash shell exec_command run_shell_command local_shell terminal execute run_command powershell",
    FETCH: "webfetch websearch web_fetch web_search google_web_search fetch browse",
}
_KIND_OF = {name: kind for kind, names in _NAMES.items() for name in names.split()}
_PATHS = ("file_path", "filePath", "path", "absolute_path", "notebook_path", "file", "filename", "target_file", "paths")
_PATTERNS = ("pattern", "query", "regex", "glob", "search", "glob_pattern")
_COMMANDS = ("command", "cmd", "script")
_CONTENTS = ("content", "contents", "new_string", "newString", "new_str", "old_string", "patch", "edits", "new_source")
_PATCH_MARKS = ("*** Update File: ", "*** Add File: ", "*** Delete File: ")
_MOST_PATHS, _LONGEST_PATH, _LONGEST_COMMAND = 8, 1_000, 4_000


class ToolShape:
    """What a call does. `paths` are named as paths; `mentions` are words of a command that may be paths."""

    __slots__ = ("kind", "mentions", "paths", "pattern")

    def __init__(self, kind: str, paths: tuple[str, ...], pattern: str, mentions: tuple[str, ...]) -> None:
        self.kind = kind
        self.paths = paths
        self.pattern = pattern
        self.mentions = mentions


def shape_of(tool: str, args: Mapping[str, Any]) -> ToolShape:
    """The shape of a call. Arguments come from outside: any shape and length is accepted."""
    command = command_of(args)
    kind = _KIND_OF.get(tool.lower()) or _kind(args, command)
    paths = tuple(_paths(args, command))[:_MOST_PATHS]
    pattern = next((value for name in _PATTERNS if (value := _text(args, name))), "") if kind == SEARCH else ""
    mentions = tuple(_mentions(command))[:_MOST_PATHS] if kind == RUN else ()
    return ToolShape(EDIT if kind == RUN and paths else kind, paths, pattern, mentions)


def _kind(args: Mapping[str, Any], command: str) -> str:
    if any(name in args for name in _PATHS):
        return EDIT if any(name in args for name in _CONTENTS) else READ
    if command:
        return RUN
    if any(_text(args, name) for name in ("url", "uri", "urls")):
        return FETCH
    return SEARCH if any(_text(args, name) for name in _PATTERNS) else OTHER


def _paths(args: Mapping[str, Any], command: str) -> Iterator[str]:
    for name in _PATHS:
        value = args.get(name)
        for path in value if isinstance(value, list) else [value]:
            if isinstance(path, str) and 0 < len(path) <= _LONGEST_PATH:
                yield path
    for text in (command, *(_text(args, name) for name in ("patch", "patchText", "input"))):
        if _PATCH_MARKS[0][:4] in text:
            yield from _patched(text)


def _patched(text: str) -> Iterator[str]:
    """The files that a patch in the form of Codex changes."""
    for line in text[: 100 * _LONGEST_PATH].splitlines():
        for mark in _PATCH_MARKS:
            if line.startswith(mark) and len(line) <= _LONGEST_PATH:
                yield line[len(mark) :].strip()


def command_of(args: Mapping[str, Any]) -> str:
    """The shell command among the arguments of a call; empty if there is none."""
    for name in _COMMANDS:
        value = args.get(name)
        if isinstance(value, list):
            value = " ".join(word for word in value if isinstance(word, str))
        if isinstance(value, str) and value:
            return value
    return ""


def _mentions(command: str) -> Iterator[str]:
    """The words of a command or a prompt that look like a file: with a dot or a slash, and no option.

    Agents let a person name a file as `@src/app.py`.
    """
    for sign in "\"'`;|&()<>=,":
        command = command[:_LONGEST_COMMAND].replace(sign, " ")
    for word in dict.fromkeys(word.removeprefix("@").rstrip(".!?") for word in command.split()):
        if not word.startswith("-") and ("/" in word or "." in word.strip(".")) and "://" not in word:
            yield word.partition(":")[0]


def _text(args: Mapping[str, Any], name: str) -> str:
    value = args.get(name)
    return value if isinstance(value, str) else ""


def without_here_documents(command: str) -> str:
    """The command without the texts that its here-documents pass to programs, such as the message of a commit."""
    kept, end = [], ""
    for line in command.split("\n"):
        if end:
            end = "" if line.strip().startswith(end) else end
        else:
            kept.append(line)
            end = _end_of_here_document(line)
    return "\n".join(kept)


def _end_of_here_document(line: str) -> str:
    """The word that ends the here-document which a line begins; empty if it begins none, as with `<<<`."""
    after = line.partition("<<")[2]
    named = [] if after.startswith("<") else after.lstrip("- ").split(maxsplit=1)
    name = named[0].strip("\"')") if named else ""
    return name if name.isidentifier() else ""
