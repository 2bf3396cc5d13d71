-- How far each session has come, and what its views are made of.

-- ids of messages: the last one said, up to where facts are kept, up to where nothing goes into the prompt any more
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

-- canonical: what happened, a paragraph for each stretch of a session; HISTORY.md is a view of it
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

-- canonical: what language models were asked, day by day; the daily ceiling is held against it
create table model_usage (
  day               text not null,
  purpose           text not null,
  calls             integer not null default 0,
  prompt_tokens     integer not null default 0,
  completion_tokens integer not null default 0,
  refused           integer not null default 0,
  primary key (day, purpose)
) without rowid;

-- canonical: each view that people may edit as it was last written, the common ground of a three-way merge
create table pages (
  project_id text not null references projects (id),
  name       text not null,
  text       text not null,
  written_at text not null,
  primary key (project_id, name)
) without rowid;

-- messages come in bulk and are never looked up by what they say, and hardly ever by the end of their id
drop index memories_by_hash;
create index memories_by_hash on memories (project_id, content_hash) where type <> 'episode';
drop index memories_by_short_id;
create index memories_by_short_id on memories (substr(id, -8)) where type <> 'episode';
