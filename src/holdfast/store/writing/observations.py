"""What was observed in agents' sessions: used by the observer only."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import TYPE_CHECKING, NamedTuple, Protocol

from holdfast.core.frozen import frozen

if TYPE_CHECKING:
    from holdfast.core.renamed_files import RenamedFiles


class ObservedFile(NamedTuple):
    """A file that a session used: the step of its first use, how often it was read and edited, and the first edit."""

    path: str
    first: int
    reads: int
    edits: int
    edit: int = 0


@frozen
class ObservedSession:
    """A session: its time, its length in steps, its branches, what the person asked first and later, and its files.

    `untrusted` is the tool whose output came from outside, and the step in which the session had read it.
    """

    session: str
    at: datetime
    steps: int
    branches: tuple[str, ...]
    prompt: str
    later: str
    files: tuple[ObservedFile, ...]
    untrusted: tuple[str, int] | None = None


@frozen
class SeenObservation:
    """An observation of one session, as stored."""

    signal: str
    key: str
    session: str
    files: tuple[str, ...]
    values: Mapping[str, str]
    steps: tuple[int, ...]
    taint: tuple[str, int] | None


# The states of an observation's memory: it holds; it lapsed or its code is gone; a person taught, confirmed or pinned
# it; it was forgotten or replaced.
VALID, STALE, HELD, ENDED = "valid", "stale", "held", "ended"


class Promotion(NamedTuple):
    """The memory that an observation became, the number of sessions in which it had been seen then, and its state."""

    signal: str
    key: str
    memory: str
    sessions: int
    state: str = VALID


class ObservationWriting(Protocol):
    """Stores and reads observations."""

    def put(self, project: str, session: ObservedSession, observations: Sequence[SeenObservation]) -> None:
        """Stores a session with its files and observations, in place of an earlier version of it."""
        ...

    def sessions(self, project: str, limit: int) -> tuple[ObservedSession, ...]:
        """The latest sessions, oldest first."""
        ...

    def seen(self, project: str, signal: str, key: str | None = None) -> tuple[SeenObservation, ...]:
        """An observation in the latest sessions that made it, oldest first; without a key, all of the signal."""
        ...

    def promotions(self, project: str) -> Mapping[tuple[str, str], Promotion]:
        """The memories that observations became, by signal and key; states of work only while they are believed."""
        ...

    def reviews(self, project: str) -> Mapping[str, tuple[int, int]]:
        """By signal, how many of its memories people rejected and how many they confirmed."""
        ...

    def put_promotions(self, project: str, promotions: Sequence[Promotion]) -> None:
        """Stores which memories observations became."""
        ...

    def rename(self, project: str, renamed: RenamedFiles) -> tuple[str, ...]:
        """Gives the files of earlier sessions and their observations the present names.

        Returns the ids of the memories that became of what was renamed.
        """
        ...
