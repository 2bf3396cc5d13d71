-- canonical: what was observed in agents' sessions. `prompt` is what the person asked for first, `later` what after it.
create table observed_sessions (
  project_id text not null references projects (id) on delete cascade,
  session_id text not null,
  at         text not null,
  steps      integer not null,
  branches   text not null default '[]',
  prompt     text not null default '',
  later      text not null default '',
  primary key (project_id, session_id)
) without rowid;

create table observed_files (
  project_id text not null,
  session_id text not null,
  path       text not null,
  first_step integer not null,
  reads      integer not null,
  edits      integer not null,
  primary key (project_id, session_id, path),
  foreign key (project_id, session_id) references observed_sessions (project_id, session_id) on delete cascade
) without rowid;

-- `key` identifies what was seen, the same in every session; `vals` fill the signal's text, `steps` are its evidence.
create table observations (
  project_id text not null,
  signal     text not null,
  key        text not null,
  session_id text not null,
  files      text not null default '[]',
  vals       text not null default '{}',
  steps      text not null default '[]',
  taint      text,
  primary key (project_id, signal, key, session_id),
  foreign key (project_id, session_id) references observed_sessions (project_id, session_id) on delete cascade
) without rowid;
create index observations_by_session on observations (project_id, session_id);

-- The memory that an observation became.
create table promotions (
  project_id text not null references projects (id) on delete cascade,
  signal     text not null,
  key        text not null,
  memory_id  text not null references memories (id) on delete cascade,
  sessions   integer not null,
  primary key (project_id, signal, key)
) without rowid;
create index promotions_by_memory on promotions (memory_id);
