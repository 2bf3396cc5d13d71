"""Carries out the explicit requests of a person or an agent: remember, correct, replace, forget."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from typing import TYPE_CHECKING

from holdfast.core.admission import Admission, Candidate
from holdfast.core.answer import Filters
from holdfast.core.errors import InvalidMemory
from holdfast.core.frozen import frozen
from holdfast.core.memory import EPISODE
from holdfast.core.reason import Reason
from holdfast.intake.about_person import is_about_person
from holdfast.intake.intake_reasons import IntakeCode
from holdfast.intake.secrets import redact
from holdfast.system.project import head_commit
from holdfast.text.similarity import supports

if TYPE_CHECKING:
    from contextlib import AbstractContextManager

    from holdfast.core.conversation import Said
    from holdfast.core.memory import Memory
    from holdfast.intake.admit import Intake
    from holdfast.trust.review import Review

# Memories that are read to find those about the person, and the most to suggest.
_READ, _MOST_SUGGESTED = 500, 10
_LONGEST_QUOTE = 2_000


@frozen
class Teaching:
    """Explicit changes to the memory of one project. Each is durable when it returns. `methodology` is that setting."""

    intake: Intake
    review: Review
    find_quote: Callable[[str], Said | None]
    methodology: str

    def remember_all(self, candidates: Iterable[Candidate]) -> tuple[Admission, ...]:
        """Admits candidates in one transaction, each with the commit that is checked out.

        A quotation that nobody said, or that says something else, is left out, and the answer warns of it.
        """
        commit = head_commit(self.intake.root)
        given = [c if c.commit else replace(c, commit=commit) for c in candidates]
        _check_methodologies({name for candidate in given for name in _methodologies(candidate)}, self.methodology)
        evident = [self._with_evidence(candidate) for candidate in given]
        answers = self.intake.admit_all(evident, undoable="remember")
        pairs = zip(answers, evident, strict=True)
        return tuple(_without_quote(answer) if candidate.quote else answer for answer, candidate in pairs)

    def _with_evidence(self, candidate: Candidate) -> Candidate:
        """The candidate with what a person said as its evidence.

        A quotation that nobody said, or that says something else, stays in `quote`.
        """
        if candidate.quote is not None and not isinstance(candidate.quote, str):
            raise InvalidMemory("quote must be a text")
        quote = (candidate.quote or "").strip()
        quote = redact(quote) if len(quote) <= _LONGEST_QUOTE else ""
        said = self.find_quote(quote) if quote and supports(quote, candidate.text) else None
        if said is None:
            return candidate
        return replace(
            candidate,
            quote=None,
            session=candidate.session or said.session,
            when=candidate.when or said.at,
            source_role="user",
            source_ids=(*candidate.source_ids, *([said.message] if said.message else ())),
            attributes={**candidate.attributes, "quote": quote},
        )

    def remember(self, text: str, type: str) -> Admission:
        """Admits one text of a file of the project, as a memory of this project."""
        return self.remember_all([Candidate(text, type, visibility="project")])[0]

    def correct(
        self, id: str, text: str, reason: str = "", how: str = "inaccurate", source: str = "user_taught"
    ) -> Admission:
        """Replaces the text of a memory; the old one is kept. With `duplicate_of`, `text` is the id that stays."""
        if how == "duplicate_of":
            text = self.review.get(text).id
        return self.intake.correct(self.review.get(id), text, reason, how, source)

    def replace(self, id: str, text: str, type: str) -> Admission:
        """Replaces a memory with one of another type or spelling.

        `correct` does not do this: it keeps the type and treats a change of spelling as the same text.
        """
        old = self.review.get(id)
        new = Candidate(
            text, type, old.files, (), old.tags, old.session, when=old.event_time, pinned=old.pinned, scope=old.scope,
            source_ids=old.source_ids, replaces=(old.id,), visibility=old.visibility, questions=old.questions,
        )  # fmt: skip
        return self.remember_all([new])[0]

    def make_personal(self, id: str, on: bool = True) -> Memory:
        """Makes a memory hold in all of the person's projects, or in this one only. Not a message: InvalidMemory."""
        old = self.review.get(id)
        if old.type == EPISODE:
            raise InvalidMemory(f"{old.id} is a message", hint="Store what it says as a memory.")
        return old if (old.visibility == "personal") == on else self.intake.move(old, on)

    def suggestions(self) -> tuple[Memory, ...]:
        """Memories of this project that are about the person."""
        known = self.review.reading.memories(
            self.intake.project, Filters(types=("preference", "fact"), visibilities=("project",)), limit=_READ
        )
        return tuple(memory for memory in known if is_about_person(memory))[:_MOST_SUGGESTED]

    def together(self) -> AbstractContextManager[None]:
        """Makes the changes of this thread one edit, which `undo` undoes as a whole."""
        return self.review.memories.together("edit")

    def forget_all(self, ids: Iterable[str], reason: str = "") -> tuple[Memory, ...]:
        """Hides memories; `restore` brings one back, `undo` all of them."""
        return self.review.forget_all(ids, reason)


def _methodologies(candidate: Candidate) -> Iterator[str]:
    if candidate.methodology is not None:
        yield candidate.methodology
    if candidate.work_unit is not None:
        yield candidate.work_unit.methodology


def _check_methodologies(names: Iterable[str], configured: str) -> None:
    if names:
        from holdfast.system.methodology_file import check_methodology

        for name in names:
            check_methodology(name, configured)


def _without_quote(answer: Admission) -> Admission:
    """The answer with a warning that the quotation is no evidence."""
    return replace(answer, warnings=(*answer.warnings, Reason.of(IntakeCode.QUOTE_NOT_SAID)))
