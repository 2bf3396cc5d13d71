-- Documents and source files, and the chunks by which search finds them.

-- canonical: indexed files, as they were when they were read
create table documents (
  id               text primary key,
  project_id       text not null references projects (id),
  path             text not null,
  kind             text not null,
  title            text,
  label            text,
  doc_type         text,
  content_hash     text not null,
  bytes            integer not null,
  modified         text,
  indexed_at       text not null,
  confidence       real not null default 0.8,
  access_count     integer not null default 0,
  last_accessed_at text,
  pagerank         real not null default 0,
  redacted         integer not null default 0,
  deprecated       integer not null default 0,
  unique (project_id, path)
);

-- canonical: chunks of documents; each has a passage with kind `document` or `code`
create table chunks (
  id          text primary key,
  document_id text not null references documents (id) on delete cascade,
  ordinal     integer not null,
  heading     text not null default '[]',
  text        text not null,
  start_at    integer not null,
  end_at      integer not null,
  line        integer not null,
  end_line    integer not null
);
create index chunks_by_document on chunks (document_id, ordinal);
