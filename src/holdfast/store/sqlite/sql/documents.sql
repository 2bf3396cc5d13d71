-- name: document
select {{document_columns}} from documents d where d.project_id = :project and d.path = :path

-- name: documents
select {{document_columns}} from documents d where d.project_id = :project order by d.path

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
       d.access_count, null, null, null, 0, 0, p.body || ' ' || p.tags || ' ' || p.files as searched
from json_each(:ids) i
cross join passages p on p.id = i.value
cross join chunks c on c.id = p.owner_id
cross join documents d on d.id = c.document_id
where {{document_filter}}

-- name: chunks_of
select {{document_columns}}, {{chunk_columns}}
from documents d cross join chunks c on c.document_id = d.id where d.id = :document order by c.ordinal

-- name: without_passage
select c.id from chunks c where not exists (select 1 from passages p where p.owner_id = c.id)

-- name: insert_document
insert into documents (id, project_id, path, kind, title, label, doc_type, content_hash, bytes, modified, indexed_at,
  confidence, access_count, last_accessed_at, pagerank, redacted, deprecated)
values (:id, :project_id, :path, :kind, :title, :label, :doc_type, :content_hash, :bytes, :modified, :indexed_at,
  :confidence, :access_count, :last_accessed_at, :pagerank, :redacted, :deprecated)

-- name: update_document
update documents set kind = :kind, title = :title, label = :label, doc_type = :doc_type, content_hash = :content_hash,
  bytes = :bytes, modified = :modified, indexed_at = :indexed_at, redacted = :redacted, deprecated = :deprecated
where id = :id

-- name: delete_document
delete from documents where id = :id

-- name: insert_chunk
insert into chunks (id, document_id, ordinal, heading, text, start_at, end_at, line, end_line)
values (:id, :document_id, :ordinal, :heading, :text, :start_at, :end_at, :line, :end_line)

-- name: move_chunk
update chunks set ordinal = :ordinal, start_at = :start_at, end_at = :end_at, line = :line, end_line = :end_line
where id = :id

-- name: delete_chunk
delete from chunks where id = :id

-- name: delete_passage
delete from passages where owner_id = :id
