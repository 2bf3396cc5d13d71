"""What became of a memory that a session was given, and the summary of a session."""

from __future__ import annotations

from datetime import datetime
from typing import TYPE_CHECKING

from holdfast.core.frozen import frozen

if TYPE_CHECKING:
    from holdfast.core.memory import Memory

USED, IGNORED, CONTRADICTED = "used", "ignored", "contradicted"
OUTCOMES = (USED, IGNORED, CONTRADICTED)
# The evidence, and the moment, of an outcome that somebody stated.
STATED = "stated"


@frozen
class MemoryUse:
    """A memory that a session was given: when, at which moment, and what became of it.

    `evidence` says how that is known: `cited`, how many of its words the agent took over (`3/5`), the action that
    contradicted it, or `stated`.
    """

    memory: str
    at: datetime
    point: str
    outcome: str
    evidence: str = ""


@frozen
class SessionNote:
    """Something that a session shows already, before it is a memory: its signal, its weight, and its steps.

    It is `tainted` if the agent had read something from outside before.
    """

    signal: str
    priority: float
    text: str
    steps: tuple[int, ...]
    tainted: bool = False


@frozen
class SessionSummary:
    """What memory did for a session, and what the session left behind.

    `given` pairs each memory with its use; `opening` are the others that the session began with, whose use nobody can
    judge, such as rules that were kept: known while there is a journal. `learned` are the memories that came from the
    session. `tokens_given` is the length of what was given; `tokens_saved` estimates the look-ups that used memories
    made unnecessary. `notes` are what was noted during the session, while there is a journal of it.
    """

    session: str
    steps: int
    given: tuple[tuple[Memory, MemoryUse], ...]
    learned: tuple[Memory, ...]
    tokens_given: int
    tokens_saved: int
    notes: tuple[SessionNote, ...] = ()
    opening: tuple[Memory, ...] = ()
