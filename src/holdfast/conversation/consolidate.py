"""Turns what was said into what is known: page by page, once, whoever asks and whatever breaks (R-E3, R-E6, R-E7).

A page is at most thirty messages after the watermark. What is learned from it, what that replaces, its paragraph of
history and the new watermark are kept in one transaction; models are asked before it begins. So a page that is cut
short is done again from where it began, and one that another process did meanwhile is left to it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import TYPE_CHECKING, Any, Protocol

from holdfast.conversation.llm_extractor import LlmExtractor, ShownMemory
from holdfast.conversation.resolve import DISPUTED, ConflictResolver, EvidenceSource, Resolution, candidate, last_place
from holdfast.conversation.session import message_of
from holdfast.core.admission import Admission, Candidate, Outcome
from holdfast.core.conversation import ConsolidatedPage, HistoryEntry, Learned, Message
from holdfast.core.errors import CeilingReached, ModelError, ModelGarbled, NotFound, Overtaken

if TYPE_CHECKING:
    from holdfast.conversation.consolidation_lock import ConsolidationLock
    from holdfast.core.ids import Ids
    from holdfast.core.memory import Memory
    from holdfast.core.memory_types import TypeRegistry
    from holdfast.store.writing.sessions import SessionWriting

    Around = tuple[tuple[Memory, float | None], ...]

PAGE = 30
RAW_MESSAGES, RAW_CHARACTERS = 10, 200
# How many memories a model is shown with a page, and how many pairs it is asked to compare.
_SHOWN, _PAIRS = 20, 40
_ROLES = ("user", "assistant")
# Is told how far it is, and says whether to go on.
Progress = Callable[[Mapping[str, Any]], bool]


class CandidateIntake(Protocol):
    """The door, as far as it is needed here."""

    def admit_all(
        self, candidates: Iterable[Candidate], closing: ConsolidatedPage | None = None
    ) -> tuple[Admission, ...]: ...


class SimilarMemories(Protocol):
    """What is believed near a text, closest first, episodes left out, each with how near it is where that is known."""

    def __call__(self, text: str) -> Around: ...


@dataclass(frozen=True, slots=True)
class RuleExtractor:
    """What learns without a language model."""

    learn: Callable[[Sequence[Message]], Sequence[Learned]]
    summarise: Callable[[Sequence[Message]], str]


@dataclass(frozen=True, slots=True)
class SessionReport:
    """What consolidating a session came to. `how` tells of each page, `failures` why a model was of no use."""

    session: str
    pages: int = 0
    messages: int = 0
    stored: int = 0
    known: int = 0
    superseded: int = 0
    refused: int = 0
    how: tuple[str, ...] = ()
    failures: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class ConsolidationReport:
    """What consolidating came to, session by session. `files` says why the views could not be written, if so."""

    sessions: tuple[SessionReport, ...] = ()
    files: str = ""

    def counts(self) -> Mapping[str, int]:
        """The sums over all sessions."""
        names = ("pages", "messages", "stored", "known", "superseded", "refused")
        sums = {name: sum(getattr(one, name) for one in self.sessions) for name in names}
        return {"sessions": sum(one.pages > 0 for one in self.sessions), **sums}


@dataclass(frozen=True, slots=True)
class Consolidation:
    """Everything consolidating needs. `asking` is the language model, when there is one."""

    sessions: SessionWriting
    intake: CandidateIntake
    queue: ConsolidationLock
    judge: ConflictResolver
    near: SimilarMemories
    extractor: RuleExtractor
    types: TypeRegistry
    ids: Ids
    now: Callable[[], datetime]
    project: str
    redact: Callable[[str], str]
    asking: LlmExtractor | None = None

    def consolidate(
        self, sessions: Iterable[str], leave: int = 0, progress: Progress = lambda _: True
    ) -> ConsolidationReport:
        """Learns from what was said in these sessions since last time, all but the last `leave` messages of each.

        One at a time, over all threads and processes. A model that does not answer, or may not be asked any more
        today, is not asked again in this run. `progress` is told of each page and may stop it there.
        Raises NotFound for a session nobody knows.
        """
        done: list[SessionReport] = []
        asking = self.asking
        for session in sessions:
            with self.queue.turn() as keep:
                report, asking, goes_on = self._session(session, leave, asking, _both(keep, progress))
            done.append(report)
            if not goes_on:
                break
        return ConsolidationReport(tuple(done))

    def _session(
        self, session: str, leave: int, asking: LlmExtractor | None, progress: Progress
    ) -> tuple[SessionReport, LlmExtractor | None, bool]:
        """What came of it, the model if it may be asked again, and whether the run may go on."""
        report = SessionReport(session)
        while (page := self._page(session, leave)) is not None:
            drawn = self._draw(page, asking)
            asking = drawn.asking
            try:
                answers = self.intake.admit_all(drawn.candidates, closing=self._closing(drawn))
            except Overtaken:
                continue
            report = _counted(report, drawn, answers)
            if not progress({"job": "consolidate", "session": session, "pages": report.pages}):
                return report, asking, False
        return report, asking, True

    def _page(self, session: str, leave: int) -> _Page | None:
        state = self.sessions.state(self.project, session)
        if state is None:
            raise NotFound(f"session {session}", hint="`holdfast session list` shows the sessions.")
        since = state.consolidated_to
        count = self.sessions.count_messages(self.project, session, after=since) - leave
        if count <= 0:
            return None
        found = self.sessions.messages(self.project, session, after=since, limit=min(PAGE, count))
        return _Page(session, since, tuple(map(message_of, found)), self._before(session, since))

    def _before(self, session: str, since: str | None) -> tuple[Message, ...]:
        """What was said in the page before: an answer is not understood without what it answers."""
        if since is None:
            return ()
        history = self.sessions.history(self.project, session=session)
        first = next((entry.first for entry in reversed(history) if entry.last == since), since)
        said = tuple(map(message_of, self.sessions.messages(self.project, session, after=first, limit=PAGE)))
        place = next((n for n, message in enumerate(said) if message.id == since), -1)
        return said[: place + 1]

    def _draw(self, page: _Page, asking: LlmExtractor | None) -> _Extracted:
        """What is drawn from a page: by the model if one can be asked, else by rules."""
        if not page.heard:
            return _Extracted(page, "", "extract", (), asking)
        if asking is None:
            return self._extract(page, None)
        shown = self._shown(page)
        try:
            drawn = asking.page(page.heard, [ShownMemory(m.id, m.type, m.content) for m in shown])
        except ModelError as error:
            return self._fall_back(page, asking, error)
        learned = self.judge.distinct(drawn.learned)
        standings, asking = self._stand(page, learned, asking, shown)
        entry = drawn.entry or self.extractor.summarise(page.heard)
        return self._drawn(page, entry, "model", standings, asking)

    def _extract(self, page: _Page, asking: LlmExtractor | None) -> _Extracted:
        page, learned = self._learn(page)
        standings, _ = self._stand(page, learned, None)
        return self._drawn(page, self.extractor.summarise(page.heard), "extract", standings, asking)

    def _fall_back(self, page: _Page, asking: LlmExtractor, error: ModelError) -> _Extracted:
        """Facts by rules, the last words as they were said; the ceiling is an agreement and no failure."""
        if isinstance(error, CeilingReached):
            return replace(self._extract(page, None), failure=error.what)
        again = asking if isinstance(error, ModelGarbled) else None
        drawn = self._extract(page, again)
        raw = _raw(drawn.page.messages)
        return replace(drawn, entry=raw, how="raw-fallback", failure=f"{error.what}: {error.detail}")

    def _learn(self, page: _Page) -> tuple[_Page, tuple[Learned, ...]]:
        """What the rules find. A page that changes a ruling of its own ends before the change."""
        own = {message.id: place for place, message in enumerate(page.messages)}
        found = self.extractor.learn((*_heard(page.before), *page.heard))
        learned = [one for one in found if last_place(one, own) >= 0]
        cut = self.judge.turns(learned, own)
        if cut:
            page = replace(page, messages=page.messages[:cut])
            learned = [one for one in learned if last_place(one, own) < cut]
        return page, self.judge.distinct(learned)

    def _shown(self, page: _Page) -> tuple[Memory, ...]:
        """What is known near to what was said, for the model to see."""
        said = (message.text[:1000] for message in page.heard if message.role == "user")
        found = {memory.id: memory for text in said for memory, _ in self.near(text)}
        return tuple(found.values())[:_SHOWN]

    def _stand(
        self, page: _Page, learned: Sequence[Learned], asking: LlmExtractor | None, shown: Sequence[Memory] = ()
    ) -> tuple[tuple[tuple[Resolution, EvidenceSource], ...], LlmExtractor | None]:
        """How each thing learned stands to what is known, and the model if it may be asked again."""
        messages = {m.id: m for m in (*page.before, *page.messages)}
        near = [_with_named(self.near(one.text), one, shown) for one in learned]
        kinds = [
            {m.id: self.judge.kind(one.text, m.content, nearness) for m, nearness in around}
            for one, around in zip(learned, near, strict=True)
        ]
        if asking is not None:
            asking = _ask_about(asking, learned, near, kinds)
        standings = []
        for one, around, verdicts in zip(learned, near, kinds, strict=True):
            said = EvidenceSource.of(one.evidence, messages, page.messages[-1].at)
            standings.append((self.judge.stand(one, said, [m for m, _ in around], verdicts, learned), said))
        return tuple(standings), asking

    def _drawn(
        self,
        page: _Page,
        entry: str,
        how: str,
        standings: Iterable[tuple[Resolution, EvidenceSource]],
        asking: LlmExtractor | None,
    ) -> _Extracted:
        candidates = tuple(candidate(standing, said, page.session, self.types) for standing, said in standings)
        return _Extracted(page, _stamped(entry, page.messages[-1].at), how, candidates, asking)

    def _closing(self, drawn: _Extracted) -> ConsolidatedPage:
        page = drawn.page
        first, last = page.messages[0], page.messages[-1]
        entry = None
        if drawn.entry:
            tools = tuple(dict.fromkeys(tool for message in page.messages for tool in message.tools))
            text = self.redact(drawn.entry)
            entry = HistoryEntry(
                f"hist_{self.ids.new()}", page.session, last.at, text, tools, drawn.how, first.id, last.id
            )
        return ConsolidatedPage(page.session, page.since, last.id, self.now(), entry)


@dataclass(frozen=True, slots=True)
class _Page:
    """Messages after a watermark, and those just before it."""

    session: str
    since: str | None
    messages: tuple[Message, ...]
    before: tuple[Message, ...]

    @property
    def heard(self) -> tuple[Message, ...]:
        """What people and the assistant said. What tools print is no ground to believe anything."""
        return _heard(self.messages)


@dataclass(frozen=True, slots=True)
class _Extracted:
    """What is to be kept of a page, and the model if it may be asked about the next."""

    page: _Page
    entry: str
    how: str
    candidates: tuple[Candidate, ...]
    asking: LlmExtractor | None
    failure: str = ""


def _both(one: Progress, other: Progress) -> Progress:
    return lambda told: one(told) and other(told)


def _heard(messages: Iterable[Message]) -> tuple[Message, ...]:
    return tuple(message for message in messages if message.role in _ROLES)


def _with_named(near: Around, learned: Learned, shown: Sequence[Memory]) -> Around:
    """What is near, and what a model named of the memories it was shown."""
    there = {memory.id for memory, _ in near}
    return (*near, *((m, None) for m in shown if m.id in learned.replaces and m.id not in there))


def _ask_about(
    asking: LlmExtractor, learned: Sequence[Learned], near: Sequence[Around], kinds: Sequence[dict[str, str]]
) -> LlmExtractor | None:
    """Lets the model decide where the rules see more than a repetition; what it does not decide stays as it is.

    Asked twice, it may contradict itself on what replaces what: then nothing is replaced.
    Returns the model, or None when it is not to be asked again.
    """
    asked = [
        (place, memory)
        for place, around in enumerate(near)
        for memory, _ in around
        if kinds[place][memory.id] != "same"
    ][:_PAIRS]
    if not asked:
        return asking
    try:
        verdicts = asking.verdicts([(learned[place].text, memory.content) for place, memory in asked])
    except ModelGarbled:
        return asking
    except ModelError:
        return None
    for (place, memory), verdict in zip(asked, verdicts, strict=True):
        if verdict is not None:
            disputed = verdict == "apart" and memory.id in learned[place].replaces
            kinds[place][memory.id] = DISPUTED if disputed else verdict
    return asking


def _counted(report: SessionReport, drawn: _Extracted, answers: Sequence[Admission]) -> SessionReport:
    outcomes = [answer.outcome for answer in answers]
    known, refused = outcomes.count(Outcome.DUPLICATE), outcomes.count(Outcome.REFUSED)
    return replace(
        report,
        pages=report.pages + 1,
        messages=report.messages + len(drawn.page.messages),
        stored=report.stored + len(outcomes) - known - refused,
        known=report.known + known,
        superseded=report.superseded + sum(len(answer.superseded) for answer in answers),
        refused=report.refused + refused,
        how=(*report.how, drawn.how),
        failures=(*report.failures, drawn.failure) if drawn.failure else report.failures,
    )


def _stamped(entry: str, at: datetime) -> str:
    """A paragraph on one line that begins with its time, as `[YYYY-MM-DD HH:MM]`."""
    line = " ".join(entry.split())
    return line if line.startswith("[20") or not line else f"[{at:%Y-%m-%d %H:%M}] {line}"


def _raw(messages: Sequence[Message]) -> str:
    """The last messages as they were said, cut short, so that nothing is lost when a model fails."""
    lines = [f"{m.role}: {' '.join(m.text.split())[:RAW_CHARACTERS]}" for m in messages[-RAW_MESSAGES:]]
    return "\n".join([f"[{messages[-1].at:%Y-%m-%d %H:%M}] [raw-fallback]", *lines])
