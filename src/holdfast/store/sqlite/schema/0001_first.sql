-- The first schema. Each table is either canonical (the truth) or derived (rebuilt from the truth by
-- `holdfast doctor --repair`).

-- canonical: properties of this file
create table metadata (
  key   text primary key,
  value text not null
) without rowid;

-- canonical: the projects in this file, and how each is recognised
create table projects (
  id           text primary key,
  name         text not null,
  root         text not null,
  common_dir   text,
  remote       text,
  root_commit  text,
  created_at   text not null,
  last_seen_at text not null
) without rowid;
create index projects_remote on projects (remote) where remote is not null;

-- canonical: conversations and agent runs
create table sessions (
  project_id text not null references projects (id),
  id         text not null,
  kind       text not null,
  created_at text not null,
  last_at    text not null,
  primary key (project_id, id)
) without rowid;

-- canonical: memories and messages
create table memories (
  id                     text primary key,
  project_id             text not null references projects (id),
  type                   text not null,
  content                text not null,
  content_hash           text not null,
  confidence             real not null default 0.8,
  tags                   text not null default '[]',
  related_files          text not null default '[]',
  related_modules        text not null default '[]',
  created_at             text not null,
  event_time             text,
  last_accessed_at       text,
  access_count           integer not null default 0,
  session_id             text,
  phase                  text,
  commit_sha             text,
  scope                  text not null default 'global',
  work_unit_ref          text,
  methodology            text,
  source                 text not null default 'agent_explicit',
  source_role            text,
  target_node_id         text,
  impacted_node_ids      text not null default '[]',
  relations              text not null default '[]',
  decay_half_life_days   real,
  provenance_session_ids text not null default '[]',
  source_ids             text not null default '[]',
  needs_review           integer not null default 0,
  user_verified          integer not null default 0,
  taint                  text,
  citation_text          text,
  pinned                 integer not null default 0,
  deprecated             integer not null default 0,
  deprecated_at          text,
  stale_at               text,
  valid_until            text,
  trust_level_scope      text not null default 'personal',
  chunk_type             text,
  chunk_start_line       integer,
  chunk_end_line         integer,
  context_prefix         text,
  redacted               integer not null default 0,
  fields                 text not null default '{}',
  attributes             text not null default '{}'
);
create index memories_by_type on memories (project_id, type, created_at desc);
create index memories_by_hash on memories (project_id, content_hash);
create index memories_by_session on memories (project_id, session_id, created_at) where session_id is not null;
create index memories_to_review on memories (project_id, created_at) where needs_review = 1;
create index memories_by_short_id on memories (substr(id, -8));

-- canonical: the history of memories: verb and reason; rows are added, never changed
create table memory_events (
  id        integer primary key,
  memory_id text not null references memories (id) on delete cascade,
  at        text not null,
  verb      text not null,
  reason    text not null default '',
  detail    text not null default '{}'
);
create index memory_events_by_memory on memory_events (memory_id, id);

-- derived from memories: the passages that search finds; `kind` is the memory's type, `terms` holds what the tokenizer
-- misses: parts of identifiers and pairs of CJK characters. `embedder_id` is the model of the current vector.
create table passages (
  id          integer primary key autoincrement,
  project_id  text not null,
  kind        text not null,
  owner_id    text not null unique,
  body        text not null,
  tags        text not null default '',
  files       text not null default '',
  terms       text not null default '',
  priority    integer not null default 1,
  embedder_id integer
);
create index passages_waiting on passages (embedder_id, priority, id);

-- derived from passages: the files that each passage mentions
create table passage_files (
  project_id text not null,
  path       text not null,
  passage_id integer not null references passages (id) on delete cascade,
  primary key (project_id, path, passage_id)
) without rowid;
create index passage_files_by_passage on passage_files (passage_id);

-- derived from passages: full text
create virtual table passages_fts using fts5 (
  body, tags, files, terms,
  content = 'passages', content_rowid = 'id',
  tokenize = 'porter unicode61 remove_diacritics 2'
);
create trigger passages_fts_insert after insert on passages begin
  insert into passages_fts (rowid, body, tags, files, terms)
  values (new.id, new.body, new.tags, new.files, new.terms);
end;
create trigger passages_fts_delete after delete on passages begin
  insert into passages_fts (passages_fts, rowid, body, tags, files, terms)
  values ('delete', old.id, old.body, old.tags, old.files, old.terms);
end;
create trigger passages_fts_update after update of body, tags, files, terms on passages begin
  insert into passages_fts (passages_fts, rowid, body, tags, files, terms)
  values ('delete', old.id, old.body, old.tags, old.files, old.terms);
  insert into passages_fts (rowid, body, tags, files, terms)
  values (new.id, new.body, new.tags, new.files, new.terms);
end;

-- derived: the embedding models; vectors of different models are never compared
create table embedders (
  id         integer primary key,
  name       text not null unique,
  dimensions integer not null
);

-- derived from passages by a model: float16 vectors. `seq` grows with every change, so that a reader needs only the
-- rows after the last one it has read.
create table vectors (
  seq         integer primary key autoincrement,
  passage_id  integer not null references passages (id) on delete cascade,
  embedder_id integer not null references embedders (id),
  vector      blob not null,
  unique (passage_id, embedder_id)
);

-- derived: embedding cache, so that the same text is embedded at most once a week
create table embedding_cache (
  key        text primary key,
  embedding  blob not null,
  model_id   text not null,
  dims       integer not null,
  expires_at text not null
) without rowid;
create index embedding_cache_by_expiry on embedding_cache (expires_at);

-- canonical: how often two memories were found together
create table co_access (
  project_id     text not null,
  a              text not null,
  b              text not null,
  co_count       integer not null default 1,
  last_co_access text not null,
  primary key (project_id, a, b)
) without rowid;

-- canonical until it expires: which process does which background job
create table leases (
  name       text primary key,
  holder     text not null,
  expires_at text not null,
  progress   text not null default '{}'
) without rowid;

-- canonical: the results of background jobs
create table job_runs (
  id          integer primary key,
  name        text not null,
  started_at  text not null,
  finished_at text not null,
  outcome     text not null,
  detail      text not null default '{}'
);
create index job_runs_by_name on job_runs (name, id desc);
