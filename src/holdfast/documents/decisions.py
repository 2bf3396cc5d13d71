"""Decisions as memory: what a decision record settles is learned and follows the record, but not over a person's word.

A record is a numbered file of a series (ADR, PEP, RFC), or a document with the label `decision` that has a status.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import cache
from typing import TYPE_CHECKING, Any, Protocol

from holdfast.core.admission import Admission, Candidate
from holdfast.core.answer import Filters
from holdfast.documents.references import record_of
from holdfast.store.reading import DocumentReading, MemoryReading

if TYPE_CHECKING:
    from holdfast.core.document import Document
    from holdfast.core.memory import Memory
    from holdfast.store.writing.links import DecisionRecord, DecisionText, RecordWriting

# By whose word these memories stand; what another source put in the place of one is left alone.
_SOURCE = "mcp_auto"
_LABEL = "decision"
# How sure a record is that calls itself superseded when its successor is not known.
_DOUBTFUL = 0.3
_MOST = 100_000


class Admit(Protocol):
    """The door in, handed in by the workspace: all candidates are admitted, or none."""

    def __call__(self, candidates: Sequence[Candidate], /) -> tuple[Admission, ...]: ...


class DecisionReading(DocumentReading, MemoryReading, Protocol):
    """Reads documents and the memories learned from them."""


@dataclass(frozen=True, slots=True)
class DecisionRecords:
    """Keeps the decisions of one project in step with its records."""

    records: RecordWriting
    reading: DecisionReading
    admit: Admit

    def refresh(self, project: str) -> int:
        """Learns from records that are new, changed or superseded; returns from how many. Learns nothing twice."""
        records = self.records.records(project)
        before = _predecessors(records)
        states = {one.id: _state(one, before) for one in records}
        changed = [one for one in records if one.decided != states[one.id]]
        if not changed:
            return 0
        learned = self._learn(project, changed, before)
        self.records.decided({one.id: states[one.id] for one in changed})
        return learned

    def _learn(self, project: str, changed: Sequence[DecisionRecord], before: Mapping[str, Sequence[str]]) -> int:
        documents = {one.path: one for one in self.reading.documents(project)}
        told = self.records.telling([one.id for one in changed])
        standing = self._standing(project)
        learned = 0
        # Why layer by layer: what a record supersedes must be known before it can be.
        for layer in _oldest_first(changed, before):
            given: dict[str, Candidate] = {}
            for one in layer:
                document = documents.get(one.path)
                earlier = [documents[path] for path in before.get(one.path, ()) if path in documents]
                if document and _is_record(document) and _may_follow(standing.get(one.id), document):
                    replaces = [standing[d.id].id for d in (document, *earlier) if d.id in standing]
                    given[one.id] = _candidate(document, told.get(one.id, ()), earlier, replaces)
            answers = self.admit(tuple(given.values()))
            standing |= {id: a.memory for id, a in zip(given, answers, strict=True) if a.memory is not None}
            learned += len(given)
        return learned

    def _standing(self, project: str) -> dict[str, Memory]:
        """The memory that stands for each record, by its document's id: the latest believed, else the latest."""
        filters = Filters(types=("decision",), include_forgotten=True)
        memories = self.reading.memories(project, filters, order="oldest", limit=_MOST)
        own = [one for one in memories if one.from_decision_record]
        own.sort(key=lambda one: not one.forgotten and not one.superseded)
        return {str(one.attributes["document"]): one for one in own}


def _predecessors(records: Sequence[DecisionRecord]) -> dict[str, list[str]]:
    """What each record supersedes, by path."""
    found: dict[str, list[str]] = {}
    for one in records:
        if one.superseded_by:
            found.setdefault(one.superseded_by, []).append(one.path)
    return found


def _state(record: DecisionRecord, before: Mapping[str, Sequence[str]]) -> str:
    """All that what is learned from a record depends on."""
    return "|".join((record.hash, record.path, record.superseded_by or "", *before.get(record.path, ())))


def _oldest_first(
    changed: Sequence[DecisionRecord], before: Mapping[str, Sequence[str]]
) -> Iterator[list[DecisionRecord]]:
    """The records in layers: each after those it supersedes."""
    waiting = {one.path: one for one in changed}
    while waiting:
        layer = [one for one in waiting.values() if waiting.keys().isdisjoint(before.get(one.path, ()))]
        # Why: a circle would wait for itself.
        layer = layer or list(waiting.values())
        for one in layer:
            del waiting[one.path]
        yield layer


def _is_record(document: Document) -> bool:
    if not document.title or "template" in document.path.lower():
        return False
    return bool(record_of(document.path)) or (document.label == _LABEL and bool(document.status))


def _may_follow(memory: Memory | None, document: Document) -> bool:
    """May what stands for a record be replaced? Not when a person had a say in it, nor once a successor stands."""
    if memory is None:
        return True
    if memory.forgotten or memory.verified or memory.pinned or memory.source != _SOURCE:
        return False
    return not (memory.superseded and document.superseded_by)


# --- What is learned.

_DATE = r"\b(\d{4})-(\d\d)-(\d\d)\b|\b(\d{1,2})-(Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)-(\d{4})\b"
_MONTHS = "Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec".split()
_NUMBERED = r"(?i)^(?:(?:adr|pep|rfc|decision)[-_ ]*)?\d{1,5}\s*[.:–—-]*\s+"
_LINKED = r"!?\[([^\]]*)\]\([^)]*\)|<[^>]*>"
_ROLE = r":(pep|rfc):`(\d+)[^`]*`|:[\w:]+:(?=`)"
_GIST = 400


def _candidate(
    document: Document, told: Sequence[DecisionText], earlier: Sequence[Document], replaces: Sequence[str]
) -> Candidate:
    status = _plain(document.status or "")[:80]
    date = _date(document, told[0].text if told else "")
    about = ", ".join(part for part in (status, date.date().isoformat() if date else "") if part)
    over = ", ".join(map(_name, earlier))
    said = f"{_name(document)}: {_title(document)}" + (f" ({about})" if about else "")
    said += (f"; it supersedes {over}" if over else "") + "."
    unsure = "supersed" in status.lower() and document.superseded_by is None
    attributes: dict[str, Any] = {"document": document.id, "title": _title(document), "status": status}
    attributes |= {"date": date.date().isoformat() if date else "", "supersedes": [one.path for one in earlier]}
    return Candidate(
        f"{said} {_gist(told)}".strip(),
        "decision",
        files=(document.path,),
        source=_SOURCE,
        when=date,
        confidence=_DOUBTFUL if unsure else None,
        replaces=tuple(replaces),
        attributes=attributes,
    )


def _name(document: Document) -> str:
    """`PEP 484`; of a record without a number its path."""
    series, _, number = record_of(document.path).partition(" ")
    return f"{series.upper()} {number}" if number else document.path


def _title(document: Document) -> str:
    return _pattern(_NUMBERED).sub("", _plain(document.title or "")) or document.path


def _date(document: Document, opening: str) -> datetime | None:
    """When it was decided: as its front says, else the first day named where it opens."""
    said = [str(document.front.get(name, "")) for name in ("date", "decided", "created")]
    found = next((match for text in (*said, opening[:500]) if (match := _pattern(_DATE).search(text))), None)
    if found is None:
        return None
    day = found[1], found[2], found[3]
    if found[4]:
        day = found[6], str(_MONTHS.index(found[5]) + 1), found[4]
    try:
        return datetime(int(day[0]), int(day[1]), int(day[2]), tzinfo=UTC)
    except ValueError:
        return None  # Why: `2024-13-45` is a number of something, not a day.


def _gist(told: Sequence[DecisionText]) -> str:
    """How what was decided begins: under Decision or Outcome, else under Abstract or Summary, else where it opens."""
    for names in (("decision", "outcome"), ("abstract", "summary")):
        for heading, text in told:
            if heading and any(name in heading[-1].lower() for name in names):
                return _beginning(text)
    return _beginning(told[0].text) if told and told[0].heading else ""


def _beginning(text: str) -> str:
    """The first paragraph that is neither a heading nor a list of fields, up to the end of a sentence."""
    for paragraph in _pattern(r"\n\s*\n").split(text):
        lines = [line for line in paragraph.splitlines() if not _pattern(r"\s*(#|[=~^*-]{4,}|[\w-]+:\s)").match(line)]
        said = _plain(" ".join(lines))
        if len(said) >= 40:
            whole = _pattern(rf".{{1,{_GIST}}}[.!?。](?=\s|$)").match(said)
            return whole[0] if whole else said[:_GIST]
    return ""


def _plain(said: str) -> str:
    """Text without marks: a link is what it is called."""
    said = _pattern(_ROLE).sub(lambda role: f"{role[1].upper()} {role[2]}" if role[1] else "", said)
    said = _pattern(_LINKED).sub(lambda link: link[1] or "", said)
    return " ".join(said.replace("*", "").replace("`", "").split())


@cache
def _pattern(text: str) -> re.Pattern[str]:
    return re.compile(text)
