-- name: anchored
select {{columns}} from memories m
where m.project_id = :project and m.anchors <> '[]' and m.deprecated = 0 and m.valid_until is null
order by m.created_at, m.id

-- name: symbols_named
select f.path, s.name, s.kind, s.start_line, s.end_line, s.hash
from json_each(:names) n cross join code_symbols s on s.short = n.value cross join code_files f on f.id = s.file_id
where f.project_id = :project order by f.path, s.start_line

-- name: symbols_alike
select f.path, s.name, s.kind, s.start_line, s.end_line, s.hash
from json_each(:hashes) h cross join code_symbols s on s.hash = h.value cross join code_files f on f.id = s.file_id
where f.project_id = :project order by f.path, s.start_line

-- name: files_alike
select f.path, f.hash from code_files f
where f.project_id = :project and f.hash in (select value from json_each(:hashes)) order by f.path

-- name: paths_ending
select f.path from code_files f, json_each(:names) n
where f.project_id = :project and (f.path = n.value or f.path like '%/' || n.value) order by f.path

-- name: text
select text from code_texts where project_id = :project and hash = :hash

-- name: put_text
insert or ignore into code_texts (project_id, hash, text) values (:project, :hash, :text)

-- name: drop_unused_texts
delete from code_texts where project_id = :project and hash not in (
  select a.value ->> 'hash' from memories m, json_each(iif(json_valid(m.anchors), m.anchors, '[]')) a
  where m.project_id = :project and m.anchors <> '[]')
