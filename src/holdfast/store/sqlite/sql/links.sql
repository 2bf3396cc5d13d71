-- name: unread
select d.id, d.content_hash, d.front from documents d
where d.project_id = :project and d.linked_hash is not d.content_hash and d.label is not 'source code' order by d.id limit :limit

-- name: texts
select c.document_id, c.text from json_each(:ids) i cross join chunks c on c.document_id = i.value
order by c.document_id, c.ordinal

-- name: is_still
select id from documents where id = :id and content_hash = :hash

-- name: clear
delete from document_links where source_id = :id

-- name: insert
insert or ignore into document_links (project_id, source_id, target, kind) values (:project, :source, :target, :kind)

-- name: mark_read
update documents set linked_hash = :hash where id = :id and content_hash = :hash

-- name: nodes
select id, path, pagerank, superseded_by from documents
where project_id = :project and label is not 'source code' order by path

-- name: links
select source_id, target, kind, target_id from document_links where project_id = :project

-- name: resolve
update document_links set target_id = (select id from documents where id = :document)
where source_id = :source and target = :target and kind = :kind

-- name: rank
update documents set pagerank = :pagerank, superseded_by = :superseded_by where id = :id

-- name: records
select id, path, content_hash, label, superseded_by, decided from documents
where project_id = :project and deprecated = 0 and label is not 'source code' order by path

-- name: telling
select c.document_id, c.heading, c.text from json_each(:ids) i cross join chunks c on c.document_id = i.value
where c.ordinal = 0 or c.heading like '%decision%' or c.heading like '%abstract%'
  or c.heading like '%summary%' or c.heading like '%outcome%'
order by c.document_id, c.ordinal

-- name: mark_decided
update documents set decided = :decided where id = :id

-- name: linked
select d.path, l.kind, l.source_id = :id as outgoing from document_links l
join documents d on d.id = case when l.source_id = :id then l.target_id else l.source_id end
where (l.source_id = :id or l.target_id = :id) and l.target_id is not null and d.deprecated = 0
order by d.path

-- name: related
select d.path, t.co_count from (
  select b as other, co_count from co_access where project_id = :project and a = :id
  union all select a, co_count from co_access where project_id = :project and b = :id) t
join documents d on d.id = t.other where d.deprecated = 0
order by t.co_count desc, d.pagerank desc, d.path limit :limit
