"""Decides which observations become memories, and writes their text.

In order: enough sessions, new, worth it, how sure, the text, and at most so many for the kind of session.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import groupby
from typing import TYPE_CHECKING, Any

from holdfast.core.admission import Candidate
from holdfast.core.frozen import frozen
from holdfast.core.memory import Relation, Taint
from holdfast.observer.cold_start import COMMIT
from holdfast.observer.observation_summaries import listed, summary
from holdfast.observer.over_sessions import LAPSES, RARELY, lapsed, modules_with_files, sessions_of_modules
from holdfast.observer.session_kinds import BUILD, LIMITS
from holdfast.observer.signals import LEAST_VALUE, Signal
from holdfast.store.writing.observations import HELD, STALE, VALID

if TYPE_CHECKING:
    from datetime import datetime

    from holdfast.observer.over_sessions import Companions, Evidence, ModuleFacts, ModuleFiles, Pair
    from holdfast.observer.work_state import WorkState
    from holdfast.store.writing.observations import ObservedSession, Promotion, SeenObservation

    Every = Callable[[str], Sequence[SeenObservation]]

WORK_STATE, MODULE_SUMMARY = "work_state", "module_summary"
# The milestone at which a module is summed up first.
_FIRST_SUMMARY = 5
_TOGETHER = "co_access"
_PAIRS = (_TOGETHER, "cross_module")
_CONFIGURATION = "config_touch"
# The end of the key of a pair that waits for review, because sessions had read something from outside before.
_TAINTED = "\n(tainted)"
_STATE_CONFIDENCE = 0.8
# The least shares of sessions for which files change together "usually" and "often".
_USUALLY, _OFTEN = 0.5, 0.4
# What a commit's message says, its author has stated.
COMMIT_SOURCE = "commit_auto"
# Some memories are written again when they were seen in so many sessions.
_MILESTONES = (3, 5, 10, 20, 50, 100)
_MOST_CONFIDENCE, _UNPROVEN_FACTOR, _WEAKENED_FACTOR = 0.9, 0.85, 0.6
# What several agents saw by themselves is surer, and needs no further session.
_AGREED_FACTOR = 1.1
# What is written again at milestones would stay tainted: with so many times the sessions, enough may be clean.
_TAINTED_FACTOR = 2
_LONGEST, _MOST_NAMED = 600, 6


@frozen
class Promoted:
    """Observations of a signal on their way to a memory: its candidate, its rank, and its evidence by session.

    `keys` are the observations that it stands for: several for the files that change together with one.
    """

    signal: str
    keys: tuple[str, ...]
    sessions: int
    rank: float
    candidate: Candidate
    evidence: Evidence


@frozen
class Promoter:
    """Chooses what one session adds to memory. `known` are the observations that are memories already.

    `proven` says that a test or check passed after the session's last edit. `signals` are those of this project.
    `commit` is the last one that the session made, `at` its time: its memories are true as of that. `lapsed` are the
    keys of pairs of files that stopped to change together: they may return. Unless `is_open`, only the state of the
    work is kept: it is not known yet whether what the session did is accepted.
    """

    session: str
    kind: str
    proven: bool
    known: Mapping[tuple[str, str], Promotion]
    signals: Mapping[str, Signal]
    commit: str | None = None
    at: datetime | None = None
    lapsed: frozenset[str] = frozenset()
    is_open: bool = True

    def choose(self, offered: Iterable[Promoted | None], kept: int = 0) -> tuple[Promoted, ...]:
        """The best of what is offered, as many as the kind of session allows, with those that were kept before."""
        most, only = LIMITS.get(self.kind, LIMITS[BUILD])
        only = only if self.is_open else frozenset()
        allowed = [one for one in offered if one is not None and (only is None or one.signal in (*only, WORK_STATE))]
        return tuple(sorted(allowed, key=lambda one: (-one.rank, one.keys))[: max(most - kept, 0)])

    def observed(self, seen: tuple[SeenObservation, ...], every: Every) -> Promoted | None:
        """An observation, if enough sessions made it and it is no memory yet. `every` has all of its signal."""
        latest = next((one for one in seen if one.session == self.session), seen[-1])
        signal, before = self.signals[latest.signal], self.known.get((latest.signal, latest.key))
        count, agreed = len(seen), any(int(one.values.get("agents", 1)) > 1 for one in seen)
        if count < min(int(one.values.get("least", signal.sessions)) for one in seen) and not agreed:
            return None
        if before is not None and not (signal.milestones and _reached(count) > before.sessions):
            return None
        seen = _counted(seen, signal)
        if not seen:
            return None
        values = summary(seen, lambda: every(signal.name))
        if values is None:
            return None
        about: dict[str, Any] = {"files": latest.files, "fields": _FIELDS.get(signal.name, _no_fields)(values)}
        about["modules"] = (values["module"],) if "module" in values else ()
        about["replaces"] = (before.memory,) if before else ()
        about["taint"] = next((Taint(*one.taint) for one in seen if one.taint), None)
        about["commit"] = values.get("commit") or self.commit
        evidence = tuple((one.session, one.steps) for one in seen)
        return self._promoted(signal, (latest.key,), values, about, count, evidence, agreed)

    def companions(self, found: Companions, name: str = _TOGETHER) -> Promoted | None:
        """The files that change together with one, when there is a new one; the memory of the fewer is replaced."""
        signal, own = self.signals[name], f"{found.path}\n"
        known = {key: pair for (kind, key), pair in self.known.items() if kind in _PAIRS and key not in self.lapsed}
        # Which of the two files is the rarer one may change from session to session.
        pairs = [pair for pair in found.others if not _either(f"{pair[0]}\n{found.path}") & known.keys()]
        others = [pair for pair in pairs if not _either(own + pair[0]) & known.keys()]
        if not others:
            return None
        # What is tainted replaces nothing, and is replaced by nothing but a person's word.
        about = {} if found.taint else _untainted(known, name, own)
        listed_now = {own + other for other, _ in pairs}
        # A memory with a companion that is not listed now stays as it is.
        earlier = set(about.values()) - {memory for key, memory in about.items() if key not in listed_now}
        others = [pair for pair in pairs if pair in others or about.get(own + pair[0]) in earlier]
        keys = tuple(own + other + (_TAINTED if found.taint else "") for other, _ in others)
        keys, replaced = (keys, set[str]()) if found.taint else self._returning(keys)
        return self._together(signal, keys, found._replace(others=tuple(others)), earlier | replaced)

    def _returning(self, keys: tuple[str, ...]) -> tuple[tuple[str, ...], set[str]]:
        """Adds the other companions of memories that lapsed and now return; and all memories that are replaced."""
        returned = {self.known[_TOGETHER, key].memory for key in keys if self._is_stale(key)}
        # The other companions of a memory that lapsed may return later.
        keys += tuple(
            key for key in self._pairs(STALE) if key not in keys and self.known[_TOGETHER, key].memory in returned
        )
        # The dependency also says that files were changed with a configuration.
        with_configuration = {memory for key in keys for memory in self._with_configuration(key)}
        return keys, returned | with_configuration

    def _with_configuration(self, key: str) -> Iterator[str]:
        first, _, second = key.partition("\n")
        for pair in (f"{first}\n{second}", f"{second}\n{first}"):
            known = self.known.get((_CONFIGURATION, pair))
            if known is not None and known.state == VALID:
                yield known.memory

    def is_told(self, one: SeenObservation) -> bool:
        """Is a configuration that files were changed with a dependency already?"""
        pairs = {frozenset(pair) for pair in self._pairs(VALID, HELD).values()} if one.signal == _CONFIGURATION else ()
        return frozenset(one.files) in pairs

    def reopened(self, before: Sequence[ObservedSession]) -> Promoter:
        """With the pairs of files that had stopped to change together before the latest session: they may return."""
        pairs = self._pairs(VALID, STALE)
        gone = lapsed(before, set(pairs.values()))
        return replace(self, lapsed=frozenset(key for key in pairs if pairs[key] in gone or self._is_stale(key)))

    def lapsing(self, sessions: Sequence[ObservedSession], latest: ObservedSession) -> dict[str, str]:
        """The memories that no longer hold after the latest session, with the reason."""
        apart = dict.fromkeys(self._apart(sessions), f"not changed together in the last {LAPSES} sessions")
        return apart | dict.fromkeys(self._outgrown(sessions, latest), "sessions no longer use the same files")

    def _outgrown(self, sessions: Sequence[ObservedSession], latest: ObservedSession) -> tuple[str, ...]:
        """The memories of modules that have reached a milestone, at which no files were used often enough."""
        known = {key: one for (signal, key), one in self.known.items() if signal == "file_access"}
        counts = sessions_of_modules(sessions, latest)
        valid = [module for module in counts if module in known and known[module].state == VALID]
        due = [module for module in valid if _reached(counts[module]) > known[module].sessions]
        still = modules_with_files(sessions, due) if due else set()
        return tuple(known[module].memory for module in due if module not in still)

    def _apart(self, sessions: Sequence[ObservedSession]) -> tuple[str, ...]:
        """The memories of files that no longer change together with any of their companions."""
        pairs = self._pairs(VALID)
        gone = lapsed(sessions, set(pairs.values()))
        ended = {self.known[_TOGETHER, key].memory for key in pairs if pairs[key] in gone}
        return tuple(sorted(ended - {self.known[_TOGETHER, key].memory for key in pairs if pairs[key] not in gone}))

    def pairs(self, *states: str) -> set[Pair]:
        """The files with their companions whose memories are not tainted and in one of these states."""
        return {pair for key, pair in self._pairs(*states).items() if not key.endswith(_TAINTED)}

    def _pairs(self, *states: str) -> dict[str, Pair]:
        keys = [key for (signal, key), one in self.known.items() if signal == _TOGETHER and one.state in states]
        return {key: (path, other) for key in keys for path, other in [key.split("\n")[:2]]}

    def _is_stale(self, key: str) -> bool:
        return (_TOGETHER, key) in self.known and self.known[_TOGETHER, key].state == STALE

    def weakened(self, found: Companions) -> Promoted | None:
        """The memory of a file's companions with the figures of now, without those that left or rarely follow."""
        own = f"{found.path}\n"
        mine = {key: pair.memory for (kind, key), pair in self.known.items() if kind == _TOGETHER}
        keys = tuple(own + other for other in (*(other for other, _ in found.others), *found.left))
        kept = tuple(pair for pair in found.others if pair[1] >= RARELY * found.of) or found.others
        earlier = {mine[key] for key in keys}
        weaker = self._together(self.signals[_TOGETHER], keys, found._replace(others=kept), earlier)
        if weaker is None or weaker.candidate.confidence is None or kept[0][1] >= _OFTEN * found.of:
            return weaker
        confidence = round(weaker.candidate.confidence * _WEAKENED_FACTOR, 2)
        return replace(weaker, candidate=replace(weaker.candidate, confidence=confidence))

    def _together(
        self, signal: Signal, keys: tuple[str, ...], found: Companions, replaces: Collection[str]
    ) -> Promoted | None:
        others = found.others
        named, of = listed(other for other, _ in others), f"{found.of} {found.unit}"
        values = {"a": found.path, "b": named, "change": _change(others, found.of, of), "share": _share(others, of)}
        weight = round(min(together for _, together in others) / found.of, 2)
        fields = {"when_changed": found.path, "also_touch": [other for other, _ in others], "weight": weight}
        related = tuple(
            Relation("required_with", file=other, confidence=round(together / found.of, 2), auto=True)
            for other, together in others
        )
        files = (found.path, *(other for other, _ in others))
        about: dict[str, Any] = {"files": files, "fields": fields, "relations": related}
        about["replaces"] = tuple(sorted(replaces))
        about["taint"] = Taint(*found.taint) if found.taint else None
        return self._promoted(signal, keys, values, about, max(n for _, n in others), found.evidence)

    def module(self, found: ModuleFiles) -> Promoted | None:
        """The files of a module, at milestones; a later one replaces the earlier memory."""
        signal, before = self.signals["file_access"], self.known.get(("file_access", found.module))
        if found.sessions < signal.sessions or (before is not None and before.sessions >= _reached(found.sessions)):
            return None
        values = {"module": found.module, "needs": _needs(found), "n": f"{found.sessions} {found.unit}"}
        fields = {
            "always_read_files": list(found.always), "frequently_read_files": list(found.often),
            "module_trigger": found.module, "session_count": found.sessions,
        }  # fmt: skip
        about: dict[str, Any] = {"files": found.always, "fields": fields, "modules": (found.module,)}
        # What is tainted replaces nothing: the memory of the milestone before may be trusted.
        if found.taint is not None and before is not None:
            return None
        about["replaces"] = (before.memory,) if before else ()
        about["taint"] = Taint(*found.taint) if found.taint else None
        return self._promoted(signal, (found.module,), values, about, found.sessions, found.evidence)

    def sums_up(self, found: ModuleFiles) -> bool:
        """Has a module reached a milestone at which it has not been summed up?"""
        before = self.known.get((MODULE_SUMMARY, found.module))
        reached = _reached(found.sessions)
        return reached >= _FIRST_SUMMARY and (before is None or before.sessions < reached)

    def module_summary(self, facts: ModuleFacts, text: str) -> Promoted | None:
        """The summary of a module that a language model wrote; it replaces the one of the milestone before."""
        before = self.known.get((MODULE_SUMMARY, facts.module))
        about: dict[str, Any] = {"modules": (facts.module,), "replaces": (before.memory,) if before else ()}
        signal = self.signals[MODULE_SUMMARY]
        return self._promoted(signal, (facts.module,), {"text": text}, about, facts.sessions, facts.evidence)

    def work_state(self, state: WorkState | None, branches: Collection[str] = ()) -> Promoted | None:
        """Where the work stands; it replaces the state of the same branch, and of all but the latest `branches`."""
        if state is None:
            return None
        states = [known for (signal, _), known in self.known.items() if signal == WORK_STATE]
        past = sorted(known.memory for known in states if known.key == state.branch or known.key not in branches)
        candidate = Candidate(
            state.text[:_LONGEST], WORK_STATE, state.files, source="observer_inferred", session=self.session,
            confidence=_STATE_CONFIDENCE, scope="session", replaces=tuple(past), commit=self.commit,
            fields=state.fields, when=self.at,
            attributes={
                "signal": WORK_STATE, "branch": state.branch, "evidence": {self.session: [state.last_step]},
            },
        )  # fmt: skip
        return Promoted(WORK_STATE, (state.branch,), 1, 1.0, candidate, ((self.session, (state.last_step,)),))

    def _promoted(
        self,
        signal: Signal,
        keys: tuple[str, ...],
        values: Mapping[str, str],
        about: Mapping[str, Any],
        sessions: int,
        evidence: Evidence,
        agreed: bool = False,
    ) -> Promoted | None:
        if signal.value < LEAST_VALUE:
            return None
        confidence = signal.score * (0.75 + 0.05 * min(sessions, 5)) * (_AGREED_FACTOR if agreed else 1.0)
        confidence *= 1.0 if self.proven or signal.sessions > 1 else _UNPROVEN_FACTOR
        candidate = Candidate(
            signal.text.format(**values)[:_LONGEST], signal.type, source=signal.source, session=self.session,
            confidence=signal.confidence or round(min(_MOST_CONFIDENCE, confidence), 2),
            needs_review=(signal.sessions == 1 and signal.source != COMMIT_SOURCE) or None, scope="module",
            attributes={"signal": signal.name, "evidence": {session: list(steps) for session, steps in evidence}},
            provenance_sessions=tuple(session for session, _ in evidence if not session.startswith(COMMIT)),
            when=self.at, **{"commit": self.commit, **about},
        )  # fmt: skip
        rank = signal.value * (1.0 + 0.02 * min(sessions, 10))
        return Promoted(signal.name, keys, sessions, rank, candidate, evidence)


def _counted(seen: tuple[SeenObservation, ...], signal: Signal) -> tuple[SeenObservation, ...]:
    """The observations that count: the clean ones if there are enough, else all; none while some must still come."""
    clean = tuple(one for one in seen if one.taint is None)
    if signal.milestones and len(clean) < signal.sessions <= len(seen) < _TAINTED_FACTOR * signal.sessions:
        return ()
    if len(clean) >= signal.sessions:
        return clean
    if not clean or signal.milestones:
        return seen
    # What one session saw before it read anything does not rest on that: the others count, with its words.
    return tuple(replace(one, values=clean[-1].values, taint=None) if one.taint else one for one in seen)


def _untainted(known: Mapping[str, Promotion], signal: str, own: str) -> dict[str, str]:
    """The memory of each known pair of a file, without the tainted ones."""
    mine = {key: pair.memory for key, pair in known.items() if pair.signal == signal}
    return {key: memory for key, memory in mine.items() if key.startswith(own) and not key.endswith(_TAINTED)}


def _reached(sessions: int) -> int:
    """The milestone that a number of sessions has reached."""
    return max((milestone for milestone in _MILESTONES if milestone <= sessions), default=0)


def _either(key: str) -> set[str]:
    """The keys of a pair, trusted or tainted."""
    return {key, key + _TAINTED}


def _change(others: Sequence[tuple[str, int]], of: int, sessions: str) -> str:
    """How often the files changed too, the most frequent ones first: "`b` usually changes too (4 of 6 sessions)"."""
    clauses = []
    for usual, group in groupby(others, key=lambda pair: _usual(pair[1] / of)):
        pairs = list(group)
        verb = "changes" if len(pairs) == 1 else "change"
        clauses.append(f"{listed(other for other, _ in pairs)} {usual} {verb} too ({_share(pairs, sessions)})")
    return "; ".join(clauses)


def _usual(share: float) -> str:
    names = (("usually", _USUALLY), ("often", _OFTEN), ("sometimes", RARELY))
    return next((name for name, least in names if share >= least), "rarely")


def _share(others: Sequence[tuple[str, int]], sessions: str) -> str:
    counts = sorted({together for _, together in others})
    return f"{counts[0]} of {sessions}" if len(counts) == 1 else f"{counts[0]} to {counts[-1]} of {sessions}"


def _needs(found: ModuleFiles) -> str:
    """What work on a module needs: "usually needs `a` and `b`, often `c`"."""
    always, often = found.always[:_MOST_NAMED], found.often[: max(_MOST_NAMED - len(found.always), 0)]
    named = [("usually", always)] if always else []
    named += [("often", often)] if often else []
    (first, files), *rest = named
    return f"{first} needs {listed(files)}" + "".join(f", {how} {listed(more)}" for how, more in rest)


def _no_fields(values: Mapping[str, str]) -> dict[str, Any]:
    return {}


def _dependency(values: Mapping[str, str]) -> dict[str, Any]:
    return {"when_changed": values["a"], "also_touch": [values["b"]]}


def _recipe(values: Mapping[str, str]) -> dict[str, Any]:
    steps = [{"order": at, "description": command} for at, command in enumerate(values["order"].split("\n"), 1)]
    return {"task_pattern": "check a change", "steps": steps, "success_count": int(values["n"])}


def _test_order(values: Mapping[str, str]) -> dict[str, Any]:
    return {"module": "tests", "sample_count": int(values["n"])}


def _calibration(values: Mapping[str, str]) -> dict[str, Any]:
    per_item = {"average_actual_steps": float(values["item"]), "ratio": float(values["ratio"])}
    return {"module": values["module"], **per_item, "sample_count": int(values["n"])}


def _cost(values: Mapping[str, str]) -> dict[str, Any]:
    tokens = int(values["tokens"].replace(",", ""))
    return {"module": values["path"], "average_tokens": tokens, "sample_count": int(values["n"])}


def _dead_end(values: Mapping[str, str]) -> dict[str, Any]:
    return {"approach_tried": values["finding"], "why_it_failed": values["finding"]}


def _end_to_end(values: Mapping[str, str]) -> dict[str, Any]:
    return {"kind": values["kind"], "tool": values["tool"]}


_FIELDS: Mapping[str, Callable[[Mapping[str, str]], dict[str, Any]]] = {
    "config_touch": _dependency,
    "import_chase": _dependency,
    "tool_sequence": _recipe,
    "test_order": _test_order,
    "step_overrun": _calibration,
    "token_spike": _cost,
    "dead_end": _dead_end,
    "end_to_end": _end_to_end,
}
