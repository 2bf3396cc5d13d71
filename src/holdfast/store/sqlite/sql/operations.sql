-- name: insert
insert into operations (project_id, verb, at) values (:project, :verb, :at)

-- name: insert_change
insert into operation_changes (operation_id, memory_id, before) values (:operation, :memory, :before)
on conflict do update set before = excluded.before

-- name: prune
delete from operations where project_id = :project and id <= :last

-- name: latest
select id, verb, undone from operations where project_id in {{seen}} order by id desc

-- name: changed_since
select c.memory_id from operation_changes c
where c.operation_id = :operation
  and (select e.verb from memory_events e where e.memory_id = c.memory_id order by e.id desc limit 1) not in ('undo', 'redo')
limit 1

-- name: changes
select c.before, {{columns}} from operation_changes c join memories m on m.id = c.memory_id
where c.operation_id = :operation order by m.id

-- name: undone_last
select max(1, max(undone)) from operations

-- name: mark
update operations set undone = :undone where id = :id

-- name: swap
update operation_changes set before = :before where operation_id = :operation and memory_id = :memory
