-- Entities: the people and things that memories name.

-- canonical: entities; the triggers below maintain `mentions`, the number of memories that name one
create table entities (
  number     integer primary key,
  id         text not null unique,
  project_id text not null references projects (id),
  name       text not null,
  type       text not null,
  label      text not null default '',
  summary    text,
  protected  integer not null default 0,
  mentions   integer not null default 0,
  created_at text not null
);
create index entities_by_mentions on entities (project_id, mentions desc, number);

-- canonical: every name of an entity, its own (`alias` 0) and its aliases; `key` is the normalised name for lookup
create table entity_names (
  project_id text not null,
  key        text not null,
  entity     integer not null references entities (number) on delete cascade,
  name       text not null,
  alias      integer not null default 0,
  primary key (project_id, key, entity)
) without rowid;
create index entity_names_by_entity on entity_names (entity);

-- canonical: the entities that each memory names
create table memory_entities (
  entity    integer not null references entities (number) on delete cascade,
  memory_id text not null references memories (id) on delete cascade,
  primary key (entity, memory_id)
) without rowid;
create index memory_entities_by_memory on memory_entities (memory_id);

create trigger memory_entities_added after insert on memory_entities begin
  update entities set mentions = mentions + 1 where number = new.entity;
end;
create trigger memory_entities_removed after delete on memory_entities begin
  update entities set mentions = mentions - 1 where number = old.entity;
end;

-- canonical: memories whose names were extracted a second time, when, and by which reader
create table enriched (
  memory_id text primary key references memories (id) on delete cascade,
  at        text not null,
  reader    text not null
) without rowid;
