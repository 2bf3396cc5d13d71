"""Replays the sessions of a project in order: what would injection and prefetching have answered, and at which cost?"""

from __future__ import annotations

import tempfile
from collections import Counter
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from statistics import median

from bench.observer.streams import RecordedSession, Stream
from holdfast import Settings, Workspace
from holdfast import open as open_workspace
from holdfast.agents import event as kinds
from holdfast.agents import hook_input as points
from holdfast.agents.event import Event
from holdfast.agents.hook_input import HookInput
from holdfast.agents.tool_shapes import EDIT, READ, shape_of
from holdfast.bench.measure import Measurement, show_progress
from holdfast.bench.reports import Section
from holdfast.core.memory_use import USED
from holdfast.inject.first_prompt import FILES
from holdfast.inject.turn import begin_turn
from holdfast.inject.uses import judge
from holdfast.intake.message_intake import IncomingMessage
from holdfast.system.light_settings import HookSettings

_CHARACTERS_PER_TOKEN, _MOST_CHARACTERS, _PREFETCHED = 4, 9_500, 3_000


@dataclass(slots=True)
class SessionScore:
    """What memory did in one session."""

    reads: int = 0
    predicted: int = 0
    warned: int = 0
    calls: int = 0
    spoken: int = 0
    tokens_given: int = 0
    tokens_answered: int = 0
    outcomes: Counter[str] = field(default_factory=Counter)


def replay_section(found: Stream, most: int) -> Section:
    """Replays all sessions; scores those at the end."""
    with tempfile.TemporaryDirectory(prefix="holdfast-bench-") as folder:
        settings = Settings(background=False, embedder="none", identity="folder", memory_files=False)
        with open_workspace(db=f"{folder}/m.db", project=folder, settings=settings) as ws:
            scores = _replay(ws, found, most)
    return Section(f"{found.name}: {len(scores)} sessions scored one after the other", tuple(_rows(scores)))


def _replay(ws: Workspace, found: Stream, most: int) -> list[SessionScore]:
    scores: list[SessionScore] = []
    for number, session in enumerate(found.sessions):
        show_progress(f"{found.name}: session {number + 1} of {len(found.sessions)}")
        if number >= found.start and (not most or len(scores) < most):
            scores.append(_score(ws, session))
        _learn(ws, session)
    return scores


def _learn(ws: Workspace, session: RecordedSession) -> None:
    """What background work does at the end of a session."""
    said = [
        IncomingMessage(event.kind, event.text, datetime.fromtimestamp(event.at, UTC))
        for event in session.events
        if event.kind in (kinds.USER, kinds.ASSISTANT) and event.text and not event.agent
    ]
    if said:
        ws.session(session.id).say_all(said)
        ws.consolidate(session.id)
    ws.container.observer.observe(session.id, session.events)
    _touch(ws, session)


def _touch(ws: Workspace, session: RecordedSession) -> None:
    """Creates the files that a session used: only existing files are predicted."""
    shapes = [shape_of(event.tool, event.args) for event in session.events if event.kind == kinds.TOOL_CALL]
    for path in [path for shape in shapes if shape.kind in (READ, EDIT) for path in shape.paths]:
        file = Path(ws.root, path)
        if file.is_relative_to(ws.root) and ".." not in file.parts:
            with suppress(OSError):  # a name that no file can have here
                file.parent.mkdir(parents=True, exist_ok=True)
                file.touch()


def _paths(line: str) -> list[str]:
    """The paths of a line of predicted files, `src/{tide.py, moon.py}`."""
    folder, brace, names = line.partition("{")
    return [folder + name for name in names[:-1].split(", ")] if brace else [line]


def _score(ws: Workspace, session: RecordedSession) -> SessionScore:
    score = SessionScore()
    opening = ws.opening(session.id, session.branch)
    first = ws.first_prompt(session.prompt, session.id, session.branch)
    score.tokens_given = opening.tokens + first.tokens
    predicted = {path for line in first.text.partition(FILES)[2].splitlines() for path in _paths(line[2:])}
    seen = [
        Event(kinds.GIVEN, session.events[0].at, tool=point, args={"ids": [citation.id for citation in pack.citations]})
        for point, pack in ((points.START, opening), (points.PROMPT, first))
    ]
    read: set[str] = set()
    results = {event.id: event.text for event in session.events if event.kind == kinds.TOOL_RESULT}
    for event in session.events:
        seen.append(event)
        if event.kind != kinds.TOOL_CALL or event.agent:
            continue
        score.calls += 1
        ids, tokens = _hook(ws, session, event)
        score.spoken += bool(ids)
        score.tokens_given += tokens
        seen += [Event(kinds.GIVEN, event.at, tool=points.AFTER_TOOL, args={"ids": ids})] if ids else []
        shape = shape_of(event.tool, event.args)
        for path in shape.paths if shape.kind == READ else ():
            if path not in read:
                read.add(path)
                score.reads += 1
                score.warned += bool(ids)
                score.predicted += path in predicted
                text = results.get(event.id, "")[:_PREFETCHED]
                score.tokens_answered += len(text) // _CHARACTERS_PER_TOKEN if path in predicted else 0
    score.outcomes.update(_outcomes(ws, seen))
    return score


def _hook(ws: Workspace, session: RecordedSession, event: Event) -> tuple[list[str], int]:
    """The memories that the hook after this call gives, and their tokens."""
    settings = HookSettings(ws.db, ws.container.store.data_folder, "", "folder", "full", 2)
    input = HookInput("claude-code", points.AFTER_TOOL, session.id, ws.root, tool=event.tool, args=event.args)
    turn = begin_turn(input, settings)
    if turn is None:
        return [], 0
    answer = turn.answer(_MOST_CHARACTERS)
    turn.close()
    ids = [part.split(":", 1)[0] for part in answer.context.split("[Memory #")[1:]]
    return [ws.get(id).id for id in ids], len(answer.context) // _CHARACTERS_PER_TOKEN


def _outcomes(ws: Workspace, events: Sequence[Event]) -> list[str]:
    reading = ws.container.reading
    ids = {id for event in events if event.kind == kinds.GIVEN for id in event.args["ids"]}
    memories = {id: memory for id in ids if (memory := reading.memory(id)) is not None}
    # Of the rules that every session starts with, only used ones are judged: their share would say nothing.
    return [use.outcome for use in judge(events, memories, lambda id: ()) if use.point != points.START]


def _rows(scores: Sequence[SessionScore]) -> list[Measurement]:
    reads, calls = sum(s.reads for s in scores) or 1, sum(s.calls for s in scores) or 1
    outcomes = sum((s.outcomes for s in scores), Counter[str]())
    given, sessions = sum(outcomes.values()), max(1, len(scores))
    spent, saved = sum(s.tokens_given for s in scores), sum(s.tokens_answered for s in scores)

    def share(name: str, part: float) -> Measurement:
        return Measurement(name, part, None, "share")

    def tokens(name: str, count: float) -> Measurement:
        return Measurement(name, count, None, "tokens")

    return [
        Measurement("files read", reads, None, ""),
        share("  among the files predicted at the first prompt", sum(s.predicted for s in scores) / reads),
        share("  with a memory about the file", sum(s.warned for s in scores) / reads),
        share("tool calls without any injection (silence)", 1 - sum(s.spoken for s in scores) / calls),
        tokens("given per session, median", median([s.tokens_given for s in scores] or [0])),
        tokens("given per session, mean", spent / sessions),
        tokens("in predicted files that were read, mean", saved / sessions),
        Measurement("  given per token in such files", spent / (saved or 1), None, "×", 1.0),
        share(
            f"memories given at the prompt or later that were used ({given})", outcomes[USED] / given if given else 0.0
        ),
    ]
