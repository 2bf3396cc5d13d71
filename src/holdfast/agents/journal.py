"""The journal of an agent's session: one file of events, to which every hook appends.

A journal lies in the data folder of the store, and only its owner can read it. An event is written
in one call, so that hooks that run at the same time do not mix their lines, and a killed hook loses its own event at
most. Written events survive a killed process at once and a power cut from the next sync on: when the agent stops, and
after every 64 kB.
"""

from __future__ import annotations

import os

from holdfast.agents.event import SESSION, Event
from holdfast.core.light_json import read_json, write_json
from holdfast.system.data_folder import file_name
from holdfast.system.files import make_folders, open_to_append

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

_SYNC_EVERY = 64 * 1024
# A journal that has grown to this size takes no more events: the agent must not fill the disk.
MOST_BYTES = 50 * 1024 * 1024
# Files beside a journal that say how much of it was observed, and how much of it had its messages stored.
OBSERVED, STORED = ".observed", ".stored"


def journal_file(folder: str, client: str, session: str) -> str:
    """The file of a session's journal in a project's folder. Names come from outside: they cannot leave the folder."""
    return os.path.join(folder, f"{file_name(client)}-{file_name(session)}.jsonl")


def append(file: str, events: Iterable[Event], first: Event | None = None, sync: bool = False) -> bool:
    """Appends events, after `first` if the journal is new. Returns False if the journal is full."""
    try:
        opened = open_to_append(file)
    except FileNotFoundError:
        make_folders(os.path.dirname(file))
        opened = open_to_append(file)
    try:
        before = os.fstat(opened).st_size
        if before >= MOST_BYTES:
            return False
        lines = [*([first] if first is not None and not before else []), *events]
        # Each line begins with a line break: an event that was cut short by a crash spoils no other.
        text = "".join(f"\n{write_json(event.to_record())}\n" for event in lines).encode("ascii")
        os.write(opened, text)
        if sync or before // _SYNC_EVERY != (before + len(text)) // _SYNC_EVERY:
            os.fsync(opened)
    finally:
        os.close(opened)
    return True


def read(file: str, start: int = 0) -> Iterator[tuple[int, Event]]:
    """The events after a position, each with the position behind it. Skips damaged lines and an unfinished last one."""
    if not os.path.exists(file):
        return
    with open(file, "rb") as opened:
        opened.seek(start)
        for line in opened:
            if not line.endswith(b"\n"):
                return
            start += len(line)
            event = _event(line)
            if event is not None:
                yield start, event


def of_session(folder: str, session: str) -> list[str]:
    """The journals of a session in a project's folder; several programs may use the same id. The latest is the last."""
    try:
        with os.scandir(folder) as entries:
            files = [e.path for e in entries if e.name.endswith(".jsonl") and e.is_file(follow_symlinks=False)]
    except FileNotFoundError:
        return []
    return [file for file in sorted(files, key=os.path.getmtime) if session_of(file) == session]


def running(folder: str) -> dict[str, float]:
    """The sessions in a project's folder of which not all messages are stored, and their latest time; latest first."""
    times = {file: at for file, at in _times(folder).items() if os.path.getsize(file) > stored_size(file)}
    return {session_of(file): times[file] for file in sorted(times, key=times.__getitem__, reverse=True)}


def written_since(folder: str, moment: float) -> list[str]:
    """The sessions in a project's folder whose journal was written since then."""
    return [session_of(file) for file, at in _times(folder).items() if at >= moment]


def _times(folder: str) -> dict[str, float]:
    """The journals in a folder, each with the time of its last event."""
    try:
        with os.scandir(folder) as entries:
            files = [e.path for e in entries if e.name.endswith(".jsonl") and e.is_file(follow_symlinks=False)]
    except FileNotFoundError:
        return {}
    return {file: os.path.getmtime(file) for file in files}


def stored_size(file: str) -> int:
    """The size of a journal when its messages were stored; 0 if they never were."""
    try:
        with open(file + STORED, encoding="ascii") as marker:
            return int(marker.read() or 0)
    except (OSError, ValueError):
        return 0


def session_of(file: str) -> str:
    """The session of a journal, as its first event names it; else the name of the file."""
    first = next((event for _, event in read(file)), None)
    named = str(first.args.get("session") or "") if first is not None and first.kind == SESSION else ""
    return named or os.path.basename(file).removesuffix(".jsonl")


def tail(file: str, length: int) -> list[Event]:
    """The events in the last bytes of a journal."""
    try:
        with open(file, "rb") as opened:
            size = opened.seek(0, os.SEEK_END)
            opened.seek(max(0, size - length))
            found = opened.read(length)
    except FileNotFoundError:
        return []
    lines = found.split(b"\n")[1:] if size > length else found.split(b"\n")
    return [event for line in lines if (event := _event(line)) is not None]


def remove(file: str) -> None:
    """Removes a journal and the files beside it."""
    for path in (file, file + OBSERVED, file + STORED):
        if os.path.exists(path):
            os.remove(path)


def _event(line: bytes) -> Event | None:
    if not line.strip():
        return None
    try:
        return Event.from_record(read_json(line.decode("utf-8", "replace")))
    except (ValueError, RecursionError):
        return None
