"""The results of `doctor` and `stats`."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from enum import StrEnum
from typing import Any

from holdfast.core.code import CodeIndexState
from holdfast.core.frozen import frozen
from holdfast.core.reason import Reason

# The outcome of a job run that an error ended.
FAILED = "failed"


class HealthLevel(StrEnum):
    """How serious a finding is."""

    GOOD = "good"
    WARNING = "warning"
    BAD = "bad"


@frozen
class HealthFinding:
    """The result of one check: what was found and what to do about it."""

    check: str
    level: HealthLevel
    detail: Reason
    hint: Reason | None = None


@frozen
class Health:
    """The result of `doctor`: every finding, and what a repair did."""

    findings: tuple[HealthFinding, ...]
    repairs: tuple[Reason, ...] = ()

    @property
    def sound(self) -> bool:
        """Is no finding bad?"""
        return all(finding.level is not HealthLevel.BAD for finding in self.findings)


@frozen
class TypeCount:
    """The number of memories of one type in a project, by state."""

    type: str
    total: int
    believed: int
    forgotten: int
    superseded: int
    to_review: int
    newest: datetime


@frozen
class JobRun:
    """One finished run of a background job, with its result."""

    name: str
    started_at: datetime
    finished_at: datetime
    outcome: str
    detail: Mapping[str, Any]

    def failure_of(self, model: str) -> str | None:
        """The error of that model that ended the run; None if the run did not fail, or with another model."""
        failed = self.detail.get("failed") if self.outcome == FAILED else None
        values = failed.get("values", {}) if isinstance(failed, dict) else {}
        # The id of an endpoint has no dimensions until its first answer.
        return str(values["error"]) if "error" in values and model.startswith(str(values.get("model", ""))) else None


@frozen
class DailyUsage:
    """The use of language models on one day (UTC), and its limits."""

    day: str
    calls: int
    tokens: int
    refused: int
    most_calls: int
    most_tokens: int
    by_purpose: Mapping[str, Mapping[str, int]]


@frozen
class Stats:
    """The contents of one project and of the whole database, and the state of background work.

    `vectors` counts the passages with a vector by the size of the model that made it (`single` for a model with one
    size), `waiting` those without one, `improvable` those that wait for a vector of the chosen size; `problem` says why
    the last attempt to embed passages failed.
    """

    project: str
    project_name: str
    root: str
    db: str
    bytes: int
    by_type: tuple[TypeCount, ...]
    documents: int
    chunks: int
    code: CodeIndexState
    totals: Mapping[str, int]
    embedder: str | None
    vectors: Mapping[str, int]
    waiting: int
    improvable: int
    background: Mapping[str, Any] | None
    jobs: tuple[JobRun, ...]
    llm: DailyUsage
    problem: Reason | None = None
