-- canonical: the memories that a session was given unasked, and what became of them: used, ignored or contradicted
create table memory_uses (
  project_id text not null references projects (id) on delete cascade,
  session_id text not null,
  memory_id  text not null,
  at         text not null,
  point      text not null,
  outcome    text not null,
  evidence   text not null default '',
  primary key (project_id, session_id, memory_id)
) without rowid;
create index memory_uses_by_memory on memory_uses (memory_id);
