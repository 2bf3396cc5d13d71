"""Carries out the explicit requests of a person or an agent: remember, correct, replace, forget."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import TYPE_CHECKING

from holdfast.core.admission import Admission, Candidate
from holdfast.core.frozen import frozen
from holdfast.core.project import head_commit

if TYPE_CHECKING:
    from holdfast.core.memory import Memory
    from holdfast.intake.intake import Intake
    from holdfast.trust.review import Review


@frozen
class Teaching:
    """Explicit changes to the memory of one project. Each is durable when it returns."""

    intake: Intake
    review: Review

    def remember_all(self, candidates: Iterable[Candidate]) -> tuple[Admission, ...]:
        """Admits candidates in one transaction, each with the commit that is checked out."""
        commit = head_commit(self.intake.root)
        admitted = (c if c.commit else replace(c, commit=commit) for c in candidates)
        return self.intake.admit_all(admitted, undoable="remember")

    def remember(self, text: str, type: str) -> Admission:
        """Admits one text."""
        return self.remember_all([Candidate(text, type)])[0]

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
            source_ids=old.source_ids, replaces=(old.id,),
        )  # fmt: skip
        return self.remember_all([new])[0]

    def forget_all(self, ids: Iterable[str], reason: str = "") -> tuple[Memory, ...]:
        """Hides memories; `restore` brings one back, `undo` all of them."""
        return self.review.forget_all(ids, reason)
