"""Finds a person's edits in MEMORY.md by a three-way merge of the written page, the edited page and the memories.

No line is lost. Where both sides changed the same memory, the person's text wins and the other one stays in the
memory's history.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from difflib import SequenceMatcher
from typing import TYPE_CHECKING

from holdfast.core.frozen import frozen
from holdfast.core.memory import Memory
from holdfast.sessions.memory_files.memory_page import (
    CUT_MARK,
    REFUSED_SECTION,
    MemoryPage,
    PageLine,
    normalised,
    same_text,
    type_of,
)

if TYPE_CHECKING:
    from holdfast.core.memory_types import TypeRegistry

# From this likeness on, two texts are versions of the same line.
_MIN_LIKENESS = 0.65
_MAX_PAIRS = 2_500
# The most copies of a line that are compared.
_MAX_COPIES = 50
# More deletions than this, and of more than half of the page, may be an accident.
_FEW_DELETIONS = 5


@frozen
class LineMemory:
    """The memory a line was written for, and its current version: itself, a successor, or None if forgotten."""

    original: Memory
    current: Memory | None


@frozen
class CorrectedLine:
    """A changed line. `type` is that of its new section if it was moved.

    `changed_to` is the memory's text if it was also changed elsewhere since the page was written.
    """

    memory: Memory
    text: str
    type: str
    changed_to: str = ""


@frozen
class NewLine:
    """A new line. `forgotten` is the text of the memory it changes, if that was forgotten since."""

    text: str
    type: str
    forgotten: str = ""


@frozen
class PageEdits:
    """The edits to apply. `kept` were deleted on the page but changed elsewhere, and `refused` lines stay refused."""

    corrected: tuple[CorrectedLine, ...] = ()
    taught: tuple[NewLine, ...] = ()
    forgotten: tuple[Memory, ...] = ()
    kept: tuple[Memory, ...] = ()
    refused: tuple[str, ...] = ()

    @property
    def any(self) -> bool:
        """Is there anything to apply?"""
        return bool(self.corrected or self.taught or self.forgotten)


def diff(
    base: MemoryPage,
    theirs: MemoryPage,
    ours: Mapping[str, LineMemory],
    types: TypeRegistry,
    clean: Callable[[str], str] = str,
) -> PageEdits:
    """The edits between the page as written (`base`) and as found (`theirs`).

    `ours` maps every anchor of both pages that names a memory. `clean` is applied to a text before it is compared.
    """
    written = {item.anchor: item for item in base.items if item.anchor is not None and item.anchor in ours}
    before = {normalised(item.text) for item in base.items if item.section == REFUSED_SECTION}

    def is_refused(item: PageLine) -> bool:
        return item.section == REFUSED_SECTION and normalised(item.text) in before

    # A line reduced to its anchor was deleted.
    present = [item for item in theirs.items if item.text.strip() and not is_refused(item)]
    lines = _own_lines(present, written, ours)
    corrected: list[CorrectedLine] = []
    taught = [NewLine(clean(item.text), _type(item, types)) for item in lines.new]
    for anchor, item in lines.own.items():
        edit = _edit(item, written.get(anchor), ours[anchor], types, clean)
        if isinstance(edit, CorrectedLine):
            corrected.append(edit)
        elif edit is not None:
            taught.append(edit)
    forgotten, changed = _deleted([ours[anchor] for anchor in written if anchor not in lines.own])
    refused = tuple(item.text for item in theirs.items if is_refused(item))
    return PageEdits(tuple(corrected), tuple(taught), forgotten, changed, refused)


def _deleted(lines: Sequence[LineMemory]) -> tuple[tuple[Memory, ...], tuple[Memory, ...]]:
    """The memories of deleted lines: those that are as the page had them, and those that were changed since."""
    known = [(line.original, now) for line in lines if (now := line.current) is not None]
    same = tuple(current for original, current in known if current.id == original.id)
    return same, tuple(current for original, current in known if current.id != original.id)


def many_deleted(edits: PageEdits, base: MemoryPage) -> PageEdits:
    """The deletions, if they are of most of the page: they may be an accident and need a person's confirmation."""
    lines = sum(item.anchor is not None for item in base.items)
    many = len(edits.forgotten) > _FEW_DELETIONS and len(edits.forgotten) * 2 > lines
    return PageEdits(forgotten=edits.forgotten if many else ())


def without(edits: PageEdits, others: PageEdits) -> PageEdits:
    """The edits except those in `others`."""
    return replace(
        edits,
        corrected=tuple(edit for edit in edits.corrected if edit not in others.corrected),
        taught=tuple(edit for edit in edits.taught if edit not in others.taught),
        forgotten=tuple(memory for memory in edits.forgotten if memory not in others.forgotten),
    )


@frozen
class _LinesByMemory:
    """The lines that belong to memories, by anchor, and the lines that are new."""

    own: Mapping[str, PageLine]
    new: Sequence[PageLine]


def _own_lines(
    items: Sequence[PageLine], written: Mapping[str, PageLine], ours: Mapping[str, LineMemory]
) -> _LinesByMemory:
    own: dict[str, PageLine] = {}
    unanchored: list[PageLine] = []
    copies: list[PageLine] = []
    by_anchor: dict[str, list[PageLine]] = {}
    for item in items:
        if item.anchor is not None and item.anchor in ours:
            by_anchor.setdefault(item.anchor, []).append(item)
        else:
            unanchored.append(item)
    for anchor, found in by_anchor.items():
        text = (written.get(anchor) or PageLine(ours[anchor].original.content)).text
        own[anchor] = max(found[:_MAX_COPIES], key=lambda item: _likeness(item.text, text))
        known = (text, own[anchor].text)
        copies += [item for item in found if not any(same_text(item.text, other) for other in known)]
    rematched = _match(unanchored, [a for a in written if a not in own and ours[a].current is not None], written, ours)
    own |= {anchor: unanchored[at] for at, anchor in rematched.items()}
    return _LinesByMemory(own, [*copies, *(item for at, item in enumerate(unanchored) if at not in rematched)])


def _match(
    unanchored: Sequence[PageLine],
    missing: Sequence[str],
    written: Mapping[str, PageLine],
    ours: Mapping[str, LineMemory],
) -> dict[int, str]:
    """Matches lines that lost their anchors to memories by their text: the most alike first, each once."""
    exact = {normalised(now.content): anchor for anchor in missing if (now := ours[anchor].current) is not None}
    exact |= {normalised(written[anchor].text): anchor for anchor in missing}
    texts = [(at, normalised(item.text)) for at, item in enumerate(unanchored)]
    pairs = [(1.0, at, exact[text]) for at, text in texts if text in exact]
    if len(unanchored) * len(missing) <= _MAX_PAIRS:
        lines = [(anchor, written[anchor].text) for anchor in missing]
        pairs += [(_likeness(item.text, text), at, a) for at, item in enumerate(unanchored) for a, text in lines]
    matched: dict[int, str] = {}
    taken: set[str] = set()
    for score, at, anchor in sorted(pairs, key=lambda pair: (-pair[0], pair[1])):
        if score >= _MIN_LIKENESS and at not in matched and anchor not in taken:
            matched[at] = anchor
            taken.add(anchor)
    return matched


def _likeness(first: str, second: str) -> float:
    if same_text(first, second):
        return 1.0
    a, b = (first.split(), second.split()) if len(first) + len(second) > 400 else (list(first), list(second))
    matcher = SequenceMatcher(None, a, b, autojunk=False)
    near = matcher.real_quick_ratio() >= _MIN_LIKENESS and matcher.quick_ratio() >= _MIN_LIKENESS
    return min(0.99, matcher.ratio()) if near else 0.0


def _edit(
    item: PageLine, written: PageLine | None, known: LineMemory, types: TypeRegistry, clean: Callable[[str], str]
) -> CorrectedLine | NewLine | None:
    """The edit of one memory's line; None if the line is unchanged."""
    current = known.current
    before = written.text if written else known.original.content
    memory = current or known.original
    type = _moved_to(item, written, memory, types)
    if same_text(item.text, before):
        if type == memory.type:
            return None
        # Use the memory's own text: the line may show a shorter one, which is only a view.
        if current is None:
            return NewLine(memory.content, type, memory.content)
        return CorrectedLine(current, current.content, type)
    if current is None:
        return NewLine(clean(item.text), type, known.original.content)
    text = clean(_whole(item.text, before, current.content))
    if same_text(text, current.content) and type == current.type:
        return None
    return CorrectedLine(current, text, type, "" if current.id == known.original.id else current.content)


def _moved_to(item: PageLine, written: PageLine | None, memory: Memory, types: TypeRegistry) -> str:
    """The type of the line's section if a person moved it there, else that of its memory."""
    if written is None or written.section == item.section:
        return memory.type
    return type_of(item.section, types) or memory.type


def _whole(text: str, shown: str, content: str) -> str:
    """The text with the rest of its memory, if the line showed only the beginning and still ends with the cut mark."""
    beginning = shown.removesuffix(CUT_MARK)
    if shown in (content, beginning) or not text.endswith(CUT_MARK.strip()):
        return text
    rest = content[len(beginning) :] if content.startswith(beginning) else ""
    return text.removesuffix(CUT_MARK.strip()).rstrip() + rest


def _type(item: PageLine, types: TypeRegistry) -> str:
    return type_of(item.section, types) or "fact"
