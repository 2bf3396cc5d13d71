"""Marks candidates learned from an assistant that had read untrusted text before."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING

from holdfast.agents.untrusted_tools import is_untrusted
from holdfast.core.memory import Taint

if TYPE_CHECKING:
    from holdfast.core.admission import Candidate
    from holdfast.learn.page import Page


def with_taint(candidates: Iterable[Candidate], page: Page) -> tuple[Candidate, ...]:
    """The candidates; those that rest on an assistant's message during or after an untrusted tool are tainted.

    So is what nobody's words support. A person's own message taints nothing, whatever the assistant read before.
    """
    taints = _taints(page)
    latest = next(reversed(taints.values()), None)
    return tuple(replace(c, taint=c.taint or (_taint(c, taints) if c.source_ids else latest)) for c in candidates)


def _taint(candidate: Candidate, taints: Mapping[str, Taint]) -> Taint | None:
    return next(filter(None, map(taints.get, candidate.source_ids)), None)


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
