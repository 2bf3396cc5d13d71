"""Learns memories from decision records and keeps them up to date, except where a person changed the memory.

A record is a numbered file of a series (ADR, PEP, RFC), or a document with the label `decision` that has a status.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any, Protocol

from holdfast.core.admission import Admission, Candidate
from holdfast.core.answer import Filters
from holdfast.core.frozen import frozen
from holdfast.documents.document_references import record_of, references
from holdfast.store.reading import DocumentReading, MemoryReading
from holdfast.text.calendar_words import MONTHS
from holdfast.text.patterns import compiled

if TYPE_CHECKING:
    from holdfast.core.document import Document
    from holdfast.core.memory import Memory
    from holdfast.store.writing.links import DecisionRecord, DecisionText, RecordWriting

# The source of these memories; one that was replaced from another source is left alone.
_SOURCE = "mcp_auto"
_LABEL = "decision"
# The confidence of a record with status superseded whose successor is unknown.
_DOUBTFUL = 0.3
_MOST = 100_000


class Admit(Protocol):
    """Admits memories through the intake: all candidates or, on an error, none."""

    def __call__(self, candidates: Sequence[Candidate], /) -> tuple[Admission, ...]: ...


class DecisionReading(DocumentReading, MemoryReading, Protocol):
    """Reads documents and the memories learned from them."""


@frozen
class DecisionRecords:
    """Keeps the decision memories of one project up to date with its records."""

    records: RecordWriting
    reading: DecisionReading
    admit: Admit

    def refresh(self, project: str) -> int:
        """Learns from new, changed and newly superseded records; returns their number. Learns nothing twice."""
        records = self.records.records(project)
        predecessors = _predecessors(records)
        states = {record.id: _state(record, predecessors) for record in records}
        changed = [record for record in records if record.decided != states[record.id]]
        if not changed:
            return 0
        learned = self._learn(project, changed, predecessors)
        self.records.decided({record.id: states[record.id] for record in changed})
        return learned

    def _learn(self, project: str, changed: Sequence[DecisionRecord], predecessors: Mapping[str, Sequence[str]]) -> int:
        documents = {document.path: document for document in self.reading.documents(project)}
        texts = self.records.telling([record.id for record in changed])
        memories = self._memories(project, changed)
        learned = 0
        # In layers, because the memory of a superseded record must exist before it can be replaced.
        for layer in _oldest_first(changed, predecessors):
            candidates: dict[str, Candidate] = {}
            for record in layer:
                document = documents.get(record.path)
                earlier = [documents[path] for path in predecessors.get(record.path, ()) if path in documents]
                if document and _is_record(document) and _may_replace(memories.get(record.id), document):
                    replaces = [memories[d.id].id for d in (document, *earlier) if d.id in memories]
                    candidates[record.id] = _candidate(document, texts.get(record.id, ()), earlier, replaces)
            answers = self.admit(tuple(candidates.values()))
            memories |= {id: a.memory for id, a in zip(candidates, answers, strict=True) if a.memory is not None}
            learned += len(candidates)
        return learned

    def _memories(self, project: str, changed: Sequence[DecisionRecord]) -> dict[str, Memory]:
        """Returns the memory of each record by its document's id: the latest believed, else the latest.

        A record that left the index and came back is a new document; its memory is found by the path.
        """
        filters = Filters(types=("decision",), include_forgotten=True)
        memories = self.reading.memories(project, filters, order="oldest", limit=_MOST)
        own = [memory for memory in memories if memory.from_decision_record]
        own.sort(key=lambda memory: not memory.forgotten and not memory.superseded)
        by_path = {path: memory for memory in own for path in memory.files}
        back = {record.id: by_path[record.path] for record in changed if record.path in by_path}
        return back | {str(memory.attributes["document"]): memory for memory in own}


def _predecessors(records: Sequence[DecisionRecord]) -> dict[str, list[str]]:
    """Returns the paths of the records that each record supersedes, by its path."""
    predecessors: dict[str, list[str]] = {}
    for record in records:
        if record.superseded_by:
            predecessors.setdefault(record.superseded_by, []).append(record.path)
    return predecessors


def _state(record: DecisionRecord, predecessors: Mapping[str, Sequence[str]]) -> str:
    """Returns everything the memory of a record depends on, as one text to compare."""
    return "|".join((record.hash, record.path, record.superseded_by or "", *predecessors.get(record.path, ())))


def _oldest_first(
    changed: Sequence[DecisionRecord], predecessors: Mapping[str, Sequence[str]]
) -> Iterator[list[DecisionRecord]]:
    """Yields the records in layers, each record after those it supersedes."""
    pending = {record.path: record for record in changed}
    while pending:
        ready = [r for r in pending.values() if pending.keys().isdisjoint(predecessors.get(r.path, ()))]
        # Records that supersede each other in a cycle are never ready; take them all.
        layer = ready or list(pending.values())
        for record in layer:
            del pending[record.path]
        yield layer


def _is_record(document: Document) -> bool:
    if not document.title or "template" in document.path.lower():
        return False
    return bool(record_of(document.path)) or (document.label == _LABEL and bool(document.status))


def _may_replace(memory: Memory | None, document: Document) -> bool:
    """May the memory of a record be replaced?

    Not if a person changed it, nor if a successor replaced it: also while the successor's file is away, for example on
    another branch, as long as the record itself says that it is superseded.
    """
    if memory is None:
        return True
    if memory.forgotten or memory.verified or memory.pinned or memory.source != _SOURCE:
        return False
    return not (memory.superseded and (document.superseded_by or _says_superseded(document)))


def _says_superseded(document: Document) -> bool:
    named = references("", document.front)
    return "supersed" in (document.status or "").lower() or any(one.kind == "superseded_by" for one in named)


# --- The text of a memory.

_DATE = r"\b(\d{4})-(\d\d)-(\d\d)\b|\b(\d{1,2})-(Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)-(\d{4})\b"
_FIRST_DATE = rf"^(?:{_DATE})[.:,;]?\s+"  # the summary before the text has the date already
_NUMBERED = r"(?i)^(?:(?:adr|pep|rfc|decision)[-_ ]*)?\d{1,5}\s*[.:–—-]*\s+"
_LINKED = r"!?\[([^\]]*)\]\([^)]*\)|<[^>]*>"
_ROLE = r":(pep|rfc):`(\d++)[^`]*+`|(?<![\w:]):(?:\w++:)+(?=`)"
_GIST = 400


def _candidate(
    document: Document, texts: Sequence[DecisionText], earlier: Sequence[Document], replaces: Sequence[str]
) -> Candidate:
    status = _status(document.status or "")
    date = _date(document, texts[0].text if texts else "")
    day = date.date().isoformat() if date else ""
    about = ", ".join(filter(None, (status, day)))
    superseded = ", ".join(map(_name, earlier))
    summary = f"{_name(document)}: {_title(document)}" + (f" ({about})" if about else "")
    summary += (f"; it supersedes {superseded}" if superseded else "") + "."
    unsure = _says_superseded(document) and document.superseded_by is None
    attributes: dict[str, Any] = {"document": document.id, "title": _title(document), "status": status}
    attributes |= {"date": day, "supersedes": [document.path for document in earlier]}
    return Candidate(
        f"{summary} {_gist(texts)}".strip(),
        "decision",
        files=(document.path,),
        source=_SOURCE,
        when=date,
        confidence=_DOUBTFUL if unsure else None,
        replaces=tuple(replaces),
        attributes=attributes,
    )


def _status(text: str) -> str:
    """Returns the first sentence of a status, without its date: `Accepted (2024-05-01). Part of …` says Accepted."""
    first = compiled(r"[.;](?=\s|$)").split(_plain(text), 1)[0]
    return compiled(rf" ?\((?:{_DATE})\)").sub("", first)[:80].strip()


def _name(document: Document) -> str:
    """Returns a record's name such as `PEP 484`, or its path if it has no number."""
    series, _, number = record_of(document.path).partition(" ")
    return f"{series.upper()} {number}" if number else document.path


def _title(document: Document) -> str:
    return compiled(_NUMBERED).sub("", _plain(document.title or "")) or document.path


def _date(document: Document, opening: str) -> datetime | None:
    """Returns the date of the decision: from the front matter, else the first date in the opening text."""
    fields = [str(document.front.get(name, "")) for name in ("date", "decided", "created")]
    found = next((match for text in (*fields, opening[:500]) if (match := compiled(_DATE).search(text))), None)
    if found is None:
        return None
    day = found[1], found[2], found[3]
    if found[4]:
        month = next(n for n, name in enumerate(MONTHS, 1) if name.startswith(found[5].lower()))
        day = found[6], str(month), found[4]
    try:
        return datetime(int(day[0]), int(day[1]), int(day[2]), tzinfo=UTC)
    except ValueError:
        return None  # `2024-13-45` looks like a date but is none.


def _gist(texts: Sequence[DecisionText]) -> str:
    """Returns the beginning of the decision: under Decision or Outcome, else Abstract or Summary, else the opening."""
    for names in (("decision", "outcome"), ("abstract", "summary")):
        for heading, text in texts:
            if heading and any(name in heading[-1].lower() for name in names):
                return _beginning(text)
    return _beginning(_decided(texts[0].text)) if texts and texts[0].heading else ""


def _decided(text: str) -> str:
    """Returns what follows the heading Decision or Outcome in a text of several short sections; else the whole text."""
    heading = compiled(r"(?im)^#{2,6}[^\n]*\b(?:decision|outcome)\b[^\n]*$").search(text)
    return text[heading.end() :] if heading else text


def _beginning(text: str) -> str:
    """Returns the first paragraph that is neither a heading nor a list of fields, up to the end of a sentence."""
    paragraphs = compiled(r"\n\s*\n").split(text)
    for place, paragraph in enumerate(paragraphs):
        lines = [line for line in paragraph.splitlines() if not compiled(r"\s*(#|[=~^*-]{4,}|[\w-]+:\s)").match(line)]
        prose = compiled(_FIRST_DATE).sub("", _plain(" ".join(lines)))
        if len(prose) >= 40:
            if prose.endswith(":"):  # What it introduces is the decision.
                prose += " " + _plain(" ".join(paragraphs[place + 1 : place + 2]))
            sentences = compiled(rf".{{1,{_GIST}}}[.!?。](?=\s|$)").match(prose)
            return sentences[0] if sentences else prose[:_GIST]
    return ""


def _plain(text: str) -> str:
    """Removes markup; a link becomes its text."""
    text = compiled(_ROLE).sub(lambda role: f"{role[1].upper()} {role[2]}" if role[1] else "", text)
    text = compiled(_LINKED).sub(lambda link: link[1] or "", text)
    return " ".join(text.replace("*", "").replace("`", "").split())
