"""Decides which observations become memories, and writes their text.

In order: enough sessions, new, worth it, how sure, the text, and at most so many for the kind of session.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from itertools import permutations
from typing import TYPE_CHECKING, Any

from holdfast.core.admission import Candidate
from holdfast.core.frozen import frozen
from holdfast.core.memory import Relation, Taint
from holdfast.observer.signals import LEAST_VALUE, Signal, signals

if TYPE_CHECKING:
    from holdfast.observer.over_sessions import FilePair, ModuleFiles
    from holdfast.observer.work_state import WorkState
    from holdfast.store.writing.observations import Promotion, SeenObservation

# The most memories per kind of session, and the signals that count in it; None for all.
LIMITS: Mapping[str, tuple[int, frozenset[str] | None]] = {
    "build": (20, None),
    "insights": (5, frozenset(("co_access", "self_correction", "repeated_grep"))),
    "roadmap": (3, frozenset()),
    "terminal": (3, frozenset(("error_retry", "tool_sequence"))),
    "changelog": (0, frozenset()),
    "spec": (3, frozenset(("file_access",))),
    "pr_review": (8, frozenset(("error_retry", "self_correction"))),
}
WORK_STATE = "work_state"
_STATE_CONFIDENCE = 0.8
# A module's memory is written again when it was seen in so many sessions.
_MILESTONES = (3, 5, 10, 20, 50, 100)
_MOST_CONFIDENCE, _UNPROVEN_FACTOR = 0.9, 0.85
_LONGEST = 600


@frozen
class Promoted:
    """An observation on its way to a memory: its candidate, its rank among others, and its evidence by session."""

    signal: str
    key: str
    sessions: int
    rank: float
    candidate: Candidate
    evidence: tuple[tuple[str, tuple[int, ...]], ...]


@frozen
class Promoter:
    """Chooses what one session adds to memory. `known` are the observations that are memories already.

    `proven` says that a test or check passed after the session's last edit.
    """

    session: str
    kind: str
    proven: bool
    known: Mapping[tuple[str, str], Promotion]

    def choose(self, offered: Iterable[Promoted | None]) -> tuple[Promoted, ...]:
        """The best of what is offered, as many as the kind of session allows."""
        most, only = LIMITS.get(self.kind, LIMITS["build"])
        allowed = [one for one in offered if one is not None and (only is None or one.signal in (*only, WORK_STATE))]
        return tuple(sorted(allowed, key=lambda one: (-one.rank, one.key))[:most])

    def observed(self, seen: tuple[SeenObservation, ...]) -> Promoted | None:
        """An observation, if enough sessions made it and it is no memory yet."""
        latest = next((one for one in seen if one.session == self.session), seen[-1])
        signal = signals()[latest.signal]
        if len(seen) < signal.sessions or (signal.name, latest.key) in self.known or signal.value < LEAST_VALUE:
            return None
        values = {"remedy": _remedy(seen), "n": str(len(seen)), **latest.values}
        values["remedy"] = values["remedy"] or _remedy(seen)
        about = _FIELDS.get(signal.name, _no_fields)(values, latest)
        return self._promoted(signal, latest.key, seen, values, {"files": latest.files, "fields": about})

    def pair(self, pair: FilePair) -> Promoted | None:
        """Two files that change together."""
        signal = signals()["co_access"]
        # Which of the two files is the rarer one may change from session to session.
        key, other = (f"{a}\n{b}" for a, b in permutations(sorted((pair.a, pair.b))))
        if (signal.name, key) in self.known or (signal.name, other) in self.known:
            return None
        values = {"a": pair.a, "b": pair.b, "together": str(pair.together), "of": str(pair.of)}
        fields = {"when_changed": pair.a, "also_touch": [pair.b], "weight": round(pair.weight, 2)}
        related = Relation("required_with", file=pair.b, confidence=round(pair.weight, 2), auto=True)
        about = {"files": (pair.a, pair.b), "fields": fields, "relations": (related,)}
        return self._promoted(signal, key, (), values, about, pair.together)

    def module(self, found: ModuleFiles) -> Promoted | None:
        """The files of a module, at milestones; a later one replaces the earlier memory."""
        signal, before = signals()["file_access"], self.known.get(("file_access", found.module))
        reached = max((n for n in _MILESTONES if n <= found.sessions), default=0)
        if found.sessions < signal.sessions or (before is not None and before.sessions >= reached):
            return None
        listed = _listed((*found.always, *found.often)[:5])
        values = {"module": f"`{found.module}`", "files": listed, "n": str(found.sessions)}
        fields = {
            "always_read_files": list(found.always), "frequently_read_files": list(found.often),
            "module_trigger": found.module, "session_count": found.sessions,
        }  # fmt: skip
        about: dict[str, Any] = {"files": found.always, "fields": fields, "modules": (found.module,)}
        about["replaces"] = (before.memory,) if before else ()
        return self._promoted(signal, found.module, (), values, about, found.sessions)

    def work_state(self, state: WorkState | None) -> Promoted | None:
        """Where the work stands; it replaces the state of the same branch after an earlier session."""
        if state is None:
            return None
        before = self.known.get((WORK_STATE, state.branch))
        candidate = Candidate(
            state.text[:_LONGEST], WORK_STATE, state.files, source="observer_inferred", session=self.session,
            confidence=_STATE_CONFIDENCE, scope="session", replaces=(before.memory,) if before else (),
            fields=state.fields, attributes={"signal": WORK_STATE, "branch": state.branch},
        )  # fmt: skip
        return Promoted(WORK_STATE, state.branch, 1, 1.0, candidate, ((self.session, ()),))

    def _promoted(
        self,
        signal: Signal,
        key: str,
        seen: tuple[SeenObservation, ...],
        values: Mapping[str, str],
        about: Mapping[str, Any],
        count: int = 0,
    ) -> Promoted:
        sessions = count or len(seen)
        confidence = min(_MOST_CONFIDENCE, signal.score * (0.75 + 0.05 * min(sessions, 5)))
        confidence *= 1.0 if self.proven or signal.sessions > 1 else _UNPROVEN_FACTOR
        taint = next((Taint(*one.taint) for one in seen if one.taint), None)
        evidence = tuple((one.session, one.steps) for one in seen)
        candidate = Candidate(
            signal.text.format(**values)[:_LONGEST], signal.type, source="observer_inferred", session=self.session,
            confidence=round(confidence, 2), taint=taint, needs_review=signal.sessions == 1 or None, scope="module",
            attributes={"signal": signal.name, "evidence": {session: list(steps) for session, steps in evidence}},
            **about,
        )  # fmt: skip
        rank = signal.value * (1.0 + 0.02 * min(sessions, 10))
        return Promoted(signal.name, key, sessions, rank, candidate, evidence)


def _remedy(seen: Iterable[SeenObservation]) -> str:
    """What resolved a failure, in the latest session in which something did."""
    return next((one.values["remedy"] for one in reversed(list(seen)) if one.values.get("remedy")), "")


def _listed(paths: Iterable[str]) -> str:
    quoted = [f"`{path}`" for path in paths]
    return quoted[0] if len(quoted) == 1 else ", ".join(quoted[:-1]) + " and " + quoted[-1]


def _no_fields(values: Mapping[str, str], one: SeenObservation) -> dict[str, Any]:
    return {}


def _dependency(values: Mapping[str, str], one: SeenObservation) -> dict[str, Any]:
    return {"when_changed": values["a"], "also_touch": [values["b"]]}


def _recipe(values: Mapping[str, str], one: SeenObservation) -> dict[str, Any]:
    steps = [{"order": at, "description": command} for at, command in enumerate(values["order"].split("\n"), 1)]
    return {"task_pattern": "check a change", "steps": steps, "success_count": int(values["n"])}


def _calibration(values: Mapping[str, str], one: SeenObservation) -> dict[str, Any]:
    return {
        "module": values.get("module", "tests"),
        "ratio": float(values.get("ratio", 1)),
        "sample_count": int(values["n"]),
    }


def _cost(values: Mapping[str, str], one: SeenObservation) -> dict[str, Any]:
    tokens = int(values["tokens"].replace(",", ""))
    return {"module": values["path"], "average_tokens": tokens, "sample_count": int(values["n"])}


def _dead_end(values: Mapping[str, str], one: SeenObservation) -> dict[str, Any]:
    return {"approach_tried": values["finding"], "why_it_failed": values["finding"]}


_FIELDS: Mapping[str, Callable[[Mapping[str, str], SeenObservation], dict[str, Any]]] = {
    "config_touch": _dependency,
    "import_chase": _dependency,
    "tool_sequence": _recipe,
    "test_order": _calibration,
    "step_overrun": _calibration,
    "token_spike": _cost,
    "dead_end": _dead_end,
}
