-- Data to undo merges of entities.

-- canonical: merged entities as they were before, with the memories that named them; `gained_*` is what the other
-- entity has only through this merge
create table entity_merges (
  merged_id       text primary key,
  project_id      text not null references projects (id),
  kept_id         text not null,
  at              text not null,
  name            text not null,
  type            text not null,
  label           text not null,
  summary         text,
  protected       integer not null,
  created_at      text not null,
  aliases         text not null,
  memories        text not null,
  gained_names    text not null,
  gained_memories text not null,
  gained_summary  integer not null
) without rowid;
create index entity_merges_by_project on entity_merges (project_id, at);
