"""Marks candidates learned from an assistant that had read untrusted text before."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import TYPE_CHECKING

from holdfast.core.memory import Taint
from holdfast.core.untrusted_tools import is_untrusted

if TYPE_CHECKING:
    from holdfast.conversation.page import Page
    from holdfast.core.admission import Candidate


def with_taint(candidates: Iterable[Candidate], page: Page) -> tuple[Candidate, ...]:
    """The candidates; those that rest on an assistant's message during or after an untrusted tool are tainted.

    A person's own message taints nothing, whatever the assistant read before.
    """
    taints = _taints(page)
    return tuple(
        replace(c, taint=c.taint or next(filter(None, map(taints.get, c.source_ids)), None)) for c in candidates
    )


def _taints(page: Page) -> dict[str, Taint]:
    """The taint of each assistant's message since the first untrusted tool of this page or the one before it."""
    taints: dict[str, Taint] = {}
    current: Taint | None = None
    for step, message in enumerate((*page.before, *page.messages)):
        untrusted = next(filter(is_untrusted, message.tools), None)
        current = Taint(untrusted, step) if untrusted else current
        if current is not None and message.role != "user":
            taints[message.id] = current
    return taints
