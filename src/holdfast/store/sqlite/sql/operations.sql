-- name: insert
insert into operations (project_id, verb) values (:project, :verb)

-- name: insert_change
insert into operation_changes (operation_id, memory_id, before) values (:operation, :memory, :before)
on conflict do update set before = excluded.before

-- name: prune
delete from operations where project_id = :project and id <= :last

-- name: latest
select id, verb, undone from operations where project_id in {{seen}} order by id desc

-- name: changes
select c.before, {{columns}} from operation_changes c join memories m on m.id = c.memory_id
where c.operation_id = :operation order by m.id

-- name: mark_undone
update operations set undone = 1 where id = :id
