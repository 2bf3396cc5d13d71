-- What is known of a file beside its text, what files say of each other, and what upkeep took out of them.

-- `mtime_ns` and `size` tell that a file did not change without reading it. `front` is its front matter or header,
-- `status` what that says it is. Derived: `superseded_by`, the path of its successor; `linked_hash`, the hash of the
-- text of which `document_links` tells; `decided`, the state of which a decision was learned.
alter table documents add column mtime_ns integer;
alter table documents add column size integer;
alter table documents add column status text;
alter table documents add column front text not null default '{}';
alter table documents add column superseded_by text;
alter table documents add column linked_hash text;
alter table documents add column decided text;
create index documents_by_rank on documents (project_id, pagerank);

-- derived from chunks and documents: what a document refers to, as it names it; `target_id` once such a document is known
create table document_links (
  project_id text not null,
  source_id  text not null references documents (id) on delete cascade,
  target     text not null,
  kind       text not null,
  target_id  text references documents (id) on delete set null,
  primary key (source_id, target, kind)
) without rowid;
create index document_links_by_target on document_links (target_id) where target_id is not null;
create index document_links_by_project on document_links (project_id);

-- canonical: what one run of cleaning took out, and all that is needed to put it back. Without `chunk` the whole
-- document was put out of sight. `hash` is that of the text taken out; `twin` the chunk that says the same and stayed.
create table removed_chunks (
  id            integer primary key,
  project_id    text not null references projects (id),
  run           text not null,
  at            text not null,
  why           text not null,
  path          text not null,
  hash          text not null,
  document_hash text not null,
  twin          text,
  chunk         text
);
create index removed_chunks_by_project on removed_chunks (project_id, path);
create index removed_chunks_by_twin on removed_chunks (twin) where twin is not null;

-- the words of documents and code enter the vocabulary with their vectors, so that indexing stays quick
drop trigger vocabulary_from_memory;
create trigger vocabulary_from_memory after insert on passages
when new.kind not in ('episode', 'document', 'code') and length(new.body) <= 500 begin
  insert or ignore into vocabulary select word from passage_words where passage_id = new.id;
end;
