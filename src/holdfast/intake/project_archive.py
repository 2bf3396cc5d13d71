"""Exports a project as one JSON text and imports it without loss; imported data passes the checks of intake again."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Container, Iterable, Iterator, Mapping
from contextlib import ExitStack
from dataclasses import replace
from datetime import datetime
from tempfile import SpooledTemporaryFile
from typing import IO, TYPE_CHECKING, Any

from holdfast.core.archive import ProjectArchive
from holdfast.core.citation import CITATION_LENGTH, plain
from holdfast.core.clock import stamp, unstamp
from holdfast.core.errors import InvalidFile
from holdfast.core.ids import short, twin
from holdfast.core.memory import EPISODE, ERASED, USER_TAUGHT, Memory
from holdfast.intake import archive_json
from holdfast.intake.limits import check_names
from holdfast.intake.scrub import scrub, scrub_memory, scrub_record
from holdfast.intake.secrets import redact
from holdfast.store.rows.erased import without_sentences
from holdfast.text.removal import SentenceRemoval

if TYPE_CHECKING:
    from holdfast.core.conversation import HistoryEntry, SessionState
    from holdfast.core.entity import Entity, EntityMerge
    from holdfast.core.memory_types import TypeRegistry
    from holdfast.store.writing.transfer import ProjectImport, ProjectTransfer

FORMAT = "holdfast"
# Version 1 had only memories and events; it is still read.
VERSION = 2
# The characters of the lists of one type that are kept in memory; more are kept in a temporary file.
_IN_MEMORY = 1_000_000
# What somebody else's export claims was taught, and who said its messages.
UNVERIFIED_SOURCE, _SOMEBODY, _UNVERIFIED = "agent_explicit", "somebody", 0.7
_OF_TRUST = ("content", "source", "source_role", "verified", "pinned")
# What is probably the name of a file, not its text.
_PATH = re.compile(r"[\w/\\:~@-]{0,200}[./][\w./\\:~@-]{1,200}")
# The sections of an archive, each with its encoder and decoder.
_SECTIONS: Mapping[str, tuple[Callable[[Any], Mapping[str, Any]], Callable[[Any], Any]]] = {
    "memories": (archive_json.encode, archive_json.decode),
    "events": (dict, archive_json.decode_event),
    "sessions": (archive_json.encode_session, archive_json.decode_session),
    "history": (archive_json.encode, archive_json.decode_history),
    "entities": (archive_json.encode_entity, archive_json.decode_entity),
    "merges": (archive_json.encode_entity, archive_json.decode_merge),
}


def dump(project: str, archive: ProjectArchive, at: datetime) -> Iterator[str]:
    """Formats a project as one JSON text, in parts."""
    head: dict[str, Any] = {"format": FORMAT, "version": VERSION, "project": project, "exported_at": stamp(at)}
    head |= {"personal": True} if archive.personal else {}
    yield _json(head, 0).removesuffix("\n}")
    for section, (encode, _) in _SECTIONS.items():
        start = f',\n "{section}": ['
        for item in getattr(archive, section):
            yield f"{start}\n  {_json(encode(item), 2)}"
            start = ","
        yield f"{start}]" if start != "," else "\n ]"
    yield "\n}"


def _json(value: Mapping[str, Any], indent: int) -> str:
    """One value of the text. No text in JSON contains a line break, so that each begins a line of the format."""
    text = json.dumps(value, ensure_ascii=False, indent=1).replace("\n", "\n" + " " * indent)
    return _without_controls(text)


def load(text: str) -> ProjectArchive:
    """Parses an exported text. Checks everything before anything is stored; raises InvalidFile."""
    try:
        data = json.loads(text)
    except (ValueError, RecursionError) as error:
        hint = "Pass the text of an export; `import_files` reads files." if _PATH.fullmatch(text) else None
        raise InvalidFile(f"not JSON ({error})", hint=hint) from error
    if not isinstance(data, dict) or data.get("format") != FORMAT:
        raise InvalidFile("this JSON was not written by `holdfast export`")
    if not isinstance(data.get("version"), int) or not 1 <= data["version"] <= VERSION:
        raise InvalidFile(
            f"version {str(data.get('version'))[:40]}, this program reads 1 to {VERSION}", hint="Upgrade Holdfast."
        )
    if "memories" not in data:
        raise InvalidFile("it contains no list of memories")
    sections = {section: _decoded(data, section, decode) for section, (_, decode) in _SECTIONS.items()}
    return ProjectArchive(**sections, personal=data.get("personal") is True)


def import_archive(
    transfer: ProjectTransfer,
    types: TypeRegistry,
    project: str,
    archive: ProjectArchive,
    now: datetime,
    personal: bool = False,
    trusted: bool = False,
) -> Mapping[str, int]:
    """Adds the data that is not stored yet, in one durable transaction; ids, states and histories stay unchanged.

    Unless it is `trusted`, the person here taught, confirmed, pinned and said nothing of it (`unverified` counts what
    claims it). A trusted import verifies what was imported without trust before (`verified` counts it). Another import
    of the same file changes nothing. Secrets are removed. Returns the number of added and of known memories, and of new
    sessions, history entries and entities.
    """
    with transfer.start_import() as target:
        archive = _without_erased(target, archive)
        checked = (_checked(memory, project, types) for memory in archive.memories)
        memories = [_until_then(_with_visibility(memory, personal), now) for memory in checked]
        new_ids = {memory.id: _memory_id_here(target, memory.id, project) for memory in memories}
        added_memories = {memory.id for memory in memories if target.get(new_ids[memory.id]) is None}
        for memory in memories:
            if memory.id in added_memories:
                target.add(_renamed(memory if trusted else _unverified(memory), new_ids))
        for event in archive.events:
            if event["memory_id"] in added_memories:
                texts, _ = scrub({"reason": event["reason"], "detail": event["detail"]})
                target.note(new_ids[event["memory_id"]], unstamp(event["at"]), event["verb"], **texts)
        vouched = sum(_is_vouched(memory) for memory in memories if memory.id in added_memories and not trusted)
        verified = sum(_verify(target, memory, new_ids[memory.id], now) for memory in memories if trusted)
        return {
            "added": len(added_memories),
            "known": len(memories) - len(added_memories),
            "sessions": sum(target.add_session(project, _state(state, new_ids)) for state in archive.sessions),
            "history": sum(_add_history(target, project, entry, new_ids) for entry in archive.history),
            "entities": _add_entities(target, project, archive, new_ids, added_memories),
            **({"unverified": vouched} if vouched else {}),
            **({"verified": verified} if verified else {}),
        }


def _without_erased(target: ProjectImport, archive: ProjectArchive) -> ProjectArchive:
    """The archive without memories that were erased here, and without what else in it repeats them."""
    stored = ((memory, target.get(memory.id)) for memory in archive.memories)
    gone = {memory.id: memory.content for memory, here in stored if here is not None and here.is_erased}
    if not gone:
        return archive
    removal = SentenceRemoval(gone.values(), ERASED, map(short, gone))

    def clean(text: str | None) -> str | None:
        return removal.clean(text) if text else text

    memories = (without_sentences(memory, removal) for memory in archive.memories if memory.id not in gone)
    return replace(
        archive,
        memories=tuple(memory for memory in memories if not memory.is_erased),
        events=tuple(
            {**event, "reason": clean(event["reason"]), "detail": removal.clean_value(event["detail"])}
            for event in archive.events
        ),
        sessions=tuple(replace(one, title=clean(one.title), recap=clean(one.recap)) for one in archive.sessions),
        history=tuple(replace(entry, text=removal.clean(entry.text)) for entry in archive.history),
        # A name that only erased memories contain is erased with them.
        entities=tuple(one for one in archive.entities if not one.memories or set(one.memories) - gone.keys()),
        merges=tuple(one for one in archive.merges if not one.memories or set(one.memories) - gone.keys()),
    )


def _decoded(data: Mapping[str, Any], section: str, decode: Callable[[Any], Any]) -> tuple[Any, ...]:
    rows = data.get(section, [])
    if not isinstance(rows, list):
        raise InvalidFile(f"{section} is not a list")
    found = tuple(map(decode, rows))
    ids = [row["id"] for row in rows if "id" in row]
    if len(set(ids)) < len(ids):
        raise InvalidFile(f"{section} contains an id twice")
    return found


def _checked(memory: Memory, project: str, types: TypeRegistry) -> Memory:
    clean, redactions = scrub_memory(replace(memory, citation=None), types.get(memory.type))
    citation = redact(memory.citation)[:CITATION_LENGTH] if memory.citation else None
    redacted = memory.redacted or bool(redactions) or citation != memory.citation
    check_names(clean)
    return replace(clean, project=project, redacted=redacted, citation=citation)


def _unverified(memory: Memory) -> Memory:
    source = UNVERIFIED_SOURCE if memory.source == USER_TAUGHT else memory.source
    role = _SOMEBODY if memory.source_role == "user" else memory.source_role
    confidence = memory.confidence if memory.type == EPISODE else min(memory.confidence, _UNVERIFIED)
    return replace(memory, source=source, source_role=role, verified=False, pinned=False, confidence=confidence)


def _is_vouched(memory: Memory) -> bool:
    """Does the file say that a person taught, confirmed or pinned a memory?"""
    return memory.type != EPISODE and (memory.source == USER_TAUGHT or memory.verified or memory.pinned)


def _verify(target: ProjectImport, memory: Memory, id: str, now: datetime) -> bool:
    """Believes what a file says of a memory that is stored as it was imported without trust; returns whether it was."""
    here, before = target.get(id), _unverified(memory)
    if here is None or before == memory or any(getattr(here, name) != getattr(before, name) for name in _OF_TRUST):
        return False
    target.put(replace(here, confidence=memory.confidence, **{name: getattr(memory, name) for name in _OF_TRUST}))
    target.note(id, now, "confirm", "imported as trusted")
    return True


def _until_then(memory: Memory, now: datetime) -> Memory:
    """A memory that is to end later has no successor yet: it becomes stale on that day."""
    until, stale = memory.valid_until, memory.stale_at
    if until is None or until <= now:
        return memory
    return replace(memory, valid_until=None, stale_at=min(until, stale) if stale else until)


def _with_visibility(memory: Memory, personal: bool) -> Memory:
    """The memory as personal, or else not; what a project shares with others stays so."""
    if personal:
        return replace(memory, visibility="personal")
    return replace(memory, visibility="project") if memory.visibility == "personal" else memory


def _memory_id_here(target: ProjectImport, id: str, project: str) -> str:
    """The id of a memory in this project: unchanged, unless another project in this database uses it."""
    stored = target.get(id)
    return id if stored is None or stored.project == project else twin(id, project)


def _renamed(memory: Memory, new_ids: Mapping[str, str]) -> Memory:
    relations = (replace(r, memory=new_ids.get(r.memory or "", r.memory)) for r in memory.relations)
    return replace(memory, id=new_ids[memory.id], relations=tuple(relations))


def _state(state: SessionState, new_ids: Mapping[str, str]) -> SessionState:
    """The session with the ids of its messages in this project, and without secrets."""
    return replace(
        scrub_record(state)[0],
        consolidated_to=new_ids.get(state.consolidated_to or "", state.consolidated_to),
        trimmed_to=new_ids.get(state.trimmed_to or "", state.trimmed_to),
    )


def _add_history(target: ProjectImport, project: str, entry: HistoryEntry, new_ids: Mapping[str, str]) -> bool:
    renamed = replace(
        scrub_record(entry)[0],
        id=_id_here(target, entry.id, project),
        first=new_ids.get(entry.first, entry.first),
        last=new_ids.get(entry.last, entry.last),
    )
    return target.add_history(project, renamed)


def _add_entities(
    target: ProjectImport,
    project: str,
    archive: ProjectArchive,
    new_ids: Mapping[str, str],
    added_memories: Container[str],
) -> int:
    """Adds the new entities and returns their number. Known entities only get links to new memories."""
    added = set()
    for named in archive.entities:
        entity = _entity(target, project, named.entity)
        known = target.find_entity(entity)
        if known is not None:
            target.link(known, [new_ids[id] for id in named.memories if id in added_memories])
        else:
            target.add_entity(entity, [new_ids[id] for id in named.memories if id in new_ids])
            added.add(named.entity.id)
    kept = {merge.entity.id: merge.kept for merge in archive.merges}
    for merge in archive.merges:
        # Only merges into added entities: known entities stay unchanged.
        if _merged_into(merge.kept, kept) in added:
            _add_merge(target, project, merge, new_ids)
    return len(added)


def _merged_into(id: str, kept: Mapping[str, str]) -> str:
    """The id of the entity that an entity was finally merged into, after any number of merges."""
    for _ in kept:
        id = kept.get(id, id)
    return id


def _add_merge(target: ProjectImport, project: str, merge: EntityMerge, new_ids: Mapping[str, str]) -> None:
    entity = _entity(target, project, merge.entity)
    if target.owner(entity.id) is None:
        renamed = replace(
            scrub_record(merge)[0],
            entity=entity,
            kept=_id_here(target, merge.kept, project),
            memories=tuple(new_ids.get(id, id) for id in merge.memories),
            gained_memories=tuple(new_ids.get(id, id) for id in merge.gained_memories),
        )
        target.add_merge(renamed)


def _entity(target: ProjectImport, project: str, entity: Entity) -> Entity:
    return replace(scrub_record(entity)[0], id=_id_here(target, entity.id, project), project=project)


def _id_here(target: ProjectImport, id: str, project: str) -> str:
    """The id of a history entry or an entity in this project; see `_memory_id_here`."""
    return id if target.owner(id) in (None, project) else twin(id, project)


def _without_controls(text: str) -> str:
    """JSON in which characters that a terminal obeys or hides are escaped: it means the same."""
    return re.sub(r"[\x7f-\x9f\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\U000e0000-\U000e0fff]", _escaped, text)


def _escaped(found: re.Match[str]) -> str:
    return json.dumps(found.group())[1:-1]


def as_markdown(memories: Iterable[Memory]) -> Iterator[str]:
    """Formats the believed memories as Markdown lists by type, in parts. `import` reads them back as texts."""
    with ExitStack() as opened:
        by_type: dict[str, IO[str]] = {}
        for memory in memories:
            if memory.is_current and memory.type != EPISODE:
                if memory.type not in by_type:
                    by_type[memory.type] = opened.enter_context(
                        SpooledTemporaryFile(_IN_MEMORY, "w+", encoding="utf-8", newline="\n")
                    )
                by_type[memory.type].write(f"- {' '.join(plain(memory.content).split())}\n")
        yield "# Memory\n"
        for type, lines in by_type.items():
            yield f"\n## {type.replace('_', ' ').capitalize()}\n\n"
            lines.seek(0)
            yield from lines


def from_markdown(text: str, types: TypeRegistry) -> tuple[tuple[str, str], ...]:
    """Reads the list items of a Markdown text as (type, text). A heading may name the type; the default is `fact`."""
    type, found = "fact", []
    for line in text.splitlines():
        stripped = line.strip()
        if stripped.startswith("#"):
            name = stripped.lstrip("#").strip().lower().replace(" ", "_")
            type = name if name in types.names() else "fact"
        elif stripped.startswith(("- ", "* ", "+ ")):
            found.append((type, stripped[2:].strip()))
    return tuple(found)
