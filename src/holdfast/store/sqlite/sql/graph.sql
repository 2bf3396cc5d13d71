-- name: stamps
select path, size, mtime_ns, hash, version, interface from code_files where project_id = :project

-- name: advance
insert into code_index (project_id, generation) values (:project, 1)
on conflict (project_id) do update set generation = generation + 1

-- name: stale_by_interface
update code_files set stale = 1 where id in (
  select c.file_id from code_files f join code_consulted c on c.consulted_id = f.id
  where f.project_id = :project and f.path = :path and f.interface <> :interface)

-- name: stale_by_removal
update code_files set stale = 1 where id in (
  select c.file_id from json_each(:paths) p join code_files f on f.project_id = :project and f.path = p.value
  join code_consulted c on c.consulted_id = f.id)

-- name: stale_by_name
update code_files set stale = 1 where id in (
  select l.file_id from json_each(:names) n cross join code_lookups l on l.name_hash = n.value)
  and project_id = :project

-- name: put_file
insert into code_files (project_id, path, language, lines, size, mtime_ns, hash, version, interface, record, entry_points)
values (:project, :path, :language, :lines, :size, :mtime_ns, :hash, :version, :interface, :record, :entry_points)
on conflict (project_id, path) do update set language = excluded.language, lines = excluded.lines,
  size = excluded.size, mtime_ns = excluded.mtime_ns, hash = excluded.hash, version = excluded.version,
  interface = excluded.interface, record = excluded.record, entry_points = excluded.entry_points, stale = 1
returning id

-- name: clear_symbols
delete from code_symbols where file_id = :file

-- name: put_symbol
insert or ignore into code_symbols (file_id, name, kind, start_line, end_line, hash, short) values (?, ?, ?, ?, ?, ?, ?)

-- name: remove
delete from code_files where project_id = :project and path in (select value from json_each(:paths))

-- name: restat
update code_files set size = :size, mtime_ns = :mtime_ns where project_id = :project and path = :path and hash = :hash

-- name: is_stale
select stale from code_files where project_id = :project and path = :path

-- name: not_stale
update code_files set stale = 0 where id = :file

-- name: move_edges
update code_edges set line = (select l.value from json_each(:lines) l where l.key = cast(line as text))
where file_id = :file and cast(line as text) in (select l.key from json_each(:lines) l)

-- name: move_unresolved
update code_unresolved set line = (select l.value from json_each(:lines) l where l.key = cast(line as text))
where file_id = :file and cast(line as text) in (select l.key from json_each(:lines) l)

-- name: mark_stale
update code_files set stale = 1
where project_id = :project and stale = 0 and path in (select value from json_each(:paths))

-- name: invalidate
update code_files set stale = 1 where project_id = :project

-- name: stale
select path from code_files where project_id = :project and stale = 1 order by path

-- name: record
select record from code_files where project_id = :project and path = :path

-- name: ids
select path, id from code_files where project_id = :project

-- name: is_still
select id from code_files where project_id = :project and path = :path and hash = :hash

-- name: clear_edges
delete from code_edges where file_id = :file

-- name: clear_unresolved
delete from code_unresolved where file_id = :file

-- name: clear_consulted
delete from code_consulted where file_id = :file

-- name: clear_lookups
delete from code_lookups where file_id = :file

-- name: clear_file_edges
delete from code_file_edges where file_id = :file

-- name: put_file_edge
insert into code_file_edges (target_id, file_id, types) values (?, ?, ?)

-- name: put_edge
insert into code_edges (file_id, source, target_id, target, type, confidence, line, count, origin)
values (?, ?, ?, ?, ?, ?, ?, ?, ?)

-- name: add_edge
insert or replace into code_edges (file_id, source, target_id, target, type, confidence, line, count, origin)
values (?, ?, ?, ?, ?, ?, ?, ?, ?)

-- name: edges_between
select distinct t.path, e.type, e.confidence from code_edges e join code_files t on t.id = e.target_id
where e.file_id = :file and e.target_id <> :file

-- name: put_unresolved
insert into code_unresolved (file_id, expression, type, why, line, count) values (?, ?, ?, ?, ?, ?)

-- name: put_consulted
insert or ignore into code_consulted (consulted_id, file_id) values (?, ?)

-- name: put_lookup
insert or ignore into code_lookups (name_hash, file_id) values (?, ?)

-- name: settle
update code_files set stale = 0, external = :external where id = :file

-- name: indexed
update code_index set indexed_at = :at where project_id = :project

-- name: folders
select folders from code_index where project_id = :project

-- name: keep_folders
update code_index set folders = :folders where project_id = :project and folders <> :folders

-- name: configuration
select configuration from code_index where project_id = :project

-- name: configure
update code_index set configuration = :hash where project_id = :project

-- name: generation
select generation from code_index where project_id = :project

-- name: files
select path, language from code_files where project_id = :project order by path

-- name: file_entries
select id, path, language, lines, size, mtime_ns, stale, entry_points <> '[]'
from code_files where project_id = :project order by path

-- name: entry_points
select id, entry_points from code_files where project_id = :project and entry_points <> '[]' order by path

-- name: file_dependents
select e.file_id, e.target_id, e.types from json_each(:files) i cross join code_file_edges e on e.target_id = i.value

-- name: file_dependencies
select e.file_id, e.target_id, e.types from json_each(:files) i cross join code_file_edges e on e.file_id = i.value

-- name: symbol_dependents
select e.file_id, e.source, e.target_id, e.target, e.type, e.confidence, e.line, e.count
from json_each(:ranges) r cross join code_edges e on e.target_id = json_extract(r.value, '$[0]')
  and e.target between json_extract(r.value, '$[1]') and json_extract(r.value, '$[2]')

-- name: symbol_dependencies
select e.file_id, e.source, e.target_id, e.target, e.type, e.confidence, e.line, e.count
from json_each(:ranges) r cross join code_edges e on e.file_id = json_extract(r.value, '$[0]')
  and e.source between json_extract(r.value, '$[1]') and json_extract(r.value, '$[2]')

-- name: external_uses
select coalesce(sum(f.external), 0) from json_each(:files) i cross join code_files f on f.id = i.value

-- name: symbols_of
select s.file_id, s.name, s.kind, s.start_line, s.end_line
from json_each(:files) i cross join code_symbols s on s.file_id = i.value order by s.file_id, s.start_line, s.name

-- name: symbols
select f.path, s.name, s.kind, s.start_line, s.end_line
from code_files f join code_symbols s on s.file_id = f.id where f.project_id = :project

-- name: edges
select f.path, e.source, t.path, e.target, e.type, e.confidence, e.line, e.count, e.origin
from code_files f join code_edges e on e.file_id = f.id join code_files t on t.id = e.target_id
where f.project_id = :project

-- name: unresolved
select u.expression, u.type, u.why, u.line, u.count from code_files f join code_unresolved u on u.file_id = f.id
where f.project_id = :project and f.path = :path order by u.line, u.expression

-- name: state
select
  (select count(*) from code_files f where f.project_id = :project) as files,
  (select count(*) from code_files f join code_symbols s on s.file_id = f.id where f.project_id = :project) as symbols,
  (select count(*) from code_files f join code_edges e on e.file_id = f.id where f.project_id = :project) as edges,
  (select coalesce(sum(u.count), 0) from code_files f join code_unresolved u on u.file_id = f.id
   where f.project_id = :project) as unresolved,
  (select coalesce(sum(f.external), 0) from code_files f where f.project_id = :project) as external,
  (select count(*) from code_files f where f.project_id = :project and f.stale = 1) as stale,
  (select indexed_at from code_index where project_id = :project) as indexed_at

-- name: languages
select language, count(*) from code_files where project_id = :project group by language order by 2 desc, 1

-- name: counted_commit
select counted_commit from code_index where project_id = :project

-- name: put_counted_commit
insert into code_index (project_id, generation, counted_commit) values (:project, 0, :commit)
on conflict (project_id) do update set counted_commit = excluded.counted_commit

-- name: clear_changes
delete from code_changes where project_id = :project

-- name: clear_co_changes
delete from code_co_changes where project_id = :project

-- name: put_changes
insert into code_changes (project_id, path, commits, weight) values (?, ?, ?, ?)

-- name: put_co_changes
insert into code_co_changes (project_id, path, other, commits, weight) values (?, ?, ?, ?, ?)

-- name: co_changed
select c.path, c.other, c.commits, c.weight
from json_each(:paths) i cross join code_co_changes c on c.project_id = :project and c.path = i.value
order by c.weight desc, c.path, c.other

-- name: change_counts
select c.path, c.commits, c.weight
from json_each(:paths) i cross join code_changes c on c.project_id = :project and c.path = i.value
