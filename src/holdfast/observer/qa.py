"""Failures that quality assurance reports: grave ones become memories at once."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from holdfast.core.admission import Candidate
from holdfast.core.errors import InvalidInput
from holdfast.core.frozen import frozen
from holdfast.observer.injected_instructions import instructs

SEVERITIES = ("critical", "high", "medium", "low")
_KEPT = ("critical", "high")
_CONFIDENCE = 0.8
_LONGEST, _MOST = 500, 20


@frozen
class QaFailure:
    """A failure that a review or a test run of a change found, and how to fix it, if that is known."""

    severity: str
    text: str
    files: tuple[str, ...] = ()
    fix: str = ""


def qa_candidates(session: str | None, failures: Iterable[QaFailure]) -> Iterator[Candidate]:
    """The candidates of critical and high failures. Raises InvalidInput for an unknown severity.

    Text that addresses the agent is never kept.
    """
    for failure, _ in zip(failures, range(_MOST), strict=False):
        if failure.severity not in SEVERITIES:
            raise InvalidInput(f"severity {failure.severity!r}", hint=f"Use one of: {', '.join(SEVERITIES)}.")
        text = failure.text.strip().rstrip(".") + "." + (f" Fix: {failure.fix.strip()}" if failure.fix.strip() else "")
        if failure.severity in _KEPT and not instructs(text):
            yield Candidate(
                text[:_LONGEST], "error_pattern", failure.files, source="qa_auto", session=session,
                confidence=_CONFIDENCE, scope="module",
                attributes={"signal": "qa", "severity": failure.severity},
            )  # fmt: skip
