-- What hooks read and write on their fast path, without opening the whole store.

-- name: projects
select id, root, common_dir, remote, person_id from projects where person_id is not null order by last_seen_at desc

-- The plus signs keep the planner from starting with the index of a table that holds far more rows.
-- name: about_files
select {{light_columns}}
from json_each(:files) f
cross join passage_files pf on pf.project_id = :project and pf.path = f.value
cross join passages p on p.id = pf.passage_id and p.kind in (select value from json_each(:types))
cross join memories m on m.id = p.owner_id
where {{light_current}}
group by m.id
order by f.key, coalesce(m.event_time, m.created_at) desc
limit 50

-- name: about_words
select {{light_columns}}
from (select rowid as id from passages_fts where passages_fts match :match order by rank limit :most) f
cross join passages p on p.id = f.id and p.project_id in {{seen}}
cross join memories m on m.id = p.owner_id
where {{light_current}} and m.type in (select value from json_each(:types))
limit 10

-- What others taught since a moment: a person, or an agent in another session.
-- name: taught_since
select {{light_columns}}
from memories m
where m.project_id in {{seen}} and m.type in (select value from json_each(:types)) and m.created_at > :since
and (m.source = 'user_taught' or (m.source = 'agent_explicit' and m.session_id is not null))
and {{light_current}}
order by m.created_at
limit 10

-- name: supply
insert into supplied (project_id, session_id, owner_id, at)
select :project, :session, value, :now from json_each(:ids) where true
on conflict (project_id, session_id, owner_id) do update set at = excluded.at

-- name: count_use
update memories set access_count = access_count + 1, last_accessed_at = :now
where id in (select value from json_each(:ids))

-- After the context of a session was compacted, it no longer contains what it was given.
-- name: forget_supplied
delete from supplied where project_id = :project and session_id = :session
