"""SpecStory: the sessions that its extension and its program save as Markdown in `.specstory/history/`.

Each message has a heading such as `_**User (2026-01-16 16:48:38Z)**_`; of older versions, one without a time. This
reads what the person and the model said. The model's reasoning and its tool calls are left out; the tools' names stay.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from datetime import datetime
from typing import Any

from holdfast.agents.transcript_reasons import TranscriptCode
from holdfast.agents.transcripts import fields
from holdfast.agents.transcripts.entry import ParseNotes, TranscriptEntry
from holdfast.agents.transcripts.markdown_turns import MarkdownTurn, turns
from holdfast.text.noise import without_noise

_HEAD_LINES = 12
_SESSION = re.compile(r"<!-- [A-Za-z][A-Za-z0-9 .]{0,30} Session ([0-9A-Za-z-]{8,64}) ")
_TITLE = re.compile(r"#{1,2} (?P<title>[^\n]{1,400})")
_TIME = re.compile(
    r"(\d{4}-\d\d-\d\d)[T _](\d\d)[:-](\d\d)(?:[:-](\d\d)(?:\.\d{1,9})?)?(Z|[+-]\d\d:?\d\d)?(?=\)?$|\) -->$)"
)


def looks_like(record: Mapping[str, Any]) -> bool:
    """Is this the text of a saved session?"""
    return isinstance(record.get("specstory"), str)


def entries(records: Iterable[Mapping[str, Any]], notes: ParseNotes) -> Iterator[TranscriptEntry]:
    """The messages of the person and of the model. Those of sub-agents are left out.

    A message without a time has that of the message before it, or of the beginning of the session.
    """
    for record in filter(looks_like, records):
        lines = fields.text(record, "specstory").split("\n")
        session, latest = _begun(lines[:_HEAD_LINES], notes)
        notes.folder(session, record.get("project"))
        for turn in turns(lines):
            latest = _time(turn.about) or latest
            if turn.is_of_sub_agent:
                notes.skipped[TranscriptCode.SUB_AGENT] += 1
            else:
                yield from _entry(turn, session, latest, notes)


def _begun(head: Iterable[str], notes: ParseNotes) -> tuple[str, datetime | None]:
    """The id of the session and when it began. Notes its title, which is only the time in some versions."""
    id, title, started = None, "", None
    for line in head:
        if line.startswith("_**"):
            break
        if found := _SESSION.match(line):
            id = found[1]
        elif not title and (named := _TITLE.match(line)):
            title = _TIME.sub("", named["title"].strip()).strip(" ()")
        started = started or _time(line)
    session = notes.session(id)
    notes.title(session, title)
    return session, started


def _entry(turn: MarkdownTurn, session: str, when: datetime | None, notes: ParseNotes) -> Iterator[TranscriptEntry]:
    text = without_noise(turn.text)
    if text or turn.tools:
        yield TranscriptEntry(session, turn.role, text, when, fields.tool_names({"name": name} for name in turn.tools))
    elif turn.text:
        notes.skipped[TranscriptCode.INJECTED] += 1


def _time(text: str) -> datetime | None:
    """The time at the end of a heading, a title or a comment. Older versions write `2025-07-19_22-41-03Z`."""
    found = _TIME.search(text[-80:].rstrip())
    if not found:
        return None
    day, hour, minute, second, zone = found.groups()
    return fields.timestamp(f"{day}T{hour}:{minute}:{second or '00'}{zone or ''}")
