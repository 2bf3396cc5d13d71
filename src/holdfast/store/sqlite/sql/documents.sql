-- name: document
select {{document_columns}} from documents d where d.project_id = :project and d.path = :path

-- name: documents
select {{document_columns}} from documents d where d.project_id = :project and d.label is not 'source code' order by d.path

-- name: chunks
select {{document_columns}}, {{chunk_columns}}
from json_each(:ids) i
cross join chunks c on c.id = i.value
cross join documents d on d.id = c.document_id

-- name: parts
select p.id as passage_id, {{document_columns}}, {{chunk_columns}}
from json_each(:ids) i
cross join passages p on p.id = i.value
cross join chunks c on c.id = p.owner_id
cross join documents d on d.id = c.document_id

-- name: factors
select p.id as passage_id, c.id, p.kind, 'mcp_auto', d.confidence, d.indexed_at, d.modified, d.last_accessed_at,
       d.access_count, null, null, null, 0, 0, '[]', p.body || ' ' || p.tags || ' ' || p.files as searched, 0, ''
from json_each(:ids) i
cross join passages p on p.id = i.value
cross join chunks c on c.id = p.owner_id
cross join documents d on d.id = c.document_id
where {{document_filter}}

-- name: titles_found
-- the first chunk of each document whose title or path matches
select p.id, f.rank from (
  select rowid as number, bm25(titles_fts) as rank from titles_fts where titles_fts match :match order by rank limit :more) f
cross join document_titles t on t.number = f.number
cross join chunks c on c.id = (
  select id from chunks where document_id = t.document_id order by ordinal limit 1)
cross join passages p on p.owner_id = c.id
where {{placed}} and (:about is null or p.id in (select value from json_each(:about)))
limit :limit

-- name: titles
select p.id, coalesce(d.title, ''), d.path
from json_each(:ids) i
cross join passages p on p.id = i.value
cross join chunks c on c.id = p.owner_id
cross join documents d on d.id = c.document_id

-- name: add_missing_titles
insert or ignore into document_titles (document_id, words) select id, coalesce(title, '') || ' ' || path from documents

-- name: rebuild_titles
insert into titles_fts (titles_fts) values ('rebuild')

-- name: check_titles
insert into titles_fts (titles_fts, rank) values ('integrity-check', 1)

-- name: standing
select p.id, d.id, d.path,
       d.pagerank / coalesce((select nullif(max(pagerank), 0) from documents where project_id = :project), 1),
       d.confidence, coalesce(d.last_accessed_at, d.indexed_at), d.superseded_by
from json_each(:ids) i
cross join passages p on p.id = i.value
cross join chunks c on c.id = p.owner_id
cross join documents d on d.id = c.document_id

-- name: without_passage
select c.id from chunks c where not exists (select 1 from passages p where p.owner_id = c.id)

-- name: documents_at
select {{document_columns}} from json_each(:paths) i
cross join documents d on d.project_id = :project and d.path = i.value

-- name: chunks_of_all
select c.document_id, {{chunk_columns}}, p.id as passage_id
from json_each(:documents) i
cross join chunks c on c.document_id = i.value
left join passages p on p.owner_id = c.id
order by c.document_id, c.ordinal

-- name: stats
select path, id, size, mtime_ns, content_hash, label, doc_type from documents where project_id = :project

-- name: last_passage
select coalesce(max(seq), 0) from sqlite_sequence where name = 'passages'

-- name: insert_document
insert into documents (id, project_id, path, kind, title, label, doc_type, content_hash, bytes, modified, indexed_at,
  confidence, access_count, last_accessed_at, pagerank, redacted, deprecated, mtime_ns, size, status, front,
  superseded_by)
values (:id, :project_id, :path, :kind, :title, :label, :doc_type, :content_hash, :bytes, :modified, :indexed_at,
  :confidence, :access_count, :last_accessed_at, :pagerank, :redacted, :deprecated, :mtime_ns, :size, :status, :front,
  :superseded_by)

-- name: update_document
update documents set kind = :kind, title = :title, label = :label, doc_type = :doc_type, content_hash = :content_hash,
  bytes = :bytes, modified = :modified, indexed_at = :indexed_at, redacted = :redacted, deprecated = :deprecated,
  mtime_ns = :mtime_ns, size = :size, status = :status, front = :front
where id = :id

-- name: restat
update documents set size = :size, mtime_ns = :mtime_ns where project_id = :project and path = :path

-- name: relabel
update documents set label = :label, doc_type = :doc_type where project_id = :project and path = :path

-- name: rename_document
update documents set path = :new where id = :id

-- name: rename_passages
update passages set files = i.value ->> 'path', terms = i.value ->> 'terms'
from json_each(:rows) i where passages.id = i.value ->> 'passage'

-- name: rename_passage_file
update passage_files set path = :path where passage_id = :passage

-- name: rename_removed
update removed_chunks set path = :new where project_id = :project and path = :old

-- name: delete_document
delete from documents where id = :id

-- name: make_arriving
create temp table if not exists arriving (
  passage_id integer primary key, project_id, kind, path, document_id, chunk_id, ordinal, heading, text, tags, terms,
  start_at, end_at, line, end_line)

-- name: arrive
insert into temp.arriving values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)

-- name: insert_chunks
insert into chunks (id, document_id, ordinal, heading, text, start_at, end_at, line, end_line)
select chunk_id, document_id, ordinal, heading, text, start_at, end_at, line, end_line
from temp.arriving order by passage_id

-- name: insert_chunk_passages  (priority 3: memories and messages get their vectors before documents)
insert into passages (id, project_id, kind, owner_id, body, tags, files, terms, priority, embedder_id, vector_size)
select passage_id, project_id, kind, chunk_id, text, tags, path, terms, 3, :embedder, :size
from temp.arriving order by passage_id

-- name: insert_chunk_files
insert into passage_files (project_id, path, passage_id) select project_id, path, passage_id from temp.arriving

-- name: clear_arriving
delete from temp.arriving

-- name: move_chunk
update chunks set ordinal = :ordinal, start_at = :start_at, end_at = :end_at, line = :line, end_line = :end_line
where id = :id

-- name: delete_chunks
delete from chunks where id in (select value from json_each(:ids))

-- name: delete_passages_of
delete from passages where owner_id in (select value from json_each(:ids))

-- name: removed
select path, hash from removed_chunks where project_id = :project
