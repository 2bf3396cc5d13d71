"""Formats memories and search results as text."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from itertools import count
from typing import TYPE_CHECKING

from holdfast.core.anchor import CHANGED, GONE
from holdfast.core.certainty import Certainty
from holdfast.core.clock import SystemClock
from holdfast.core.ids import short
from holdfast.core.memory import EPISODE, OCCASION
from holdfast.interfaces.cli.terminal import (
    age,
    broken,
    clean,
    clean_lines,
    fit,
    moment,
    paint,
    screen_width,
    section,
    short_ids,
    table,
    width,
    wrap,
)
from holdfast.interfaces.language import number, translatable, translate, translate_count
from holdfast.interfaces.messages import text_of

if TYPE_CHECKING:
    from holdfast.core.admission import Admission
    from holdfast.core.answer import Hit, Recall
    from holdfast.core.memory import Memory, Relation
    from holdfast.core.memory_description import MemoryDescription, MemoryEvent
    from holdfast.core.reason import Reason

_SOURCES = {
    "user_taught": translatable("taught by the user"),
    "agent_explicit": translatable("stored by an agent"),
    "observer_inferred": translatable("observed"),
    "qa_auto": translatable("from a test run"),
    "mcp_auto": translatable("from a tool"),
    "commit_auto": translatable("from a commit"),
}
_BY_AGENT = "agent_explicit"
# Learned from what somebody said in a conversation; by role.
_LEARNED = {
    "user": translatable("learned from the user"),
    "assistant": translatable("learned from the assistant"),
}
# Of a message; by role.
_SAID = {"user": translatable("said by the user"), "assistant": translatable("said by the assistant")}
# As `core.anchor.WARNINGS`, which are part of prompts and not translated.
_CODE = {CHANGED: translatable("code changed since"), GONE: translatable("code deleted")}
_COLOURS = {Certainty.SURE: "green", Certainty.LIKELY: "yellow", Certainty.MAYBE: "dim"}
_MOST_LINES = 3  # Of a hit's text.
_READABLE, _TEXT_LINES = 50, 2  # The columns that a listed text needs on one line, and its lines where it has fewer.
_COMMIT = 12  # Digits of a commit, which suffice in any repository.


def admission(
    answer: Admission, replaced: Iterable[Memory] = (), asked_type: str | None = None, *, inferred: bool = False
) -> str:
    """Describes in one line what was done with a text; a line follows for each memory that it replaced.

    Names the type if somebody asked for it under another name, or if it was inferred.
    """
    text = {
        "stored": translatable("Stored {id}: {reason}."),
        "duplicate": translatable("Already known as {id}: {reason}."),
        "quarantined": translatable("Held for review as {id}: {reason}."),
        "superseded": translatable("Stored {id}, which replaces {old}. Undo: holdfast restore {old}"),
        "refused": translatable("Refused: {reason}."),
    }[answer.outcome]
    if answer.outcome == "duplicate" and answer.superseded:
        text = translatable("Already known as {id}, which now replaces {old}. Undo: holdfast restore {old}")
    id = short(answer.memory.id) if answer.memory else ""
    old = ", ".join(map(short, answer.superseded))
    line = translate(text, id=id, old=old, reason=_reasons(answer))
    line = clean(line + _type_note(answer, asked_type, inferred) + _holds(answer) + _removed_secrets(answer))
    before = [(translate("before"), clean(memory.content)) for memory in replaced]
    return line + ("\n" + table(before, styles=("dim",), whole=True) if before else "")


def hits(answer: Recall, explain: bool) -> str:
    """Formats the hits, best first, each with its certainty and origin; one line each if a program or a file reads it.

    With `explain`, begins with why the first hit is first, and ends with how all were found and scored.
    """
    if screen_width() is None and not explain:
        lines = [table([_hit_row(hit, answer) for hit in answer.hits], indent=0)] if answer.hits else []
        return "\n".join([*(lines or [_no_hits(answer)]), *warnings(answer.warnings)])
    widest = max((len(hit.type) for hit in answer.hits), default=0)
    digits = len(str(len(answer.hits)))
    numbers = (f"{n:>{digits}}  " if explain else "" for n in count(1))
    lines = [_hit(hit, answer, widest, number) for hit, number in zip(answer.hits, numbers, strict=False)]
    notes = [paint(wrap(note), "yellow") for note in warnings(answer.warnings)]
    text = "\n".join([*(lines or [_no_hits(answer)]), *notes])
    if not explain:
        return text
    from holdfast.interfaces.cli.explain import explained
    from holdfast.interfaces.cli.first_hit import why_first

    return "\n\n".join(part for part in (wrap(why_first(answer)), text, explained(answer)) if part)


def warnings(reasons: Iterable[Reason]) -> list[str]:
    """Formats the warnings of an answer, one line each."""
    return [clean(translate("Note: {reason}.", reason=text_of(reason))) for reason in reasons]


def no_memories() -> str:
    """What a list of all memories says when there is none."""
    return translate("No memories. `holdfast remember TEXT` stores one.")


def rows(memories: Iterable[Memory], whole: bool = False, empty: str = "") -> str:
    """Formats one line per memory, with the time that the filters `since` and `until` compare, or `empty`.

    Where a line would leave too little room for the text, it gets lines of its own: two of them, or the `whole` text.
    """
    listed, available = list(memories), screen_width()
    lines = [(short(m.id), m.type, age(m.event_time or m.created_at), _source(m), _marked(m)) for m in listed]
    if not lines:
        return empty or translate("Nothing found.")
    beside = sum(max(width(line[at]) for line in lines) + 2 for at in range(4))
    if available is None or (available - beside >= _READABLE and not whole):
        return table(lines, styles=("cyan", "bold", "dim", "dim"), indent=0)
    return "\n".join(_block(memory, available, whole) for memory in listed)


def _block(memory: Memory, available: int, whole: bool) -> str:
    """Formats a memory on lines of its own: id and text, then type, age, origin and marks."""
    id = short(memory.id)
    under = " " * (len(id) + 2)
    text = broken(clean(memory.content), available - len(under))
    if len(text) > _TEXT_LINES and not whole:
        text = [*text[: _TEXT_LINES - 1], fit(" ".join(text[_TEXT_LINES - 1 :]), available - len(under))]
    about = (memory.type, age(memory.event_time or memory.created_at), _source(memory), _marks(memory))
    known = " · ".join(filter(None, about))
    lines = (paint(id, "cyan") + "  " + text[0], *text[1:], *(paint(line, "dim") for line in broken(known, available)))
    return ("\n" + under).join(lines)


def description(found: MemoryDescription) -> str:
    """Formats one memory with all its details."""
    memory, related = found.memory, {other.id: other for other in found.related}
    parts = [_title(memory), wrap(clean_lines(memory.content)), table(_facts(memory), styles=("dim",), whole=True)]
    if memory.anchors:
        from holdfast.interfaces.cli.code_changes import code_section, differences

        parts += [code_section(memory, bool(found.changes)), *differences(found)]
    if evidence := memory.attributes.get("evidence"):
        from holdfast.interfaces.cli.observer_commands import evidence_rows

        parts.append(section(translate("Seen in"), table(evidence_rows(evidence), styles=("cyan",), whole=True)))
    if memory.relations:
        lines = [_relation(relation, related) for relation in memory.relations]
        parts.append(section(translate("Relations"), table(lines, styles=("", "cyan"), whole=True)))
    if replaced := [(short(m.id), clean(m.content)) for m in found.successors]:
        parts.append(section(translate("Replaced by"), table(replaced, styles=("cyan",), whole=True)))
    events = [(moment(e.at), e.verb, _by_whom(e, memory)) for e in found.history]
    parts.append(section(translate("History"), table(events, styles=("dim",), whole=True)))
    return "\n\n".join(parts)


def _by_whom(event: MemoryEvent, memory: Memory) -> str:
    """Who made a change, if it was no person, and why."""
    by = translate("by an agent") if event.by_program else ""
    return ", ".join(filter(None, (by, _why(event.reason, memory))))


def _why(reason: str, memory: Memory) -> str:
    """The reason of a change; that of storing a memory is its source."""
    if reason == memory.source:
        return _source(memory)
    return translate(_SOURCES[reason]) if reason in _SOURCES else clean(short_ids(reason))


def jobs() -> str:
    """Lists the background jobs with their help."""
    from holdfast.interfaces.messages.upkeep_messages import JOBS

    return section(translate("Jobs"), table([(name, translate(help)) for name, help in JOBS.items()]))


def naming() -> str:
    """Explains ids, for the help of commands that take one."""
    return translate(
        "ID is the id of a memory. A part that no other id has suffices, such as the eight characters that lists show."
    )


def types() -> str:
    """Lists the memory types with their help."""
    from holdfast.core.memory_types import TypeRegistry

    rows = [(type.name, translate(type.help)) for type in TypeRegistry()]
    plainer = translate("Plainer names work too: rule, note, todo, bug, warning, choice.")
    return section(translate("Types"), f"{table(rows, whole=True)}\n\n{plainer}")


def _reasons(answer: Admission) -> str:
    return "; ".join(short_ids(text_of(reason)) for reason in (answer.reason, *answer.warnings))


def _type_note(answer: Admission, asked: str | None, inferred: bool) -> str:
    if answer.outcome == "duplicate" or answer.memory is None or answer.memory.type == asked:
        return ""
    if inferred:
        return " " + translate("Inferred type: {type}.", type=answer.memory.type)
    if asked is None:
        return ""
    return " " + translate("Its type is {type}.", type=answer.memory.type)


def _holds(answer: Admission) -> str:
    is_new = answer.outcome in ("stored", "superseded")
    if not is_new or answer.memory is None or answer.memory.visibility != "personal":
        return ""
    return " " + translate("It holds in all of your projects.")


def _removed_secrets(answer: Admission) -> str:
    if not answer.redactions:
        return ""
    kinds = ", ".join(dict.fromkeys(found.kind for found in answer.redactions))
    return " " + translate_count(len(answer.redactions), "{n} secret removed", "{n} secrets removed") + f" ({kinds})."


def _no_hits(answer: Recall) -> str:
    if answer.abstained:
        return translate("No good hit; `--all` shows weak hits.")
    return translate("No hits.")


def _hit(hit: Hit, answer: Recall, widest: int, number: str) -> str:
    from holdfast.interfaces.cli.markdown_lines import markdown_lines
    from holdfast.interfaces.cli.matched_words import code_excerpt, excerpt, matched_words
    from holdfast.interfaces.messages.recall_messages import CERTAINTIES

    level = hit.certainty or Certainty.MAYBE
    longest = max(len(translate(label)) for label in CERTAINTIES.values())
    label = translate(CERTAINTIES[level])
    under = " " * (len(number) + longest + 2)
    below = under + " " * (widest + 2)
    available = screen_width()
    is_code = hit.type == "code"
    parts = markdown_lines(clean_lines(hit.text)) if hit.chunk and not is_code else [clean(hit.text)]
    text = clean(" ".join(parts))
    if available:
        limits = matched_words(hit, answer.trace), available - len(below), _MOST_LINES
        lines = code_excerpt(hit.text, *limits) if is_code else excerpt(parts, *limits)
        text = ("\n" + below).join(lines)
    elif is_code:  # A program or a file reads it: it gets all lines.
        text = ("\n" + below).join(clean_lines(hit.text).strip("\n").splitlines())
    elif hit.memory:
        text = _shortened(text, answer.query, hit.id)
    shown = paint(label, _COLOURS[level]) + " " * (longest - len(label))
    first = f"{number}{shown}  {paint(f'{hit.type:<{widest}}', 'bold')}  {text}"
    return f"{first}\n{under}{_origin(hit, under, available)}"


def _hit_row(hit: Hit, answer: Recall) -> tuple[str, ...]:
    """The columns of a hit: certainty, type, id or place, age, origin, and its marks and text. `--json` has all."""
    from holdfast.interfaces.cli.markdown_lines import markdown_lines
    from holdfast.interfaces.messages.recall_messages import CERTAINTIES
    from holdfast.text.excerpts import excerpt

    if hit.memory:
        name, said = short(hit.memory.id), _source(hit.memory)
        marks = [_repeats(hit), _marks(hit.memory), *_newer(hit)]
        text = _shortened(clean(hit.text), answer.query, hit.id)
    else:
        name, said, marks = clean(hit.cited), "", [_successor(hit)]
        parts = [hit.text] if hit.type == "code" else markdown_lines(clean_lines(hit.text))
        text = excerpt(clean(" ".join(parts)), answer.query)
    known = ", ".join(filter(None, marks))
    label = translate(CERTAINTIES[hit.certainty or Certainty.MAYBE])
    return label, hit.type, name, age(hit.when), said, f"({known}) {text}" if known else text


def _shortened(text: str, query: str, id: str) -> str:
    """The part of a long text that the query is about, and the command that shows the rest."""
    from holdfast.text.excerpts import excerpt

    part = excerpt(text, query)
    return part if part == text else f"{part} (holdfast show {short(id)})"


def _origin(hit: Hit, under: str, available: int | None) -> str:
    memory = hit.memory
    from holdfast.recall.paths import PATH_LABELS

    why = ", ".join(f"{translate(PATH_LABELS.get(path, path))} {rank}" for path, rank in hit.why.paths.items())
    if memory is None:
        heading = clean(" › ".join(hit.chunk.heading)) if hit.chunk else ""
        name, known = clean(hit.cited), [age(hit.when), _successor(hit), heading]
    else:
        files = clean(", ".join(memory.files))
        name = short(memory.id)
        known = [age(hit.when), _source(memory), _repeats(hit), _marks(memory), *_newer(hit), files]
    text = " · ".join(part for part in (*known, why) if part)
    first, *others = broken(f"{name} · {text}", available - len(under) if available else None)
    painted = paint(first[: len(name)], "cyan") + paint(first[len(name) :], "dim")
    return ("\n" + under).join((painted, *(paint(other, "dim") for other in others)))


def _successor(hit: Hit) -> str:
    successor = hit.document.superseded_by if hit.document else None
    return translate("superseded by {path}", path=clean(successor)) if successor else ""


def _newer(hit: Hit) -> list[str]:
    found = [(short(new.id), clean(new.brief)) for new in hit.replaced_by]
    return [translate("replaced by {id}: {text}", id=id, text=text) for id, text in found]


def _repeats(hit: Hit) -> str:
    """When else the text was said: each day once, the newest first, then how many more times."""
    days = list(dict.fromkeys(age(repeat.when) for repeat in hit.repeats))
    more = hit.repeat_count - len(days)
    others = [translate_count(more, "{n} more time", "{n} more times")] if more else []
    return translate("also said: {times}", times=", ".join([*days, *others])) if days else ""


def _note(value: object) -> str:
    return " ".join(map(str, value)) if isinstance(value, tuple | list) else str(value)


def _marks(memory: Memory) -> str:
    marks = [
        (memory.forgotten, translate("forgotten")),
        (memory.superseded, translate("replaced")),
        (memory.needs_review, translate("to review")),
        *((True, translate("contradicts {id}", id=short(id))) for id in memory.contradicts),
        (memory.pinned, translate("pinned")),
        (memory.visibility == "personal", translate("personal")),
        (memory.is_stale(SystemClock().now()), translate("stale")),
    ]
    marks += [
        (bool(memory.freshness and memory.freshness.state == state), translate(text)) for state, text in _CODE.items()
    ]
    return ", ".join(mark for is_so, mark in marks if is_so)


def _marked(memory: Memory) -> str:
    """The text after its marks: a column of their own would shorten the text of every line."""
    marks = _marks(memory)
    text = _shortened(clean(memory.content), "", memory.id)
    return f"({marks}) {text}" if marks else text


def _title(memory: Memory) -> str:
    marks = _marks(memory)
    return f"{paint(memory.type, 'bold')} {paint(short(memory.id), 'cyan')}" + (f" ({marks})" if marks else "")


def _facts(memory: Memory) -> list[tuple[str, str]]:
    sure = number(memory.confidence, 2) + (f", {translate('verified')}" if memory.verified else "")
    found = [
        (translate("id"), memory.id),
        (translate("confidence"), sure),
        (translate("source"), _source(memory)),
        (translate("quote"), _quote(memory)),
        (translate("said after"), _quoted(memory, OCCASION)),
        (translate("untrusted tool"), memory.taint.tool if memory.taint else ""),
        (translate("session"), memory.session or ""),
        (translate("commit"), (memory.commit or "")[:_COMMIT]),
        (translate("scope"), memory.scope if memory.scope != "global" else ""),
        (translate("visibility"), memory.visibility if memory.visibility != "project" else ""),
        (translate("files"), ", ".join(memory.files)),
        (translate("questions"), " · ".join(map(clean, memory.questions))),
        (translate("modules"), ", ".join(memory.modules)),
        (translate("tags"), ", ".join(memory.tags)),
        (translate("code"), memory.target_node or ""),
        (translate("affects"), ", ".join(memory.impacted_nodes)),
        (translate("chunk"), _chunk(memory)),
        (translate("created"), moment(memory.created_at)),
        (translate("event"), moment(memory.event_time) if memory.event_time else ""),
        (
            translate("half-life"),
            translate("{n} days", n=f"{memory.half_life_days:g}") if memory.half_life_days else "",
        ),
        (translate("valid until"), moment(memory.valid_until) if memory.valid_until else ""),
        (_stale_label(memory), moment(memory.stale_at) if memory.stale_at else ""),
        (translate("forgotten"), moment(memory.forgotten_at) if memory.forgotten_at else ""),
        (translate("secrets"), translate("removed") if memory.redacted else ""),
        *((name, _note(value)) for name, value in memory.fields.items()),
    ]
    return [(name, clean(value)) for name, value in found if value]


def _stale_label(memory: Memory) -> str:
    return translate("stale since") if memory.is_stale(SystemClock().now()) else translate("stale from")


def _source(memory: Memory) -> str:
    role = memory.source_role or ""
    if memory.type == EPISODE:
        return translate(_SAID[role]) if role in _SAID else role
    if memory.source == "observer_inferred" and role in _LEARNED:
        return translate(_LEARNED[role])
    if memory.source == _BY_AGENT and role == "user":
        return translate("stored by an agent that quotes the user")
    return translate(_SOURCES[memory.source]) + (f", {role}" if role else "")


def _quote(memory: Memory) -> str:
    """The words it was learned from, unless it repeats them."""
    return "" if str(memory.attributes.get("quote")) in memory.content else _quoted(memory, "quote")


def _quoted(memory: Memory, attribute: str) -> str:
    words = memory.attributes.get(attribute)
    return f"“{words}”" if isinstance(words, str) and words else ""


def _chunk(memory: Memory) -> str:
    chunk = memory.chunk
    if chunk is None:
        return ""
    lines = f"{chunk.start_line}-{chunk.end_line or chunk.start_line}" if chunk.start_line else ""
    return " ".join(part for part in (chunk.type, lines, chunk.prefix) if part)


def _relation(relation: Relation, related: Mapping[str, Memory]) -> tuple[str, str, str]:
    if relation.memory is None:
        return relation.kind, clean(relation.file), ""
    other = related.get(relation.memory)
    return relation.kind, short(relation.memory), clean(other.content) if other else ""
