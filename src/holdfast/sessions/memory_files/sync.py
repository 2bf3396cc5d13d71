"""Synchronises MEMORY.md in both directions: applies a person's edits to the memories, then writes the file again.

    read the file → find the version it was made from → diff → apply → store the new version → replace the file

A crash between any two steps loses nothing and applies nothing twice: until the file is replaced its edits are found
again, and edits already applied are recognised by the current version of their memory.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Sequence
from contextlib import AbstractContextManager
from dataclasses import replace
from datetime import datetime
from typing import TYPE_CHECKING, Protocol

from holdfast.core.admission import Admission, Outcome
from holdfast.core.errors import InvalidFile
from holdfast.core.frozen import frozen
from holdfast.core.reason import Reason
from holdfast.sessions.memory_files.edit_reasons import EditCode
from holdfast.sessions.memory_files.fitting import Compress, RenderedPage, render
from holdfast.sessions.memory_files.memory_page import (
    LIMIT,
    MemoryPage,
    for_prompt,
    parse,
    same_text,
    version_of,
    with_footer,
)
from holdfast.sessions.memory_files.merge import (
    CorrectedLine,
    LineMemory,
    NewLine,
    PageEdits,
    diff,
    many_deleted,
    without,
)
from holdfast.text.removal import SentenceRemoval

if TYPE_CHECKING:
    from holdfast.core.memory import Memory
    from holdfast.core.memory_types import TypeRegistry
    from holdfast.sessions.memory_files.folder import Folder

NAME = "MEMORY.md"
# The number of past versions kept, so that edits of a page left open in an editor can still be merged.
_VERSIONS = 8
_MAX_BYTES = 1_000_000
_ATTEMPTS = 3
_REASON = f"deleted in {NAME}"


class PageMemories(Protocol):
    """Reads the memories behind the page."""

    @property
    def types(self) -> TypeRegistry: ...
    def for_page(self) -> Sequence[Memory]:
        """The memories that may appear on the page."""
        ...

    def forgotten_texts(self) -> Sequence[str]:
        """The texts of all forgotten memories and messages."""
        ...

    def forgotten_messages(self) -> Collection[str]:
        """The ids of all forgotten messages."""
        ...

    def erased_anchors(self, anchors: Collection[str]) -> Collection[str]:
        """Which of these anchors belong to memories that were erased, in any project."""
        ...

    def line_memory(self, anchor: str) -> LineMemory | None:
        """The memory an anchor names, with its current successor."""
        ...

    def known(self, text: str) -> Memory | None:
        """The current memory with exactly this text."""
        ...


class PageStore(Protocol):
    """Stores the page as last written."""

    def page(self, project: str, name: str) -> str | None: ...
    def keep_page(self, project: str, name: str, text: str, at: datetime) -> None: ...


class EditActions(Protocol):
    """Carries out a person's edits. `replace` gives a memory another type or spelling."""

    def together(self) -> AbstractContextManager[None]:
        """All changes until the context ends are undone together."""
        ...

    def correct(self, id: str, text: str) -> Admission: ...
    def replace(self, id: str, text: str, type: str) -> Admission: ...
    def remember(self, text: str, type: str) -> Admission: ...
    def forget_all(self, ids: Iterable[str], reason: str) -> object: ...


@frozen
class SyncChange:
    """The result of one edit.

    `what`: corrected, moved, taught, forgotten; known (already stored), refused, kept (deleted on the page but changed
    elsewhere), or held (needs confirmation). `was` is the text before, `type` that of the memory, `why` the reason.
    """

    what: str
    text: str
    id: str = ""
    type: str = ""
    was: str = ""
    why: Reason | None = None


@frozen
class SyncReport:
    """The results of a person's edits. While a change is held, the file is not written."""

    path: str
    changes: tuple[SyncChange, ...] = ()
    written: bool = False
    left_out: int = 0
    shortened: str = ""

    @property
    def held(self) -> tuple[SyncChange, ...]:
        """The changes that need confirmation."""
        return tuple(change for change in self.changes if change.what == "held")


@frozen
class MemoryFile:
    """The file MEMORY.md of one project. `is_tracked` says whether git tracks it: others may have written it then."""

    folder: Folder
    project: str
    memories: PageMemories
    actions: Callable[[], EditActions]
    pages: PageStore
    now: Callable[[], datetime]
    redact: Callable[[str], str]
    is_tracked: Callable[[], bool]
    limit: int = LIMIT

    @property
    def path(self) -> str:
        """The path of the file."""
        return str(self.folder.path / NAME)

    def sync(self, confirm: bool = False, compress: Compress | None = None) -> SyncReport:
        """Applies a person's edits and writes the file again. `confirm` applies the edits that would be held."""
        report = SyncReport(self.path)
        with self.folder.locked():
            for _ in range(_ATTEMPTS):
                found = self.folder.read(NAME)
                changes, refused = self._merge_file(found, confirm)
                report = replace(report, changes=tuple(dict.fromkeys(report.changes + changes)))
                if report.held:
                    return report
                page = render(
                    self.memories.for_page(),
                    self.memories.types.sections,
                    self.now(),
                    self.limit,
                    compress=compress,
                    shorter=self._previous_lines(),
                    refused=refused,
                )
                report = replace(report, left_out=page.left_out, shortened=page.shortened)
                text = self._stored(page).encode()
                if found == text:
                    return report
                # If somebody saved the file in the meantime, start over.
                if self.folder.write_over(NAME, text, found):
                    return replace(report, written=True)
        return report

    def leave_out(self, clean: Callable[[str], str]) -> None:
        """Removes lines from the stored versions of the page, so that their absence in a file is nobody's edit."""
        clean_pages(self.pages, self.project, clean, self.now())

    def page(self) -> str:
        """The page for a prompt; empty without memories. Neither reads nor writes the file."""
        known = self.memories.for_page()
        if not known:
            return ""
        sections, shorter = self.memories.types.sections, self._previous_lines()
        return for_prompt(render(known, sections, self.now(), self.limit, shorter=shorter).body)

    def _merge_file(self, found: bytes | None, confirm: bool) -> tuple[tuple[SyncChange, ...], tuple[str, ...]]:
        """Applies the edits in the file. Returns their results, and the lines that stay refused."""
        if found is None:
            return (), ()
        text = _decoded(found, self.path)
        theirs = self._without_erased(parse(text))
        base = self._base(theirs)
        if base is None:
            return self._foreign(theirs, confirm)
        edits = diff(base, theirs, self._ours(base, theirs), self.memories.types, self.redact)
        held, why = (PageEdits(), None) if confirm else self._to_confirm(edits, base, theirs)
        done = self._apply(without(edits, held))
        refused = (*edits.refused, *(change.text for change in done if change.what == "refused"))
        return (*done, *_held(held, why)), tuple(dict.fromkeys(map(self.redact, refused)))

    def _without_erased(self, theirs: MemoryPage) -> MemoryPage:
        """The page without lines of erased memories and lines that repeat them: from a copy that was not cleaned."""
        erased = self.memories.erased_anchors({item.anchor for item in theirs.items if item.anchor})
        if not erased:
            return theirs
        removal = SentenceRemoval(item.text for item in theirs.items if item.anchor in erased)
        kept = (item for item in theirs.items if item.anchor not in erased and not removal.repeats(item.text))
        return replace(theirs, items=tuple(kept))

    def _to_confirm(self, edits: PageEdits, base: MemoryPage, theirs: MemoryPage) -> tuple[PageEdits, EditCode | None]:
        """The edits that a person has to confirm, and why. All of them if somebody else may have written the page.

        Checking out a branch replaces a file that git ignores here and tracks there, without a word.
        """
        if theirs.id is None:
            return edits, None
        if edits.any and self.is_tracked():
            return edits, EditCode.FILE_TRACKED
        return many_deleted(edits, base), None

    def _base(self, theirs: MemoryPage) -> MemoryPage | None:
        """The version of the page that was edited; None if it was not written by this project.

        Without a footer it is the latest version, cut short, if a line has an anchor of that or none is left.
        """
        latest = self.pages.page(self.project, NAME)
        if theirs.id is None:
            base = parse(latest) if latest is not None else MemoryPage(())
            anchors = {item.anchor for item in base.items if item.anchor}
            return base if not theirs.items or any(item.anchor in anchors for item in theirs.items) else None
        if latest is None:
            return None
        for text in (latest, self.pages.page(self.project, _slot(version_of(theirs.id)))):
            if text is not None and (page := parse(text)).id == theirs.id:
                return page
        return None

    def _foreign(self, theirs: MemoryPage, confirm: bool) -> tuple[tuple[SyncChange, ...], tuple[str, ...]]:
        """Handles a file written elsewhere, perhaps cloned with a repository: nothing is applied unless confirmed."""
        ours = self._ours(theirs)
        edits = diff(MemoryPage(()), theirs, ours, self.memories.types, self.redact)
        if not confirm:
            return tuple(_held(edits, EditCode.FILE_FROM_ELSEWHERE)), ()
        done = self._apply(edits)
        return tuple(done), tuple(self.redact(change.text) for change in done if change.what == "refused")

    def _ours(self, *pages: MemoryPage) -> dict[str, LineMemory]:
        anchors = {item.anchor for page in pages for item in page.items if item.anchor}
        found = {anchor: self.memories.line_memory(anchor) for anchor in sorted(anchors)}
        return {anchor: known for anchor, known in found.items() if known is not None}

    def _apply(self, edits: PageEdits) -> list[SyncChange]:
        """Applies edits, deletions last: if an edit before them fails, nothing is lost."""
        changed = Reason.of(EditCode.CHANGED_SINCE)
        kept = [SyncChange("kept", m.content, m.id, m.type, why=changed) for m in edits.kept]
        if not edits.any:
            return kept
        with self.actions().together():
            done = [self._correct(edit) for edit in edits.corrected]
            done += [self._teach(edit) for edit in edits.taught]
            if edits.forgotten:
                self.actions().forget_all([memory.id for memory in edits.forgotten], _REASON)
        return [*done, *kept, *(SyncChange("forgotten", m.content, m.id, m.type) for m in edits.forgotten)]

    def _correct(self, edit: CorrectedLine) -> SyncChange:
        old = edit.memory
        moved = edit.type != old.type
        answer = (
            self.actions().replace(old.id, edit.text, edit.type) if moved else self.actions().correct(old.id, edit.text)
        )
        if answer.outcome is Outcome.DUPLICATE and not same_text(edit.text, old.content):
            # Intake treats another spelling as the same statement, but the person wants the change.
            answer = self.actions().replace(old.id, edit.text, edit.type)
        if answer.memory is None:
            return SyncChange("refused", edit.text, old.id, edit.type, old.content, answer.reason)
        new, why = answer.memory, Reason.of(EditCode.ALSO_CHANGED) if edit.changed_to else None
        return SyncChange("moved" if moved else "corrected", new.content, new.id, new.type, old.content, why)

    def _teach(self, edit: NewLine) -> SyncChange:
        known = self.memories.known(edit.text)
        if known is not None:
            return SyncChange("known", known.content, known.id, known.type)
        answer = self.actions().remember(edit.text, edit.type)
        if answer.memory is None:
            return SyncChange("refused", edit.text, type=edit.type, why=answer.reason)
        new, what = answer.memory, "known" if answer.outcome is Outcome.DUPLICATE else "taught"
        why = Reason.of(EditCode.WAS_FORGOTTEN) if edit.forgotten else None
        return SyncChange(what, new.content, new.id, new.type, edit.forgotten, why)

    def _previous_lines(self) -> dict[str, str]:
        latest = self.pages.page(self.project, NAME)
        return {item.anchor: item.text for item in parse(latest).items if item.anchor} if latest else {}

    def _stored(self, page: RenderedPage) -> str:
        """The page with its footer, stored as the base of later edits.

        It is stored before the file is written: without its base, an edited file could not be merged.
        """
        latest = self.pages.page(self.project, NAME) or ""
        version = version_of(parse(latest).id)
        if with_footer(page.body, version) == latest:
            return latest
        text = with_footer(page.body, version + 1)
        for name in (_slot(version + 1), NAME):
            self.pages.keep_page(self.project, name, text, self.now())
        return text


def clean_pages(pages: PageStore, project: str, clean: Callable[[str], str], now: datetime) -> None:
    """Changes all stored versions of a project's page."""
    for name in (NAME, *map(_slot, range(_VERSIONS))):
        text = pages.page(project, name)
        if text is not None and (changed := clean(text)) != text:
            pages.keep_page(project, name, changed, now)


def _slot(version: int) -> str:
    return f"{NAME}#{version % _VERSIONS}"


def _decoded(content: bytes, path: str) -> str:
    if len(content) > _MAX_BYTES:
        raise InvalidFile(f"{path} has {len(content):,} bytes", hint="Make it smaller; nothing was changed.")
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        what = f"{path} is not UTF-8 (byte {error.start + 1})"
        raise InvalidFile(what, hint="Save it as UTF-8; nothing was changed.") from error


def _held(edits: PageEdits, code: EditCode | None = None) -> Iterable[SyncChange]:
    """The edits as changes that need confirmation. `code` is the reason; without one, they may be accidents."""
    deleted = Reason(code or EditCode.MANY_DELETED)
    changed = Reason(code or EditCode.FILE_TRUNCATED)
    yield from (SyncChange("held", m.content, m.id, m.type, why=deleted) for m in edits.forgotten)
    yield from (SyncChange("held", e.text, e.memory.id, e.type, e.memory.content, changed) for e in edits.corrected)
    yield from (SyncChange("held", edit.text, type=edit.type, why=changed) for edit in edits.taught)
