"""Observations on top of a store that stays as it is: for sessions that are observed only to see what would be kept."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from holdfast.store.writing.observations import ObservedSession, Promotion, SeenObservation

if TYPE_CHECKING:
    from holdfast.core.renamed_files import RenamedFiles
    from holdfast.observer.promote import Promoted
    from holdfast.store.writing.observations import ObservationWriting

_LATEST = 100


def rehearsed_id(session: str, number: int) -> str:
    """The name of a memory that a session would add, in place of its id."""
    return f"{session}:{number}"


class Rehearsal:
    """`ObservationWriting` that reads from a store and writes to memory only."""

    def __init__(self, store: ObservationWriting) -> None:
        self._store = store
        self._sessions: dict[str, ObservedSession] = {}
        self._seen: list[SeenObservation] = []
        self._promotions: dict[tuple[str, str], Promotion] = {}

    def keep(self, project: str, promoted: Sequence[Promoted], session: str) -> None:
        """Remembers which memories a session would add."""
        pairs = [(one, rehearsed_id(session, number)) for number, one in enumerate(promoted)]
        self.put_promotions(
            project, [Promotion(one.signal, key, id, one.sessions) for one, id in pairs for key in one.keys]
        )

    def put(self, project: str, session: ObservedSession, observations: Sequence[SeenObservation]) -> None:
        self._sessions[session.session] = session
        self._seen = [*(one for one in self._seen if one.session != session.session), *observations]

    def sessions(self, project: str, limit: int) -> tuple[ObservedSession, ...]:
        stored = (one for one in self._store.sessions(project, limit) if one.session not in self._sessions)
        return tuple(sorted([*stored, *self._sessions.values()], key=lambda session: session.at)[-limit:])

    def seen(self, project: str, signal: str, key: str | None = None) -> tuple[SeenObservation, ...]:
        stored = (one for one in self._store.seen(project, signal, key) if one.session not in self._sessions)
        added = (one for one in self._seen if one.signal == signal and key in (None, one.key))
        return tuple([*stored, *added][-_LATEST:])

    def promotions(self, project: str) -> Mapping[tuple[str, str], Promotion]:
        return {**self._store.promotions(project), **self._promotions}

    def reviews(self, project: str) -> Mapping[str, tuple[int, int]]:
        return self._store.reviews(project)

    def put_promotions(self, project: str, promotions: Sequence[Promotion]) -> None:
        self._promotions |= {(one.signal, one.key): one for one in promotions}

    def rename(self, project: str, renamed: RenamedFiles) -> tuple[str, ...]:
        raise NotImplementedError  # Renames are followed before sessions are observed, not in a rehearsal.
