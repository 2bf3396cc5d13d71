"""The kinds of sessions: how much is learned from each, from which signals, and what must be known before."""

from __future__ import annotations

from collections.abc import Mapping

from holdfast.core.errors import InvalidInput

BUILD = "build"
# The most memories per kind of session, and the signals that count in it; None for all.
LIMITS: Mapping[str, tuple[int, frozenset[str] | None]] = {
    BUILD: (20, None),
    "insights": (5, frozenset(("co_access", "self_correction", "repeated_grep"))),
    "roadmap": (3, frozenset(("commit_decision",))),
    "terminal": (3, frozenset(("error_retry", "tool_sequence"))),
    "changelog": (0, frozenset()),
    "spec": (3, frozenset(("file_access",))),
    "pr_review": (8, frozenset(("error_retry", "self_correction"))),
}
# Kinds that are learned from only if somebody reports that the specification was accepted, or the review completed.
AWAITED = ("spec", "pr_review")
SUCCEEDED, FAILED = ("succeeded", "accepted", "completed"), ("failed", "rejected", "abandoned")
OUTCOMES = (*SUCCEEDED, *FAILED)


def check_kind(kind: str) -> str:
    """Returns the kind of session. Raises InvalidInput for an unknown one."""
    if kind not in LIMITS:
        raise InvalidInput(f"kind {kind!r}", hint=f"Use one of: {', '.join(LIMITS)}.")
    return kind


def check_outcome(outcome: str) -> str:
    """Returns the outcome of a session. Raises InvalidInput for an unknown one."""
    if outcome not in OUTCOMES:
        raise InvalidInput(f"outcome {outcome!r}", hint=f"Use one of: {', '.join(OUTCOMES)}.")
    return outcome
