"""What a person did to the page: its lines, as edited, against the page as written and the memories as they stand.

A three-way merge in which no line is lost. Where both sides changed the same memory, the person's word holds and the
other one stays in the memory's history.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from difflib import SequenceMatcher
from typing import TYPE_CHECKING

from holdfast.conversation.memory_files.memory_page import MORE, NOT_TAKEN, MemoryPage, PageLine, plain, same, type_of
from holdfast.core.memory import Memory

if TYPE_CHECKING:
    from holdfast.core.memory_types import TypeRegistry

# Two texts are the same line, changed, from this likeness on.
_ALIKE = 0.65
_PAIRS = 2_500
# A line that was copied more often is not looked at closely.
_COPIES = 50
# More deletions at once than these, and more than half of the page, are rather an accident.
_FEW = 5


@dataclass(frozen=True, slots=True)
class LineMemory:
    """A memory that a line belongs to, and what holds in its place today: itself, a newer one, or nothing."""

    first: Memory
    now: Memory | None


@dataclass(frozen=True, slots=True)
class CorrectedLine:
    """A line that says something else now. `meanwhile` is what another hand had made of the memory, if any did.

    `type` is that of the section it stands in when it was moved there.
    """

    memory: Memory
    text: str
    type: str
    meanwhile: str = ""


@dataclass(frozen=True, slots=True)
class NewLine:
    """A new line. `meanwhile` is set when it changes a memory that was forgotten before."""

    text: str
    type: str
    meanwhile: str = ""


@dataclass(frozen=True, slots=True)
class PageEdits:
    """What is to be done, and what is not: `kept` were deleted here but changed by another hand meanwhile."""

    corrected: tuple[CorrectedLine, ...] = ()
    taught: tuple[NewLine, ...] = ()
    forgotten: tuple[Memory, ...] = ()
    kept: tuple[Memory, ...] = ()
    refused: tuple[str, ...] = ()

    @property
    def any(self) -> bool:
        return bool(self.corrected or self.taught or self.forgotten)


def diff(
    base: MemoryPage,
    theirs: MemoryPage,
    ours: Mapping[str, LineMemory],
    types: TypeRegistry,
    clean: Callable[[str], str] = str,
) -> PageEdits:
    """The edits that lead from the page as it was written to the page as it was found.

    `ours` knows every anchor of both pages that is a memory's. `clean` is done to a text before it counts as changed.
    """
    written = {item.anchor: item for item in base.items if item.anchor is not None and item.anchor in ours}
    before = {plain(item.text) for item in base.items if item.section == NOT_TAKEN}
    refused = [item for item in theirs.items if item.section == NOT_TAKEN and plain(item.text) in before]
    # Why none without text: a line of which only the anchor is left was deleted.
    said = [i for i in theirs.items if i.text.strip() and not (i.section == NOT_TAKEN and plain(i.text) in before)]
    lines = _own_lines(said, written, ours)
    corrected: list[CorrectedLine] = []
    taught = [NewLine(clean(item.text), _type(item, types)) for item in lines.new]
    for anchor, item in lines.own.items():
        edit = _edit(item, written.get(anchor), ours[anchor], types, clean)
        if isinstance(edit, CorrectedLine):
            corrected.append(edit)
        elif edit is not None:
            taught.append(edit)
    gone = [ours[anchor] for anchor in written if anchor not in lines.own]
    return PageEdits(
        tuple(corrected),
        tuple(taught),
        tuple(s.now for s in gone if s.now is not None and s.now.id == s.first.id),
        tuple(s.now for s in gone if s.now is not None and s.now.id != s.first.id),
        tuple(item.text for item in refused),
    )


def doubtful(edits: PageEdits, base: MemoryPage, theirs: MemoryPage) -> PageEdits:
    """Those of the edits that may be an accident and want a person's yes: deletions of most of the page, or on a page
    whose end is missing, and there its last line too."""
    whole = theirs.id is not None
    lines = sum(item.anchor is not None for item in base.items)
    many = len(edits.forgotten) > _FEW and len(edits.forgotten) * 2 > lines
    if whole:
        return PageEdits(forgotten=edits.forgotten if many else ())
    last = theirs.items[-1] if theirs.items else PageLine("")
    torn = "" if last.anchor else last.text
    return PageEdits(
        tuple(edit for edit in edits.corrected if torn and same(edit.text, torn)),
        tuple(edit for edit in edits.taught if torn and same(edit.text, torn)),
        edits.forgotten,
    )


def without(edits: PageEdits, others: PageEdits) -> PageEdits:
    """The edits but for those others."""
    return replace(
        edits,
        corrected=tuple(edit for edit in edits.corrected if edit not in others.corrected),
        taught=tuple(edit for edit in edits.taught if edit not in others.taught),
        forgotten=tuple(memory for memory in edits.forgotten if memory not in others.forgotten),
    )


@dataclass(frozen=True, slots=True)
class _LinesByMemory:
    """Whose line is which: by anchor, and those of nobody."""

    own: Mapping[str, PageLine]
    new: Sequence[PageLine]


def _own_lines(
    items: Sequence[PageLine], written: Mapping[str, PageLine], ours: Mapping[str, LineMemory]
) -> _LinesByMemory:
    own: dict[str, PageLine] = {}
    loose: list[PageLine] = []
    copies: list[PageLine] = []
    by_anchor: dict[str, list[PageLine]] = {}
    for item in items:
        if item.anchor is not None and item.anchor in ours:
            by_anchor.setdefault(item.anchor, []).append(item)
        else:
            loose.append(item)
    for anchor, found in by_anchor.items():
        text = (written.get(anchor) or PageLine(ours[anchor].first.content)).text
        own[anchor] = max(found[:_COPIES], key=lambda item: _likeness(item.text, text))
        copies += [item for item in found if not same(item.text, text) and not same(item.text, own[anchor].text)]
    found_again = _match(loose, [a for a in written if a not in own and ours[a].now is not None], written, ours)
    own |= {anchor: loose[at] for at, anchor in found_again.items()}
    return _LinesByMemory(own, [*copies, *(item for at, item in enumerate(loose) if at not in found_again)])


def _match(
    loose: Sequence[PageLine], missing: Sequence[str], written: Mapping[str, PageLine], ours: Mapping[str, LineMemory]
) -> dict[int, str]:
    """Lines that lost their anchors, and whose they are by what they say: the likest first, each once."""
    exact = {plain(now.content): anchor for anchor in missing if (now := ours[anchor].now) is not None}
    exact |= {plain(written[anchor].text): anchor for anchor in missing}
    pairs = [(1.0, at, exact[plain(item.text)]) for at, item in enumerate(loose) if plain(item.text) in exact]
    if len(loose) * len(missing) <= _PAIRS:
        texts = [(anchor, written[anchor].text) for anchor in missing]
        pairs += [(_likeness(item.text, text), at, a) for at, item in enumerate(loose) for a, text in texts]
    matched: dict[int, str] = {}
    taken: set[str] = set()
    for score, at, anchor in sorted(pairs, key=lambda pair: (-pair[0], pair[1])):
        if score >= _ALIKE and at not in matched and anchor not in taken:
            matched[at] = anchor
            taken.add(anchor)
    return matched


def _likeness(one: str, other: str) -> float:
    if same(one, other):
        return 1.0
    a, b = (one.split(), other.split()) if len(one) + len(other) > 400 else (list(one), list(other))
    matcher = SequenceMatcher(None, a, b, autojunk=False)
    near = matcher.real_quick_ratio() >= _ALIKE and matcher.quick_ratio() >= _ALIKE
    return min(0.99, matcher.ratio()) if near else 0.0


def _edit(
    item: PageLine, written: PageLine | None, standing: LineMemory, types: TypeRegistry, clean: Callable[[str], str]
) -> CorrectedLine | NewLine | None:
    now = standing.now
    before = written.text if written else standing.first.content
    held = now or standing.first
    type = _moved_to(item, written, held, types)
    if same(item.text, before):
        if type == held.type:
            return None
        # Why the memory's own text: the line may show a shorter one, and a view is no correction.
        return NewLine(held.content, type, held.content) if now is None else CorrectedLine(now, now.content, type)
    if now is None:
        return NewLine(clean(item.text), type, standing.first.content)
    text = clean(_whole(item.text, before, now.content))
    if same(text, now.content) and type == now.type:
        return None
    return CorrectedLine(now, text, type, "" if now.id == standing.first.id else now.content)


def _moved_to(item: PageLine, written: PageLine | None, held: Memory, types: TypeRegistry) -> str:
    """The type a line has by where it stands now: that of its memory, unless a person moved it."""
    if written is None or written.section == item.section:
        return held.type
    return type_of(item.section, types) or held.type


def _whole(text: str, shown: str, content: str) -> str:
    """The text with the rest of its memory, when the line showed only the beginning and still says so."""
    beginning = shown.removesuffix(MORE)
    if shown in (content, beginning) or not text.endswith(MORE.strip()):
        return text
    rest = content[len(beginning) :] if content.startswith(beginning) else ""
    return text.removesuffix(MORE.strip()).rstrip() + rest


def _type(item: PageLine, types: TypeRegistry) -> str:
    return type_of(item.section, types) or "fact"
