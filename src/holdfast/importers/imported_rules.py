"""Reads instruction files for agents (CLAUDE.md, AGENTS.md, .cursorrules and alike) as statements."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator, Sequence

from holdfast.importers.blocks import Block, blocks
from holdfast.importers.classify import WORKFLOW, heading_type, is_boilerplate, type_of
from holdfast.importers.imported_item import ImportedItem
from holdfast.text.sentence_ends import split_prose
from holdfast.text.yaml_fields import comma_separated, split_front_matter

_FEWEST_WORDS, _LONGEST = 4, 1_200
_LONGEST_CONTEXT, _SHORT_INTRODUCTION = 60, 6
_FEWEST_STEPS, _MOST_STEPS = 2, 40
_EMPHASIS = re.compile(r"\*\*|__(?=\S)|(?<=\S)__")
_LINK = re.compile(r"!?\[([^\[\]]{0,300})\]\(([^()\s]{0,300})\)")
_BOX = re.compile(r"\[[ xX]\] ")
_PATH = re.compile(r"`([\w./@-]{2,200})`|(?<![\w/.])((?:[\w.-]+/)+[\w.-]+)")
# Words that say that something is not to be done or not meant, and signs before a heading.
_NEGATES = re.compile(
    r"(?<!\w)(?:never|not|don'?ts?|avoid|forbidden|prohibited|anti-?patterns?|wrong|bad|out of scope|non-goals?"
    r"|ne pas|jamais|éviter|évite[rz]?|interdite?s?|hors (?:périmètre|sujet)|mauvais)(?!\w)",
    re.IGNORECASE,
)
# What forbids something by itself, wherever it stands.
_FORBIDS = re.compile(
    r"^(?:no|not|avoid|ne|évite[rz]?|pas)\b|\b(?:never|must not|mustn't|do not|don't|should not|shouldn't|jamais)\b",
    re.I,
)
_SIGNS = re.compile(r"^[^\w`\"'(]+")
# The fields that say to which files a rule applies: Cursor and Windsurf, Claude Code, Copilot.
_SCOPE_FIELDS = ("globs", "paths", "applyto")


def statements(text: str, root: str) -> Iterator[ImportedItem]:
    """The statements of a file in order, typed, each with the existing files of the project that it names."""
    front, body = split_front_matter(text)
    named = [value for field in _SCOPE_FIELDS for value in front.get(field, ())]
    scope = [glob for value in named for glob in comma_separated(value)]
    within = tuple(filter(None, (_literal(glob, root) for glob in scope)))
    for item in _items(list(blocks(body))):
        files = tuple(dict.fromkeys((*within, *_named_files(item.text, root))))
        yield ImportedItem(item.text, item.type, files, fields=item.fields)


def _items(found: Sequence[Block]) -> Iterator[ImportedItem]:
    place = 0
    while place < len(found):
        steps = _steps(found, place) if _is_workflow_step(found[place]) else []
        if len(steps) >= _FEWEST_STEPS:
            yield _recipe(steps)
            place += len(steps)
        else:
            yield from _statement(found[place], _introduces(found, place))
            place += 1


def _steps(found: Sequence[Block], place: int) -> list[Block]:
    """The numbered items from here on that belong to one list."""
    steps: list[Block] = []
    for block in found[place : place + _MOST_STEPS]:
        if block.kind != "step" or (block.parent, block.headings) != (found[place].parent, found[place].headings):
            break
        steps.append(block)
    return steps


def _is_workflow_step(block: Block) -> bool:
    return block.kind == "step" and heading_type([*block.headings, block.parent]) == WORKFLOW


def _recipe(steps: Sequence[Block]) -> ImportedItem:
    title = clean(steps[0].parent).rstrip(":") or (steps[0].headings[-1] if steps[0].headings else "Steps")
    described = [clean(step.text) for step in steps]
    text = f"{title}: " + " ".join(f"{n}. {step}" for n, step in enumerate(described, 1))
    listed = [{"order": n, "description": step} for n, step in enumerate(described, 1)]
    return ImportedItem(text, WORKFLOW, fields={"task_pattern": title, "steps": listed})


def _introduces(found: Sequence[Block], place: int) -> bool:
    """Is this block only the introduction of the items that follow it?"""
    following = found[place + 1] if place + 1 < len(found) else None
    return following is not None and bool(following.parent) and following.parent == found[place].text


def _statement(block: Block, introduces: bool) -> Iterator[ImportedItem]:
    text = clean(block.text)
    if is_boilerplate(text) or (text.endswith(":") and (introduces or len(text.split()) <= _SHORT_INTRODUCTION)):
        return
    link = _LINK.fullmatch(block.text.strip())
    if link is not None and "://" not in link[2]:
        return  # The name of another file says nothing.
    context = _context(block, text)
    for part in _split(f"{context}: {text}" if context else text):
        yield ImportedItem(part, type_of(text, block.headings))


def _context(block: Block, text: str) -> str:
    """The words before a statement that would say too little alone: its parent if that ends with a colon, a heading.

    A parent or heading that negates ("Never do this") is always part of the statement, which says the opposite alone.
    """
    parent = clean(block.parent)
    words = len(text.split())
    heading = block.headings[-1] if block.headings else ""
    if parent.endswith(":") and (len(parent) <= _LONGEST_CONTEXT or words < _FEWEST_WORDS or _negates(parent)):
        return parent.rstrip(":")
    if _negates(heading) and not _FORBIDS.search(text.replace("’", "'")):
        return _bare(heading)
    if block.kind in ("command", "row") and not text.startswith("`"):
        return ""
    short = words < _FEWEST_WORDS or text.startswith("`")
    return _bare(heading) if short else ""


def _bare(heading: str) -> str:
    """A heading without signs before it and a colon after it."""
    return _SIGNS.sub("", clean(heading)).rstrip(":")


def _negates(text: str) -> bool:
    return _NEGATES.search(text.replace("’", "'")) is not None or text.lstrip().startswith(("❌", "🚫", "⛔"))


def _split(text: str) -> Iterable[str]:
    if len(text) <= _LONGEST:
        return (text,)
    parts = [""]
    for sentence in split_prose(text):
        if parts[-1] and len(parts[-1]) + len(sentence) > _LONGEST:
            parts.append("")
        parts[-1] = f"{parts[-1]} {sentence[:_LONGEST]}".strip()
    return parts


def clean(text: str) -> str:
    """Removes Markdown's emphasis and links; keeps code in backticks and the addresses of web pages."""
    text = _LINK.sub(lambda link: f"{link[1]} ({link[2]})" if "://" in link[2] else link[1], text)
    parts = _BOX.sub("", text, count=1).split("`")
    # Every second part is code.
    return " ".join("`".join(part if n % 2 else _EMPHASIS.sub("", part) for n, part in enumerate(parts)).split())


def _named_files(text: str, root: str) -> Iterator[str]:
    for found in _PATH.finditer(text[:_LONGEST]):
        path = found[1] or found[2]
        if "/" in path or "." in path:
            yield from filter(None, (_existing(path.rstrip("/."), root),))


def _literal(glob: str, root: str) -> str | None:
    """The file or folder that begins a glob: `src/api` of `src/api/**/*.ts`."""
    parts = glob.split("/")
    fixed = next((n for n, part in enumerate(parts) if any(char in part for char in "*?[{")), len(parts))
    return _existing("/".join(parts[:fixed]), root)


def _existing(path: str, root: str) -> str | None:
    full = os.path.realpath(os.path.join(root, path))
    inside = full.startswith(os.path.realpath(root) + os.sep)
    return path if path and inside and os.path.exists(full) else None
