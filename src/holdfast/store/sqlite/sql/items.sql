-- name: get
select space, key, value, created_at, updated_at from items
where project_id = :project and space = :space and key = :key and (expires_at is null or expires_at > :now)

-- name: put
insert into items (project_id, space, key, value, created_at, updated_at, expires_at)
values (:project, :space, :key, :value, :now, :now, :expires)
on conflict do update set value = excluded.value, updated_at = excluded.updated_at, expires_at = excluded.expires_at,
  created_at = case when expires_at <= excluded.updated_at then excluded.updated_at else created_at end

-- name: delete
delete from items where project_id = :project and space = :space and key = :key

-- name: delete_expired
delete from items where project_id = :project and expires_at <= :now

-- name: under
select space, key, value, created_at, updated_at from items
where project_id = :project and (:space = '' or space = :space or (space > :space || '/' and space < :space || '0'))
  and (expires_at is null or expires_at > :now)
order by space, key

-- name: spaces
select distinct space from items where project_id = :project and (expires_at is null or expires_at > :now) order by space

-- name: delete_under
delete from items
where project_id = :project and (:space = '' or space = :space or (space > :space || '/' and space < :space || '0'))
