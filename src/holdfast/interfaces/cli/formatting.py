"""Memories, answers and findings in words: what the reading commands print."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from itertools import count
from typing import TYPE_CHECKING

from holdfast.core.ids import short
from holdfast.interfaces.cli.explain import PATHS, explained
from holdfast.interfaces.cli.terminal import (
    age,
    clean,
    clean_lines,
    fit,
    is_terminal,
    moment,
    paint,
    screen_width,
    section,
    short_ids,
    table,
)
from holdfast.interfaces.language import say, say_count, to_say

if TYPE_CHECKING:
    from holdfast.core.admission import Admission
    from holdfast.core.answer import Hit, Recall
    from holdfast.core.memory import Memory, Relation
    from holdfast.store.reading import MemoryEvent

_SOURCES = {
    "user_taught": to_say("taught by a person"),
    "agent_explicit": to_say("told by an agent"),
    "observer_inferred": to_say("observed"),
    "qa_auto": to_say("from a test run"),
    "mcp_auto": to_say("from a tool"),
    "commit_auto": to_say("from a commit"),
}
_BAR = 5


def admission(answer: Admission) -> str:
    """What became of a text, in one line."""
    said = {
        "stored": to_say("Stored {id}: {reason}."),
        "duplicate": to_say("Known already as {id}: {reason}."),
        "quarantined": to_say("Kept for review as {id}: {reason}."),
        "superseded": to_say("Stored {id}, which replaces {old}. Undo: holdfast restore {old}"),
        "refused": to_say("Refused: {reason}."),
    }[answer.outcome]
    id = short(answer.memory.id) if answer.memory else ""
    old = ", ".join(map(short, answer.superseded))
    return clean(say(said, id=id, old=old, reason=_reason(answer)) + _left_out(answer))


def hits(answer: Recall, explain: bool) -> str:
    """The hits of a search, best first, each with where it comes from; with `explain`, how they came about."""
    widest = max((len(hit.type) for hit in answer.hits), default=0)
    digits = len(str(len(answer.hits)))
    numbers = (f"{n:>{digits}}  " if explain else "" for n in count(1))
    lines = [_hit(hit, widest, number) for hit, number in zip(answer.hits, numbers, strict=False)]
    said = "\n".join(lines or [_silence(answer)])
    return f"{said}\n\n{explained(answer)}" if explain else said


def rows(memories: Iterable[Memory]) -> str:
    """One line for each memory."""
    lines = [(short(m.id), m.type, age(m.created_at), _marks(m), clean(m.content)) for m in memories]
    if not lines:
        return say("There is nothing here.")
    if not any(marks for *_, marks, _ in lines):
        return table([(*line[:3], line[4]) for line in lines], styles=("cyan", "bold", "dim"), indent=0)
    return table(lines, styles=("cyan", "bold", "dim", "yellow"), indent=0)


def in_full(
    memory: Memory, history: Iterable[MemoryEvent], successors: Iterable[Memory], related: Mapping[str, Memory]
) -> str:
    """Everything about one memory."""
    parts = [_title(memory), clean_lines(memory.content), table(_facts(memory), styles=("dim",))]
    if memory.relations:
        lines = [_relation(relation, related) for relation in memory.relations]
        parts.append(section(say("Relations"), table(lines, styles=("", "cyan"))))
    if replaced := [(short(m.id), clean(m.content)) for m in successors]:
        parts.append(section(say("Replaced by"), table(replaced, styles=("cyan",))))
    events = [(moment(e.at), e.verb, clean(short_ids(e.reason))) for e in history]
    parts.append(section(say("History"), table(events, styles=("dim",))))
    return "\n\n".join(parts)


def jobs() -> str:
    """Every job of upkeep and what it does."""
    return section(say("Jobs"), table([(name, say(help)) for name, help in JOBS.items()]))


def naming() -> str:
    """How a memory is named, for the help of commands that take an id."""
    return say("ID is the id of a memory; the last eight characters, as listings show them, will do.")


def types() -> str:
    """The memory types, each with its line of help."""
    from holdfast.core.memory_types import TypeRegistry

    return section(say("Types"), table([(kind.name, say(kind.help)) for kind in TypeRegistry()]))


def _reason(answer: Admission) -> str:
    # Why taken apart: the parts that do not change have a translation, those with ids in them have none.
    return "; ".join(say(part) for part in short_ids(answer.reason).split("; "))


def _left_out(answer: Admission) -> str:
    if not answer.redactions or "left out" in answer.reason:
        return ""
    kinds = ", ".join(dict.fromkeys(found.kind for found in answer.redactions))
    return " " + say_count(len(answer.redactions), "{n} secret left out", "{n} secrets left out") + f" ({kinds})."


def _silence(answer: Recall) -> str:
    if answer.abstained:
        return say("Nothing good enough to say; `--all` shows the weak hits too.")
    return say("Nothing is known about that.")


def _hit(hit: Hit, widest: int, number: str) -> str:
    bar = f"{_bar(hit.score)} " if is_terminal() else ""
    head = f"{number}{bar}{hit.score:.2f}  {hit.type:<{widest}}  "
    room = screen_width()
    text = fit(clean(hit.text), room - len(head) if room else None)
    under = " " * (len(number) + len(bar) + 6)
    first = f"{number}{paint(bar, 'green')}{hit.score:.2f}  {paint(f'{hit.type:<{widest}}', 'bold')}  {text}"
    return f"{first}\n{under}{_origin(hit, room - len(under) if room else None)}"


def _bar(score: float) -> str:
    eighths = round(max(0.0, min(1.0, score)) * _BAR * 8)
    full, rest = divmod(eighths, 8)
    return ("█" * full + (chr(0x2590 - rest) if rest else "")).ljust(_BAR)


def _origin(hit: Hit, room: int | None) -> str:
    memory = hit.memory
    why = ", ".join(f"{say(PATHS.get(path, path))} {rank}" for path, rank in hit.why.paths.items())
    if memory is None:
        heading = clean(" › ".join(hit.chunk.heading)) if hit.chunk else ""
        successor = hit.document.superseded_by if hit.document else None
        replaced = say("superseded by {path}", path=clean(successor)) if successor else ""
        name, known = clean(hit.cited), [age(hit.when), replaced, heading]
    else:
        files = clean(", ".join(memory.files))
        name, known = short(memory.id), [age(hit.when), say(_SOURCES[memory.source]), _marks(memory), files]
    said = " · ".join(part for part in (*known, why) if part)
    return paint(name, "cyan") + paint(fit(" · " + said, room - len(name) if room else None), "dim")


def _note(value: object) -> str:
    return " ".join(map(str, value)) if isinstance(value, tuple | list) else str(value)


def _marks(memory: Memory) -> str:
    marks = [
        (memory.forgotten, say("forgotten")),
        (memory.superseded, say("replaced")),
        (memory.needs_review, say("to review")),
        (memory.pinned, say("pinned")),
    ]
    return ", ".join(mark for is_so, mark in marks if is_so)


def _title(memory: Memory) -> str:
    marks = _marks(memory)
    return f"{paint(memory.type, 'bold')} {paint(short(memory.id), 'cyan')}" + (f" ({marks})" if marks else "")


def _facts(memory: Memory) -> list[tuple[str, str]]:
    sure = f"{memory.confidence:.2f}" + (f", {say('verified')}" if memory.verified else "")
    found = [
        (say("id"), memory.id),
        (say("confidence"), sure),
        (say("source"), say(_SOURCES[memory.source]) + (f", {memory.source_role}" if memory.source_role else "")),
        (say("untrusted"), memory.taint.tool if memory.taint else ""),
        (say("session"), memory.session or ""),
        (say("commit"), memory.commit or ""),
        (say("scope"), memory.scope),
        (say("visibility"), memory.visibility),
        (say("files"), ", ".join(memory.files)),
        (say("modules"), ", ".join(memory.modules)),
        (say("tags"), ", ".join(memory.tags)),
        (say("created"), moment(memory.created_at)),
        (say("happened"), moment(memory.event_time) if memory.event_time else ""),
        (say("half-life"), say("{n} days", n=f"{memory.half_life_days:g}") if memory.half_life_days else ""),
        (say("believed until"), moment(memory.valid_until) if memory.valid_until else ""),
        (say("forgotten"), moment(memory.forgotten_at) if memory.forgotten_at else ""),
        (say("secrets"), say("left out") if memory.redacted else ""),
        *((name, _note(value)) for name, value in memory.fields.items()),
    ]
    return [(name, clean(value)) for name, value in found if value]


def _relation(relation: Relation, related: Mapping[str, Memory]) -> tuple[str, str, str]:
    if relation.memory is None:
        return relation.kind, clean(relation.file), ""
    other = related.get(relation.memory)
    return relation.kind, short(relation.memory), clean(other.content) if other else ""


# The jobs, as the table of upkeep names and explains them.
JOBS = {
    "evict": to_say("drop expired entries of the embedding cache"),
    "tidy": to_say("bring the index of words into order (04:30)"),
    "enrich": to_say("look again for names where few were found (02:00)"),
    "consolidate": to_say("learn from sessions that are over or have grown long"),
    "reflect": to_say("look back on the week (Sunday 03:00)"),
    "embed": to_say("give a vector to every passage that waits for one"),
}

# Sentences of the rooms below that are said here as they stand, so that they too have a translation.
ECHOES = (
    to_say("new"),
    to_say("the same text is known already"),
    to_say("a memory says the same in other words"),
    to_say("the memory says that already"),
    to_say("it came after an untrusted tool and waits for review"),
    to_say("the text is empty"),
    to_say("the text has no words"),
    to_say("the text is a placeholder"),
    to_say("the text repeats one thing over and over"),
    to_say("the text is only progress or routine log lines"),
    to_say("the text is a courtesy or a confirmation, with nothing to remember"),
    to_say("nothing is left of the text but a redacted secret"),
    to_say("the text contains NUL bytes: is it a binary file?"),
    to_say("the text contains lone surrogates: it was not decoded as UTF-8"),
    to_say("the text is full of control characters: is it a binary file?"),
    to_say("the text is full of replacement characters: it was read with the wrong encoding"),
    to_say("one message, as said"),
    to_say("something true about the person, the project or the world"),
    to_say("what a week added up to"),
    to_say("a trap or a constraint nobody would guess"),
    to_say("a choice and its reason; never decays"),
    to_say("how the person or the project wants it done"),
    to_say("a way of building that is used again"),
    to_say("what the software must do or be"),
    to_say("an error that comes back, and its fix"),
    to_say("what a module is for and how it thinks"),
    to_say("files that are always read together"),
    to_say("where the work stood when the session ended"),
    to_say("when this file changes, that one must too"),
    to_say("how many steps it really took against the plan"),
    to_say("how the interface behaves, as seen by a tool"),
    to_say("an approach that was tried and given up"),
    to_say("how a piece of work ended"),
    to_say("the steps of a job done before"),
    to_say("how many tokens a module costs to read"),
)
