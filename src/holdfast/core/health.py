"""What an examination of the store found."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any


class HealthLevel(StrEnum):
    """How bad a finding is."""

    GOOD = "good"
    WARNING = "warning"
    BAD = "bad"


@dataclass(frozen=True, slots=True)
class HealthFinding:
    """One check: what was looked at, how it stands, and what to do about it."""

    check: str
    level: HealthLevel
    detail: str
    hint: str = ""


@dataclass(frozen=True, slots=True)
class Health:
    """The outcome of `doctor`: every finding, and what a repair did."""

    findings: tuple[HealthFinding, ...]
    repairs: tuple[str, ...] = ()

    @property
    def sound(self) -> bool:
        return all(finding.level is not HealthLevel.BAD for finding in self.findings)


@dataclass(frozen=True, slots=True)
class Stats:
    """What a store holds and how it stands, for one project and for the file as a whole."""

    project: str
    project_name: str
    root: str
    db: str
    bytes: int
    by_type: tuple[Mapping[str, Any], ...]
    documents: int
    chunks: int
    totals: Mapping[str, int]
    embedder: str | None
    waiting: int
    background: Mapping[str, Any] | None
    jobs: tuple[Mapping[str, Any], ...]
    llm: Mapping[str, Any] = field(default_factory=dict)
