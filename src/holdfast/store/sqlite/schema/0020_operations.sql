-- What people and agents changed, so that the latest change can be undone. `before` has the columns of a memory that
-- the operation changed, with their values before it, as JSON; null if the operation added the memory.
create table operations (
  id         integer primary key,
  project_id text not null references projects (id) on delete cascade,
  verb       text not null,
  undone     integer not null default 0
);
create index operations_by_project on operations (project_id, undone, id);

create table operation_changes (
  operation_id integer not null references operations (id) on delete cascade,
  memory_id    text not null references memories (id) on delete cascade,
  before       text,
  primary key (operation_id, memory_id)
) without rowid;
create index operation_changes_by_memory on operation_changes (memory_id);
