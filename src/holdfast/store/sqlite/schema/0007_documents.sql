-- File metadata, links between documents, and removed chunks.

-- `mtime_ns` and `size` show that a file did not change without reading it. `front` is its front matter or header and
-- `status` the status in it. Derived: `superseded_by`, the path of its successor; `linked_hash`, the hash of the text
-- whose links are in `document_links`; `decided`, the state from which a decision was learned.
alter table documents add column mtime_ns integer;
alter table documents add column size integer;
alter table documents add column status text;
alter table documents add column front text not null default '{}';
alter table documents add column superseded_by text;
alter table documents add column linked_hash text;
alter table documents add column decided text;
create index documents_by_rank on documents (project_id, pagerank);

-- derived from chunks and documents: references as written; `target_id` is set once such a document is known
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

-- canonical: what a cleaning run removed, and all that is needed to restore it. Without `chunk` the whole document was
-- hidden. `hash` is that of the removed text; `twin` is the chunk with the same text that stayed.
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

-- adds the words of documents and code with their vectors, so that indexing stays fast
drop trigger vocabulary_from_memory;
create trigger vocabulary_from_memory after insert on passages
when new.kind not in ('episode', 'document', 'code') and length(new.body) <= 500 begin
  insert or ignore into vocabulary select word from passage_words where passage_id = new.id;
end;
