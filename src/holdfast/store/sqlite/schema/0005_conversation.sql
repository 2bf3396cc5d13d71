-- The state of sessions, and the data of their files.

-- ids of messages: the last one, the last consolidated one, the last one left out of the prompt
alter table sessions add column title text;
alter table sessions add column said_to text;
alter table sessions add column consolidated_to text;
alter table sessions add column consolidated_at text;
alter table sessions add column trimmed_to text;
alter table sessions add column recap text;
alter table sessions add column archived_at text;

update sessions set said_to = (
  select m.id from memories m where m.project_id = sessions.project_id and m.session_id = sessions.id
  and m.type = 'episode' order by m.rowid desc limit 1);

-- canonical: history, one paragraph per consolidated page of a session; HISTORY.md is generated from it
create table history (
  id         text primary key,
  project_id text not null references projects (id),
  session_id text not null,
  at         text not null,
  text       text not null,
  tools      text not null default '[]',
  how        text not null,
  first_id   text not null,
  last_id    text not null
);
create index history_by_moment on history (project_id, at, id);

-- canonical: language model usage per day, for the daily limit
create table model_usage (
  day               text not null,
  purpose           text not null,
  calls             integer not null default 0,
  prompt_tokens     integer not null default 0,
  completion_tokens integer not null default 0,
  refused           integer not null default 0,
  primary key (day, purpose)
) without rowid;

-- canonical: editable files as they were last written, the base of a three-way merge
create table pages (
  project_id text not null references projects (id),
  name       text not null,
  text       text not null,
  written_at text not null,
  primary key (project_id, name)
) without rowid;

-- messages are many, are never looked up by hash and hardly ever by the end of their id
drop index memories_by_hash;
create index memories_by_hash on memories (project_id, content_hash) where type <> 'episode';
drop index memories_by_short_id;
create index memories_by_short_id on memories (substr(id, -8)) where type <> 'episode';
