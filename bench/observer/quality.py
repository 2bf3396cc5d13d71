"""The quality of what is written, signal by signal: refused, repeated, confirmed by a later session, or junk."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from bench.observer.streams import RecordedSession
from holdfast.bench.measure import Measurement
from holdfast.bench.reports import Section
from holdfast.observer.detect import module_of
from holdfast.observer.observe import ObserverReport
from holdfast.observer.promote import Promoted
from holdfast.observer.scratchpad import Scratchpad

# A memory that so many later sessions could have confirmed, and none did, is junk.
_OPPORTUNITIES = 3


@dataclass(frozen=True, slots=True)
class Later:
    """A session after a promotion: what it observed, edited and used, its branch, and the commands it ran."""

    seen: frozenset[tuple[str, str]]
    edited: frozenset[str]
    used: frozenset[str]
    branches: frozenset[str]
    ran: frozenset[str]


def later_session(session: RecordedSession, report: ObserverReport) -> Later:
    """What a session could confirm."""
    pad = Scratchpad(session.id)
    for event in session.events:
        pad.observe(event)
    seen = frozenset((one.signal, one.key) for one in report.observations)
    ran = frozenset(key for _, key, _ in pad.runs)
    return Later(seen, frozenset(pad.edited()), frozenset(pad.files), frozenset(pad.branches), ran)


def write_quality(name: str, sessions: Sequence[RecordedSession], reports: Sequence[ObserverReport]) -> Section:
    """A table of the signals: how often each was observed and kept, and what became of that."""
    later = [later_session(session, report) for session, report in zip(sessions, reports, strict=True)]
    seen = {one.signal for report in reports for one in report.observations}
    kept = {one.signal for report in reports for one in report.promoted}
    rows = [_row(signal, reports, later) for signal in sorted(seen | kept)]
    title = f"{name}: what became of each signal, by the sessions after it"
    heads = ("", "observed", "kept", "refused", "duplicates", "could be confirmed", "confirmed", "junk")
    cells = tuple((row[0], *map(_number, row[1:])) for row in rows)
    total = [sum(column) for column in zip(*(row[1:] for row in rows), strict=True)]
    figures = tuple(Measurement(f"{row[0]}: confirmed later", row[6] / row[5], None, "share") for row in rows if row[5])
    return Section(title, figures, cells=(heads, *cells, ("all", *map(_number, total))))


Row = tuple[str, int, int, int, int, int, int, int]


def _row(signal: str, reports: Sequence[ObserverReport], later: Sequence[Later]) -> Row:
    observed = sum(one.signal == signal for report in reports for one in report.observations)
    kept = refused = duplicates = could = confirmed = junk = 0
    for at, report in enumerate(reports):
        for one, answer in zip(report.promoted, report.answers, strict=True):
            if one.signal != signal:
                continue
            refused += answer.memory is None
            duplicates += answer.outcome == "duplicate"
            kept += answer.memory is not None and answer.outcome != "duplicate"
            chances = [verdict for session in later[at + 1 :] if (verdict := _verdict(one, session)) is not None]
            could += bool(chances)
            confirmed += any(chances)
            junk += len(chances) >= _OPPORTUNITIES and not any(chances)
    return signal, observed, kept, refused, duplicates, could, confirmed, junk


def _verdict(one: Promoted, session: Later) -> bool | None:
    """Does a later session confirm a memory? None if it could not."""
    return _VERDICTS.get(one.signal, _seen_again)(one, session)


def _seen_again(one: Promoted, session: Later) -> bool | None:
    files = set(one.candidate.files)
    if any((one.signal, key) in session.seen for key in one.keys):
        return True
    command = one.keys[0].split("\n")[0]
    ran = any(f"{key} ".startswith(f"{command} ") for key in session.ran)
    return False if files & session.used or ran else None


def _companions(one: Promoted, session: Later) -> bool | None:
    fields = one.candidate.fields
    return bool(set(fields["also_touch"]) & session.edited) if fields["when_changed"] in session.edited else None


def _module(one: Promoted, session: Later) -> bool | None:
    fields = one.candidate.fields
    if fields["module_trigger"] not in {module_of(path) for path in session.edited}:
        return None
    always = set(fields["always_read_files"])
    return len(always & session.used) * 2 >= len(always)


def _checks(one: Promoted, session: Later) -> bool | None:
    steps = {step["description"] for step in one.candidate.fields["steps"]}
    return bool(len(steps & session.ran) >= 2) if session.edited and steps & session.ran else None


def _state(one: Promoted, session: Later) -> bool | None:
    branch = one.candidate.attributes["branch"]
    return bool(set(one.candidate.files) & session.used) if branch in session.branches else None


def _stated(one: Promoted, session: Later) -> bool | None:
    """What somebody stated once is confirmed by no later session."""
    return None


def _number(value: object) -> str:
    return str(value) if value else ""


_VERDICTS: Mapping[str, Callable[[Promoted, Later], bool | None]] = {
    "co_access": _companions,
    "file_access": _module,
    "tool_sequence": _checks,
    "work_state": _state,
    "commit_fix": _stated,
    "commit_decision": _stated,
}
