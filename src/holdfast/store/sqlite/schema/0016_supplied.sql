-- What the context of a session already contains, and the pinned memories, which are part of every context.

-- canonical: the memories and chunks that were supplied to a session, so that nothing is supplied twice; rows expire
create table supplied (
  project_id text not null references projects (id),
  session_id text not null,
  owner_id   text not null,
  at         text not null,
  primary key (project_id, session_id, owner_id)
) without rowid;
create index supplied_by_moment on supplied (at);

create index memories_pinned on memories (project_id) where pinned = 1;
