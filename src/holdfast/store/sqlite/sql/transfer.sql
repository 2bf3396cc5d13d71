-- By rowid: messages are read in the order in which they were stored, and must be imported in that order.
-- Only the numbers of rows are sorted, here and below: sorting whole rows would need as much memory as all of them. SQLite keeps the
-- order of a subquery only if it has a limit.
-- name: memories
with own as (select rowid as row from memories where project_id = :project order by rowid limit -1)
select {{columns}} from own cross join memories m on m.rowid = own.row

-- name: events
with own as (
  select e.id from memories m cross join memory_events e on e.memory_id = m.id
  where m.project_id = :project order by e.id limit -1)
select e.memory_id, e.at, e.verb, e.reason, e.detail from own cross join memory_events e on e.id = own.id

-- name: entities
with own as (select number from entities where project_id = :project order by number limit -1)
select {{entity_columns}},
  (select json_group_array(l.memory_id) from memory_entities l where l.entity = e.number) as memories
from own cross join entities e on e.number = own.number

-- name: owner
select project_id from history where id = :id
union all select project_id from entities where id = :id
union all select project_id from entity_merges where merged_id = :id

-- name: has_session
select 1 from sessions where project_id = :project and id = :id

-- name: put_session
insert into sessions (project_id, id, kind, created_at, last_at, title, consolidated_to, consolidated_at, trimmed_to,
  recap, archived_at, said_to)
values (:project, :id, :kind, :created_at, :last_at, :title, :consolidated_to, :consolidated_at, :trimmed_to, :recap,
  :archived_at, (
    select m.id from memories m where m.project_id = :project and m.session_id = :id and m.type = 'episode'
    order by m.rowid desc limit 1))
on conflict (project_id, id) do update set created_at = min(created_at, excluded.created_at),
  last_at = max(last_at, excluded.last_at), said_to = excluded.said_to

-- The entity with that id or, if it was merged, the entity it was merged into.
-- name: present
with recursive now (id) as (
  select :id union select g.kept_id from now join entity_merges g on g.merged_id = now.id)
select {{entity_columns}} from now join entities e on e.id = now.id where e.project_id = :project

-- name: namesake
select {{entity_columns}} from entity_names n cross join entities e on e.number = n.entity
where n.project_id = :project and n.key = :key and n.alias = 0 and e.type = :type
order by e.mentions desc, e.number limit 1
