"""MEMORY.md, both ways: a person's edits become memories, and what is remembered is written anew.

    read the file → find the page it was made from → diff → apply → keep the new page → put the file in place

A crash between any two steps loses nothing and does nothing twice: until the file is in place its edits are found
again, and those already applied are recognised by what stands in their memory's place.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import TYPE_CHECKING, Protocol

from holdfast.conversation.memory_files.fitting import Compress, RenderedPage, render
from holdfast.conversation.memory_files.memory_page import LIMIT, MemoryPage, for_prompt, number_of, parse, same, signed
from holdfast.conversation.memory_files.merge import (
    CorrectedLine,
    LineMemory,
    NewLine,
    PageEdits,
    diff,
    doubtful,
    without,
)
from holdfast.core.admission import Admission, Outcome
from holdfast.core.errors import InvalidFile

if TYPE_CHECKING:
    from holdfast.conversation.memory_files.folder import Folder
    from holdfast.core.memory import Memory
    from holdfast.core.memory_types import TypeRegistry
    from holdfast.core.reason import Reason

NAME = "MEMORY.md"
# So many writings back, a page that was left open in an editor is still understood.
_WRITINGS = 8
_MOST_BYTES = 1_000_000
_TRIES = 3
_REASON = f"deleted in {NAME}"


class PageMemories(Protocol):
    """The memories behind the page."""

    @property
    def types(self) -> TypeRegistry: ...
    def for_page(self) -> Sequence[Memory]: ...
    def standing(self, anchor: str) -> LineMemory | None: ...
    def known(self, text: str) -> Memory | None: ...


class PageStore(Protocol):
    """Where the page as last written is kept."""

    def page(self, project: str, name: str) -> str | None: ...
    def keep_page(self, project: str, name: str, text: str, at: datetime) -> None: ...


class EditActions(Protocol):
    """Carries out a person's edits. `replace` gives a memory another type or spelling."""

    def correct(self, id: str, text: str) -> Admission: ...
    def replace(self, id: str, text: str, type: str) -> Admission: ...
    def remember(self, text: str, type: str) -> Admission: ...
    def forget(self, id: str, reason: str) -> object: ...


@dataclass(frozen=True, slots=True)
class SyncChange:
    """One thing the sync did or did not do.

    `what`: corrected, moved, taught, forgotten; known (it said so already), refused, kept (deleted here, but changed
    elsewhere meanwhile), or held (it wants a yes). `was` is the text before, `type` that of the memory.
    """

    what: str
    text: str
    id: str = ""
    type: str = ""
    was: str = ""
    why: Reason | str = ""


@dataclass(frozen=True, slots=True)
class SyncReport:
    """What became of a person's edits. While anything is held the file is left as it is."""

    path: str
    changes: tuple[SyncChange, ...] = ()
    written: bool = False
    left_out: int = 0
    shortened: str = ""

    @property
    def held(self) -> tuple[SyncChange, ...]:
        return tuple(change for change in self.changes if change.what == "held")


@dataclass(frozen=True, slots=True)
class MemoryFile:
    """The file MEMORY.md of one project."""

    folder: Folder
    project: str
    rows: PageMemories
    actions: EditActions
    pages: PageStore
    now: Callable[[], datetime]
    redact: Callable[[str], str]
    limit: int = LIMIT

    @property
    def path(self) -> str:
        """The path of the file."""
        return str(self.folder.path / NAME)

    def sync(self, confirm: bool = False, compress: Compress | None = None) -> SyncReport:
        """Takes a person's edits in and writes the file anew. `confirm` says yes to what would be held."""
        report = SyncReport(self.path)
        with self.folder.locked():
            for _ in range(_TRIES):
                found = self.folder.read(NAME)
                changes, refused = self._take_in(found, confirm)
                report = replace(report, changes=tuple(dict.fromkeys(report.changes + changes)))
                if report.held:
                    return report
                page = render(
                    self.rows.for_page(),
                    self.rows.types.sections,
                    self.now(),
                    self.limit,
                    compress=compress,
                    shorter=self._shorter(),
                    refused=refused,
                )
                report = replace(report, left_out=page.left_out, shortened=page.shortened)
                text = self._kept(page).encode()
                if found == text:
                    return report
                # Why looked at again: somebody may have saved it in the meantime, and then it is read anew.
                if self.folder.read(NAME) == found:
                    self.folder.write(NAME, text)
                    return replace(report, written=True)
        return report

    def page(self) -> str:
        """What is known, as a page to stand in every prompt; empty when nothing is. Reads and writes no file."""
        known = self.rows.for_page()
        if not known:
            return ""
        return for_prompt(render(known, self.rows.types.sections, self.now(), self.limit, shorter=self._shorter()).body)

    def _take_in(self, found: bytes | None, confirm: bool) -> tuple[tuple[SyncChange, ...], tuple[str, ...]]:
        """Applies what a person did to the file. Returns what became of it, and the lines that stay refused."""
        if found is None:
            return (), ()
        text = _decoded(found, self.path)
        theirs = parse(text)
        base = self._base(theirs)
        if base is None:
            return self._strange(theirs, confirm)
        edits = diff(base, theirs, self._ours(base, theirs), self.rows.types, self.redact)
        held = PageEdits() if confirm else doubtful(edits, base, theirs)
        done = self._apply(without(edits, held))
        refused = (*edits.refused, *(change.text for change in done if change.what == "refused"))
        return (*done, *_held(held)), tuple(dict.fromkeys(map(self.redact, refused)))

    def _base(self, theirs: MemoryPage) -> MemoryPage | None:
        """The page that was edited: the latest, or one of those before it; None when it was not written here."""
        latest = self.pages.page(self.project, NAME)
        if latest is None or theirs.id is None:
            return parse(latest) if latest is not None else MemoryPage(()) if not theirs.items else None
        for text in (latest, self.pages.page(self.project, _slot(number_of(theirs.id)))):
            if text is not None and (page := parse(text)).id == theirs.id:
                return page
        return None

    def _strange(self, theirs: MemoryPage, confirm: bool) -> tuple[tuple[SyncChange, ...], tuple[str, ...]]:
        """A file that was not written here, perhaps come with a repository: nothing of it is taken without a yes."""
        ours = self._ours(theirs)
        edits = diff(MemoryPage(()), theirs, ours, self.rows.types, self.redact)
        if not confirm:
            return tuple(_held(edits, "the file was not written here")), ()
        done = self._apply(edits)
        return tuple(done), tuple(self.redact(change.text) for change in done if change.what == "refused")

    def _ours(self, *pages: MemoryPage) -> dict[str, LineMemory]:
        anchors = {item.anchor for page in pages for item in page.items if item.anchor}
        found = {anchor: self.rows.standing(anchor) for anchor in sorted(anchors)}
        return {anchor: standing for anchor, standing in found.items() if standing is not None}

    def _apply(self, edits: PageEdits) -> list[SyncChange]:
        """Why deletions last: if anything fails before, what is missed is still there."""
        done = [self._correct(edit) for edit in edits.corrected]
        done += [self._teach(edit) for edit in edits.taught]
        done += [
            SyncChange("kept", m.content, m.id, m.type, why="it was changed elsewhere meanwhile") for m in edits.kept
        ]
        for memory in edits.forgotten:
            self.actions.forget(memory.id, _REASON)
            done.append(SyncChange("forgotten", memory.content, memory.id, memory.type))
        return done

    def _correct(self, edit: CorrectedLine) -> SyncChange:
        old = edit.memory
        moved = edit.type != old.type
        answer = (
            self.actions.replace(old.id, edit.text, edit.type) if moved else self.actions.correct(old.id, edit.text)
        )
        if answer.outcome is Outcome.DUPLICATE and not same(edit.text, old.content):
            # Why again: other letters or another full stop are no other statement, but they are the person's wish.
            answer = self.actions.replace(old.id, edit.text, edit.type)
        if answer.memory is None:
            return SyncChange("refused", edit.text, old.id, edit.type, old.content, answer.reason)
        new, why = answer.memory, "it was changed elsewhere too" if edit.meanwhile else ""
        return SyncChange("moved" if moved else "corrected", new.content, new.id, new.type, old.content, why)

    def _teach(self, edit: NewLine) -> SyncChange:
        known = self.rows.known(edit.text)
        if known is not None:
            return SyncChange("known", known.content, known.id, known.type)
        answer = self.actions.remember(edit.text, edit.type)
        if answer.memory is None:
            return SyncChange("refused", edit.text, type=edit.type, why=answer.reason)
        new, what = answer.memory, "known" if answer.outcome is Outcome.DUPLICATE else "taught"
        why = "what it was before had been forgotten meanwhile" if edit.meanwhile else ""
        return SyncChange(what, new.content, new.id, new.type, edit.meanwhile, why)

    def _shorter(self) -> dict[str, str]:
        latest = self.pages.page(self.project, NAME)
        return {item.anchor: item.text for item in parse(latest).items if item.anchor} if latest else {}

    def _kept(self, page: RenderedPage) -> str:
        """The page with its last line, kept as the ground for the edits that will come.

        Why before the file: a page that is out there must be known here, or its edits could not be told.
        """
        latest = self.pages.page(self.project, NAME) or ""
        number = number_of(parse(latest).id)
        if signed(page.body, number) == latest:
            return latest
        text = signed(page.body, number + 1)
        for name in (_slot(number + 1), NAME):
            self.pages.keep_page(self.project, name, text, self.now())
        return text


def _slot(number: int) -> str:
    return f"{NAME}#{number % _WRITINGS}"


def _decoded(content: bytes, path: str) -> str:
    if len(content) > _MOST_BYTES:
        raise InvalidFile(f"{path} has {len(content):,} bytes", hint="Make it smaller; nothing was changed.")
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        said = f"{path} is not UTF-8 (byte {error.start + 1})"
        raise InvalidFile(said, hint="Save it as UTF-8; nothing was changed.") from error


def _held(edits: PageEdits, why: str = "") -> Iterable[SyncChange]:
    cut = why or "the end of the file is missing"
    yield from (
        SyncChange("held", m.content, m.id, m.type, why=why or "deleted with much else") for m in edits.forgotten
    )
    yield from (SyncChange("held", e.text, e.memory.id, e.type, e.memory.content, cut) for e in edits.corrected)
    yield from (SyncChange("held", edit.text, type=edit.type, why=cut) for edit in edits.taught)
