"""Observes sessions: keeps what was seen, and promotes what was seen often enough to memories."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import field, replace
from datetime import UTC, datetime
from typing import TYPE_CHECKING, NamedTuple

from holdfast.core.frozen import frozen
from holdfast.core.local_text import stays_local
from holdfast.core.renamed_files import RenamedFiles
from holdfast.observer.calibrations import SIGNAL as PLANNED
from holdfast.observer.calibrations import PlannedWork, calibration, main_modules, session_unit
from holdfast.observer.cold_start import COMMIT, REMEMBERED, beginning, commit_sessions, counted
from holdfast.observer.detect import module_of
from holdfast.observer.file_prediction import PredictedFile, predict_files
from holdfast.observer.injected_instructions import instructs
from holdfast.observer.over_sessions import (
    ModuleFacts,
    changing_together,
    files_of_modules,
    needed_across_modules,
    weakened,
)
from holdfast.observer.parallel import agreed, merged, scratchpads
from holdfast.observer.promote import WORK_STATE, Promoted, Promoter
from holdfast.observer.qa import QaFailure, qa_candidates
from holdfast.observer.rehearsal import Rehearsal
from holdfast.observer.session_kinds import AWAITED, BUILD, FAILED, SUCCEEDED
from holdfast.observer.signals import calibrated
from holdfast.observer.stored_after import StoredAfter, stored_after
from holdfast.observer.synthesis import synthesise
from holdfast.observer.tool_actions import is_check
from holdfast.observer.work_state import WorkState, work_state
from holdfast.store.writing.observations import (
    ENDED,
    HELD,
    VALID,
    ObservedFile,
    ObservedSession,
    Promotion,
    SeenObservation,
)

if TYPE_CHECKING:
    from holdfast.agents.event import Event
    from holdfast.core.admission import Admission, Candidate
    from holdfast.core.memory import Memory
    from holdfast.models.protocols import Chat
    from holdfast.observer.cold_start import Commit
    from holdfast.observer.scratchpad import Scratchpad
    from holdfast.observer.signals import Observation
    from holdfast.store.writing.observations import ObservationWriting

_PROMPT = 4_000
# The state of the work is remembered for so many branches, the latest ones.
_MOST_BRANCHES = 5
# The least and the most memories about a module from which a language model writes its summary.
_LEAST_FACTS, _MOST_FACTS = 3, 12


@frozen
class ObserverReport:
    """What one session added: its observations, and the memories they became with intake's answers.

    Without answers nothing was stored: the report says what would be promoted. `lapsed` are the memories that no
    longer hold, with the reason.
    """

    session: str
    steps: int
    files: int
    observations: tuple[SeenObservation, ...]
    promoted: tuple[Promoted, ...]
    answers: tuple[Admission, ...] = ()
    lapsed: Mapping[str, str] = field(default_factory=dict, hash=False)


class SoFar(NamedTuple):
    """How far a session has come: has it ended, and how many memories were kept while it went on?"""

    ended: bool = True
    kept: int = 0


WHOLE = SoFar()


class Recorded(NamedTuple):
    """A session with its events."""

    session: str
    events: Iterable[Event]
    so_far: SoFar = WHOLE


class _Examined(NamedTuple):
    """What a session shows, before anything is stored."""

    report: ObserverReport
    latest: ObservedSession
    promoter: Promoter
    sessions: Sequence[ObservedSession]


@frozen
class Observer:
    """Observes the sessions of one project. `redact` removes secrets; `admit_all` is intake's.

    `commits` are the project's latest ones, `renames` the files they renamed. `chat` is the language model that words
    memories better, if there is one; `memory` reads what was stored. `lapse` marks memories that no longer hold,
    given by id with the reason. `rename` gives the files of memories their present names, `renamed` has those of the
    files that sessions name. `distrust` taints what agents stored after they had read foreign text.
    """

    store: ObservationWriting
    admit_all: Callable[[Iterable[Candidate]], tuple[Admission, ...]]
    redact: Callable[[str], str]
    project: str
    root: str
    commits: Callable[[], Iterable[Commit]] = lambda: ()
    renames: Callable[[], Mapping[str, str]] = dict
    chat: Callable[[], Chat | None] = lambda: None
    memory: Callable[[str], Memory | None] = lambda _: None
    lapse: Callable[[Mapping[str, str]], None] = lambda reasons: None
    rename: Callable[[Iterable[str], RenamedFiles], None] = lambda ids, renamed: None
    renamed: RenamedFiles = RenamedFiles({})
    distrust: Callable[[Iterable[StoredAfter]], None] = lambda stored: None

    def observe(
        self,
        session: str,
        events: Iterable[Event],
        kind: str = BUILD,
        dry_run: bool = False,
        so_far: SoFar = WHOLE,
    ) -> ObserverReport:
        """Observes a session and promotes what it confirms."""
        events = tuple(events)
        if not dry_run:
            self.distrust(stored_after(events))
        return self.finish(*scratchpads(session, events, self.root, kind), dry_run=dry_run, so_far=so_far)

    def predict(self, prompt: str, branch: str = "", limit: int = 12) -> tuple[PredictedFile, ...]:
        """The files that a session with this prompt will probably need first."""
        return predict_files(self.store, self.project, self.root, prompt, branch, limit)

    def relate_modules(self) -> ObserverReport:
        """Promotes files that work on another module needs, by all sessions; meant to run every week."""
        sessions = counted(self.store.sessions(self.project, REMEMBERED))
        session = sessions[-1].session if sessions else ""
        promoter = self._promoter(session, BUILD, proven=False, at=_time(sessions))
        found = needed_across_modules(sessions)
        promoted = promoter.choose(promoter.companions(one, "cross_module") for one in found)
        answers = self.admit_all([one.candidate for one in promoted])
        self._remember_promotions(promoted, answers)
        return ObserverReport(session, 0, 0, (), promoted, answers)

    def report_failures(self, session: str, failures: Iterable[QaFailure]) -> tuple[Admission, ...]:
        """Keeps what quality assurance found: critical and high failures become error patterns at once."""
        return self.admit_all(qa_candidates(session, failures))

    def calibrate(self, work: PlannedWork, modules: Iterable[str]) -> tuple[Admission, ...]:
        """Keeps how many steps a unit of work in these modules took, for the plans of later ones."""
        promoted = self._calibrations(work, modules, self.store.promotions(self.project))
        answers = self.admit_all([one.candidate for one in promoted])
        self._remember_promotions(promoted, answers)
        return answers

    def follow_renames(self) -> Observer:
        """Gives the files of earlier sessions, and the memories about them, the names they have now.

        Returns the observer that gives them to the files of the sessions that it observes, too.
        """
        gone = {old: new for old, new in self.renames().items() if not os.path.lexists(os.path.join(self.root, old))}
        renamed = RenamedFiles({old: new for old, new in gone.items() if old != new})
        if renamed.names and (memories := self.store.rename(self.project, renamed)):
            self.rename(memories, renamed)
        return replace(self, renamed=renamed)

    def start_from_commits(self, dry_run: bool = False) -> ObserverReport:
        """Learns from the project's commits, for a project of which few sessions are known."""
        commits = commit_sessions(self.commits(), self.redact)
        own = [one for one in self.store.sessions(self.project, REMEMBERED) if not one.session.startswith(COMMIT)]
        sessions = counted(sorted([*commits, *own], key=lambda session: session.at))
        promoter = self._promoter(f"{COMMIT}history", BUILD, proven=False, at=_time(sessions))
        companions = map(promoter.companions, changing_together(sessions))
        promoted = promoter.choose([*companions, *map(promoter.module, files_of_modules(sessions))])
        files = len({file.path for session in commits for file in session.files})
        report = ObserverReport(f"{COMMIT}history", len(commits), files, (), promoted)
        if dry_run or not commits:
            return report
        answers = self.admit_all([one.candidate for one in promoted])
        for commit in commits:
            self.store.put(self.project, commit, ())
        self._remember_promotions(promoted, answers)
        return replace(report, answers=answers)

    def observe_all(
        self, sessions: Iterable[tuple[str, Iterable[Event]]], dry_run: bool = False, kind: str = BUILD
    ) -> tuple[ObserverReport, ...]:
        """Observes sessions one after the other; with `dry_run`, nothing is stored."""
        if dry_run:
            return self.rehearse((Recorded(session, events) for session, events in sessions), kind)
        return tuple(self.observe(session, events, kind) for session, events in sessions)

    def rehearse(self, sessions: Iterable[Recorded], kind: str = BUILD) -> tuple[ObserverReport, ...]:
        """What observing these sessions one after the other would keep. Nothing is stored."""
        store = Rehearsal(self.store)
        observer, reports = replace(self, store=store), []
        for one in sessions:
            examined = observer._examine(scratchpads(one.session, one.events, self.root, kind), one.so_far)
            if examined.report.steps:
                store.put(self.project, examined.latest, examined.report.observations)
                store.keep(self.project, examined.report.promoted, one.session)
            reports.append(examined.report)
        return tuple(reports)

    def finish(self, *pads: Scratchpad, dry_run: bool = False, so_far: SoFar = WHOLE) -> ObserverReport:
        """Promotes what a session and those before it show: the scratchpads of its agents, the main one first.

        With `dry_run`, nothing is stored. A session that goes on leaves no state of its work yet.
        """
        report, latest, promoter, sessions = self._examine(pads, so_far)
        if dry_run or not report.steps:
            return report
        words = synthesise(report.promoted, self.chat, lambda: self._facts(promoter, sessions, latest))
        summed_up = (promoter.module_summary(*pair) for pair in words.summaries)
        promoted = promoter.choose([*words.promoted, *summed_up], so_far.kept)
        answers = self.admit_all([one.candidate for one in promoted])
        self.store.put(self.project, latest, report.observations)
        self._remember_promotions(promoted, answers)
        if report.lapsed:
            self.lapse(report.lapsed)
        return replace(report, promoted=promoted, answers=answers)

    def _examine(self, pads: Sequence[Scratchpad], so_far: SoFar) -> _Examined:
        """What a session shows together with those before it, in the words of the templates."""
        pad = merged(pads)
        latest = self._session(pad)
        found = (self._seen(pad.session, one) for one in agreed(pads, pad))
        # Text that addresses the agent is never kept, however often it is seen.
        seen = tuple(one for one in found if not any(map(instructs, one.values.values())))
        stored = self.store.sessions(self.project, REMEMBERED)
        everyone = sorted([*(one for one in stored if one.session != pad.session), latest], key=lambda one: one.at)
        sessions = counted(everyone)
        commit = str(pad.commits[-1][1]) if pad.commits else None
        promoter = replace(self._promoter(pad.session, pad.kind, _is_proven(pad), _time([latest])), commit=commit)
        promoter = replace(promoter, is_open=pad.kind not in AWAITED or pad.outcome in SUCCEEDED)
        promoter = promoter.reopened([one for one in sessions if one.session != pad.session])
        if not pad.step:
            return _Examined(ObserverReport(pad.session, 0, 0, (), ()), latest, promoter, sessions)
        branches = _latest_branches(sessions)
        known = (
            any(one.session == pad.session and one.steps >= pad.step for one in stored)
            and (WORK_STATE, _branch(latest)) in promoter.known
        )
        is_news = so_far.ended and not known and _is_latest(latest, sessions) and _branch(latest) in branches
        state = promoter.work_state(self._work_state(pad) if is_news else None, branches)
        beginnings = {one.session: beginning(one) for one in everyone}
        offered = self._offered(promoter, sessions, latest, seen, beginnings)
        planned = self._planned(pad, promoter) if so_far.ended else ()
        promoted = promoter.choose([state, *planned, *offered], so_far.kept)
        lapsed = promoter.lapsing(sessions, latest)
        report = ObserverReport(pad.session, pad.step, len(latest.files), seen, promoted, lapsed=lapsed)
        return _Examined(report, latest, promoter, sessions)

    def _planned(self, pad: Scratchpad, promoter: Promoter) -> list[Promoted]:
        """What the steps of a session say about the plan that was reported, unless the work failed."""
        if not pad.planned or pad.outcome in FAILED:
            return []
        modules = main_modules(map(self.renamed.path, pad.edited()))
        return self._calibrations(
            PlannedWork(session_unit(pad.session), pad.planned, pad.step, pad.session), modules, promoter.known
        )

    def _calibrations(
        self, work: PlannedWork, modules: Iterable[str], known: Mapping[tuple[str, str], Promotion]
    ) -> list[Promoted]:
        before = {module: known.get((PLANNED, module)) for module in modules if work.planned > 0 and work.taken > 0}
        memories = {
            module: self.memory(one.memory) if one is not None and one.state != ENDED else None
            for module, one in before.items()
        }
        found = (calibration(module, work, memory, None) for module, memory in memories.items())
        return [one for one in found if one is not None]

    def _promoter(self, session: str, kind: str, proven: bool, at: datetime | None) -> Promoter:
        known, own = self.store.promotions(self.project), calibrated(self.store.reviews(self.project))
        return Promoter(session, kind, proven, known, own, at=at)

    def _remember_promotions(self, promoted: Iterable[Promoted], answers: Iterable[Admission]) -> None:
        stored = [
            Promotion(one.signal, key, answer.memory.id, one.sessions)
            for one, answer in zip(promoted, answers, strict=True)
            if answer.memory is not None
            for key in one.keys
        ]
        self.store.put_promotions(self.project, stored)

    def _offered(
        self,
        promoter: Promoter,
        sessions: Sequence[ObservedSession],
        latest: ObservedSession,
        seen: Sequence[SeenObservation],
        beginnings: Mapping[str, str],
    ) -> Iterable[Promoted | None]:
        own = beginnings[latest.session]

        def before(signal: str, key: str | None = None) -> list[SeenObservation]:
            """What other sessions saw; of those that continue the same one, the latest."""
            stored = (
                (beginnings.get(one.session, one.session), one) for one in self.store.seen(self.project, signal, key)
            )
            return list({(start, one.key): one for start, one in stored if start != own}.values())

        def every(signal: str) -> list[SeenObservation]:
            return [*before(signal), *(one for one in seen if one.signal == signal)]

        uses = Counter(file.path for session in sessions for file in session.files)
        # An error that is known by itself is not told again for each file in which it was repaired.
        told = {key for signal, key in promoter.known if signal == "error_retry"}
        for one in seen:
            known = (one.signal, one.key) in promoter.known and not promoter.signals[one.signal].milestones
            if known or promoter.is_told(one):
                continue
            others = before(one.signal, one.key)
            share = (len(others) + 1) / max(uses[one.files[0]], 1) if one.files else 1.0
            if one.values.get("failure") in told or share < promoter.signals[one.signal].share:
                continue
            promoted = promoter.observed((*others, one), every)
            told |= {one.key} if promoted and one.signal == "error_retry" else set()
            yield promoted
        together = [promoter.companions(found) for found in changing_together(sessions, latest)]
        yield from together
        yield from self._weakened(promoter, sessions, latest, {one.keys[0].split("\n")[0] for one in together if one})
        yield from map(promoter.module, files_of_modules(sessions, latest))

    def _weakened(
        self, promoter: Promoter, sessions: Sequence[ObservedSession], latest: ObservedSession, told: Collection[str]
    ) -> Iterable[Promoted]:
        """The memories of files that changed without their companions, unless somebody has taken them back."""
        held = promoter.pairs(HELD)
        for found in weakened(sessions, latest, promoter.pairs(VALID) | held, held):
            weaker = promoter.weakened(found) if found.path not in told else None
            if weaker is not None:
                yield weaker

    def _facts(
        self, promoter: Promoter, sessions: Sequence[ObservedSession], latest: ObservedSession
    ) -> list[ModuleFacts]:
        """What is remembered about the latest session's modules that have reached a milestone."""
        due = [found for found in files_of_modules(sessions, latest) if promoter.sums_up(found)]
        ids = dict.fromkeys(promotion.memory for promotion in promoter.known.values()) if due else ()
        trusted = [memory for id in ids if (memory := self.memory(id)) is not None and _is_fact(memory)]
        facts = {one.module: tuple(m.content for m in trusted if _is_about(m, one.module)) for one in due}
        return [
            ModuleFacts(one.module, facts[one.module][-_MOST_FACTS:], one.sessions, one.evidence)
            for one in due
            if len(facts[one.module]) >= _LEAST_FACTS
        ]

    def _work_state(self, pad: Scratchpad) -> WorkState | None:
        state = work_state(pad)
        if state is None or instructs(state.text):
            return None
        files = tuple(dict.fromkeys(map(self.renamed.path, state.files)))
        return state._replace(text=self.redact(self.renamed.text(state.text)), files=files)

    def _session(self, pad: Scratchpad) -> ObservedSession:
        files: dict[str, ObservedFile] = {}
        for path, use in pad.files.items():
            file = ObservedFile(self.renamed.path(path), use["first"], use["reads"], use["edits"], use["edit"])
            files[file.path] = _joined(files[file.path], file) if file.path in files else file
        untrusted = (str(pad.untrusted[0]), int(pad.untrusted[1])) if pad.untrusted else None
        at = datetime.fromtimestamp(pad.started, UTC)
        prompt, later = (
            self.redact(text)[:_PROMPT] for text in (pad.prompts[0] if pad.prompts else "", " ".join(pad.prompts[1:]))
        )
        return ObservedSession(
            pad.session, at, pad.step, tuple(pad.branches), prompt, later, tuple(files.values()), untrusted
        )

    def _seen(self, session: str, one: Observation) -> SeenObservation:
        values = {name: self.redact(self.renamed.value(value)) for name, value in one.values}
        key, files = self.redact(self.renamed.key(one.key)), tuple(map(self.renamed.path, one.files))
        return SeenObservation(one.signal, key, session, files, values, one.steps, one.taint)


def _joined(one: ObservedFile, other: ObservedFile) -> ObservedFile:
    """One file that a session used under two names."""
    edit = min(filter(None, (one.edit, other.edit)), default=0)
    first = min(one.first, other.first)
    return ObservedFile(one.path, first, one.reads + other.reads, one.edits + other.edits, edit)


def _time(sessions: Sequence[ObservedSession]) -> datetime | None:
    """When the last session began; None if its events have no time."""
    return sessions[-1].at if sessions and sessions[-1].at.timestamp() else None


def _is_latest(session: ObservedSession, sessions: Sequence[ObservedSession]) -> bool:
    """Was no other session on its branch later? An old transcript does not say where the work stands."""
    return all(one.at <= session.at for one in sessions if _branch(one) == _branch(session))


def _latest_branches(sessions: Sequence[ObservedSession]) -> list[str]:
    """The branches that the latest sessions ended on, the latest first."""
    return list(dict.fromkeys(map(_branch, reversed(sessions))))[:_MOST_BRANCHES]


def _branch(session: ObservedSession) -> str:
    return session.branches[-1] if session.branches else ""


def _is_fact(memory: Memory) -> bool:
    """May a language model be told this memory, and believe it?"""
    believed = memory.is_current and memory.taint is None and not memory.needs_review
    return believed and memory.type != "work_state" and not stays_local(memory.content)


def _is_about(memory: Memory, module: str) -> bool:
    return module in memory.modules or any(module_of(path) == module for path in memory.files)


def _is_proven(pad: Scratchpad) -> bool:
    """Did quality assurance pass? Unless somebody reported it, a test or another check after the last edit decides."""
    if pad.qa is not None or pad.outcome in FAILED:
        return pad.qa is True
    last = max((use["last"] for use in pad.files.values() if use["edits"]), default=0)
    return any(succeeded and step > last and is_check(key) for step, key, succeeded in pad.runs)
