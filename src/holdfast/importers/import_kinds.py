"""The kinds of files that can be imported, and how each is recognised."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Mapping

from holdfast.core.errors import HoldfastError
from holdfast.core.frozen import frozen
from holdfast.importers import exports
from holdfast.importers.imported_item import ImportedItem
from holdfast.importers.imported_rules import statements
from holdfast.text.yaml_fields import split_front_matter

_NAMES = (
    *("CLAUDE.md", "CLAUDE.local.md", "AGENTS.md", "AGENTS.override.md", "GEMINI.md", ".cursorrules"),
    *(".windsurfrules", ".clinerules", "copilot-instructions.md", "CONVENTIONS.md"),
)
_ENDINGS = (".mdc", ".instructions.md")
# Folders with one rule per file.
RULE_FOLDERS = (".cursor/rules", ".windsurf/rules", ".claude/rules", ".github/instructions")
# Where the files are in a project, besides its folder.
IN_PROJECT = (*_NAMES, ".claude/CLAUDE.md", ".github/copilot-instructions.md")


@frozen
class ImportKind:
    """A kind of file. `taught`: a person wrote it, so that its statements are verified."""

    read: Callable[[str, str], Iterator[ImportedItem]]
    taught: bool = False


KINDS: Mapping[str, ImportKind] = {
    "instructions": ImportKind(statements, taught=True),
    "reference-memory": ImportKind(exports.reference_memory),
    "mem0": ImportKind(exports.mem0),
    "basic-memory": ImportKind(exports.basic_memory),
    "claude-memory": ImportKind(exports.claude_memory),
}


# Exports of Holdfast itself, which are read as a whole.
ARCHIVES = ("json", "markdown")


def kind_of(path: str, text: str, *, is_named: bool) -> str | None:
    """The kind of a file by its name, or else by its content; None if it is none of these.

    Any other Markdown or JSON file is taken for an export of Holdfast, if a person named it.
    """
    name, folder = os.path.basename(path), os.path.dirname(os.path.abspath(path)).replace(os.sep, "/")
    if name in _NAMES or name.endswith(_ENDINGS) or any(f"{rules}/" in f"{folder}/" for rules in RULE_FOLDERS):
        return "instructions"
    if name.lower().endswith((".md", ".markdown")):
        return _note_kind(text) or ("markdown" if is_named else None)
    return _json_kind(text) or ("json" if is_named else None)


def _note_kind(text: str) -> str | None:
    front, _ = split_front_matter(text)
    if "permalink" in front:
        return "basic-memory"
    return "claude-memory" if "metadata.type" in front or {"name", "description"} <= set(front) else None


def _json_kind(text: str) -> str | None:
    if text.lstrip()[:1] not in ("{", "["):
        return None
    try:
        first = next(exports.json_lines(text[: text.find("\n") + 1] or text), None)
        if first is not None and first.get("type") in ("entity", "relation"):
            return "reference-memory"
    except HoldfastError:
        pass  # Not one object per line.
    try:
        row = next(exports.json_rows(text), {})
    except HoldfastError:
        return None
    return "mem0" if isinstance(row.get("memory"), str) and "id" in row else None
