-- name: chunks
select p.id as passage_id, {{document_columns}}, {{chunk_columns}}
from documents d
cross join chunks c on c.document_id = d.id
cross join passages p on p.owner_id = c.id
where d.project_id = :project and d.deprecated = 0 and d.label is not 'source code'
order by d.superseded_by is not null, coalesce(d.modified, d.indexed_at) desc, d.path desc, c.ordinal

-- name: of_document
select id, hash, chunk is null as whole from removed_chunks where project_id = :project and path = :path

-- name: insert
insert into removed_chunks (project_id, run, at, why, path, hash, document_hash, twin, chunk)
values (:project, :run, :at, :why, :path, :hash, :document_hash, :twin, :chunk)

-- name: keep
update removed_chunks set document_hash = :document_hash, chunk = :chunk where id = :id

-- name: forget
delete from removed_chunks where id = :id

-- name: hide
update documents set deprecated = :deprecated where id = :id

-- name: document
select {{document_columns}} from documents d where d.id = :id

-- name: latest_run
select run, at from removed_chunks where project_id = :project order by id desc limit 1

-- name: of_run
select id, path, hash, document_hash, chunk from removed_chunks where project_id = :project and run = :run order by id

-- name: without_twin
select r.id, r.project_id, r.path, r.hash, r.document_hash, r.chunk
from json_each(:ids) i cross join removed_chunks r on r.twin = i.value order by r.id
