"""Entities on SQLite: the registry, its names, and links to memories."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from datetime import datetime
from typing import TYPE_CHECKING, Any, NamedTuple

from holdfast.core.clock import stamp
from holdfast.core.entity import (
    ESTABLISHED,
    UNKNOWN_KIND,
    UNNAMED,
    Entity,
    EntityMerge,
    Mention,
    MonthCount,
    PendingName,
    RegisteredName,
    RelatedEntity,
    hand_over_gains,
    key_of,
)
from holdfast.core.errors import InvalidInput, NotFound
from holdfast.store.rows.entity_rows import entity_of, entity_row, merge_of
from holdfast.store.rows.memory_rows import memory_of
from holdfast.store.sqlite.sqlite_statements import statements
from holdfast.text.names import fold, index_words, name_words

if TYPE_CHECKING:
    from holdfast.core.entity import MentionsByMemory
    from holdfast.core.ids import Ids
    from holdfast.core.memory import Memory
    from holdfast.store.sqlite.database import Database

# The most registered names that the words of one text are compared with.
_MOST_REGISTERED = 2_000
# Types whose names are looked for in older memories; a name that a person gives always is.
_LINKED_TYPES = ("person", "organization", "location", "project")


class SqliteEntities:
    """`EntityWriting` on SQLite."""

    def __init__(self, database: Database, ids: Ids, now: Callable[[], datetime]) -> None:
        self._database = database
        self._ids = ids
        self._now = now

    # -- linking ------------------------------------------------------------------------------------------------

    def link(self, connection: sqlite3.Connection, project: str, pairs: MentionsByMemory, at: datetime) -> int:
        """Links memories of an open transaction to the entities they name; returns the number of new links.

        Reads once and writes once for all of them, so that many messages at once cost little.
        """
        named = [
            (memory, (key, mention.type), mention)
            for memory, mentions in pairs
            for mention in mentions
            if mention.label not in UNNAMED and (key := key_of(mention.text))
        ]
        if not named:
            return 0
        numbers = self._numbers(connection, project, {key: mention for _, key, mention in named}, at)
        related = [{"number": numbers[name], "relation": one.relation} for _, name, one in named if one.relation]
        connection.executemany(statements("entities")["set_relation"], related)
        links = [(numbers[key], memory) for memory, key, _ in named]
        added = connection.executemany(statements("entities")["insert_link"], links).rowcount
        unknown = {numbers[key] for _, key, mention in named if mention.label == UNKNOWN_KIND}
        if added and unknown:
            values = {"label": UNKNOWN_KIND, "enough": ESTABLISHED, "added": added, "numbers": json.dumps([*unknown])}
            connection.execute(statements("entities")["pending_established"], values)
        return added

    def link_all(self, project: str, pairs: MentionsByMemory, at: datetime, reader: str | None = None) -> int:
        with self._database.write(durable=False) as connection:
            parameters = {"project": project, "ids": json.dumps([memory for memory, _ in pairs])}
            there = {row[0] for row in connection.execute(statements("entities")["present"], parameters)}
            pairs = [pair for pair in pairs if pair[0] in there]
            if reader is not None:
                stamps = [(memory, stamp(at), reader) for memory, _ in pairs]
                connection.executemany(statements("entities")["stamp"], stamps)
            return self.link(connection, project, pairs, at)

    def _numbers(
        self, connection: sqlite3.Connection, project: str, wanted: Mapping[tuple[str, str], Mention], at: datetime
    ) -> dict[tuple[str, str], int]:
        """The number of each wanted entity; creates those that do not exist."""
        sql = statements("entities")
        parameters = {"project": project, "keys": json.dumps(list({key for key, _ in wanted}))}
        known: dict[str, list[_KnownEntity]] = {}
        for key, *rest in connection.execute(sql["known"], parameters):
            known.setdefault(key, []).append(_KnownEntity(*rest))
        numbers: dict[tuple[str, str], int] = {}
        for (key, type), mention in wanted.items():
            found = _match(known.get(key, ()), type)
            if found is None:
                number = self._make(connection, project, mention, at)
                known.setdefault(key, []).append(_KnownEntity(0, number, type, 0))
            else:
                number = found.number
                if found.type == "other" != type and not found.alias and not found.protected:
                    connection.execute(sql["narrow"], {"number": number, "type": type, "label": mention.label})
                    connection.execute(sql["pending_own_name"], {"number": number})
                    known[key] = [one._replace(type=type) if one is found else one for one in known[key]]
            numbers[key, type] = number
        return numbers

    def _make(self, connection: sqlite3.Connection, project: str, mention: Mention, at: datetime) -> int:
        sql = statements("entities")
        name = _shown(mention.text)
        parameters = {
            "id": f"ent_{self._ids.new()}",
            "project": project,
            "name": name,
            "type": mention.type,
            "label": mention.label,
            "at": stamp(at),
        }
        number = connection.execute(sql["insert_entity"], parameters).lastrowid
        assert number is not None
        _name(connection, project, number, name, pending=mention.type in _LINKED_TYPES)
        return number

    # -- corrections by people ----------------------------------------------------------------------------------------

    def put(self, entity: Entity) -> None:
        with self._database.write(durable=True) as connection:
            changed = ("id", "type", "label", "summary", "protected", "relation")
            parameters = {name: getattr(entity, name) for name in changed} | {"by_hand": 1}
            connection.execute(statements("entities")["update_entity"], parameters)

    def add(self, entity: Entity) -> Entity:
        with self._database.write(durable=True) as connection:
            if _is_taken(connection, entity):
                raise InvalidInput(f"there is a {entity.type} of the name {entity.name!r} already", hint="")
            add_entity(connection, entity, ())
            connection.execute(statements("entities")["pending_all_names"], {"id": entity.id})
            connection.execute(statements("entities")["set_by_hand"], {"number": _number(connection, entity)})
            return _entity(connection, entity.id)

    def add_alias(self, entity: Entity, alias: str) -> Entity:
        alias = _shown(alias)
        if not key_of(alias):
            raise InvalidInput("an alias needs a name")
        with self._database.write(durable=True) as connection:
            number = _number(connection, entity)
            parameters = {"project": entity.project, "keys": json.dumps([key_of(alias)])}
            known = connection.execute(statements("entities")["known"], parameters).fetchall()
            if not any(row["number"] == number for row in known):
                _name(connection, entity.project, number, alias, alias=1, pending=True)
            connection.execute(statements("entities")["set_by_hand"], {"number": number})
            return _entity(connection, entity.id)

    def rename(self, entity: Entity, name: str) -> Entity:
        name = _shown(name)
        if not key_of(name):
            raise InvalidInput("an entity needs a name")
        with self._database.write(durable=True) as connection:
            number = _number(connection, entity)
            taken = _owner(connection, entity.project, name) if key_of(name) != key_of(entity.name) else None
            if taken is not None and taken.number != number:
                hint = f"Make them one: holdfast entity merge {name!r} {entity.name!r}"
                raise InvalidInput(f"there is a {taken.type} of the name {name!r} already", hint=hint)
            sql = statements("entities")
            connection.execute(sql["names_become_aliases"], {"number": number})
            _name(connection, entity.project, number, name, pending=True)
            connection.execute(sql["set_name"], {"number": number, "name": name})
            connection.execute(sql["set_by_hand"], {"number": number})
            return _entity(connection, entity.id)

    def merge(self, kept: Entity, merged: Entity, at: datetime) -> Entity:
        if kept.id == merged.id:
            raise InvalidInput(f"{kept.name!r} and {merged.name!r} are one already", hint="Name two entities.")
        with self._database.write(durable=True) as connection:
            parameters = {"kept": _number(connection, kept), "merged": _number(connection, merged)}
            sql = statements("entities")
            row = connection.execute(sql["merging"], {**parameters, "at": stamp(at)}).fetchone()
            put_merge(connection, merge_of(row))
            for name in ("move_names", "move_name_words", "move_pending_names", "move_links", "take_summary"):
                connection.execute(sql[name], parameters)
            connection.execute(sql["delete_entity"], {"number": parameters["merged"]})
            connection.execute(sql["set_by_hand"], {"number": parameters["kept"]})
            return _entity(connection, kept.id)

    def split(self, merge: EntityMerge) -> Entity:
        sql, entity = statements("entities"), merge.entity
        with self._database.write(durable=True) as connection:
            kept = connection.execute(sql["number"], {"id": merge.kept}).fetchone()
            if kept is None or not connection.execute(sql["delete_merge"], {"id": entity.id}).rowcount:
                raise NotFound(f"a merge of {entity.name!r}", hint="It was undone or merged again in the meantime.")
            if _is_taken(connection, entity):
                hint = f"Rename that one first: holdfast entity rename {entity.name!r} NEW"
                raise InvalidInput(f"there is another {entity.type} of the name {entity.name!r} by now", hint=hint)
            into = connection.execute(sql["merges_into"], {"project": entity.project, "kept": merge.kept})
            merge, heirs = hand_over_gains(merge, map(merge_of, into.fetchall()))
            for heir in heirs:
                put_merge(connection, heir)
            _give_back(connection, kept["number"], merge)
            add_entity(connection, entity, merge.memories)
            return _entity(connection, entity.id)

    # -- reading ------------------------------------------------------------------------------------------------

    def find(self, project: str, name: str) -> tuple[Entity, ...]:
        return tuple(map(entity_of, self._rows("find", {"project": project, "key": key_of(name)})))

    def like(self, project: str, text: str, limit: int = 3) -> tuple[str, ...]:
        parameters = {"project": project, "text": key_of(text), "limit": limit}
        return tuple(row["name"] for row in self._rows("like", parameters))

    def entities(self, project: str, limit: int = 50, type: str | None = None) -> tuple[Entity, ...]:
        parameters = {"project": project, "limit": limit, "type": type}
        return tuple(map(entity_of, self._rows("entities", parameters)))

    def of(self, memory: str) -> tuple[Entity, ...]:
        return tuple(map(entity_of, self._rows("of", {"memory": memory})))

    def memories(self, entity: Entity, limit: int = 20) -> tuple[Memory, ...]:
        parameters = {"id": entity.id, "limit": limit, "now": stamp(self._now())}
        return tuple(map(memory_of, self._rows("memories", parameters)))

    def timeline(self, entity: Entity) -> tuple[MonthCount, ...]:
        return tuple(MonthCount(*row) for row in self._rows("timeline", {"id": entity.id, "now": stamp(self._now())}))

    def neighbours(self, entity: Entity, limit: int = 10) -> tuple[RelatedEntity, ...]:
        rows = self._rows("neighbours", {"id": entity.id, "limit": limit, "now": stamp(self._now())})
        return tuple(RelatedEntity(entity_of(row), row["together"]) for row in rows)

    def mentioning(self, project: str, keys: Sequence[str], each: int = 200) -> Mapping[int, tuple[int, ...]]:
        found: dict[int, tuple[int, ...]] = {}
        for passage, mentions in self._rows("mentioning", {"project": project, "keys": json.dumps(keys), "each": each}):
            found[passage] = (*found.get(passage, ()), mentions)
        return found

    def merges(self, project: str) -> tuple[EntityMerge, ...]:
        return tuple(map(merge_of, self._rows("merges", {"project": project})))

    def sparse(self, limit: int, at_most: int = 2) -> tuple[Memory, ...]:
        return tuple(map(memory_of, self._rows("sparse", {"limit": limit, "at_most": at_most})))

    # -- registered names in texts --------------------------------------------------------------------------------

    def registered(self, project: str, words: Collection[str]) -> tuple[RegisteredName, ...]:
        parameters = {"project": project, "words": json.dumps(list(words)), "limit": _MOST_REGISTERED}
        return tuple(dict.fromkeys(map(_registered, self._rows("registered", parameters))))

    def pending_names(self, limit: int = 100) -> tuple[PendingName, ...]:
        rows = self._rows("pending_names", {"limit": limit})
        return tuple(PendingName(row["project_id"], row["key"], _registered(row)) for row in rows)

    def any_pending_names(self) -> bool:
        return bool(self._rows("any_pending_names", {}))

    def finish_name(self, pending: PendingName) -> None:
        with self._database.write(durable=False) as connection:
            parameters = {"key": pending.key, "id": pending.registered.entity}
            connection.execute(statements("entities")["delete_pending_name"], parameters)
            connection.execute(statements("entities")["delete_stray_pending_names"])

    def memories_with(self, project: str, name: str) -> tuple[str, ...]:
        if any(len(word) == 1 and not word.isascii() for word in name_words(name)):
            rows = self._rows("memories_containing", {"project": project, "text": name})
        else:
            written = {word: None for part in name.split() for word in (part.casefold(), fold(part))}
            words = dict.fromkeys((*index_words(name), *written))
            query = " OR ".join('"' + word.replace('"', "") + '"' for word in words)
            rows = self._rows("memories_with_words", {"project": project, "query": query})
        return tuple(dict.fromkeys(row["id"] for row in rows))

    def contents(self, memories: Sequence[str]) -> Mapping[str, str]:
        return {row["id"]: row["content"] for row in self._rows("contents", {"ids": json.dumps(memories)})}

    def _rows(self, name: str, parameters: Mapping[str, Any]) -> list[sqlite3.Row]:
        return self._database.read(statements("entities")[name], parameters)


class _KnownEntity(NamedTuple):
    """An entity with a name; `alias` if the name is not its own."""

    alias: int
    number: int
    type: str
    protected: int


def _match(known: Sequence[_KnownEntity], type: str) -> _KnownEntity | None:
    """Matches by own name and type, then by alias, then by own name if either type is still unknown."""
    for one in known:
        if not one.alias and one.type == type:
            return one
    for one in known:
        if one.alias or "other" in (one.type, type):
            return one
    return None


def _shown(text: str) -> str:
    return " ".join(text.split()).lstrip("@#")


def add_entity(connection: sqlite3.Connection, entity: Entity, memories: Iterable[str]) -> None:
    """Adds an entity with all its names, linked to those of the memories that exist."""
    sql, parameters = statements("entities"), entity_row(entity)
    number = connection.execute(sql["insert_entity"], {**parameters, "at": parameters["created_at"]}).lastrowid
    assert number is not None
    connection.execute(sql["update_entity"], {**parameters, "by_hand": bool(entity.aliases or entity.summary)})
    for alias in entity.aliases:
        _name(connection, entity.project, number, alias, alias=1)
    _name(connection, entity.project, number, entity.name)
    link_present(connection, entity, memories)


def link_present(connection: sqlite3.Connection, entity: Entity, memories: Iterable[str]) -> None:
    """Links an entity to those of the memories that exist."""
    parameters = {"id": entity.id, "project": entity.project, "ids": json.dumps(list(memories))}
    connection.execute(statements("entities")["link_present"], parameters)


def _name(
    connection: sqlite3.Connection, project: str, number: int, name: str, alias: int = 0, pending: bool = False
) -> None:
    """Adds a name. A `pending` one is looked for in older memories by a background job."""
    sql = statements("entities")
    parameters = {"project": project, "key": key_of(name), "entity": number, "name": name, "alias": alias}
    connection.execute(sql["insert_name"], parameters)
    if _put_name_words(connection, parameters) and pending:
        connection.execute(sql["insert_pending_name"], parameters)


def put_missing_name_words(connection: sqlite3.Connection) -> None:
    """Makes the words of names that have none."""
    for row in connection.execute(statements("entities")["names_without_words"]).fetchall():
        _put_name_words(connection, dict(row))


def _put_name_words(connection: sqlite3.Connection, name: Mapping[str, Any]) -> bool:
    words = index_words(name["name"])
    connection.executemany(statements("entities")["insert_name_word"], [{**name, "word": word} for word in words])
    return bool(words)


def _registered(row: sqlite3.Row) -> RegisteredName:
    texts = (row["entity"], row["entity_name"], row["type"], row["label"])
    return RegisteredName(row["name"], bool(row["alias"]), *texts, bool(row["by_hand"]), row["mentions"])


def _owner(connection: sqlite3.Connection, project: str, name: str) -> _KnownEntity | None:
    """The entity, of whatever type, that has this as its own name."""
    parameters = {"project": project, "keys": json.dumps([key_of(name)])}
    rows = connection.execute(statements("entities")["known"], parameters).fetchall()
    return next((_KnownEntity(*rest) for _, *rest in rows if not _KnownEntity(*rest).alias), None)


def _is_taken(connection: sqlite3.Connection, entity: Entity, but: int | None = None) -> bool:
    """Whether another entity of the same type has this as its own name."""
    parameters = {"project": entity.project, "keys": json.dumps([key_of(entity.name)])}
    rows = connection.execute(statements("entities")["known"], parameters).fetchall()
    return any(row["number"] != but and not row["alias"] and row["type"] == entity.type for row in rows)


def _give_back(connection: sqlite3.Connection, kept: int, merge: EntityMerge) -> None:
    sql = statements("entities")
    keys, ids = json.dumps(list(map(key_of, merge.gained_names))), json.dumps(merge.gained_memories)
    connection.execute(sql["give_back_names"], {"number": kept, "keys": keys})
    connection.execute(sql["give_back_links"], {"number": kept, "ids": ids})
    if merge.gained_summary:
        connection.execute(sql["give_back_summary"], {"number": kept, "summary": merge.entity.summary})


def put_merge(connection: sqlite3.Connection, merge: EntityMerge) -> None:
    """Stores how a merge can be undone."""
    lists = ("memories", "gained_names", "gained_memories")
    parameters = {
        **entity_row(merge.entity),
        "kept": merge.kept,
        "at": stamp(merge.at),
        "gained_summary": merge.gained_summary,
    }
    parameters |= {name: json.dumps(getattr(merge, name)) for name in lists}
    connection.execute(statements("entities")["put_merge"], parameters)


def _number(connection: sqlite3.Connection, entity: Entity) -> int:
    row = connection.execute(statements("entities")["number"], {"id": entity.id}).fetchone()
    if row is None:
        raise NotFound(f"entity {entity.name!r}", hint="It was merged or removed in the meantime.")
    return int(row["number"])


def _entity(connection: sqlite3.Connection, id: str) -> Entity:
    return entity_of(connection.execute(statements("entities")["entity"], {"id": id}).fetchone())
