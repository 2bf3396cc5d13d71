"""Cold start: the project's commits stand in for sessions until enough sessions were observed."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from datetime import UTC, datetime
from typing import Protocol

from holdfast.core.clock import stamp
from holdfast.store.writing.observations import ObservedFile, ObservedSession

# The sessions that statistics are computed from: the latest ones. More cost time at the end of every session.
REMEMBERED = 200
# The id of a commit's session begins with this.
COMMIT = "git:"
# Work on these branches is not one task; a branch of another name is.
MAIN_BRANCHES = ("", "main", "master", "trunk", "develop")
# From so many observed sessions on, commits no longer count.
_ENOUGH = 20
_MOST_FILES, _LONGEST = 40, 300


class Commit(Protocol):
    """A commit: its id, its time in seconds since 1970, the files it changed, and the first line of its message."""

    @property
    def commit(self) -> str: ...
    @property
    def time(self) -> int: ...
    @property
    def files(self) -> tuple[str, ...]: ...
    @property
    def subject(self) -> str: ...


def commit_sessions(commits: Iterable[Commit], redact: Callable[[str], str]) -> tuple[ObservedSession, ...]:
    """Commits as sessions, oldest first: the message is what was asked for, the files were edited.

    A commit with very many files moves or formats them, and is left out.
    """
    chosen = [commit for commit in commits if 0 < len(commit.files) <= _MOST_FILES]
    return tuple(_session(commit, redact) for commit in sorted(chosen, key=lambda commit: commit.time))


def counted(sessions: Sequence[ObservedSession]) -> list[ObservedSession]:
    """The sessions that statistics are computed from: those of agents, with commits only while these are few.

    Of sessions that continue the same one, the longest.
    """
    longest: dict[str, ObservedSession] = {}
    for session in sessions:
        known = longest.get(beginning(session))
        longest[beginning(session)] = session if known is None or session.steps >= known.steps else known
    kept = {session.session for session in longest.values()}
    enough = sum(not session.startswith(COMMIT) for session in kept) >= _ENOUGH
    return [one for one in sessions if one.session in kept and not (enough and one.session.startswith(COMMIT))]


def beginning(session: ObservedSession) -> str:
    """What sessions have in common that continue the same one: when it began, and with which request.

    A client that resumes a session may write it again under another id, from its first event on. Transcripts that are
    read together have each event once already; this recognises those that are observed one at a time. A time in whole
    seconds proves nothing: several sessions may begin in one.
    """
    return f"{stamp(session.at)}\n{session.prompt}" if session.at.microsecond else session.session


def _session(commit: Commit, redact: Callable[[str], str]) -> ObservedSession:
    files = tuple(ObservedFile(path, 1, 0, 1) for path in commit.files)
    at = datetime.fromtimestamp(commit.time, UTC)
    return ObservedSession(f"{COMMIT}{commit.commit[:12]}", at, 1, (), redact(commit.subject[:_LONGEST]), "", files)
